package io.rns.server.pool;

import io.rns.api.Caller;
import io.rns.api.Right;
import io.rns.api.RnsPath;
import io.rns.association.AsapAccess;
import io.rns.association.AsapCaller;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.identity.OriginPassing;
import io.rns.permission.AccessReader;
import io.rns.rserpool.AsapMessage;
import io.rns.rserpool.ErrorCause;
import io.rns.rserpool.Octets;
import io.rns.server.audit.AuditLog;
import io.rns.server.audit.RequestAudit;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What elements and users may do that speak ASAP: the same as by SOAP and HTTP ({@link PermittedPools}), by the client
 * certificate of the connection. Without one they are anonymous. Thread-safe.
 */
public final class PoolCallers implements AsapAccess {
  /** How long a caller who may do everything is believed to be the one that was found last. */
  private static final long BELIEVED_NANOS = Duration.ofSeconds(1).toNanos();

  private static final Logger LOG = LoggerFactory.getLogger(PoolCallers.class);

  private final Identifier identifier;
  private final AccessReader access;
  private final @Nullable AuditLog log;
  private final InstantSource clock;

  /** Finds out who callers are. */
  public interface Identifier {
    /**
     * The caller who has presented certificates.
     *
     * @param origin where it is, whose share of verifications it takes
     * @throws RnsException if the chain is wrong, or cannot be verified now
     */
    Caller caller(List<X509Certificate> chain, Supplier<String> origin);
  }

  /**
   * The callers of a server.
   *
   * @param log records refusals and changes; null for none
   */
  public PoolCallers(Identifier identifier, AccessReader access, @Nullable AuditLog log, InstantSource clock) {
    this.identifier = identifier;
    this.access = access;
    this.log = log;
    this.clock = clock;
  }

  @Override
  public AsapCaller caller(InetAddress address, List<X509Certificate> chain) {
    return new Connected(address.getHostAddress(), chain);
  }

  /** What a message asks for. */
  private record Request(String operation, Right right, Octets handle) {
    boolean isChange() {
      return right == Right.CHANGE && !operation.equals("acknowledge");
    }
  }

  /** Empty if the registrar ignores the message. */
  private static Optional<Request> request(AsapMessage message) {
    return switch (message) {
      case AsapMessage.Registration m -> Optional.of(new Request("register", Right.CHANGE, m.handle()));
      case AsapMessage.Deregistration m -> Optional.of(new Request("unregister", Right.CHANGE, m.handle()));
      case AsapMessage.KeepAliveAck m -> Optional.of(new Request("acknowledge", Right.CHANGE, m.handle()));
      case AsapMessage.HandleResolution m -> Optional.of(new Request("resolve", Right.READ, m.handle()));
      case AsapMessage.Unreachable m -> Optional.of(new Request("unreachable", Right.READ, m.handle()));
      case AsapMessage.RegistrationResponse m -> Optional.empty();
      case AsapMessage.DeregistrationResponse m -> Optional.empty();
      case AsapMessage.HandleResolutionResponse m -> Optional.empty();
      case AsapMessage.KeepAlive m -> Optional.empty();
      case AsapMessage.ServerAnnounce m -> Optional.empty();
      case AsapMessage.Cookie m -> Optional.empty();
      case AsapMessage.CookieEcho m -> Optional.empty();
      case AsapMessage.BusinessCard m -> Optional.empty();
      case AsapMessage.ErrorReport m -> Optional.empty();
    };
  }

  /** Empty if no pool can have the handle, which the registrar says. */
  private static Optional<RnsPath> path(String handle) {
    try {
      return Optional.of(RnsPath.parse(handle));
    } catch (RnsException e) {
      return Optional.empty();
    }
  }

  private static ErrorCause cause(RnsException e) {
    int code = switch (e.error()) {
      case NOT_PERMITTED, NOT_AUTHENTICATED -> ErrorCause.SECURITY;
      // By the setting, what a caller may not see is missing.
      case NO_SUCH_ENTRY -> ErrorCause.UNKNOWN_HANDLE;
      default -> ErrorCause.NO_RESOURCES;
    };
    return ErrorCause.of(code, String.valueOf(e.getMessage()));
  }

