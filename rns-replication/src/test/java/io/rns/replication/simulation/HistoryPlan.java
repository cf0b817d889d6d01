package io.rns.replication.simulation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * One history: where it begins, and what goes wrong in it. All else follows from the seed.
 *
 * @param seed of all that is left to chance
 * @param shape the group
 * @param faults in the order of their beginning
 */
record HistoryPlan(long seed, GroupShape shape, List<InjectedFault> faults) {
  /** The group has begun to serve by then. */
  static final int FIRST_FAULT_MILLIS = 3_000;
  static final int LAST_FAULT_MILLIS = 15_000;

  private static final int MOST_FAULTS = 10;
  private static final int QUICK_MILLIS = 1_000;
  private static final int LONGEST_MILLIS = 5_000;
  private static final int[] MEMBERS = {2, 3, 3, 3, 5};

  /** From this seed on, all groups have four members; those of earlier seeds never have. */
  static final long FIRST_SEED_OF_FOUR = 100_000_000;
  private static final int[] FOUR_MEMBERS = {4};

  HistoryPlan {
    faults = List.copyOf(faults);
  }

  /** The history of a seed. */
  static HistoryPlan of(long seed) {
    RandomGenerator random = new SplittableRandom(seed);
    int[] sizes = seed < FIRST_SEED_OF_FOUR ? MEMBERS : FOUR_MEMBERS;
    GroupShape shape =
        new GroupShape(
            random.nextBoolean() ? Engine.MARIADB : Engine.MYSQL, sizes[random.nextInt(sizes.length)],
            random.nextInt(3) > 0);
    List<InjectedFault> faults = new ArrayList<>();
    int count = 1 + random.nextInt(MOST_FAULTS);
    InjectedFault.Kind[] kinds = InjectedFault.Kind.values();
    for (int i = 0; i < count; i++) {
      int member = random.nextInt(shape.members());
      int other = (member + 1 + random.nextInt(shape.members() - 1)) % shape.members();
      InjectedFault fault =
          new InjectedFault(
              random.nextInt(FIRST_FAULT_MILLIS, LAST_FAULT_MILLIS), kinds[random.nextInt(kinds.length)], member, other,
              1 + random.nextInt(LONGEST_MILLIS));
      faults.add(fault);
      if (random.nextInt(4) == 0) {
        // An operator elsewhere sees it.
        faults.add(new InjectedFault(fault.atMillis() + random.nextInt(QUICK_MILLIS), InjectedFault.Kind.FAILOVER,
            other, member, 1));
      }
    }
    faults.sort(Comparator.comparingInt(InjectedFault::atMillis));
    return new HistoryPlan(seed, shape, faults);
  }

  /**
   * Whether a group survives this by itself and loses nothing: no two databases forgot what they received, and three
   * members are left; or there are two that have forgotten nothing. With more losses an operator may have to decide.
   */
  boolean keepsEnough() {
    long forgetful =
        faults.stream().filter(InjectedFault::mayForget).mapToInt(InjectedFault::member).distinct().count();
    long removed =
        faults.stream().filter(InjectedFault::removesMember).mapToInt(InjectedFault::member).distinct().count();
    boolean enough = shape.members() - removed > 2 ? forgetful <= 1 : removed == 0 && forgetful == 0;
    return enough && faults.stream().noneMatch(fault -> fault.kind() == InjectedFault.Kind.POWER_LOSS_OF_ALL);
  }

  HistoryPlan without(int index) {
    List<InjectedFault> fewer = new ArrayList<>(faults);
    fewer.remove(index);
    return new HistoryPlan(seed, shape, fewer);
  }

  @Override
  public String toString() {
    return "-Drns.test.seed=" + seed + ": " + shape.members() + " members with " + shape.engine()
        + (shape.automatic() ? ", automatic, " : ", manual, ") + faults;
  }
}
