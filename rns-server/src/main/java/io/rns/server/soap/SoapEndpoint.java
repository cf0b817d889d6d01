package io.rns.server.soap;

import io.rns.api.AddRequest;
import io.rns.api.Answer;
import io.rns.api.ArriveRequest;
import io.rns.api.AssignRequest;
import io.rns.api.ContentRequest;
import io.rns.api.CallContext;
import io.rns.api.Caller;
import io.rns.api.ConcludeRequest;
import io.rns.api.DepartRequest;
import io.rns.api.EntriesRequest;
import io.rns.api.Entry;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.EntryId;
import io.rns.api.Explanation;
import io.rns.api.Hop;
import io.rns.api.ListRequest;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.Page;
import io.rns.api.QueryRequest;
import io.rns.api.Refusal;
import io.rns.api.RemoveRequest;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.identity.FrontReport;
import io.rns.pool.PoolService;
import io.rns.referral.Referral;
import io.rns.referral.Site;
import io.rns.server.access.AccessLog;
import io.rns.server.audit.RequestAudit;
import io.rns.server.http.Incidents;
import io.rns.server.http.SharedLookup;
import io.rns.server.iteration.ElementSource;
import io.rns.server.iteration.Iteration;
import io.rns.server.iteration.IteratorTable;
import io.rns.server.iteration.ListingCourse;
import io.rns.server.overload.OverloadSettings;
import io.rns.server.overload.RequestAdmission;
import io.rns.server.query.FoundEntries;
import io.rns.server.query.Searches;
import io.rns.server.query.XPathQueries;
import io.rns.wire.Envelope;
import io.rns.wire.Fault;
import io.rns.wire.FaultTable;
import io.rns.wire.IteratorReference;
import io.rns.wire.MessageHeaders;
import io.rns.wire.ReplyForm;
import io.rns.wire.ReplyHeaders;
import io.rns.wire.Request;
import io.rns.wire.WsNames;
import io.rns.wire.operation.RequestReader;
import io.rns.wire.pool.PoolRequest;
import io.rns.wire.resource.IterateRequest;
import io.rns.wire.resource.ResourceRequest;
import io.rns.wire.resource.Resources;
import io.rns.wire.resource.SearchRequest;
import io.rns.wire.rns.EntryOperations;
import io.rns.wire.rns.EntryRequest;
import io.rns.wire.rns.ListingRequest;
import io.rns.wire.rns.SubtreePageRequest;
import io.rns.xml.XmlPull;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * All operations on a {@link NameService} and a {@link PoolService}, whatever carries the messages. Safe for use by
 * many threads.
 */
public final class SoapEndpoint {
  /** The attribute of the servlet context under which the entrances find the endpoint; absent while it is not ready. */
  public static final String ATTRIBUTE = "io.rns.server.soap.SoapEndpoint";

  /** What stands in the body of requests that only read, as far as they are frequent. */
  private static final Set<String> READS = Set.of("query", "list", "LookupRequest");

  /** What stands in the body of changes that wait for nothing but a commit. */
  private static final Set<String> WRITES =
      Set.of(
          "add", "update", "move", "remove", "AddRequest", "RenameRequest", "RemoveRequest", "SetMetadataRequest");

  /** What stands in the body of requests that change nothing: all others are taken for changes by the audit log. */
  private static final Set<String> READ_ONLY =
      Set.of(
          "query", "list", "subtree", "LookupRequest", "SearchRequest", "IterateRequestType", "GetResourceProperty",
          "GetMultipleResourceProperties", "GetResourcePropertyDocument", "QueryResourceProperties", "resolve",
          "EndpointIdentifier", "poolResolve", "poolUnreachable", "poolExperience", "poolElements", "poolList");

  static final List<Referral> NO_SERVERS = List.of(new Referral(RnsPath.ROOT, 0, 30_000, List.of()));

  /** Of a server that has no name. */
  static final Hop.Self NOBODY = new Hop.Self("", 0, "", Optional.empty());

  private static final long NO_BYTES = 0;

  private static final XPathQueries QUERIES = new XPathQueries();

