package io.rns.server.partition;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import io.rns.api.EntryId;
import io.rns.api.RnsPath;
import io.rns.api.Position;
import io.rns.api.Target;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.operator.OperatorKey;
import io.rns.operator.Signature;
import io.rns.permission.AccessReader;
import io.rns.server.http.Callers;
import io.rns.server.http.Incidents;
import io.rns.server.http.JsonBody;
import io.rns.server.http.JsonReplies;
import io.rns.server.http.ResourceServlet;
import io.rns.server.http.ServerJson;
import io.rns.server.http.Traffic;
import io.rns.server.operator.OperatorGate;
import io.rns.server.partition.RecordedMove.Reason;
import io.rns.server.partition.ReplayJson.SavedJson;
import io.rns.server.ticket.TicketChange;
import io.rns.server.ticket.TicketStore;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The partitions of the tree: changed by signed requests of operators and other groups, and by callers who may operate
 * the service; read by anybody where access rules do not hold.
 */
public final class PartitionServlet extends ResourceServlet {
  private static final long serialVersionUID = 1L;
  /**
   * A report has up to a hundred servers and a thousand cuts; content moves in batches of half a megabyte. Heat of a
   * day is about as much.
   */
  static final int BODY_BYTES = 8 << 20;
  private static final Logger LOG = LoggerFactory.getLogger(PartitionServlet.class);

  private final transient Supplier<@Nullable Partitions> partitions;
  private final transient Supplier<@Nullable AccessReader> access;
  private final transient TicketStore tickets;
  private final transient OperatorGate gate;
  private final transient Traffic traffic;

  /** What callers who may operate the service may ask for without a signature; all else is between servers. */
  private static final Set<String> OF_OPERATORS =
      Set.of("/heat", "/loads", "/decisions", "/replay", "/plan", "/assign");

  /**
   * A servlet for asynchronous use: other groups may have to be asked.
   *
   * @param partitions null while the server starts
   * @param access what callers may do; null while the server starts
   * @param tickets of the tree, which other groups ask for
   * @param traffic bounds slow clients
   */
  public PartitionServlet(
      Supplier<@Nullable Partitions> partitions, Supplier<@Nullable AccessReader> access, TicketStore tickets,
      OperatorGate gate, Traffic traffic) {
    super("GET", "HEAD", "POST");
    this.access = access;
    this.partitions = partitions;
    this.tickets = tickets;
    this.gate = gate;
    this.traffic = traffic;
  }

