package io.rns.server.audit;

import io.rns.api.Caller;
import io.rns.api.Position;
import io.rns.error.RnsError;
import io.rns.identity.Identification;
import io.rns.network.ClientNetwork;
import io.rns.permission.AccessDecisions;
import io.rns.permission.AccessDecisions.Decision;
import jakarta.servlet.ServletRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the audit log will say about one request: begun by {@link AuditFilter} before anything else is done for it, and
 * ended when it is answered, so that there is one line whatever answers it. What the layers below know they add, by the
 * thread that works at the request; without an audit log that does nothing. Goes from one thread to another with its
 * request.
 */
public final class RequestAudit {
  /** How many items are listed. */
  static final int MOST_ITEMS = 1_000;

  /** Characters of all paths that are listed. */
  static final int MOST_ITEM_CHARACTERS = 65_536;

  private static final String ATTRIBUTE = RequestAudit.class.getName();
  private static final ThreadLocal<RequestAudit> CURRENT = new ThreadLocal<>();
  private static final String UNKNOWN = "unknown";
  private static final int BAD = 400;
  private static final int DEFECT = 500;
  private static final int UNAUTHORIZED = 401;
  private static final int FORBIDDEN = 403;

  private final AuditLog log;
  private final long millis;
  private final String client;
  private final String face;
  private final AccessDecisions decisions = new AccessDecisions();

  private String operation;
  private String query = "";
  /** Whether it asks for a change, or for the administration of the service. */
  private boolean change;
  /** Whether an operation on entries is noted, and whether that is a change. */
  private boolean isNoted;
  private boolean isChangeNoted;
  private boolean isQuiet;
  private Caller caller = Caller.ANONYMOUS;
  private String credential = "none";
  /** Whether it is signed with the secret of the operators. */
  private boolean isSigned;
  private @Nullable String token;
  private String through = "";
  /** Where it comes from by the server or front that passed it on; empty if that is the client. */
  private String origin = "";
  private String requestId = "";
  private List<AuditItem> items = List.of();
  private int count;
  private int refused;
  private @Nullable RnsError error;
  /** Whether the error is the answer to all of the request. */
  private boolean isFault;
  private boolean isReferred;
  private @Nullable Position position;
  private boolean isEnded;

  RequestAudit(AuditLog log, long millis, String client, String face, String operation) {
    this.log = log;
    this.millis = millis;
    this.client = client;
    this.face = face;
    this.operation = operation;
  }

  // ---- life

  /**
   * Begins that of a request which did not come by HTTP.
   *
   * @param face by what it came
   */
  public static RequestAudit begin(AuditLog log, long millis, String client, String face, String operation) {
    return new RequestAudit(log, millis, client, face, operation);
  }

  /** That of a request; null if there is none. */
  public static @Nullable RequestAudit of(ServletRequest request) {
    return (RequestAudit) request.getAttribute(ATTRIBUTE);
  }

  /** That of the request which this thread works at; null if there is none. */
  public static @Nullable RequestAudit current() {
    return CURRENT.get();
  }

  void keep(ServletRequest request) {
    request.setAttribute(ATTRIBUTE, this);
  }

  /** Says that this thread works at the request from now on. */
  public void bind() {
    CURRENT.set(this);
    AccessDecisions.bind(decisions);
  }

  /** Says that this thread works at no request any more. */
  public static void unbind() {
    CURRENT.remove();
    AccessDecisions.bind(null);
  }

  /**
   * Ends it, once: the line is handed over.
   *
   * @param status of the answer
   */
  public synchronized void end(int status) {
    if (isEnded) {
      return;
    }
    isEnded = true;
    boolean isUnauthorized = status == UNAUTHORIZED || status == FORBIDDEN || decisions.isRefused()
        || error == RnsError.NOT_AUTHENTICATED || error == RnsError.NOT_PERMITTED;
    if (!change && !isUnauthorized && (isQuiet || !log.hasReads())) {
      return;
    }
    String outcome = outcome(status);
    boolean isApplied = outcome.equals("done") || outcome.equals("partly");
    if (isAnonymous() && (isApplied ? !change && isUnauthorized : !isUnknown())) {
      // Anybody can send any number of these.
      log.takeRefusal(event(outcome, items, "").brief(), origin.isEmpty() ? ClientNetwork.of(client) : origin);
    } else {
      log.take(
          event(outcome, bounded(items), change && isApplied && position != null ? position.toString() : ""), change);
    }
  }

  private AuditEvent event(String outcome, List<AuditItem> listed, String at) {
    return new AuditEvent(
        millis, caller.name(), credential, ticket(), client, through, face, operation, query, listed, count, refused,
        requestId, outcome, error, decisions.all(), at);
  }

  /** Whether the client has proved neither a name nor that it is an operator. */
  private boolean isAnonymous() {
    return caller.name().isEmpty() && !isSigned;
  }

  /** Whether a change may have been done although the client got an error. */
  private boolean isUnknown() {
    return isChangeNoted && error == RnsError.TIMEOUT;
  }

  private String outcome(int status) {
    if (isReferred) {
      return "referred";
    }
    if (!isFault && refused > 0 && refused < count) {
      return "partly";
    }
    if (error != null) {
      return error.kind() == RnsError.Kind.CALLER ? "refused" : "failed";
    }
    return status >= DEFECT ? "failed" : status >= BAD ? "refused" : "done";
  }

  private String ticket() {
    return token == null ? "" : log.ticketId(token);
  }

  // ---- what layers know

  /** The caller by its own credential. */
  public static void noteCaller(Caller caller, @Nullable String authorization) {
    RequestAudit audit = current();
    if (audit != null) {
      audit.caller = caller;
      audit.noteCredential(authorization);
    }
  }

