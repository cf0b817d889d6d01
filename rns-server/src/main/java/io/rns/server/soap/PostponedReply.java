package io.rns.server.soap;

import io.rns.wire.ReplyHeaders;
import io.rns.wire.SoapVersion;
import io.rns.xml.XmlBuffer;

/** Stands for an answer that takes time, and is to be asked for again by a thread that may wait. */
final class PostponedReply extends Reply {
  static final PostponedReply INSTANCE = new PostponedReply();

  private PostponedReply() {
    super(ReplyHeaders.NONE);
  }

  @Override
  String action() {
    return "";
  }

  @Override
  boolean writeNext(XmlBuffer out, SoapVersion version) {
    throw new IllegalStateException("this is no answer yet");
  }
}
