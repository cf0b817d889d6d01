package io.rns.replication.simulation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;

/** The links between the machines of a group: each for its servers, and for its databases. */
final class VirtualNetwork {
  private static final long FASTEST_NANOS = 200_000;
  private static final int SPREAD_NANOS = 1_500_000;

  /** What uses a link. */
  enum Kind {
    SERVERS, DATABASES
  }

  private final VirtualTime time;
  private final RandomGenerator random;
  private final Map<Kind, int[][]> cuts = new EnumMap<>(Kind.class);
  private final List<Runnable> healed = new ArrayList<>();

  /** Answers lost by broken connections, in thousandths. */
  private int lossPerMille;

  VirtualNetwork(VirtualTime time, int members, RandomGenerator random) {
    this.time = time;
    this.random = random;
    for (Kind kind : Kind.values()) {
      cuts.put(kind, new int[members][members]);
    }
  }

  /** A time on the way. */
  long delay() {
    return FASTEST_NANOS + random.nextInt(SPREAD_NANOS);
  }

  private int[][] cuts(Kind kind) {
    return Objects.requireNonNull(cuts.get(kind));
  }

  boolean connects(Kind kind, int from, int to) {
    return cuts(kind)[from][to] == 0;
  }

  boolean losesAnswer() {
    return lossPerMille > 0 && random.nextInt(1000) < lossPerMille;
  }

  void lose(int perMille) {
    lossPerMille = perMille;
  }

  /** Cuts both directions; what is sent is lost without a word. */
  void cut(Kind kind, int one, int other) {
    cuts(kind)[one][other]++;
    cuts(kind)[other][one]++;
  }

  void healAll() {
    for (int[][] kind : cuts.values()) {
      for (int[] row : kind) {
        Arrays.fill(row, 0);
      }
    }
    healed.forEach(Runnable::run);
  }

  void heal(Kind kind, int one, int other) {
    cuts(kind)[one][other] = Math.max(0, cuts(kind)[one][other] - 1);
    cuts(kind)[other][one] = Math.max(0, cuts(kind)[other][one] - 1);
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
