package io.rns.server.http;

import io.rns.api.CallContext;
import io.rns.api.Caller;
import io.rns.identity.CallerPassing;
import io.rns.identity.FrontReport;
import io.rns.identity.OriginPassing;
import io.rns.identity.PassedOn;
import jakarta.servlet.http.HttpServletRequest;
import java.util.function.BooleanSupplier;

/** Who asks. */
public final class Callers {
  /** The attribute of a request that holds its {@link Caller}: clients cannot set attributes. */
  public static final String ATTRIBUTE = "io.rns.server.http.Caller";

  private static final String ORIGIN = "io.rns.server.http.Origin";
  private static final String PASSED = "io.rns.server.http.PassedOn";
  private static final String LASTING = "io.rns.server.http.Lasting";

  private Callers() {}

  /**
   * The caller of a request that came through {@link CallerFilter}.
   *
   * @throws IllegalStateException if it did not: nobody is taken for anonymous because a filter is missing
   */
  public static Caller of(HttpServletRequest request) {
    if (request.getAttribute(ATTRIBUTE) instanceof Caller caller) {
      return caller;
    }
    throw new IllegalStateException("the caller of " + request.getRequestURI() + " was not identified");
  }

  /**
   * Checks that the body of a request is the one that came with its caller, if a server or front passed that on.
   *
   * @throws io.rns.error.RnsException {@link io.rns.error.RnsError#NOT_AUTHENTICATED} if it is not
   */
  public static void checkBody(HttpServletRequest request, byte[] body, int length) {
    if (request.getAttribute(PASSED) instanceof PassedOn.Known passed) {
      CallerPassing.checkBody(passed, body, length);
    }
  }

  /** The same by the SHA-256 of the body. */
  public static void checkBody(HttpServletRequest request, byte[] sha256) {
    if (request.getAttribute(PASSED) instanceof PassedOn.Known passed) {
      CallerPassing.checkBody(passed, sha256);
    }
  }

  static void set(HttpServletRequest request, PassedOn.Known passed) {
    request.setAttribute(PASSED, passed);
  }

  /** Says how to find out whether the caller of a request that lasts is still who it was. */
  static void setLasting(HttpServletRequest request, BooleanSupplier still) {
    request.setAttribute(LASTING, still);
  }

  /**
   * Tells whether the caller of a watch is still who it was: its credential may expire, be revoked or change meanwhile.
   * For any thread, also when the request has been postponed.
   *
   * @throws IllegalStateException if the request did not come through {@link CallerFilter}
   */
  public static BooleanSupplier lasting(HttpServletRequest request) {
    if (request.getAttribute(LASTING) instanceof BooleanSupplier still) {
      return still;
    }
    throw new IllegalStateException("the caller of " + request.getRequestURI() + " was identified for one answer");
  }

  /** Says who sends a request. */
  static void set(HttpServletRequest request, Caller caller) {
    request.setAttribute(ATTRIBUTE, caller);
  }

  /** The connection that a request came by, for as long as it lasts: address and port of the other end. */
  public static String connection(HttpServletRequest request) {
    String address = request.getRemoteAddr();
    return (address.indexOf(':') < 0 ? address : "[" + address + "]") + ":" + request.getRemotePort();
  }

  /** Says where an anonymous request comes from that another server or a front has passed on. */
  static void setOrigin(HttpServletRequest request, String origin) {
    request.setAttribute(ORIGIN, origin);
  }

  /** Whether a server or front that knows the secret has passed an anonymous request on. */
  public static boolean isPassedOn(HttpServletRequest request) {
    return request.getAttribute(ORIGIN) instanceof String;
  }

  /** How a front has passed a request on that is to be explained ({@link FrontReport}); empty if none has. */
  public static String front(HttpServletRequest request) {
    String report = isPassedOn(request) ? request.getHeader(FrontReport.HEADER) : null;
    return report == null ? "" : report;
  }

  /**
   * Where a request comes from, for {@link CallContext#origin}: what the server or front says that has passed it on,
   * else {@link OriginPassing#origin} of the address of the client.
   */
  public static String origin(HttpServletRequest request) {
    return request.getAttribute(ORIGIN) instanceof String passed ? passed
        : OriginPassing.origin(request.getRemoteAddr());
  }

  /** The account of a request, for {@link CallContext#account}. */
  public static String account(Caller caller, HttpServletRequest request) {
    return CallContext.account(caller, caller.name().isEmpty() ? origin(request) : "");
  }

  /** The account of a request; by its address alone if its caller is not known yet. */
  public static String account(HttpServletRequest request) {
    return account(request.getAttribute(ATTRIBUTE) instanceof Caller caller ? caller : Caller.ANONYMOUS, request);
  }
}