  private final NameService service;
  private final @Nullable PoolService pools;
  private final SoapSettings settings;
  private final Waits waits;
  private final RequestAdmission admission;
  private final Supplier<List<Referral>> servers;
  private final Supplier<Hop.Self> self;
  private final @Nullable AccessLog access;
  private final NearServers near;
  private final IteratorTable iterators;
  private final Searches searches;
  private final WrittenPages pages;
  /** Of the URL that was asked last. */
  private volatile @Nullable WsNames names;

  /**
   * What an endpoint answers from. The endpoint closes none of it.
   *
   * @param service the tree
   * @param pools the server pools; null if there are none
   * @param waits which requests may have to wait
   * @param admission how many requests are answered at a time
   * @param servers the servers of each part of the tree, the root's first; must cost little
   * @param self what the server says of itself in the explanation of a request; must cost little
   * @param access the log of what is asked for; null for none
   * @param pages listings that were written before
   */
  public record Parts(
      NameService service,
      @Nullable PoolService pools,
      SoapSettings settings,
      Waits waits,
      RequestAdmission admission,
      Supplier<List<Referral>> servers,
      Supplier<Hop.Self> self,
      @Nullable AccessLog access,
      WrittenPages pages) {
    /** A tree without pools, limits or other servers, which waits for nothing. */
    public static Parts of(NameService service, SoapSettings settings) {
      RequestAdmission all = new RequestAdmission(OverloadSettings.OFF, System::nanoTime);
      return new Parts(service, null, settings, Waits.NEVER, all, () -> NO_SERVERS, () -> NOBODY, null,
          new WrittenPages(NO_BYTES));
    }
  }

  /** An endpoint that answers from these parts. */
  public SoapEndpoint(Parts parts) {
    this(parts, new Searches(parts.service()));
  }

  SoapEndpoint(Parts parts, Searches searches) {
    this.service = parts.service();
    this.pools = parts.pools();
    this.settings = parts.settings();
    this.waits = parts.waits();
    this.admission = parts.admission();
    this.servers = parts.servers();
    this.self = parts.self();
    this.access = parts.access();
    this.pages = parts.pages();
    this.near = new NearServers(servers, System::nanoTime, bound -> ThreadLocalRandom.current().nextInt(bound));
    this.iterators = new IteratorTable(settings.clock());
    this.searches = searches;
  }

  SoapSettings settings() {
    return settings;
  }

  RequestAdmission admission() {
    return admission;
  }

  /** Its numbers by name. */
  public Map<String, Number> statistics() {
    return Map.of("iterators", iterators.size());
  }

  /** Whether calls must have their session, for the access log. */
  boolean hasAccessLog() {
    return access != null;
  }

  /** What the child of a SOAP body asks for. */
  private static FastPathResult.Work work(XmlPull body) {
    String name = body.localName();
    return READS.contains(name)
        ? FastPathResult.Work.READ
        : WRITES.contains(name) ? FastPathResult.Work.WRITE : FastPathResult.Work.OTHER;
  }

  /**
   * A request that was read.
   *
   * @param work what it asks for
   * @param waits whether its answer may have to wait for other servers
   * @param answer does what it asks for, once, and returns the reply, which may be a fault; never throws
   */
  record Prepared(FastPathResult.Work work, boolean waits, Supplier<Reply> answer) {}

  /**
   * Reads one request, to the end of the message, so that a truncated one does nothing.
   *
   * @param body at the child of the SOAP body
   * @param headers what the headers say
   */
  Prepared read(XmlPull body, MessageHeaders headers, SoapCall call) {
    FastPathResult.Work work = work(body);
    FaultTable faults = FaultTable.RNS_1_0;
    String operation = body.localName();
    boolean isBatch = operation.equals("batch");
    // Of which operation a batch is shows once it is read.
    RequestAudit.noteOperation(operation, !isBatch && !READ_ONLY.contains(operation));
    try {
      faults = RequestReader.faults(body);
      String url = settings.publicUrl().orElse(call.url());
      Request request = RequestReader.read(body, headers, url);
      if (isBatch) {
        RequestAudit.noteOperation(operation, !isOfQueries(request));
      }
      Envelope.leaveBody(body);
      List<Target> read = work == FastPathResult.Work.READ ? targets(request) : List.of();
      boolean mayWait = waits.mayWait(read, headers.consistency(), headers.seen());
      return new Prepared(work, mayWait, () -> answer(request, headers, call, url));
    } catch (RuntimeException e) {
      Reply fault = refuse(e, headers, faults);
      return new Prepared(work, false, () -> fault);
    }
  }

