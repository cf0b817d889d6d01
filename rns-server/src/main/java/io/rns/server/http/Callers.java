package io.rns.server.http;

import io.rns.api.Caller;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.util.Set;

/** Who asks. */
public final class Callers {
  private Callers() {}

  /** The caller as the application server knows him; {@link Caller#ANONYMOUS} if it does not. */
  public static Caller of(HttpServletRequest request) {
    Principal principal = request.getUserPrincipal();
    return principal == null ? Caller.ANONYMOUS : new Caller(principal.getName(), Set.of());
  }

  /** The connection that a request came by, for as long as it lasts: address and port of the other end. */
  public static String connection(HttpServletRequest request) {
    String address = request.getRemoteAddr();
    return (address.indexOf(':') < 0 ? address : "[" + address + "]") + ":" + request.getRemotePort();
  }

  /**
   * The caller that a place counts for: its name, else its address. No name begins like an address does here.
   */
  public static String asker(Caller caller, HttpServletRequest request) {
    return caller.name().isEmpty() ? "\n" + request.getRemoteAddr() : caller.name();
  }
}
