package io.rns.server.names;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.core.JsonGenerator;
import io.rns.api.AddRequest;
import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Caller;
import io.rns.api.Consistency;
import io.rns.api.Cursor;
import io.rns.api.Entry;
import io.rns.api.Entry.Junction;
import io.rns.api.ListRequest;
import io.rns.api.NamePattern;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.Page;
import io.rns.api.Positions;
import io.rns.api.Precondition;
import io.rns.api.QueryRequest;
import io.rns.api.RemoveRequest;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.RequestId;
import io.rns.api.RnsPath;
import io.rns.api.Routing;
import io.rns.api.SubtreePage;
import io.rns.api.SubtreePosition;
import io.rns.api.SubtreeRequest;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.client.PathAccess;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.referral.Referral;
import io.rns.replication.partition.PartitionTable;
import io.rns.server.access.AccessLog;
import io.rns.server.http.Callers;
import io.rns.server.http.Incidents;
import io.rns.server.http.JsonBody;
import io.rns.server.http.JsonReplies;
import io.rns.server.http.RequestUrl;
import io.rns.server.http.RequestedHost;
import io.rns.server.http.ResourceServlet;
import io.rns.server.http.ServerList;
import io.rns.server.http.SharedAnswers;
import io.rns.server.http.SharedLookup;
import io.rns.server.http.Traffic;
import io.rns.server.overload.RequestAdmission;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Entries over plain HTTP, as JSON. The path behind that of the servlet is the entry's. Each request has a virtual
 * thread, so that those that wait for a commit or another server hold none of the application server's.
 */
public final class NamesServlet extends HttpServlet {
  /** Length of a request, at most: JSON may write a character of an entry with several. */
  static final int BODY_BYTES = 4 * Limits.ENTRY_BYTES;

  /** Not among the constants of HTTP servlets. */
  private static final int MISDIRECTED = 421;

  private static final long serialVersionUID = 1L;
  private static final List<String> METHODS = List.of("GET", "HEAD", "PUT", "PATCH", "DELETE");
  /** The root is always there. */
  private static final List<String> ROOT_METHODS = List.of("GET", "HEAD", "PATCH", "DELETE");
  private static final String REFERRALS = "RNS-Referrals";
  private static final String POSITION = "RNS-Position";

  private final transient Supplier<@Nullable NameService> names;
  private final transient Supplier<List<Referral>> servers;
  private final transient Supplier<PartitionTable> partitions;
  private final transient RequestAdmission admission;
  private final transient @Nullable AccessLog access;
  private final transient SharedAnswers shared;
  private final transient Traffic traffic;

  /**
   * A servlet for asynchronous use.
   *
   * @param names the namespace; null while the server starts
   * @param servers returns the servers of each part of the tree, the root's first, once it serves
   * @param partitions returns what the server knows of the partitions, once it serves
   * @param access what is asked for is taken down there; null for nowhere
   * @param shared which answers fronts may keep
   * @param traffic bounds slow clients
   */
  public NamesServlet(
      Supplier<@Nullable NameService> names,
      Supplier<List<Referral>> servers,
      Supplier<PartitionTable> partitions,
      RequestAdmission admission,
      @Nullable AccessLog access,
      SharedAnswers shared,
      Traffic traffic) {
    this.traffic = traffic;
    this.shared = shared;
    this.names = names;
    this.servers = servers;
    this.partitions = partitions;
    this.admission = admission;
    this.access = access;
  }

  /** How a caller that contacts other servers itself wants referrals. */
  private enum Referrals {
    NONE,
    /** A redirection that HTTP clients follow automatically. */
    FOLLOW,
    /** The servers, for callers that choose. */
    TELL
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
    String below = request.getPathInfo();
    List<String> methods = below == null || below.equals("/") ? ROOT_METHODS : METHODS;
    if (ResourceServlet.answered(methods, request, response)) {
      return;
    }
    traffic.postpone("names", request, response, paced -> answer(request, paced), () -> {});
  }

