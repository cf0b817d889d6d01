package io.rns.client;

import io.rns.client.call.Ticker;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Time that passes when a test says so, or at once where code pauses. */
final class ManualTicker implements Ticker {
  private final AtomicLong now = new AtomicLong(1_000_000_007L);
  private final List<Long> pauses = new ArrayList<>();

  @Override
  public long nanos() {
    return now.get();
  }

  @Override
  public void pause(long nanos) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    pauses.add(nanos);
    pass(nanos);
  }

  void pass(long nanos) {
    now.addAndGet(nanos);
  }

  List<Long> pauses() {
    return pauses;
  }
}