  private interface Action {
    Object of(Partitions partitions) throws IOException;
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response) {
    traffic.postpone(
        "partitions", request, response,
        paced -> send(
            request, paced, request.getPathInfo() != null || OperatorGate.isSigned(request),
            signature -> known -> told(known, request, signature != null)),
        () -> {});
  }

  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response) {
    traffic.postpone(
        "partitions", request, response,
        paced -> send(request, paced, true, signature -> known -> done(known, request, paced, signature)), () -> {});
  }

  private interface Signed {
    Action by(@Nullable Signature signature);
  }

  private void send(HttpServletRequest request, HttpServletResponse response, boolean signed, Signed action)
      throws IOException {
    response.setContentType("application/json");
    response.setHeader("Cache-Control", "no-store");
    Signature signature = null;
    Object document;
    // Before what callers may do: once there are partitions, that is known, too.
    Partitions known = partitions.get();
    try {
      if (signed && !mayOperate(request)) {
        signature = gate.signature(request);
        gate.take(signature, request);
      }
      checkReader(request, signed);
      if (known == null) {
        throw new RnsException(RnsError.UNAVAILABLE, "the server is starting");
      }
      document = action.by(signature).of(known);
    } catch (RuntimeException e) {
      RnsException told = Incidents.told(e);
      LOG.info("{} {}: {}", request.getMethod(), request.getRequestURI(), told.getMessage());
      document = JsonReplies.refuse(response, told);
    }
    gate.send(response, signature, ServerJson.MAPPER.writeValueAsBytes(document));
  }

  private boolean mayOperate(HttpServletRequest request) {
    AccessReader reader = access.get();
    return !OperatorGate.isSigned(request) && OF_OPERATORS.contains(String.valueOf(request.getPathInfo()))
        && reader != null && reader.admitsOperator(Callers.of(request));
  }

  /** The map has paths of directories. */
  private void checkReader(HttpServletRequest request, boolean operator) {
    AccessReader reader = access.get();
    if (!operator && reader != null) {
      reader.checkSeesService(Callers.of(request));
    }
  }

  private Object told(Partitions known, HttpServletRequest request, boolean signed) {
    QueryParameters parameters = new QueryParameters(request);
    return switch (request.getPathInfo()) {
      case null -> known.json(signed);
      case "/tickets" -> tickets.tell(parameters.optional("known").orElse(""));
      case "/heat" -> known.plans().heat(Plans.weight(parameters), Plans.withSizes(parameters));
      case "/loads" -> known.plans().loads(Plans.PlanRequest.halfLife(parameters));
      case "/decisions" -> known.decisions(parameters);
      case "/replay" -> known.replay(parameters);
      case "/plan" -> known.plans().plan(Plans.PlanRequest.of(parameters));
      default -> throw unknown(request);
    };
  }

  private static RnsException unknown(HttpServletRequest request) {
    return new RnsException(
        RnsError.UNKNOWN_OPERATION, "there is no " + request.getMethod() + " " + request.getRequestURI());
  }

  private Object done(
      Partitions known, HttpServletRequest request, HttpServletResponse response, @Nullable Signature signature)
      throws IOException {
    QueryParameters parameters = new QueryParameters(request);
    return switch (String.valueOf(request.getPathInfo())) {
      case "/report" -> {
        known.hear(body(request, response, signature, GroupReport.class));
        yield Map.of();
      }
      case "/tickets" -> tickets.changeHere(body(request, response, signature, TicketChange.class));
      case "/move" -> known.move(body(request, response, signature, MoveJson.class), here(request));
      case "/take" -> known.take(body(request, response, signature, MoveJson.class), here(request));
      case "/replay" ->
        known.replay(parameters, body(request, response, signature, SavedJson.class).newest(parameters));
      case "/assign" -> {
        String start = request.getParameter("start");
        yield known.assignments().assign(
            new Target(start == null ? EntryId.ROOT : EntryId.parse(start), RnsPath.parse(parameters.required("path"))),
            group(parameters), Reason.of(parameters), here(request));
      }
      case "/give" -> known.assignments().give(directory(parameters), group(parameters));
      case "/keep" -> known.assignments().keep(directory(parameters));
      case "/owner" -> known.assignments().owner(directory(parameters));
      case "/content" -> known.assignments().content(
          directory(parameters), parameters,
          new String(body(request, response, signature), StandardCharsets.US_ASCII));
      default -> throw unknown(request);
    };
  }

  private byte[] body(HttpServletRequest request, HttpServletResponse response, @Nullable Signature signature)
      throws IOException {
    byte[] body = JsonBody.read(traffic, request, response, BODY_BYTES);
    if (signature != null) {
      OperatorGate.checkBody(signature, OperatorKey.digest(body));
    }
    return body;
  }

  private <T> T body(
      HttpServletRequest request, HttpServletResponse response, @Nullable Signature signature, Class<T> type)
      throws IOException {
    byte[] body = body(request, response, signature);
    try {
      return ServerJson.MAPPER.readValue(body, type);
    } catch (JsonProcessingException e) {
      // It is an IOException, which would be taken for a client that has disconnected.
      throw new RnsException(
          RnsError.INVALID_REQUEST, request.getPathInfo() + " does not take this body: " + reason(e), e);
    }
  }

  /** What a type of ours says of a value, without the name of the type. */
  private static String reason(JsonProcessingException e) {
    return e instanceof ValueInstantiationException && e.getCause() != null
        ? String.valueOf(e.getCause().getMessage())
        : e.getOriginalMessage();
  }

  private static boolean here(HttpServletRequest request) {
    return "true".equals(request.getParameter("here"));
  }

  private static EntryId directory(QueryParameters parameters) {
    return EntryId.parse(parameters.required("directory"));
  }

  private static int group(QueryParameters parameters) {
    String text = parameters.required("group");
    int group = text.matches("[0-9]{1,5}") ? Integer.parseInt(text) : -1;
    if (group < 0 || group > Position.MAX_GROUP) {
      throw new RnsException(
          RnsError.INVALID_REQUEST,
          "parameter 'group' is '" + text + "', not a number from 0 to " + Position.MAX_GROUP);
    }
    return group;
  }
}