  private static boolean isOfQueries(Request request) {
    return request instanceof EntryRequest<?> batch && batch.codec().equals(EntryOperations.QUERY);
  }

  private static List<Target> targets(Request request) {
    return switch (request) {
      case EntryRequest<?> entries -> entries.targets();
      case ListingRequest listing -> List.of(listing.request().directory());
      default -> List.of();
    };
  }

  private Reply answer(Request request, MessageHeaders headers, SoapCall call, String url) {
    if (!headers.explain()) {
      Optional<SharedLookup> lookup =
          call.shared().flatMap(shared -> SharedRequest.path(request, headers).flatMap(shared::begin));
      Reply reply = answer(request, headers, call, url, lookup.map(SharedLookup::explanation));
      lookup.ifPresent(reply::answers);
      return reply;
    }
    Hop.Self before = self.get();
    Explanation explanation = new Explanation();
    long began = System.nanoTime();
    Reply reply = answer(request, headers, call, url, Optional.of(explanation));
    long micros = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - began);
    List<Hop> way = explanation.of(before, self.get().position(), micros);
    return reply.explained(
        FrontReport.read(call.front().get(), before.group()).map(front -> Explanation.through(front, way)).orElse(way));
  }

  private Reply answer(
      Request request, MessageHeaders headers, SoapCall call, String url, Optional<Explanation> explanation) {
    try {
      NameService asked = access == null ? service : access.over(service, call.session());
      return answer(asked, request, headers,
          new CallContext(
              call.caller(), headers.requestId(), headers.consistency(), headers.seen(), headers.routing(),
              headers.hops(), explanation, call.caller().name().isEmpty() ? call.origin().get() : ""),
          url, call.client());
    } catch (RuntimeException e) {
      return refuse(e, headers, request.faults());
    }
  }

  /** The answer to a message that failed with an exception before its operation was known. */
  Reply refuse(RuntimeException error, MessageHeaders headers) {
    return refuse(error, headers, FaultTable.RNS_1_0);
  }

  private Reply refuse(RuntimeException error, MessageHeaders headers, FaultTable faults) {
    return refuse(Fault.of(Incidents.told(error), headers.target().path()).in(faults), headers);
  }

  private Reply refuse(Fault fault, MessageHeaders headers) {
    return new FaultReply(fault, headers.extended(), told(headers, ReplyHeaders.NONE), settings.clock());
  }

  /** The reply to an answer: what {@code served} makes of a result and its headers, or the fault of a referral. */
  private <A> Reply reply(
      Answer<A> answer, Request request, MessageHeaders headers, BiFunction<A, ReplyHeaders, Reply> served) {
    return switch (answer) {
      case Answer.Served<A> result -> served.apply(result.value(), of(headers, result));
      case Answer.Referred<A> referred -> refuse(
          Fault.of(referred, headers.target().path()).in(request.faults()), headers);
    };
  }

  /** The reply to one outcome: what {@code done} makes of a success, or the fault of a refusal. */
  private <O> Reply reply(
      Outcome<O> outcome, Request request, ReplyForm form, ReplyHeaders headers, Function<O, Reply> done) {
    return switch (outcome) {
      case Outcome.Done<O> success -> done.apply(success.value());
      case Outcome.Refused<O> refused -> refuse(refused.refusal(), request, form, headers);
    };
  }

  /** The headers of a result. */
  private ReplyHeaders of(MessageHeaders headers, Answer.Served<?> result) {
    return told(headers, ReplyHeaders.of(headers, result));
  }

  /** Headers, with the server list if requested. */
  private ReplyHeaders told(MessageHeaders headers, ReplyHeaders reply) {
    return headers.servers() ? reply.with(servers.get()) : reply;
  }

  private Reply refuse(Refusal refusal, Request request, ReplyForm form, ReplyHeaders headers) {
    return new FaultReply(Fault.of(refusal).in(request.faults()), form.extended(), headers, settings.clock());
  }

  /** Asks {@code asked} for what the caller wants, and the service itself for what the answer needs besides. */
  private Reply answer(
      NameService asked, Request request, MessageHeaders headers, CallContext call, String url,
      Supplier<String> client) {
    return switch (request) {
      case EntryRequest<?> entries -> answer(asked, entries, headers, call, form(request, headers, call, url));
      case ListingRequest listing -> answer(asked, listing, headers, call, url);
      case SubtreePageRequest subtree -> answer(asked, subtree, headers, call);
      case IterateRequest iterate -> answer(iterate, headers, call, form(request, headers, call, url));
      case SearchRequest search -> answer(search, headers, call, url);
      case ResourceRequest<?, ?> resource ->
        answer(asked, resource, headers, call, names(call, resource, headers, url));
      case PoolRequest<?, ?> pool -> answer(pool, call, client);
      default -> throw new IllegalStateException("a request without an answer: " + request);
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
    // What is said to be the address for all is not another server's.
    List<String> others = settings.publicUrl().isPresent() ? List.of() : near.others(url);
    if (known == null) {
      known = new WsNames(url, service.query(asService(call), QueryRequest.of(Target.ROOT)).value().get(0).orThrow());
    }
    if (!known.serviceUrl().equals(url) || !known.others().equals(others)) {
      known = known.at(url, others);
    }
    names = known;
    return known;
  }

  /** What every caller is told is asked once, whatever the first one may see. */
  private static CallContext asService(CallContext call) {
    return new CallContext(
        Caller.SERVICE, Optional.empty(), call.consistency(), call.seen(), call.routing(), call.hops(),
        Optional.empty(), "");
  }

  private WsNames names(CallContext call, ResourceRequest<?, ?> request, MessageHeaders headers, String url) {
    WsNames here = names(call, url);
    return request.renews() ? renewed(here, headers.site()) : here;
  }

  /** The names at the best server for a caller who has lost the way to another. */
  private WsNames renewed(WsNames here, Site site) {
    Optional<String> best = settings.publicUrl().isPresent() ? Optional.empty() : near.best(site);
    return best.map(url -> here.at(url, near.others(url))).orElse(here);
  }

  private Reply answer(
      NameService asked, EntryRequest<?> request, MessageHeaders headers, CallContext call, ReplyForm form) {
    Answer<List<Outcome<Entry>>> answer = request.valid()
        .map(valid -> ask(asked, valid, call).map(request::outcomes))
        .orElseGet(() -> Answer.of(request.unapplied(), ReplyHeaders.NOWHERE));
    return reply(answer, request, headers, (outcomes, replyHeaders) -> {
      // Extended responses report the outcome of each item of a batch.
      Refusal ofAll = request.batch() && headers.extended() ? null : request.refusalOfAll(outcomes);
      if (ofAll != null) {
        return refuse(ofAll, request, form, replyHeaders);
      }
      return request.batch()
          ? new BatchReply(request, outcomes, form, replyHeaders, settings.clock())
          : new EntryReply(request, outcomes.getFirst().orThrow(), form, replyHeaders);
    });
  }

  private static Answer<List<Outcome<Entry>>> ask(NameService asked, EntriesRequest request, CallContext call) {
    return switch (request) {
      case QueryRequest query -> asked.query(call, query);
      case AddRequest add -> asked.add(call, add);
      case UpdateRequest update -> asked.update(call, update);
      case RemoveRequest remove -> asked.remove(call, remove);
      case AssignRequest assign -> throw noMessage(assign);
      case ContentRequest content -> throw noMessage(content);
      case DepartRequest depart -> throw noMessage(depart);
      case ArriveRequest arrive -> throw noMessage(arrive);
      case ConcludeRequest conclude -> throw noMessage(conclude);
    };
  }

  private static IllegalStateException noMessage(EntriesRequest request) {
    return new IllegalStateException("no message has it: " + request);
  }

  private Reply answer(
      NameService asked, ListingRequest listing, MessageHeaders headers, CallContext call, String url) {
    ReplyForm form = form(listing, headers, call, url);
    ListRequest first = listing.request();
    // Any other page is a list of its own each time.
    WrittenPages kept = first.cursor().isEmpty() && first.pattern().isEmpty() ? pages : null;
    return reply(asked.list(call, first), listing, headers,
        (outcome, plain) -> reply(outcome, listing, form, plain, page -> {
          if (listing.paged()) {
            return new ListingReply(listing.form(), page, null, null, form, kept, plain.paged(page.next()));
          }
          return listing.form().isWhole()
              ? new ListingReply(listing.form(), page, next -> service.list(call, first.from(next)), null, form,
                  kept, plain)
              : new ListingReply(listing.form(), page, null, rest(page, call, url), form, kept, plain);
        }));
  }

  private Reply answer(NameService asked, SubtreePageRequest subtree, MessageHeaders headers, CallContext call) {
    ReplyForm form = new ReplyForm(true, "");
    return reply(asked.subtree(call, subtree.request()), subtree, headers,
        (outcome, replyHeaders) -> reply(outcome, subtree, form, replyHeaders,
            page -> new SubtreeReply(subtree, page, replyHeaders)));
  }

  /** The iterator that has the entries behind a page; null if there are none. */
  private @Nullable IteratorReference rest(Page page, CallContext call, String url) {
    if (page.next().isEmpty()) {
      return null;
    }
    EntryId directory = page.directory().id();
    QueryRequest counted = new QueryRequest(List.of(Target.of(directory)), true);
    long entries =
        service.query(call, counted).value().get(0) instanceof Outcome.Done<Entry>(VirtualDirectory found)
            ? found.entries()
            : 0;
    ListingCourse course = new ListingCourse(service, directory);
    Iteration iteration = new Iteration(course, page.entries().size(), page.next().get(), entries);
    return new IteratorReference(url, iterators.open(call.account(), iteration));
  }

  private Reply answer(IterateRequest request, MessageHeaders headers, CallContext call, ReplyForm form) {
    return reply(iterators.pass(request, call), request, form, ReplyHeaders.NONE, passage -> {
      ReplyHeaders replyHeaders = passage.first().map(at -> of(headers, at)).orElse(ReplyHeaders.NONE);
      return new IterationReply(passage, form, replyHeaders);
    });
  }

  private Reply answer(SearchRequest request, MessageHeaders headers, CallContext call, String url) {
    // A query is about entries as the standard has them, whatever the caller speaks besides.
    ReplyForm form = new ReplyForm(false, names(call, url));
    return reply(searches.search(call, request, form), request, headers,
        (outcome, replyHeaders) -> reply(outcome, request, form, replyHeaders,
            found -> new SearchReply(found, rest(found, request, call, form, url), replyHeaders)));
  }

  /** The iterator that searches on behind what was found; null if the search is at its end. */
  private @Nullable IteratorReference rest(
      FoundEntries found, SearchRequest request, CallContext call, ReplyForm form, String url) {
    if (found.next().isEmpty()) {
      return null;
    }
    ElementSource course = searches.course(found.directory(), request.query(), form);
    return new IteratorReference(url,
        iterators.open(call.account(), new Iteration(course, found.size(), found.next().get())));
  }

  private <O> Reply answer(PoolRequest<?, O> request, CallContext call, Supplier<String> client) {
    if (pools == null) {
      throw new RnsException(RnsError.UNKNOWN_OPERATION, "this server keeps no pools: " + request.codec().element());
    }
    return new PoolReply<>(request, request.ask(pools.as(call.caller()).calledBy(client.get())));
  }

  private <O> Reply answer(
      NameService asked, ResourceRequest<?, O> request, MessageHeaders headers, CallContext call, WsNames known) {
    ReplyForm form = new ReplyForm(headers.extended(), known);
    Answer<Outcome<O>> answer = request.ask(new Resources(asked, known, iterators, QUERIES, settings.clock()), call);
    return reply(answer, request, headers,
        (outcome, replyHeaders) -> reply(outcome, request, form, replyHeaders,
            result -> new ResourceReply<>(request, result, form, replyHeaders)));
  }
}
