package io.rns.loadtest.drill;

import io.rns.api.Change;
import io.rns.api.Position;
import io.rns.client.watch.ChangeStream;
import io.rns.error.RnsException;
import io.rns.loadtest.history.DrillEvent.WatchedChange;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Watches the whole tree, and continues from its position at another server now and then. For one thread. */
final class TreeWatcher {
  private static final Duration TURN = Duration.ofSeconds(20);
  private static final Duration STEP = Duration.ofMillis(500);

  private final List<URI> servers;
  private final Recorder recorder;
  private Position position;
  private int stream;
  private volatile Optional<String> trouble = Optional.empty();

  TreeWatcher(List<URI> servers, Recorder recorder, Position from) {
    this.servers = List.copyOf(servers);
    this.recorder = recorder;
    this.position = from;
  }

  void watch() throws InterruptedException {
    List<URI> order = new ArrayList<>(servers);
    Collections.rotate(order, -stream);
    long end = recorder.now() + TURN.toNanos();
    try (ChangeStream changes = ChangeStream.of(order).from(position).open()) {
      while (recorder.now() < end) {
        Optional<Change> next = changes.next(STEP);
        if (next.isPresent()) {
          Change change = next.get();
          recorder.add(
              new WatchedChange(change.position(), change.kind(), change.path().toString(), recorder.now(), stream));
        }
        position = changes.position();
      }
    } catch (RnsException e) {
      trouble = Optional.of(String.valueOf(e.getMessage()));
      Thread.sleep(STEP);
    }
    stream++;
  }

  Optional<String> trouble() {
    return trouble;
  }
}
