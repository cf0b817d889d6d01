package io.rns.client.call;

import io.rns.error.RnsException;
import java.io.IOException;
import org.apache.hc.core5.http.HttpStatus;
import org.jspecify.annotations.Nullable;

/** The cause of the error of an exchange that gave no SOAP message, where more is known than that it failed. */
public final class ExchangeFailure extends IOException {
  private static final long serialVersionUID = 1L;
  private static final int NONE = 0;

  private final int status;

  private ExchangeFailure(String message, int status, @Nullable IOException cause) {
    super(message, cause);
    this.status = status;
  }

  /** There was no connection, so the server got nothing. */
  public static ExchangeFailure notSent(IOException cause) {
    return new ExchangeFailure("nothing was sent", NONE, cause);
  }

  /** The server answered with a status of HTTP, and no message. */
  public static ExchangeFailure ofStatus(int status) {
    return new ExchangeFailure("HTTP status " + status, status, null);
  }

  /** Whether it is certain that the server has not done what it was asked to. */
  public static boolean leftNothing(RnsException error) {
    return error.getCause() instanceof ExchangeFailure failure
        && (failure.status == NONE || failure.status == HttpStatus.SC_NOT_FOUND
            || failure.status == HttpStatus.SC_GONE);
  }

  /** Whether the status says that the address is not, or not now, that of the resource. */
  public static boolean isOfAddress(RnsException error) {
    return error.getCause() instanceof ExchangeFailure failure
        && switch (failure.status) {
          case NONE,
              HttpStatus.SC_NOT_FOUND,
              HttpStatus.SC_GONE,
              HttpStatus.SC_BAD_GATEWAY,
              HttpStatus.SC_SERVICE_UNAVAILABLE ->
            true;
          default -> false;
        };
  }

  /** Whether the server answered with a status, so that the connection itself did its work. */
  public static boolean isStatus(RnsException error) {
    return error.getCause() instanceof ExchangeFailure failure && failure.status != NONE;
  }
}
