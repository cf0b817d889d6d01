package io.rns.front;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rns.api.Position;
import io.rns.api.RnsPath;
import io.rns.client.http.TlsTrust;
import io.rns.client.operator.SignedCalls;
import io.rns.error.RnsException;
import io.rns.front.ServerDirectory.Chosen;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Follows the change log of the servers for an {@link AnswerCache}: asks for the changes behind the position that it
 * has, which the server answers as soon as there are some, again and again. So it knows at what time of its own clock
 * it knew everything, however long the answers took.
 */
final class ChangeFollower implements AutoCloseable {
  private static final Logger LOG = Logger.getLogger(ChangeFollower.class.getName());
  private static final ObjectMapper JSON = new ObjectMapper();
  /** How long a server waits for a change. */
  private static final int WAIT_MILLIS = 200;
  private static final Duration TIMEOUT = Duration.ofSeconds(1);
  /** At most so often, for each request is signed and remembered by the server. */
  private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long FAILED_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  /** As long as the servers let no answers be kept. */
  private static final long NOT_SHARED_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int OK = 200;
  private static final int REFUSED = 403;
  private static final int NOT_FOUND = 404;
  private static final int GONE = 410;

  private final ServerDirectory directory;
  private final AnswerCache cache;
  private final SignedCalls calls;
  private final Set<FrontedServer> tried = new HashSet<>();
  private final Thread thread = Thread.ofPlatform().name("rns-front-changes").daemon().unstarted(this::run);
  private volatile boolean closed;

  /**
   * Not started yet.
   *
   * @param secret of the servers
   */
  ChangeFollower(ServerDirectory directory, AnswerCache cache, TlsTrust trust, String secret) {
    this.directory = directory;
    this.cache = cache;
    this.calls = new SignedCalls(TIMEOUT, trust, secret, InstantSource.system(), LOG::info);
  }

  void start() {
    thread.start();
  }

  private void run() {
    while (!closed) {
      long begun = System.nanoTime();
      long pause;
      try {
        pause = step(begun);
      } catch (InterruptedException e) {
        return;
      } catch (RuntimeException e) {
        LOG.log(Level.WARNING, "the changes of the servers could not be followed", e);
        cache.stop();
        pause = NOT_SHARED_NANOS;
      }
      if (cache.isLost()) {
        cache.stop();
      }
      LockSupport.parkNanos(pause - (System.nanoTime() - begun));
    }
    cache.stop();
  }

  /** Asks once; returns how long after the beginning to ask again. */
  private long step(long begun) throws InterruptedException {
    // Changes reach the primary first.
    FrontedServer server = directory.choose(RnsPath.ROOT, true, false, tried).map(Chosen::server).orElse(null);
    if (server == null) {
      tried.clear();
      return FAILED_NANOS;
    }
    try {
      Position known = cache.position();
      String query = known == null ? "" : "?after=" + known + "&wait=" + WAIT_MILLIS;
      SignedCalls.Answer answer = calls.ask("GET", server.url(), "/front/changes" + query, TIMEOUT);
      if (answer.status() == OK) {
        tried.clear();
        return take(JSON.readTree(answer.body()), known, begun);
      }
      if (answer.status() == GONE && answer.signed()) {
        cache.stop();
        return 0;
      }
      LOG.fine(() -> server.url() + " reports no changes: " + answer.body());
      if (answer.status() == NOT_FOUND || answer.status() == REFUSED) {
        // An earlier version, or another secret: soon would be no better.
        tried.add(server);
        return NOT_SHARED_NANOS;
      }
    } catch (IOException | RnsException e) {
      LOG.log(Level.FINE, e, () -> "no changes from " + server.url());
    }
    tried.add(server);
    return INTERVAL_NANOS;
  }

  private long take(JsonNode report, @Nullable Position known, long asked) {
    if (!report.path("shared").asBoolean()) {
      cache.stop();
      return NOT_SHARED_NANOS;
    }
    Position to = Position.parse(report.path("position").asText());
    if (known == null) {
      cache.begin(to);
      return 0;
    }
    long floor = 0;
    for (JsonNode change : report.path("changes")) {
      long sequence = change.path("sequence").asLong();
      if (change.has("path")) {
        cache.note(change.path("path").asText(), sequence);
      } else {
        floor = sequence;
      }
      if (change.has("oldPath")) {
        cache.note(change.path("oldPath").asText(), sequence);
      }
    }
    cache.advance(to, floor, asked, report.path("ageMillis").asLong(-1));
    return INTERVAL_NANOS;
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
    thread.interrupt();
    calls.close();
  }
}