  /**
   * A credential by which no caller was found.
   *
   * @param hasCertificate whether the client has presented one
   */
  public static void noteRefused(@Nullable String authorization, boolean hasCertificate) {
    RequestAudit audit = current();
    if (audit != null) {
      audit.noteCredential(authorization);
      if (authorization == null && hasCertificate) {
        audit.credential = UNKNOWN;
      }
    }
  }

  /** A certificate that a front has refused. */
  public static void noteRefusedBy(String front) {
    RequestAudit audit = current();
    if (audit != null) {
      audit.credential = UNKNOWN;
      audit.through = front;
    }
  }

  private void noteCredential(@Nullable String authorization) {
    Optional<String> ticket = Identification.ticket(authorization);
    int kind = caller.name().indexOf(':');
    if (ticket.isPresent()) {
      credential = "ticket";
      token = ticket.get();
    } else if (kind >= 0) {
      // By a header or a certificate.
      credential = caller.name().substring(0, kind);
    } else if (authorization != null) {
      credential = UNKNOWN;
    }
  }

  /** Where an anonymous request comes from that another server or a front passes on. */
  public static void noteOrigin(String origin) {
    RequestAudit audit = current();
    if (audit != null) {
      audit.origin = origin;
    }
  }

  /** A caller that another server or a front passes on. */
  public static void notePassedOn(Caller caller, String server) {
    RequestAudit audit = current();
    if (audit != null) {
      audit.caller = caller;
      audit.credential = "forwarded";
      audit.through = server;
    }
  }

  /** The request is signed with the secret of the operators. */
  public static void noteSigned() {
    RequestAudit audit = current();
    if (audit != null) {
      audit.credential = "secret";
      audit.isSigned = true;
      audit.decisions.add(Decision.by(AccessDecisions.SECRET));
    }
  }

  /** An error that the client gets. */
  public static void noteError(RnsError error) {
    RequestAudit audit = current();
    if (audit != null) {
      audit.error = error;
      audit.isFault = true;
    }
  }

  /**
   * What a request asks for, as its message has it.
   *
   * @param isChange whether it asks for a change
   */
  public static void noteOperation(String operation, boolean isChange) {
    RequestAudit audit = current();
    if (audit != null && !audit.isNoted) {
      audit.operation = operation;
      audit.change = audit.change || isChange;
    }
  }

  /** An operation on one entry outside of the namespace, such as a pool. */
  public static void noteEntry(String operation, String path, boolean isChange) {
    RequestAudit audit = current();
    if (audit != null) {
      boolean unused = audit.note(operation, isChange, 1, () -> List.of(new AuditItem(path, "", null)));
      if (isChange) {
        audit.log.checkTakesChanges();
      }
    }
  }

  /** Ends that of the request which this thread works at, before the request ends. */
  public static void endNow() {
    RequestAudit audit = current();
    if (audit != null) {
      audit.end(0);
    }
  }

  // ---- what the entrances say

  /** Administration, which is recorded as changes are. */
  void noteAdministration(String itsQuery) {
    change = true;
    query = itsQuery;
  }

  /** A change, as far as the address says. */
  void noteChange() {
    change = true;
  }

  /** A read that is of no interest unless it is refused. */
  void noteQuiet() {
    isQuiet = true;
  }

  // ---- of the namespace

  /**
   * Notes an operation, if it is what the request is about, rather than a means of it: the first change, else the first
   * read. Another change behind one that is answered is another line.
   *
   * @return whether it is
   */
  synchronized boolean note(String name, boolean isChange, int size, Supplier<List<AuditItem>> its) {
    if (isEnded && isChange && isChangeNoted) {
      isEnded = false;
      isChangeNoted = false;
    }
    if (isEnded || (isNoted && (!isChange || isChangeNoted))) {
      return false;
    }
    isNoted = true;
    isChangeNoted = isChange;
    if (isChange || !change) {
      // A read may be a means of what the message asks for.
      operation = name;
    }
    change = change || isChange;
    count = size;
    refused = 0;
    error = null;
    isFault = false;
    items = its.get();
    return true;
  }

  /** Whether items are to be noted in any case, or only if they are refused. */
  boolean isListing() {
    return change || log.hasReads();
  }

  private static List<AuditItem> bounded(List<AuditItem> all) {
    List<AuditItem> some = new ArrayList<>(Math.min(all.size(), MOST_ITEMS));
    int characters = 0;
    for (AuditItem item : all) {
      AuditItem cut = item.cut(AuditEvent.MOST_CHARACTERS);
      characters += cut.path().length() + cut.to().length();
      if (some.size() == MOST_ITEMS || characters > MOST_ITEM_CHARACTERS) {
        break;
      }
      some.add(cut);
    }
    return some;
  }

  void noteRequestId(String id) {
    requestId = id;
  }

  /** The items with why they were refused. */
  void noteItems(List<AuditItem> its) {
    items = its;
  }

  /** How what was noted ended. The line of a change is handed over before its client gets the answer. */
  void noteOutcome(int refusals, @Nullable RnsError first, @Nullable Position at) {
    refused = refusals;
    error = first;
    position = isChangeNoted ? at : null;
    endChange();
  }

  void noteFailure(RnsError why) {
    error = why;
    isFault = true;
    endChange();
  }

  void noteReferred() {
    isReferred = true;
    endChange();
  }

  private void endChange() {
    if (isChangeNoted) {
      end(0);
    }
  }

  void checkTakesChanges() {
    log.checkTakesChanges();
  }
}
