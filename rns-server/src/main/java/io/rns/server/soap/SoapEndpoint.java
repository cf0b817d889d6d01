package io.rns.server.soap;

import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Entry;
import io.rns.api.ListRequest;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.Page;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.wire.EntryRequest;
import io.rns.wire.Envelope;
import io.rns.wire.Fault;
import io.rns.wire.ListingRequest;
import io.rns.wire.MessageHeaders;
import io.rns.wire.ReplyForm;
import io.rns.wire.ReplyHeaders;
import io.rns.wire.Request;
import io.rns.wire.RequestReader;
import io.rns.xml.XmlPull;
import java.util.List;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** RNS 1.0 on a {@link NameService}, whatever carries the messages. Safe for use by many threads. */
public final class SoapEndpoint {
  /** The attribute of the servlet context under which the entrances find the endpoint; absent while it is not ready. */
  public static final String ATTRIBUTE = "io.rns.server.soap.SoapEndpoint";

  private static final Logger LOG = LoggerFactory.getLogger(SoapEndpoint.class);

  private final NameService service;
  private final SoapSettings settings;

  /** Answers from {@code service}, which the endpoint does not close. */
  public SoapEndpoint(NameService service, SoapSettings settings) {
    this.service = service;
    this.settings = settings;
  }

  SoapSettings settings() {
    return settings;
  }

  /**
   * Answers one request. The message is read to its end before anything is done, so a truncated one does nothing.
   *
   * @param body at the child of the SOAP body
   * @param headers what the headers say
   * @return the answer, which may be a fault; never throws
   */
  Reply handle(XmlPull body, MessageHeaders headers, SoapCall call) {
    try {
      String url = settings.publicUrl().orElse(call.url());
      Request request = RequestReader.read(body, headers, url);
      Envelope.leaveBody(body);
      return answer(request, headers, new CallContext(call.caller(), headers.requestId()), url);
    } catch (RuntimeException e) {
      return refuse(e, headers);
    }
  }

  /** The answer to a request that failed with an exception. */
  Reply refuse(RuntimeException error, MessageHeaders headers) {
    RnsException told = told(error);
    return new FaultReply(Fault.of(told, headers.target().path()), headers.extended(), ReplyHeaders.NONE, settings.clock());
  }

  /** The error as callers may see it: of a defect they see only a number that the log has too. */
  private static RnsException told(RuntimeException error) {
    if (error instanceof RnsException known && known.error() != RnsError.INTERNAL) {
      return known;
    }
    String incident = UUID.randomUUID().toString();
    LOG.error("incident {}", incident, error);
    return new RnsException(RnsError.INTERNAL, "the service has a defect: incident " + incident, error);
  }

  private Reply answer(Request request, MessageHeaders headers, CallContext call, String url) {
    ReplyForm form = new ReplyForm(headers.extended(), url);
    return switch (request) {
      case EntryRequest<?> entries -> answer(entries, headers, call, form);
      case ListingRequest listing -> answer(listing, headers, call, form);
    };
  }

  private Reply answer(EntryRequest<?> request, MessageHeaders headers, CallContext call, ReplyForm form) {
    Answer<List<Outcome<Entry>>> answer = request.ask(service, call);
    ReplyHeaders replyHeaders = ReplyHeaders.of(headers, answer.position());
    if (request.batch()) {
      return new BatchReply(request, answer.value(), form, replyHeaders, settings.clock());
    }
    return switch (answer.value().get(0)) {
      case Outcome.Done<Entry> done -> new EntryReply(request, done.value(), form, replyHeaders);
      case Outcome.Refused<Entry> refused ->
          new FaultReply(Fault.of(refused.refusal()), form.extended(), replyHeaders, settings.clock());
    };
  }

  private Reply answer(ListingRequest listing, MessageHeaders headers, CallContext call, ReplyForm form) {
    ListRequest first = listing.request();
    Answer<Outcome<Page>> answer = service.list(call, first);
    ReplyHeaders plain = ReplyHeaders.of(headers, answer.position());
    return switch (answer.value()) {
      case Outcome.Done<Page> done -> {
        Page page = done.value();
        if (listing.paged()) {
          ReplyHeaders paged = new ReplyHeaders(plain.position(), true, page.next());
          yield new ListingReply(page, null, form, paged);
        }
        yield new ListingReply(page, next -> service.list(call, first.from(next)), form, plain);
      }
      case Outcome.Refused<Page> refused ->
          new FaultReply(Fault.of(refused.refusal()), form.extended(), plain, settings.clock());
    };
  }
}
