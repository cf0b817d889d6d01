package io.rns.replication.simulation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The transactions of a database, on its disk: all of them, and those that readers see, which are fewer while a commit
 * waits for a replica.
 */
final class TransactionLog {
  private final Engine engine;
  private final List<SimulatedTransaction> transactions = new ArrayList<>();

  /** The last number of each origin. */
  private int[] lastNumbers;

  private int[] lastVisible;
  private final BitSet visibleWrites = new BitSet();
  private int visible;
  private int purged;
  private @Nullable String text;

  TransactionLog(Engine engine, int members) {
    this.engine = engine;
    this.lastNumbers = new int[members];
    this.lastVisible = new int[members];
  }

  int size() {
    return transactions.size();
  }

  boolean isEmpty() {
    return transactions.isEmpty();
  }

  SimulatedTransaction get(int index) {
    return transactions.get(index);
  }

  @Nullable
  SimulatedTransaction last() {
    return transactions.isEmpty() ? null : transactions.getLast();
  }

  /** The row of the group as readers see it; null before there are tables. */
  @Nullable
  SimulatedTransaction row() {
    return visible == 0 ? null : transactions.get(visible - 1);
  }

  /** The number of the last write of which it shows that enough replicas have it. */
  long confirmed() {
    SimulatedTransaction last = row();
    return last == null ? 0 : Math.min(last.confirmed(), last.sequence());
  }

  /** The row of the group after a write, as readers see it. */
  @Nullable
  SimulatedTransaction rowUpTo(long sequence) {
    int index = visible - 1;
    while (index >= 0 && transactions.get(index).sequence() > sequence) {
      index--;
    }
    return index < 0 ? null : transactions.get(index);
  }

  /** The writes that readers see, without those after one. */
  BitSet writesUpTo(long sequence) {
    int end = visible;
    while (end > 0 && transactions.get(end - 1).sequence() > sequence) {
      end--;
    }
    if (end == visible) {
      return visibleWrites;
    }
    BitSet writes = (BitSet) visibleWrites.clone();
    for (SimulatedTransaction later : transactions.subList(end, visible)) {
      if (later.isWrite()) {
        writes.clear(later.write());
      }
    }
    return writes;
  }

  /** How many are visible. */
  int visible() {
    return visible;
  }

  BitSet visibleWrites() {
    return visibleWrites;
  }

  /** The number of the next transaction of an origin. */
  int nextNumber(int origin) {
    return engine == Engine.MYSQL ? last(lastNumbers, origin) + 1
        : transactions.isEmpty() ? 1
            : transactions.getLast().number() + 1;
  }

  void append(SimulatedTransaction transaction) {
    transactions.add(transaction);
    if (transaction.origin() >= lastNumbers.length) {
      lastNumbers = Arrays.copyOf(lastNumbers, transaction.origin() + 1);
      lastVisible = Arrays.copyOf(lastVisible, transaction.origin() + 1);
    }
    lastNumbers[transaction.origin()] = Math.max(lastNumbers[transaction.origin()], transaction.number());
    text = null;
  }

  void showUpTo(int count) {
    for (; visible < count; visible++) {
      SimulatedTransaction shown = transactions.get(visible);
      lastVisible[shown.origin()] = Math.max(lastVisible[shown.origin()], shown.number());
      if (shown.isWrite()) {
        visibleWrites.set(shown.write());
      }
      text = null;
    }
  }

  boolean has(SimulatedTransaction transaction) {
    return last(lastNumbers, transaction.origin()) >= transaction.number();
  }

  private static int last(int[] numbers, int origin) {
    return origin < numbers.length ? numbers[origin] : 0;
  }

  /** The first transactions of it are not sent to replicas. */
  int purged() {
    return purged;
  }

  /** Takes what another one shows, whose log begins afterwards. */
  void copy(TransactionLog other) {
    clear();
    for (int i = 0; i < other.visible; i++) {
      append(other.get(i));
    }
    showUpTo(size());
    purged = size();
  }

  void clear() {
    transactions.clear();
    visibleWrites.clear();
    Arrays.fill(lastNumbers, 0);
    Arrays.fill(lastVisible, 0);
    visible = 0;
    purged = 0;
    text = null;
  }

  /**
   * What it reports, in the notation of the engine: the last transaction, or the last one of each origin. MySQL counts
   * a commit that waits for a replica when it is over.
   */
  String text() {
    String known = text;
    if (known == null) {
      known = write();
      text = known;
    }
    return known;
  }

  private String write() {
    if (transactions.isEmpty()) {
      return "";
    }
    if (engine == Engine.MARIADB) {
      return transactions.getLast().origin() + "-" + transactions.getLast().number();
    }
    StringBuilder written = new StringBuilder();
    for (int origin = 0; origin < lastVisible.length; origin++) {
      if (lastVisible[origin] > 0) {
        written.append(written.isEmpty() ? "" : ",").append(origin).append('-').append(lastVisible[origin]);
      }
    }
    return written.toString();
  }

  boolean contains(String others) {
    if (others.isEmpty()) {
      return true;
    }
    int[] known = engine == Engine.MYSQL ? lastVisible : lastNumbers;
    for (String each : others.split(",", -1)) {
      int dash = each.indexOf('-');
      if (last(known, Integer.parseInt(each, 0, dash, 10)) < Integer.parseInt(each, dash + 1, each.length(), 10)) {
        return false;
      }
    }
    return true;
  }
}
