package io.rns.guard;

import java.lang.reflect.Field;
import org.glassfish.grizzly.http.server.Response;
import org.glassfish.grizzly.http.server.SuspendStatus;

/**
 * Whether a response was suspended while a handler had it. Grizzly keeps that for the thread of the handler, where no
 * other changes it, and shows it to nobody outside its package. For one thread.
 */
record Suspension(SuspendStatus status) {
  private static final Field STATE = state();

  /** Before the handler is called. */
  static Suspension of(Response response) {
    return new Suspension(((Response.SuspendedContextImpl) response.getSuspendContext()).getSuspendStatus());
  }

  /** After the handler has returned. */
  boolean took() {
    try {
      return !"NOT_SUSPENDED".equals(String.valueOf(STATE.get(status)));
    } catch (IllegalAccessException e) {
      throw new LinkageError("this Grizzly hides whether a response is suspended", e);
    }
  }

  private static Field state() {
    try {
      Field field = SuspendStatus.class.getDeclaredField("state");
      field.setAccessible(true);
      return field;
    } catch (NoSuchFieldException e) {
      throw new LinkageError("this Grizzly keeps elsewhere whether a response is suspended", e);
    }
  }
}
