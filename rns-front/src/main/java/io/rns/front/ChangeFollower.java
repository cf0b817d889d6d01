package io.rns.front;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rns.api.Position;
import io.rns.client.operator.SignedCalls;
import io.rns.error.RnsException;
import io.rns.front.ServerDirectory.Chosen;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntPredicate;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Follows the change log of a server group for an {@link AnswerCache}: asks for the changes behind the position that it
 * has, which the server answers as soon as there are some, again and again. So it knows at what time of its own clock
 * it knew everything, however long the answers took.
 */
final class ChangeFollower implements AutoCloseable {
  private static final Logger LOG = Logger.getLogger(ChangeFollower.class.getName());
  private static final ObjectMapper JSON = new ObjectMapper();
  /** In place of a group. */
  static final int UNKNOWN = -1;
  /** How long a server waits for a change. */
  private static final int WAIT_MILLIS = 200;
  static final Duration TIMEOUT = Duration.ofSeconds(1);
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
  private final IntPredicate claim;
  /** Belongs to the thread. */
  private int group;
  private final Set<FrontedServer> tried = new HashSet<>();
  private final Thread thread = Thread.ofPlatform().name("rns-front-changes").daemon().unstarted(this::run);
  private volatile boolean closed;

  /**
   * Not started yet.
   *
   * @param calls to servers, which it does not close
   * @param group {@link #UNKNOWN} for that of servers that report none
   * @param claim whether such a group is left to this follower
   */
  ChangeFollower(ServerDirectory directory, AnswerCache cache, SignedCalls calls, int group, IntPredicate claim) {
    this.directory = directory;
    this.cache = cache;
    this.calls = calls;
    this.group = group;
    this.claim = claim;
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
        cache.stop(group);
        pause = NOT_SHARED_NANOS;
      }
      if (cache.isLost(group)) {
        cache.stop(group);
      }
      LockSupport.parkNanos(pause - (System.nanoTime() - begun));
    }
    cache.stop(group);
  }

  /** Asks once; returns how long after the beginning to ask again. */
  private long step(long begun) throws InterruptedException {
    // Changes reach the primary first.
    FrontedServer server = directory.chooseOf(group, tried).map(Chosen::server).orElse(null);
    if (server == null) {
      tried.clear();
      return FAILED_NANOS;
    }
    try {
      Position known = cache.position(group);
      String query = known == null ? "" : "?after=" + known + "&wait=" + WAIT_MILLIS;
      SignedCalls.Answer answer = calls.ask("GET", server.url(), "/front/changes" + query, TIMEOUT);
      if (answer.status() == OK) {
        tried.clear();
        return take(JSON.readTree(answer.body()), known, begun);
      }
      if (answer.status() == GONE && answer.signed()) {
        cache.stop(group);
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
      cache.stop(group);
      return NOT_SHARED_NANOS;
    }
    Position to = Position.parse(report.path("position").asText());
    if (group == UNKNOWN && claim.test(to.group())) {
      group = to.group();
    }
    if (to.group() != group) {
      // What the front knows of servers is a moment old.
      return FAILED_NANOS;
    }
    if (known == null) {
      cache.begin(to);
      return 0;
    }
    long floor = 0;
    for (JsonNode change : report.path("changes")) {
      long sequence = change.path("sequence").asLong();
      if (change.has("path")) {
        cache.note(group, change.path("path").asText(), sequence);
      } else {
        floor = sequence;
      }
      if (change.has("oldPath")) {
        cache.note(group, change.path("oldPath").asText(), sequence);
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
  }
}
