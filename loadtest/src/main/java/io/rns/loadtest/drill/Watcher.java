package io.rns.loadtest.drill;

import io.rns.api.Change;
import io.rns.api.Position;
import io.rns.client.watch.ChangeStream;
import io.rns.error.RnsException;
import io.rns.loadtest.history.Event;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** Watches the whole tree, and now and then goes on from its position at another server. */
final class Watcher implements Runnable {
  private static final Duration TURN = Duration.ofSeconds(20);
  private static final Duration STEP = Duration.ofMillis(500);

  private final List<URI> servers;
  private final Recorder recorder;
  private final AtomicReference<String> trouble = new AtomicReference<>("");
  private Position position;
  private volatile boolean stopping;

  Watcher(List<URI> servers, Recorder recorder, Position from) {
    this.servers = List.copyOf(servers);
    this.recorder = recorder;
    this.position = from;
  }

  @Override
  public void run() {
    try {
      for (int stream = 0; !stopping; stream++) {
        try {
          watch(stream);
        } catch (RnsException e) {
          trouble.set(String.valueOf(e.getMessage()));
          Thread.sleep(STEP.toMillis());
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void watch(int stream) throws InterruptedException {
    List<URI> order = new ArrayList<>(servers);
    Collections.rotate(order, -stream);
    long end = recorder.now() + TURN.toNanos();
    try (ChangeStream changes = ChangeStream.of(order).from(position).open()) {
      while (!stopping && recorder.now() < end) {
        Optional<Change> next = changes.next(STEP);
        if (next.isPresent()) {
          Change change = next.get();
          recorder.add(new Event(change.position(), change.kind(), change.path().toString(), recorder.now(), stream));
        }
        position = changes.position();
      }
    }
  }

  /** The last thing that went wrong; empty if nothing did. */
  String trouble() {
    return trouble.get();
  }

  void stop() {
    stopping = true;
  }
}
