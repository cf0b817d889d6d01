package io.rns.guard;

import java.lang.reflect.Field;
import org.glassfish.grizzly.http.server.Response;
import org.glassfish.grizzly.http.server.SuspendStatus;

/**
 * Detects whether a handler suspended a response. Grizzly stores this in a package-private status of the handler's
 * thread, which no other thread changes. Not thread-safe.
 */
record Suspension(SuspendStatus status) {
  private static final Field STATE = state();

  /** Call before the handler. */
  static Suspension of(Response response) {
    return new Suspension(((Response.SuspendedContextImpl) response.getSuspendContext()).getSuspendStatus());
  }

  /** Call after the handler. */
  boolean took() {
    try {
      return !"NOT_SUSPENDED".equals(String.valueOf(STATE.get(status)));
    } catch (IllegalAccessException e) {
      throw new LinkageError("this Grizzly version hides whether a response is suspended", e);
    }
  }

  private static Field state() {
    try {
      Field field = SuspendStatus.class.getDeclaredField("state");
      field.setAccessible(true);
      return field;
    } catch (NoSuchFieldException e) {
      throw new LinkageError("this Grizzly version stores elsewhere whether a response is suspended", e);
    }
  }
}
