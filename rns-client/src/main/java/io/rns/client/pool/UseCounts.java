package io.rns.client.pool;

import java.util.concurrent.atomic.LongAdder;

/** Counts what one user does. Safe for use by many threads. */
final class UseCounts {
  final LongAdder calls = new LongAdder();
  final LongAdder resolutions = new LongAdder();
  final LongAdder failovers = new LongAdder();
  final LongAdder rejections = new LongAdder();
  final LongAdder failures = new LongAdder();

  PoolFigures figures() {
    return new PoolFigures(calls.sum(), resolutions.sum(), failovers.sum(), rejections.sum(), failures.sum());
  }
}
