package io.rns.loadtest.drill;

import io.rns.loadtest.history.Claim;
import java.net.URI;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** Asks one server what it is, again and again: who says it is the primary, and how far behind a replica is. */
final class Observer implements Runnable {
  private static final Duration PAUSE = Duration.ofMillis(200);

  private final URI server;
  private final GroupCalls calls;
  private final Recorder recorder;
  private final Lags lags;
  private volatile boolean stopping;

  Observer(URI server, GroupCalls calls, Recorder recorder, Lags lags) {
    this.server = server;
    this.calls = calls;
    this.recorder = recorder;
    this.lags = lags;
  }

  @Override
  public void run() {
    try {
      Set<Integer> claimed = new HashSet<>();
      while (!stopping) {
        Optional<View> view = calls.look(server);
        if (view.isPresent() && view.get().isPrimary() && claimed.add(view.get().epoch())) {
          recorder.add(new Claim(view.get().name(), view.get().epoch(), recorder.now()));
        }
        view.filter(View::isReplica).ifPresent(lags::add);
        Thread.sleep(PAUSE.toMillis());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  void stop() {
    stopping = true;
  }
}
