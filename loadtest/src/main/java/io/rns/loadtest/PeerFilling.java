package io.rns.loadtest;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.loadtest.measure.Failure;
import io.rns.loadtest.measure.LoadClient;
import io.rns.loadtest.measure.LoadRun;
import io.rns.loadtest.measure.Measurement;
import io.rns.loadtest.measure.Schedule;
import io.rns.loadtest.peer.Peer;
import io.rns.loadtest.work.Call;
import io.rns.loadtest.work.Session;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** Makes the entries of a tree in a peer, by the sessions that are measured later. */
final class PeerFilling implements LoadClient {
  private static final Duration BOUND = Duration.ofHours(1);
  private static final Duration CALL_BOUND = Duration.ofMinutes(1);

  private final Session session;
  private final Queue<Call> left;

  private PeerFilling(Session session, Queue<Call> left) {
    this.session = session;
    this.left = left;
  }

  /**
   * Performs all of some calls.
   *
   * @param clients how many at a time
   * @throws RnsException {@link RnsError#UNAVAILABLE} if one of them fails
   */
  static void perform(Peer peer, List<Call> calls, int clients) throws InterruptedException {
    Queue<Call> left = new ConcurrentLinkedQueue<>(calls);
    List<LoadClient> filling = new ArrayList<>();
    for (int i = 0; i < clients; i++) {
      filling.add(new PeerFilling(peer.session(), left));
    }
    Measurement done = LoadRun.run(filling, Schedule.untilDone(BOUND), CALL_BOUND);
    if (Thread.interrupted()) {
      throw new InterruptedException("stopped while adding entries");
    }
    if (done.failures().total() > 0) {
      throw new RnsException(RnsError.UNAVAILABLE, "adding entries failed: " + done.failures());
    }
  }

  @Override
  public boolean prepare() {
    Call next = left.poll();
    if (next == null) {
      return false;
    }
    session.prepare(next);
    return true;
  }

  @Override
  public @Nullable Failure perform() {
    Failure failure = session.perform();
    if (failure != null) {
      left.clear();
    }
    return failure;
  }

  @Override
  public void cut() {
    session.cut();
  }

  @Override
  public void close() {
    session.close();
  }
}
