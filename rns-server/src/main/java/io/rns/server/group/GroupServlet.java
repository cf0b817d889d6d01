package io.rns.server.group;

import io.rns.api.Position;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.operator.Signature;
import io.rns.permission.AccessReader;
import io.rns.replication.Handover;
import io.rns.replication.PromotionTerms;
import io.rns.replication.Term;
import io.rns.replication.Timing;
import io.rns.server.http.Callers;
import io.rns.server.http.JsonReplies;
import io.rns.server.http.ResourceServlet;
import io.rns.server.http.ServerJson;
import io.rns.server.http.Traffic;
import io.rns.server.operator.OperatorGate;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests of members and operators: signed requests, and signed responses. Callers who may operate the service need
 * not sign what operators ask for.
 */
public final class GroupServlet extends ResourceServlet {
  private static final long serialVersionUID = 1L;
  private static final ChangeRetry RETRY = new ChangeRetry(Timing.system());
  private static final Logger LOG = LoggerFactory.getLogger(GroupServlet.class);

  /** All else is between members. */
  private static final Set<String> OF_OPERATORS =
      Set.of("/members", "/join", "/add-member", "/forget-member", "/switchover", "/failover", "/drain");

  private final transient Supplier<@Nullable Membership> membership;
  private final transient Supplier<@Nullable AccessReader> access;
  private final transient OperatorGate gate;
  private final transient Traffic traffic;

