package io.rns.server.access;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Lines in memory, which begin to be taken when the gate is open. */
final class CollectedLines implements LineFile {
  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch gate;
  private final StringBuilder text = new StringBuilder();

  CollectedLines(CountDownLatch gate) {
    this.gate = gate;
  }

  static CollectedLines open() {
    return new CollectedLines(new CountDownLatch(0));
  }

  @Override
  public void append(ByteBuffer lines) {
    asked.countDown();
    try {
      gate.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted", e);
    }
    synchronized (text) {
      text.append(StandardCharsets.UTF_8.decode(lines));
    }
  }

  /** Waits until the first lines have been brought. */
  void awaitAsked() throws InterruptedException {
    asked.await();
  }

  List<String> lines() {
    synchronized (text) {
      return text.toString().lines().toList();
    }
  }

  @Override
  public void close() {}
}
