package io.rns.client;

import io.rns.api.NameService;
import io.rns.api.RequestId;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Makes a {@link NameService} that asks a server over HTTP.
 *
 * <p>What {@link Builder#build} gives is safe for use by many threads, which share its connections; it starts one
 * thread, with the first call, which breaks off what has not ended at its deadline, and holds nothing after {@code close()}. It is stacked, from the outside in:
 *
 * <ol>
 *   <li>request ids: a write without one gets a fresh one, which makes it repeatable;
 *   <li>repetition: a call that failed for a passing reason is repeated, if it is a read or has a request id, after a random
 *       pause, until the attempts or the deadline are used up;
 *   <li>messages: one SOAP message over a connection that is kept.
 * </ol>
 *
 * <p>Beside what {@link NameService} says, calls throw {@link RnsException} with {@link RnsError#UNAVAILABLE} if the
 * server cannot be reached, breaks the connection or answers something else than SOAP, {@link RnsError#TIMEOUT} if it does
 * not answer in time, and {@link RnsError#BUSY} if no connection gets free in time. After the first two nobody knows
 * whether a write was applied; asking again with the same request id tells. Who asks is a matter of the connection: the
 * caller of a {@link io.rns.api.CallContext} is not sent.
 */
public final class RnsClient {
  /** Where the SOAP endpoint is, from a server's address. */
  private static final String SOAP_PATH = "/services/rns";

  private RnsClient() {}

  /** A client with the defaults, for the server at {@code http://127.0.0.1:8080/rns}. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * The address of the SOAP endpoint of a server.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST} if {@code server} is not an absolute http or https address
   */
  public static URI soapEndpoint(URI server) {
    String scheme = server.getScheme() == null ? "" : server.getScheme().toLowerCase(Locale.ROOT);
    boolean http = scheme.equals("http") || scheme.equals("https");
    if (!http || server.getHost() == null || server.getRawQuery() != null || server.getRawFragment() != null) {
      throw new RnsException(
          RnsError.INVALID_REQUEST, "server '" + server + "' is not an address like http://host:8080/rns");
    }
    String path = server.getRawPath().replaceFirst("/+$", "") + SOAP_PATH;
    try {
      return new URI(scheme + "://" + server.getRawAuthority() + path);
    } catch (URISyntaxException e) {
      throw new RnsException(RnsError.INVALID_REQUEST, "server '" + server + "': " + e.getReason(), e);
    }
  }

  /** Settings of a client. Not thread-safe. */
  public static final class Builder {
    private URI server = URI.create("http://127.0.0.1:8080/rns");
    private Duration connectTimeout = Duration.ofSeconds(3);
    private Duration requestTimeout = Duration.ofSeconds(15);
    private Duration deadline = Duration.ofSeconds(30);
    private Duration firstPause = Duration.ofMillis(50);
    private Duration closeWait = Duration.ofSeconds(5);
    private int attempts = 6;
    private int connections = 64;
    private boolean requestIds = true;

    private Builder() {}

    /**
     * The server's address, such as {@code http://host:8080/rns}.
     *
     * @throws RnsException {@link RnsError#INVALID_REQUEST} if it is not an absolute http or https address
     */
    public Builder server(URI address) {
      soapEndpoint(address);
      server = address;
      return this;
    }

    /** The most time to make a connection; 3 s unless set. */
    public Builder connectTimeout(Duration most) {
      connectTimeout = positive("connect timeout", most);
      return this;
    }

    /** The most time from sending one message until its answer is read; 15 s unless set. */
    public Builder requestTimeout(Duration most) {
      requestTimeout = positive("request timeout", most);
      return this;
    }

    /** The most time of one call, all its attempts and pauses included; 30 s unless set. */
    public Builder deadline(Duration most) {
      deadline = positive("deadline", most);
      return this;
    }

    /** The most attempts of one call, the first included; 6 unless set, 1 to never repeat. */
    public Builder attempts(int most) {
      attempts = positive("number of attempts", most);
      return this;
    }

    /**
     * The bound of the first pause, which is random below it; it doubles with every attempt, up to 2 s; 50 ms unless set.
     */
    public Builder firstPause(Duration bound) {
      firstPause = positive("first pause", bound);
      return this;
    }

    /**
     * The most time that {@code close()} waits for calls under way before it breaks them off; 5 s unless set, zero to
     * break them off at once.
     */
    public Builder closeWait(Duration most) {
      closeWait = most.isZero() ? most : positive("close wait", most);
      return this;
    }

    /** The most connections, and so the most calls under way; further ones wait; 64 unless set. */
    public Builder connections(int most) {
      connections = positive("number of connections", most);
      return this;
    }

    /** Whether writes without a request id get one; yes unless set. Without an id a write is never repeated. */
    public Builder requestIds(boolean given) {
      requestIds = given;
      return this;
    }

    private static Duration positive(String what, Duration value) {
      if (value.isNegative() || value.isZero() || value.compareTo(Duration.ofDays(1)) > 0) {
        throw new RnsException(RnsError.INVALID_REQUEST, what + " " + value + " is not above zero and up to a day");
      }
      return value;
    }

    private static int positive(String what, int value) {
      if (value < 1) {
        throw new RnsException(RnsError.INVALID_REQUEST, what + " " + value + " is below 1");
      }
      return value;
    }

    /** Makes the client; nothing is sent before the first call. */
    public NameService build() {
      HttpEndpoint endpoint =
          new HttpEndpoint(soapEndpoint(server), connectTimeout, closeWait, connections, Ticker.SYSTEM);
      RetryPolicy policy = new RetryPolicy(attempts, deadline, firstPause, Duration.ofSeconds(2));
      NameService repeating =
          new RetryingNameService(
              new SoapNameService(endpoint, requestTimeout),
              policy,
              Ticker.SYSTEM,
              bound -> ThreadLocalRandom.current().nextLong(bound));
      return requestIds ? new RequestIdNameService(repeating, RequestId::random) : repeating;
    }
  }
}
