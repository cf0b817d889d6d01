package io.rns.replication.simulation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/** The links between the machines of a group: each for its servers, and for its databases. */
final class SimulatedNetwork {
  private static final long FASTEST_NANOS = 200_000;
  private static final int SPREAD_NANOS = 1_500_000;

  /** What uses a link. */
  enum Kind {
    SERVERS, DATABASES
  }

  private final VirtualTime time;
  private final RandomGenerator random;
  private final int[][][] cuts;
  private final List<Runnable> healed = new ArrayList<>();

  /** Answers lost by broken connections, in thousandths. */
  private int lossPerMille;

  SimulatedNetwork(VirtualTime time, int members, RandomGenerator random) {
    this.time = time;
    this.random = random;
    this.cuts = new int[Kind.values().length][members][members];
  }

  /** A time on the way. */
  long delay() {
    return FASTEST_NANOS + random.nextInt(SPREAD_NANOS);
  }

  boolean connects(Kind kind, int from, int to) {
    return cuts[kind.ordinal()][from][to] == 0;
  }

  boolean losesAnswer() {
    return lossPerMille > 0 && random.nextInt(1000) < lossPerMille;
  }

  void lose(int perMille) {
    lossPerMille = perMille;
  }

  /** Cuts both directions; what is sent is lost without a word. */
  void cut(Kind kind, int one, int other) {
    cuts[kind.ordinal()][one][other]++;
    cuts[kind.ordinal()][other][one]++;
  }

  void healAll() {
    for (int[][] kind : cuts) {
      for (int[] row : kind) {
        Arrays.fill(row, 0);
      }
    }
    healed.forEach(Runnable::run);
  }

  void heal(Kind kind, int one, int other) {
    cuts[kind.ordinal()][one][other] = Math.max(0, cuts[kind.ordinal()][one][other] - 1);
    cuts[kind.ordinal()][other][one] = Math.max(0, cuts[kind.ordinal()][other][one] - 1);
    healed.forEach(Runnable::run);
  }

  /** Runs an action whenever a link is whole again. */
  void onHealed(Runnable action) {
    healed.add(action);
  }

  /** Sends a message, which arrives unless the link is cut. */
  void send(Kind kind, int from, int to, Runnable arrival) {
    if (connects(kind, from, to)) {
      time.after(delay(), arrival);
    }
  }
}