  /**
   * A servlet of a group, for asynchronous use: what is asked may wait for the database or other members.
   *
   * @param membership null while the server starts
   * @param access what callers may do; null while the server starts
   * @param traffic bounds slow clients
   */
  public GroupServlet(
      Supplier<@Nullable Membership> membership, Supplier<@Nullable AccessReader> access, OperatorGate gate,
      Traffic traffic) {
    super("GET", "POST");
    this.access = access;
    this.membership = membership;
    this.gate = gate;
    this.traffic = traffic;
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response) {
    answer(request, response, this::told);
  }

  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response) {
    answer(request, response, this::done);
  }

  private interface Action {
    Object of(GroupMembership group, HttpServletRequest request);
  }

  private void answer(HttpServletRequest request, HttpServletResponse response, Action action) {
    traffic.postponeUrgent("group", request, response, paced -> send(request, paced, action));
  }

  private void send(HttpServletRequest request, HttpServletResponse response, Action action) throws IOException {
    response.setContentType("application/json");
    response.setHeader("Cache-Control", "no-store");
    Signature signature = null;
    Object document;
    try {
      if (!mayOperate(request)) {
        signature = gate.signature(request);
        gate.take(signature, request);
      }
      document = action.of(group(), request);
    } catch (RnsException e) {
      LOG.info("{} {}: {}", request.getMethod(), request.getRequestURI(), e.getMessage());
      document = JsonReplies.refuse(response, e, status(e));
    }
    gate.send(response, signature, ServerJson.MAPPER.writeValueAsBytes(document));
  }

  private boolean mayOperate(HttpServletRequest request) {
    AccessReader reader = access.get();
    return !OperatorGate.isSigned(request) && OF_OPERATORS.contains(String.valueOf(request.getPathInfo()))
        && reader != null && reader.admitsOperator(Callers.of(request));
  }

  private GroupMembership group() {
    return switch (membership.get()) {
      case null -> throw new RnsException(RnsError.UNAVAILABLE, "the server is starting");
      case GroupMembership group -> group;
      case SoleMembership alone ->
        throw new RnsException(RnsError.INVALID_REQUEST, "this server belongs to no group");
    };
  }

  private static int status(RnsException e) {
    return switch (e.error()) {
      case NOT_AUTHENTICATED -> HttpServletResponse.SC_UNAUTHORIZED;
      case NOT_PERMITTED -> HttpServletResponse.SC_FORBIDDEN;
      case UNKNOWN_OPERATION -> HttpServletResponse.SC_NOT_FOUND;
      case INVALID_REQUEST -> HttpServletResponse.SC_BAD_REQUEST;
      case NOT_PRIMARY -> HttpServletResponse.SC_CONFLICT;
      default -> HttpServletResponse.SC_SERVICE_UNAVAILABLE;
    };
  }

  private Object told(GroupMembership membership, HttpServletRequest request) {
    return switch (String.valueOf(request.getPathInfo())) {
      case "/member" -> {
        if (!given(request, "from").isEmpty()) {
          membership.hear(given(request, "from"));
        }
        yield ReportJson.of(membership.report());
      }
      case "/reaches" -> {
        membership.local().checkReaches(required(request, "source"));
        yield Map.of();
      }
      case "/members" -> membership.members();
      case "/contains" -> new ContainsJson(contains(membership, request));
      default -> throw unknown(request);
    };
  }

  private static boolean contains(GroupMembership membership, HttpServletRequest request) {
    String transactions = request.getParameter("transactions");
    // A new database has none.
    return transactions == null || transactions.isEmpty() || membership.local().contains(transactions);
  }

  private Object done(GroupMembership membership, HttpServletRequest request) {
    return switch (String.valueOf(request.getPathInfo())) {
      case "/promise" -> ReportJson.of(membership.local().promise(term(request)));
      case "/step-down" -> ReportJson.of(membership.local().stepDown(term(request)));
      case "/stop-receiving" -> ReportJson.of(membership.local().stopReceiving(term(request)));
      case "/follow" -> {
        int leading = number(request, "leading");
        membership.local().follow(required(request, "source"), given(request, "primary"), leading, term(request));
        yield Map.of();
      }
      case "/lead" -> ReportJson.of(membership.local().lead(term(request), beginning(request)));
      case "/join" -> ReportJson.of(membership.join());
      case "/add-member" -> membership.addMember(address(request), "true".equals(request.getParameter("here")));
      case "/forget-member" ->
        membership.forgetMember(
            address(request), "true".equals(request.getParameter("stopped")),
            "true".equals(request.getParameter("here")));
      case "/switchover" -> told(switchover(membership, membership.local().url()));
      case "/failover" -> told(failover(membership, request));
      case "/drain" -> drain(membership, "true".equals(request.getParameter("end")));
      default -> throw unknown(request);
    };
  }

  private static Term term(HttpServletRequest request) {
    int number = number(request, "term");
    if (number < 1) {
      throw new RnsException(RnsError.INVALID_REQUEST, "parameter 'term' is missing");
    }
    return new Term(number, required(request, "proposer"));
  }

  /** A number of up to nine digits; 0 if none is given. */
  private static int number(HttpServletRequest request, String name) {
    String text = given(request, name);
    if (!text.matches("[0-9]{0,9}")) {
      throw new RnsException(
          RnsError.INVALID_REQUEST, "parameter '" + name + "' has up to nine digits; it was '" + text + "'");
    }
    return text.isEmpty() ? 0 : Integer.parseInt(text);
  }

  private static PromotionTerms beginning(HttpServletRequest request) {
    return new PromotionTerms(
        number(request, "after"),
        "true".equals(request.getParameter("first")),
        "true".equals(request.getParameter("alone")),
        "true".equals(request.getParameter("others-empty")),
        number(request, "ended"),
        given(request, "members").isEmpty() ? List.of() : List.of(given(request, "members").split(" ")),
        given(request, "in-force"));
  }

  private static Handover.Result switchover(GroupMembership membership, String to) {
    return RETRY.run(() -> membership.handover().switchover(to));
  }

  private static Handover.Result failover(GroupMembership membership, HttpServletRequest request) {
    boolean best = "best".equals(request.getParameter("to"));
    boolean force = "true".equals(request.getParameter("force"));
    if (!force && !"true".equals(request.getParameter("replace"))) {
      checkNeeded(membership);
    }
    Optional<String> to = best ? Optional.empty() : Optional.of(membership.local().url());
    return RETRY.run(() -> membership.handover().failover(to, force));
  }

  private static void checkNeeded(GroupMembership membership) {
    membership.servingPrimary().ifPresent(primary -> {
      throw new RnsException(
          RnsError.INVALID_REQUEST,
          primary.url()
              + " is the primary and takes writes: use switchover for a planned change, or --yes to replace it");
    });
  }

  private record HandoverJson(
      String primary, Optional<String> former, int epoch, Position position, long outageMillis) {}

  private static HandoverJson told(Handover.Result result) {
    Position position = result.position();
    return new HandoverJson(
        result.primary(), result.former(), position.epoch(), position, result.outageMillis());
  }

  private record DrainJson(String server, boolean draining, Optional<String> successor) {}

  private static DrainJson drain(GroupMembership membership, boolean end) {
    String server = membership.local().url();
    if (end) {
      membership.endDraining();
      return new DrainJson(server, false, Optional.empty());
    }
    Optional<String> successor = membership.successor();
    successor.ifPresent(to -> {
      Handover.Result unused = switchover(membership, to);
    });
    membership.beginDraining();
    return new DrainJson(server, true, successor);
  }

  private static String required(HttpServletRequest request, String name) {
    String value = given(request, name);
    if (value.isEmpty()) {
      throw new RnsException(RnsError.INVALID_REQUEST, "parameter '" + name + "' is missing");
    }
    return value;
  }

  /** The address of a server, which a member asks under. */
  private static String address(HttpServletRequest request) {
    String url = required(request, "url");
    if (!url.matches("https?://[^\\s]{1,500}")) {
      throw new RnsException(RnsError.INVALID_REQUEST, "'" + url + "' is not an address like http://host:8080/rns");
    }
    return url.replaceFirst("/+$", "");
  }

  private static String given(HttpServletRequest request, String name) {
    String value = request.getParameter(name);
    return value == null ? "" : value;
  }

  private static RnsException unknown(HttpServletRequest request) {
    return new RnsException(
        RnsError.UNKNOWN_OPERATION, "there is no " + request.getMethod() + " " + request.getRequestURI());
  }
}
