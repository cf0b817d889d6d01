package io.rns.server.soap;

import io.rns.wire.ReplyForm;
import io.rns.wire.ReplyHeaders;
import io.rns.wire.SoapVersion;
import io.rns.wire.resource.ResourceRequest;
import io.rns.xml.XmlBuffer;

/**
 * What a directory as a resource was answered.
 *
 * @param <O> the answer
 */
final class ResourceReply<O> extends Reply {
  private final ResourceRequest<?, O> request;
  private final O result;
  private final ReplyForm form;

  ResourceReply(ResourceRequest<?, O> request, O result, ReplyForm form, ReplyHeaders headers) {
    super(headers);
    this.request = request;
    this.result = result;
    this.form = form;
  }

  @Override
  String action() {
    return request.codec().action();
  }

  @Override
  boolean writeNext(XmlBuffer out, SoapVersion version) {
    request.writeResponse(out, result, form);
    return false;
  }
}
