package io.rns.handlespace;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Elements in the order of a number, and of those for which it is the same in that of a second one; no two have both
 * alike. They are in blocks, one behind the other, so that what is compared and read together lies together; two
 * neighbours together are more than half a block. Search and change take O(log n), the first O(1); once in half a block
 * of changes the list of blocks is shifted, which has n/16 places at most. For one thread at a time.
 */
public final class Blocks<E> {
  private static final int LARGEST_BLOCK = 64;
  private static final int SMALLEST_BLOCK = 4;

  /** From where on elements are in a block; in the first one all are that are in no other. */
  private long[] firstKeys = {Long.MIN_VALUE};

  private long[] firstTies = {Long.MIN_VALUE};
  private final List<Block<E>> blocks = new ArrayList<>();
  private int size;

  /** None. */
  public Blocks() {
    blocks.add(new Block<>(SMALLEST_BLOCK));
  }

  /** Some elements in order, from one place up to another. */
  private static final class Block<E> {
    private long[] keys;
    private long[] ties;
    private @Nullable Object[] elements;
    private int from;
    private int to;

    Block(int places) {
      keys = new long[places];
      ties = new long[places];
      elements = new Object[places];
    }

    int size() {
      return to - from;
    }

    @SuppressWarnings("unchecked") // nothing else is put in
    E element(int place) {
      Object element = elements[place];
      if (element == null) {
        throw new IllegalStateException("nothing is at place " + place);
      }
      return (E) element;
    }

    boolean isAt(int place, long key, long tie) {
      return place < to && keys[place] == key && ties[place] == tie;
    }

    /** The first place that is not before two numbers. */
    int find(long key, long tie) {
      int low = from;
      int high = to;
      while (low < high) {
        int middle = (low + high) >>> 1;
        boolean isBefore = keys[middle] < key || (keys[middle] == key && ties[middle] < tie);
        low = isBefore ? middle + 1 : low;
        high = isBefore ? high : middle;
      }
      return low;
    }

    void insert(int at, long key, long tie, E element) {
      int place = at;
      if (place == from && from > 0) {
        from--;
        place--;
      } else {
        if (to == keys.length) {
          place -= from;
          makeRoom();
        }
        shift(place, place + 1, to - place);
        to++;
      }
      keys[place] = key;
      ties[place] = tie;
      elements[place] = element;
    }

    /** Behind the last; those in use begin at the first place then. */
    private void makeRoom() {
      if (from == 0) {
        keys = Arrays.copyOf(keys, 2 * to);
        ties = Arrays.copyOf(ties, 2 * to);
        elements = Arrays.copyOf(elements, 2 * to);
      } else {
        int kept = size();
        shift(from, 0, kept);
        Arrays.fill(elements, kept, to, null);
        from = 0;
        to = kept;
      }
    }

    private void shift(int place, int target, int count) {
      System.arraycopy(keys, place, keys, target, count);
      System.arraycopy(ties, place, ties, target, count);
      System.arraycopy(elements, place, elements, target, count);
    }

    void remove(int place) {
      if (place == from) {
        elements[from++] = null;
      } else {
        shift(place + 1, place, to - place - 1);
        elements[--to] = null;
      }
    }

    /** Moves the last elements to the end of another block that has room for them. */
    void moveLast(int count, Block<E> other) {
      System.arraycopy(keys, to - count, other.keys, other.to, count);
      System.arraycopy(ties, to - count, other.ties, other.to, count);
      System.arraycopy(elements, to - count, other.elements, other.to, count);
      other.to += count;
      Arrays.fill(elements, to - count, to, null);
      to -= count;
    }
  }

  /** How many there are. */
  public int size() {
    return size;
  }

  /** The first; null if there is none. */
  public @Nullable E first() {
    Block<E> block = blocks.get(0);
    return block.size() == 0 ? null : block.element(block.from);
  }

  /** The last block that begins at or before two numbers. */
  private int blockOf(long key, long tie) {
    int low = 0;
    int high = blocks.size();
    while (high - low > 1) {
      int middle = (low + high) >>> 1;
      boolean isBehind = firstKeys[middle] > key || (firstKeys[middle] == key && firstTies[middle] > tie);
      high = isBehind ? middle : high;
      low = isBehind ? low : middle;
    }
    return low;
  }

  /**
   * Puts in an element.
   *
   * @throws IllegalStateException if one with these numbers is in
   */
  public void add(long key, long tie, E element) {
    int number = blockOf(key, tie);
    if (blocks.get(number).size() == LARGEST_BLOCK) {
      split(number, key, tie);
      number = blockOf(key, tie);
    }
    Block<E> block = blocks.get(number);
    int place = block.find(key, tie);
    if (block.isAt(place, key, tie)) {
      throw new IllegalStateException(element + " has the place of " + block.element(place));
    }
    block.insert(place, key, tie, element);
    size++;
  }

