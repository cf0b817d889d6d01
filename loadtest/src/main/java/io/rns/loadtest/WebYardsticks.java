package io.rns.loadtest;

import io.rns.loadtest.measure.Failures;
import java.nio.charset.StandardCharsets;

/** What {@code ./rns up --yardstick} puts beside a service, in the same application server. */
final class WebYardsticks {
  /** Why there are none. */
  static final String MISSING = "not deployed in the same application server (./rns up --yardstick does that)";

  private static final String ECHO_PATH = "/yardstick/echo";
  private static final String NULL_PATH = "/yardstick/null";

  private WebYardsticks() {}

  /** A servlet that answers a body with itself. */
  static HttpTarget echo(HttpTarget service) {
    return service.at(ECHO_PATH);
  }

  /** A JAX-WS operation that answers a text with itself. */
  static HttpTarget nullOperation(HttpTarget service) {
    return service.at(NULL_PATH);
  }

  /**
   * Whether both are there.
   *
   * @throws io.rns.error.RnsException if one is, and the other does not answer as it should
   */
  static boolean areBeside(HttpTarget service) {
    HttpTarget echo = echo(service);
    byte[] message = "?".getBytes(StandardCharsets.US_ASCII);
    Failures failures = Probe.ask(echo, echo.post(message), Answers.echo(message.length));
    if (failures.total() > 0) {
      return false;
    }
    HttpTarget nullOperation = nullOperation(service);
    Probe.expect(nullOperation, nullOperation.post(Messages.nullOperation("x")), "nothingResponse", 1);
    return true;
  }
}
