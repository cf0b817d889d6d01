package io.rns.server.soap;

import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Entry;
import io.rns.api.ListRequest;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.Page;
import io.rns.api.QueryRequest;
import io.rns.api.Refusal;
import io.rns.api.Target;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.wire.EntryRequest;
import io.rns.wire.Envelope;
import io.rns.wire.Fault;
import io.rns.wire.FaultTable;
import io.rns.wire.ListingRequest;
import io.rns.wire.MessageHeaders;
import io.rns.wire.ReplyForm;
import io.rns.wire.ReplyHeaders;
import io.rns.wire.Request;
import io.rns.wire.RequestReader;
import io.rns.wire.ResourceRequest;
import io.rns.wire.WsNames;
import io.rns.xml.XmlPull;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All operations on a {@link NameService}, whatever carries the messages. Safe for use by many threads. */
public final class SoapEndpoint {
  /** The attribute of the servlet context under which the entrances find the endpoint; absent while it is not ready. */
  public static final String ATTRIBUTE = "io.rns.server.soap.SoapEndpoint";

  private static final Logger LOG = LoggerFactory.getLogger(SoapEndpoint.class);

  private final NameService service;
  private final SoapSettings settings;
  /** Of the URL that was asked last. */
  private volatile @Nullable WsNames names;

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
    FaultTable faults = FaultTable.RNS_1_0;
    try {
      faults = RequestReader.faults(body);
      String url = settings.publicUrl().orElse(call.url());
      Request request = RequestReader.read(body, headers, url);
      Envelope.leaveBody(body);
      return answer(request, headers, new CallContext(call.caller(), headers.requestId()), url);
    } catch (RuntimeException e) {
      return refuse(e, headers, faults);
    }
  }

  /** The answer to a message that failed with an exception before its operation was known. */
  Reply refuse(RuntimeException error, MessageHeaders headers) {
    return refuse(error, headers, FaultTable.RNS_1_0);
  }

  private Reply refuse(RuntimeException error, MessageHeaders headers, FaultTable faults) {
    Fault fault = Fault.of(told(error), headers.target().path()).in(faults);
    return new FaultReply(fault, headers.extended(), ReplyHeaders.NONE, settings.clock());
  }

  private Reply refuse(Refusal refusal, Request request, ReplyForm form, ReplyHeaders headers) {
    return new FaultReply(Fault.of(refusal).in(request.faults()), form.extended(), headers, settings.clock());
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
    return switch (request) {
      case EntryRequest<?> entries -> answer(entries, headers, call, form(request, headers, call, url));
      case ListingRequest listing -> answer(listing, headers, call, form(request, headers, call, url));
      case ResourceRequest<?, ?> resource -> answer(resource, headers, call, names(call, url));
    };
  }

  /** How an answer is written; made before anything is done, since it may have to ask for the root. */
  private ReplyForm form(Request request, MessageHeaders headers, CallContext call, String url) {
    // RNS 1.0 is older than WS-Naming, and an extended answer has no references of directories.
    boolean plain = request.faults() == FaultTable.RNS_1_0 || headers.extended();
    return plain ? new ReplyForm(headers.extended(), url) : new ReplyForm(false, names(call, url));
  }

  private WsNames names(CallContext call, String url) {
    WsNames known = names;
    if (known == null || !known.serviceUrl().equals(url)) {
      Entry root = service.query(call, QueryRequest.of(Target.ROOT)).value().get(0).orThrow();
      known = new WsNames(url, root);
      names = known;
    }
    return known;
  }

  private Reply answer(EntryRequest<?> request, MessageHeaders headers, CallContext call, ReplyForm form) {
    Answer<List<Outcome<Entry>>> answer = request.ask(service, call);
    ReplyHeaders replyHeaders = ReplyHeaders.of(headers, answer.position());
    Refusal ofAll = request.refusalOfAll(answer.value());
    if (ofAll != null) {
      return refuse(ofAll, request, form, replyHeaders);
    }
    return request.batch()
        ? new BatchReply(request, answer.value(), form, replyHeaders, settings.clock())
        : new EntryReply(request, answer.value().get(0).orThrow(), form, replyHeaders);
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
          yield new ListingReply(listing.form(), page, null, form, paged);
        }
        if (page.next().isPresent() && !listing.form().isWhole()) {
          throw tooMany(page, first);
        }
        yield new ListingReply(listing.form(), page, next -> service.list(call, first.from(next)), form, plain);
      }
      case Outcome.Refused<Page> refused -> refuse(refused.refusal(), listing, form, plain);
    };
  }

  private static RnsException tooMany(Page page, ListRequest request) {
    return new RnsException(
        RnsError.LIMIT_EXCEEDED,
        "directory '" + request.directory() + "' has more than the " + page.entries().size()
            + " entries of one answer; the limit is " + request.pageSize()
            + " entries: look them up by name, or page by page with the header x:Page");
  }

  private <O> Reply answer(ResourceRequest<?, O> request, MessageHeaders headers, CallContext call, WsNames known) {
    ReplyForm form = new ReplyForm(headers.extended(), known);
    Answer<Outcome<O>> answer = request.ask(service, call, known);
    ReplyHeaders replyHeaders = ReplyHeaders.of(headers, answer.position());
    return switch (answer.value()) {
      case Outcome.Done<O> done -> new ResourceReply<>(request, done.value(), form, replyHeaders);
      case Outcome.Refused<O> refused -> refuse(refused.refusal(), request, form, replyHeaders);
    };
  }
}