  /**
   * Makes room for an element in a full block: by halving it, or behind the last, where elements mostly come, by a new
   * one.
   */
  private void split(int number, long key, long tie) {
    Block<E> lower = blocks.get(number);
    boolean isLast = number == blocks.size() - 1 && lower.find(key, tie) == lower.to;
    Block<E> upper = new Block<>(LARGEST_BLOCK);
    if (!isLast) {
      lower.moveLast(LARGEST_BLOCK / 2, upper);
    }
    int count = blocks.size();
    if (count == firstKeys.length) {
      firstKeys = Arrays.copyOf(firstKeys, 2 * count);
      firstTies = Arrays.copyOf(firstTies, 2 * count);
    }
    shiftFirsts(number + 1, number + 2, count - number - 1);
    firstKeys[number + 1] = isLast ? key : upper.keys[0];
    firstTies[number + 1] = isLast ? tie : upper.ties[0];
    blocks.add(number + 1, upper);
  }

  private void shiftFirsts(int from, int to, int count) {
    System.arraycopy(firstKeys, from, firstKeys, to, count);
    System.arraycopy(firstTies, from, firstTies, to, count);
  }

  /**
   * Takes out an element.
   *
   * @throws IllegalStateException if none with these numbers is in
   */
  public void remove(long key, long tie) {
    int number = blockOf(key, tie);
    Block<E> block = blocks.get(number);
    int place = block.find(key, tie);
    if (!block.isAt(place, key, tie)) {
      throw new IllegalStateException("nothing has the numbers " + key + " and " + tie);
    }
    block.remove(place);
    size--;
    if (number > 0 && isSmall(number - 1)) {
      number--;
      join(number);
    }
    if (number + 1 < blocks.size() && isSmall(number)) {
      join(number);
    }
  }

  /** Whether a block and the one behind it are to be one: together they are half a block, or one of them is empty. */
  private boolean isSmall(int number) {
    int one = blocks.get(number).size();
    int other = blocks.get(number + 1).size();
    return one == 0 || other == 0 || one + other <= LARGEST_BLOCK / 2;
  }

  /** Makes one block of two neighbours. */
  private void join(int number) {
    Block<E> lower = blocks.get(number);
    Block<E> upper = blocks.remove(number + 1);
    if (lower.size() == 0) {
      blocks.set(number, upper);
    } else if (upper.size() > 0) {
      Block<E> both = new Block<>(LARGEST_BLOCK);
      lower.moveLast(lower.size(), both);
      upper.moveLast(upper.size(), both);
      blocks.set(number, both);
    }
    shiftFirsts(number + 2, number + 1, blocks.size() - number - 1);
  }

  /** Up to so many elements behind two numbers, in order. */
  public List<E> behind(long key, long tie, int max) {
    List<E> behind = new ArrayList<>(Math.min(max, size));
    int number = blockOf(key, tie);
    int place = blocks.get(number).find(key, tie);
    place += blocks.get(number).isAt(place, key, tie) ? 1 : 0;
    while (true) {
      Block<E> block = blocks.get(number);
      int end = place + Math.min(block.to - place, max - behind.size());
      for (; place < end; place++) {
        behind.add(block.element(place));
      }
      number++;
      if (number == blocks.size() || behind.size() == max) {
        return behind;
      }
      place = blocks.get(number).from;
    }
  }

  /** Checks what must hold between operations; for tests, O(n). */
  void checkInvariants() {
    int seen = 0;
    long key = Long.MIN_VALUE;
    long tie = Long.MIN_VALUE;
    for (int number = 0; number < blocks.size(); number++) {
      Block<E> block = blocks.get(number);
      boolean isOrdered =
          number == 0 || key < firstKeys[number] || (key == firstKeys[number] && tie < firstTies[number]);
      if (!isOrdered || (number + 1 < blocks.size() && isSmall(number))) {
        throw new IllegalStateException("block " + number + " of " + blocks.size() + " begins too early, or is small");
      }
      for (int place = block.from; place < block.to; place++) {
        boolean isBehind =
            seen == 0 || key < block.keys[place] || (key == block.keys[place] && tie < block.ties[place]);
        key = block.keys[place];
        tie = block.ties[place];
        if (!isBehind || blockOf(key, tie) != number) {
          throw new IllegalStateException(block.element(place) + " is in block " + number + " by mistake");
        }
        seen++;
      }
    }
    if (seen != size) {
      throw new IllegalStateException(seen + " elements in blocks, but a size of " + size);
    }
  }
}