  /** The closest error to a cause of the registrar. */
  private static RnsError error(ErrorCause cause) {
    return switch (cause.code()) {
      case ErrorCause.ID_NOT_UNIQUE -> RnsError.ELEMENT_ID_TAKEN;
      case ErrorCause.OTHER_POLICY -> RnsError.OTHER_POLICY;
      case ErrorCause.NO_RESOURCES -> RnsError.LIMIT_EXCEEDED;
      case ErrorCause.UNKNOWN_HANDLE -> RnsError.NO_SUCH_POOL;
      default -> RnsError.INVALID_REQUEST;
    };
  }

  /** Who is at the other end of a connection. */
  private final class Connected implements AsapCaller {
    private final String address;
    private final List<X509Certificate> chain;
    private volatile Found found;

    /** Who it was the last time. */
    private record Found(Caller caller, long atNanos) {}

    Connected(String address, List<X509Certificate> chain) {
      this.address = address;
      this.chain = chain;
      this.found = new Found(Caller.ANONYMOUS, System.nanoTime() - BELIEVED_NANOS);
    }

    @Override
    public boolean isFree(AsapMessage message) {
      Found known = found;
      boolean isKnown = chain.isEmpty() || System.nanoTime() - known.atNanos() < BELIEVED_NANOS;
      return isKnown && access.control().of(known.caller()).areAll() && !isRecorded(message);
    }

    private boolean isRecorded(AsapMessage message) {
      return log != null && (log.hasReads() || request(message).filter(Request::isChange).isPresent());
    }

    @Override
    public Decision decide(AsapMessage message) {
      Optional<Request> asked = request(message);
      if (asked.isEmpty()) {
        return Decision.PERMITTED;
      }
      Request request = asked.get();
      AuditLog records = log;
      if (records == null) {
        return decide(request);
      }
      RequestAudit audit = RequestAudit.begin(records, clock.millis(), address, "asap", request.operation());
      audit.bind();
      Decision decision;
      try {
        decision = decide(request);
      } finally {
        RequestAudit.unbind();
      }
      return recorded(audit, decision);
    }

    private Decision recorded(RequestAudit audit, Decision decision) {
      if (decision instanceof Decision.Refused) {
        audit.end(0);
        return decision;
      }
      return new Decision.Permitted(
          causes -> {
            if (!causes.isEmpty()) {
              audit.bind();
              RequestAudit.noteError(error(causes.get(0)));
              RequestAudit.unbind();
            }
            audit.end(0);
          });
    }

    private Decision decide(Request request) {
      try {
        Caller caller = identified();
        String handle = new String(request.handle().toBytes(), StandardCharsets.UTF_8);
        Optional<RnsPath> path = path(handle);
        RequestAudit
            .noteEntry(request.operation(), path.map(RnsPath::toString).orElse(handle), request.isChange());
        if (path.isPresent()) {
          access.check(caller, request.right(), path.get());
        }
        return Decision.PERMITTED;
      } catch (RnsException e) {
        RequestAudit.noteError(e.error());
        return new Decision.Refused(cause(e));
      } catch (RuntimeException e) {
        LOG.error("the rights of an ASAP caller could not be checked", e);
        RequestAudit.noteError(RnsError.INTERNAL);
        return new Decision.Refused(
            ErrorCause.of(ErrorCause.NO_RESOURCES, "the rights of the caller could not be checked"));
      }
    }

    private Caller identified() {
      if (chain.isEmpty()) {
        return Caller.ANONYMOUS;
      }
      try {
        Caller caller = identifier.caller(chain, () -> OriginPassing.origin(address));
        found = new Found(caller, System.nanoTime());
        RequestAudit.noteCaller(caller, null);
        return caller;
      } catch (RnsException e) {
        RequestAudit.noteRefused(null, true);
        throw e;
      }
    }
  }
}