  private void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
    JsonReplies.Document document;
    Referrals referrals = Referrals.NONE;
    try {
      NameService service = asked(request);
      if (service == null) {
        throw new RnsException(RnsError.UNAVAILABLE, "the server is starting");
      }
      referrals = referrals(request);
      RequestUrl url = RequestUrl.of(request);
      boolean subtree = url.has("subtree") && reads(request);
      // Many megabytes are not forwarded.
      Referrals referring = subtree && referrals == Referrals.NONE ? Referrals.FOLLOW : referrals;
      CallContext call = call(request, referring);
      RnsPath path = RequestUrl.path(request);
      RequestAdmission.Ticket place = admission.enter(() -> Callers.account(call.caller(), request));
      try (place) {
        document = switch (answer(service, call, path, url, request, response)) {
          case Answer.Served<Outcome<JsonReplies.Document>> served -> {
            told(served, response);
            if (subtree) {
              // A page takes so much longer than other requests that it says nothing about the load.
              place.closeUnworked();
            }
            yield served.value().orThrow();
          }
          case Answer.Referred<Outcome<JsonReplies.Document>> referred -> {
            Refusal referral = refer(referred, referring, request, response);
            yield out -> out.writePOJO(referral);
          }
        };
      }
    } catch (RuntimeException e) {
      Refusal refusal = refuse(Incidents.told(e), referrals, request, response);
      document = out -> out.writePOJO(refusal);
    }
    if (isKnown(document, request, response)) {
      response.setStatus(HttpServletResponse.SC_NOT_MODIFIED);
    } else {
      send(document, referrals, request, response);
    }
  }

  private void send(JsonReplies.Document document, Referrals referrals, HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    try {
      JsonReplies.stream(response, document);
    } catch (RnsException e) {
      if (response.isCommitted()) {
        // The client must not take a part for the whole.
        throw Traffic.cut(request, e);
      }
      response.resetBuffer();
      JsonReplies.send(response, refuse(e, referrals, request, response));
    }
  }

  /**
   * Whether the caller of a read has this junction already. The version does not show changes in a directory or a pool.
   */
  private static boolean isKnown(JsonReplies.Document document, HttpServletRequest request,
      HttpServletResponse response) {
    String known = request.getHeader("If-None-Match");
    if (!reads(request) || known == null || !(document instanceof Told(RnsPath path, Junction junction))
        || junction.pool().isPresent()) {
      return false;
    }
    String tag = response.getHeader("ETag");
    return Stream.of(known.split(",")).map(String::strip)
        .anyMatch(each -> each.equals("*") || each.replaceFirst("^W/", "").equals(tag));
  }

  /** The namespace for a request; null while the server starts. */
  private @Nullable NameService asked(HttpServletRequest request) {
    NameService service = names.get();
    return service == null || access == null ? service : access.over(service, Callers.connection(request));
  }

  private Answer<Outcome<JsonReplies.Document>> answer(
      NameService service, CallContext call, RnsPath path, RequestUrl url, HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    return switch (request.getMethod()) {
      case "GET", "HEAD" -> {
        // What is wrong with it is said even if it is of no use.
        if (url.has("subtree")) {
          yield subtree(service, call, SubtreeUrl.first(path, url), request, response);
        }
        ListRequest page = page(path, url);
        SubtreeUrl.check(url);
        if (url.has("access")) {
          yield access(service, call, path, url);
        }
        yield elsewhere(call, path, true, false).orElseGet(
            () -> url.has("list")
                ? list(service, call, path, page, request, response)
                : query(service, call, path, request, response));
      }
      case "PUT" -> {
        AddRequest put = AddRequest.of(NamesJson.newEntry(path, body(request, response), precondition(request)));
        yield elsewhere(call, path, false, true).orElseGet(
            () -> service.add(call, url.has("parents") ? put.withParents() : put)
                .map(outcomes -> outcomes.getFirst().map(entry -> added(path, entry, request, response))));
      }
      case "PATCH" -> {
        EntryChange change = NamesJson.change(path, body(request, response), precondition(request));
        yield elsewhere(call, path, false, true).orElseGet(
            () -> entry(
                service.update(call, UpdateRequest.of(change)), change.name().isPresent() ? moved(change, path) : path,
                response));
      }
      case "DELETE" -> {
        Removal removal = new Removal(Target.of(path), url.has("recursive"), precondition(request));
        yield elsewhere(call, path, false, true).orElseGet(
            () -> entry(service.remove(call, new RemoveRequest(List.of(removal), false)), path, response));
      }
      default ->
        throw new RnsException(RnsError.UNKNOWN_OPERATION, "there is no " + request.getMethod() + " of an entry");
    };
  }

  /** Another server group to contact, for a caller that does so itself. */
  private Optional<Answer<Outcome<JsonReplies.Document>>> elsewhere(
      CallContext call, RnsPath path, boolean content, boolean write) {
    return call.routing() == Routing.REFER
        ? partitions.get().elsewhere(path, content, write)
            .map(server -> new Answer.Referred<>(server, path + " belongs to another server group"))
        : Optional.empty();
  }

  /** What holds at a path, and what follows for a caller: the one who asks, or one who is named. */
  private static Answer<Outcome<JsonReplies.Document>> access(
      NameService service, CallContext call, RnsPath path, RequestUrl url) {
    String name = url.get("as");
    String groups = url.get("groups");
    Caller caller = name == null
        ? call.caller()
        : new Caller(name, groups == null || groups.isEmpty() ? Set.of() : Set.of(groups.split(",")));
    return service.query(call.with(Routing.FORWARD), PathAccess.request(path))
        .map(outcomes -> Outcome.done(AccessJson.of(PathAccess.of(path, outcomes), caller)));
  }

  private static boolean reads(HttpServletRequest request) {
    return request.getMethod().equals("GET") || request.getMethod().equals("HEAD");
  }

  private Answer<Outcome<JsonReplies.Document>> subtree(
      NameService service, CallContext call, SubtreeRequest first, HttpServletRequest request,
      HttpServletResponse response) {
    Answer<Outcome<SubtreePage>> answer = service.subtree(call, first);
    return answer.map(
        outcome -> outcome.map(
            page -> {
              response.setContentType(SubtreeLines.TYPE);
              response.setCharacterEncoding("UTF-8");
              return request.getMethod().equals("HEAD")
                  ? out -> {}
                  : new SubtreeLines(page, answer.positions(), after -> next(service, call, first, after, request));
            }));
  }

  private Answer<Outcome<SubtreePage>> next(
      NameService service, CallContext call, SubtreeRequest first, SubtreePosition after, HttpServletRequest request) {
    RequestAdmission.Ticket place = admission.enter(() -> Callers.account(call.caller(), request));
    try {
      return service.subtree(call, SubtreeUrl.next(first, after));
    } finally {
      place.closeUnworked();
    }
  }

  private byte[] body(HttpServletRequest request, HttpServletResponse response) throws IOException {
    return JsonBody.read(traffic, request, response, BODY_BYTES);
  }

  private Answer<Outcome<JsonReplies.Document>> query(
      NameService service, CallContext call, RnsPath path, HttpServletRequest request, HttpServletResponse response) {
    Optional<SharedLookup> lookup = sharedLookup(path, request);
    CallContext asked = lookup.map(each -> call.with(each.explanation())).orElse(call);
    Answer<List<Outcome<Entry>>> answer = service.query(asked, QueryRequest.of(Target.of(path)).withCounts());
    if (lookup.isPresent() && answer instanceof Answer.Served<List<Outcome<Entry>>> served
        && served.value().getFirst() instanceof Outcome.Done<Entry>(Entry entry)) {
      share(lookup.get().header(entry, served.position()), response);
    }
    return entry(answer, path, response);
  }

  private Answer<Outcome<JsonReplies.Document>> list(
      NameService service, CallContext call, RnsPath path, ListRequest page, HttpServletRequest request,
      HttpServletResponse response) {
    Optional<SharedLookup> lookup = sharedLookup(path, request);
    Answer<Outcome<Page>> answer = service.list(lookup.map(each -> call.with(each.explanation())).orElse(call), page);
    if (lookup.isPresent() && answer instanceof Answer.Served<Outcome<Page>> served
        && served.value() instanceof Outcome.Done<Page>(Page found)) {
      share(lookup.get().header(found, served.position()), response);
    }
    return answer.map(outcome -> outcome.map(found -> NamesJson.write(path, found)));
  }

  private Optional<SharedLookup> sharedLookup(RnsPath path, HttpServletRequest request) {
    return SharedAnswers.isAskedBy(request) ? shared.begin(path) : Optional.empty();
  }

  private static void share(Optional<String> header, HttpServletResponse response) {
    header.ifPresent(text -> response.setHeader(SharedAnswers.HEADER, text));
  }

  /** Where a change that names a place puts the entry. */
  private static RnsPath moved(EntryChange change, RnsPath from) {
    return change.parent().map(Target::path).orElseGet(from::parent).child(change.name().orElseThrow());
  }

  /** An entry, at the path by which it was asked for. */
  private record Told(RnsPath path, Entry entry) implements JsonReplies.Document {
    @Override
    public void write(JsonGenerator out) throws IOException {
      NamesJson.write(out, path, entry);
    }
  }

  private static Answer<Outcome<JsonReplies.Document>> entry(
      Answer<List<Outcome<Entry>>> answer, RnsPath path, HttpServletResponse response) {
    return answer.map(outcomes -> outcomes.getFirst().map(entry -> entry(path, entry, response)));
  }

  private static Told entry(RnsPath path, Entry entry, HttpServletResponse response) {
    response.setHeader("ETag", "\"" + entry.version() + "\"");
    return new Told(path, entry);
  }

  private static Told added(RnsPath path, Entry entry, HttpServletRequest request, HttpServletResponse response) {
    if (entry.created().equals(entry.modified())) {
      response.setStatus(HttpServletResponse.SC_CREATED);
      response.setHeader("Location",
          RequestedHost.of(request).url() + request.getServletPath() + RequestUrl.encoded(path));
    }
    return entry(path, entry, response);
  }

  private static ListRequest page(RnsPath path, RequestUrl url) {
    return new ListRequest(
        Target.of(path),
        url.number("size", Limits.DEFAULT_PAGE_ENTRIES),
        Optional.ofNullable(url.get("after")).map(Cursor::parse),
        Optional.ofNullable(url.get("pattern")).map(NamePattern::glob));
  }

  private static void told(Answer.Served<?> answer, HttpServletResponse response) {
    response.setHeader(POSITION, Positions.toText(answer.position(), answer.others()));
    if (answer.ageMillis() > 0) {
      response.setHeader("RNS-Age", Long.toString(answer.ageMillis()));
    }
  }

  /** A problem document, with the server to contact and all servers if the client chooses among them itself. */
  private record Refusal(
      @JsonUnwrapped JsonReplies.Problem problem,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> referral,
      @JsonUnwrapped @Nullable ServerList servers) {}

  private Refusal refuse(
      RnsException error, Referrals referrals, HttpServletRequest request, HttpServletResponse response) {
    boolean taken = error.error() == RnsError.ENTRY_EXISTS && request.getHeader("If-None-Match") != null;
    int status = taken ? HttpServletResponse.SC_PRECONDITION_FAILED : JsonReplies.status(error.error());
    JsonReplies.Problem problem = JsonReplies.refuse(response, error, status);
    return new Refusal(problem, Optional.empty(), referrals == Referrals.NONE ? null : ServerList.of(servers.get()));
  }

  private Refusal refer(
      Answer.Referred<?> referred, Referrals referrals, HttpServletRequest request, HttpServletResponse response) {
    JsonReplies.Problem problem = JsonReplies.refer(response, referred, switch (referrals) {
      case NONE -> throw referred.toException();
      case FOLLOW -> {
        String query = request.getQueryString();
        String resource = request.getRequestURI().substring(request.getContextPath().length());
        response.setHeader("Location", referred.server() + resource + (query == null ? "" : "?" + query));
        yield HttpServletResponse.SC_TEMPORARY_REDIRECT;
      }
      case TELL -> MISDIRECTED;
    });
    return new Refusal(problem, Optional.of(referred.server()), ServerList.of(servers.get()));
  }

  private static CallContext call(HttpServletRequest request, Referrals referrals) {
    return new CallContext(
        Callers.of(request),
        header(request, "RNS-Request-Id").map(RequestId::new),
        header(request, "RNS-Consistency").map(Consistency::parse).orElse(Consistency.SESSION),
        header(request, POSITION).map(Positions::parse).orElse(Positions.NONE),
        referrals == Referrals.NONE ? Routing.FORWARD : Routing.REFER)
        .from(Callers.origin(request));
  }

  private static Optional<String> header(HttpServletRequest request, String name) {
    return Optional.ofNullable(request.getHeader(name)).map(String::strip);
  }

  private static Referrals referrals(HttpServletRequest request) {
    return switch (header(request, REFERRALS).orElse("")) {
      case "" -> Referrals.NONE;
      case "follow" -> Referrals.FOLLOW;
      case "tell" -> Referrals.TELL;
      default -> throw new RnsException(
          RnsError.INVALID_REQUEST,
          "header " + REFERRALS + " is '" + request.getHeader(REFERRALS) + "', neither follow nor tell");
    };
  }

  private static Precondition precondition(HttpServletRequest request) {
    Optional<String> absent = header(request, "If-None-Match");
    if (absent.isPresent()) {
      JsonBody.check(absent.get().equals("*"), "header If-None-Match is '" + absent.get() + "', not *");
      return Precondition.IF_ABSENT;
    }
    return header(request, "If-Match").map(NamesServlet::version).orElse(Precondition.NONE);
  }

  private static Precondition version(String tag) {
    try {
      return Precondition.ifVersion(Long.parseLong(tag.replace("\"", "")));
    } catch (NumberFormatException e) {
      throw new RnsException(RnsError.INVALID_REQUEST, "header If-Match is '" + tag + "', not the ETag of an entry", e);
    }
  }
}
