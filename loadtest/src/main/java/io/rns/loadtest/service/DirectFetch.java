package io.rns.loadtest.service;

import io.rns.loadtest.http.HttpAnswer;
import io.rns.loadtest.http.RawConnection;
import io.rns.loadtest.measure.Failure;
import io.rns.loadtest.measure.FailureKind;
import io.rns.loadtest.measure.LoadClient;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A REST client that asks a front, and fetches the response from the server where the front sends it. */
public final class DirectFetch implements LoadClient {
  private static final int OK = 200;
  private static final int REDIRECT = 307;

  private final URI front;
  private final Supplier<String> targets;
  private final RawConnection asked;
  private final Map<String, RawConnection> servers = new HashMap<>();
  private volatile @Nullable RawConnection used;
  private String location = "";

  /**
   * A client that has not asked yet.
   *
   * @param targets path and query of each request
   */
  public DirectFetch(URI front, Supplier<String> targets) {
    this.front = front;
    this.targets = targets;
    this.asked = new RawConnection(HttpTarget.of(front.toString()).address());
  }

  @Override
  public boolean prepare() {
    asked.prepare(get(front, targets.get()), this::sentOn);
    return true;
  }

  private static byte[] get(URI where, String target) {
    return ("GET " + target + " HTTP/1.1\r\nHost: " + where.getRawAuthority()
        + "\r\nRNS-Direct: accept\r\nRNS-Consistency: any\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
  }

  private @Nullable FailureKind sentOn(HttpAnswer answer) {
    location = answer.field("Location");
    return answer.status() == REDIRECT ? null : FailureKind.HTTP_STATUS;
  }

  @Override
  public @Nullable Failure perform() {
    used = asked;
    Failure failure = asked.perform();
    if (failure != null) {
      return failure;
    }
    URI at = URI.create(location);
    RawConnection server =
        servers.computeIfAbsent(at.getRawAuthority(), key -> new RawConnection(HttpTarget.of(location).address()));
    server.prepare(get(at, at.getRawPath() + "?" + at.getRawQuery()),
        answer -> answer.status() == OK ? null : FailureKind.HTTP_STATUS);
    used = server;
    return server.perform();
  }

  @Override
  public void cut() {
    RawConnection current = used;
    if (current != null) {
      current.cut();
    }
  }

  @Override
  public long reconnects() {
    return asked.reconnects() + servers.values().stream().mapToLong(RawConnection::reconnects).sum();
  }

  @Override
  public void close() {
    asked.close();
    servers.values().forEach(RawConnection::close);
  }
}
