package io.rns.handlespace;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The elements that one home has in one pool, by id: in blocks, one behind the other, so that what is read together lies together. Two
 * neighbours together are more than half a block. Finding takes O(log n); once in half a block of changes the list of blocks is
 * shifted, which has n/32 places at most. For one thread.
 */
final class Share {
  private static final int LARGEST_BLOCK = 64;
  private static final int SMALLEST_BLOCK = 4;

  final Owners.Owned of;
  final Pool pool;

  /** From which id on elements are in a block, in the order of signed numbers; of the first one that is every id. */
  private int[] firsts = {Integer.MIN_VALUE};

  private @Nullable Block[] blocks = {new Block(SMALLEST_BLOCK)};
  private int count = 1;
  private int size;

  Share(Owners.Owned of, Pool pool) {
    this.of = of;
    this.pool = pool;
  }

  /** Some elements in order. */
  private static final class Block {
    private int[] ids;
    private @Nullable Member[] members;
    private int size;

    Block(int places) {
      ids = new int[places];
      members = new Member[places];
    }

    /** The place of an id, or else, as {@link Arrays#binarySearch}, where it would be. */
    int find(int id) {
      return Arrays.binarySearch(ids, 0, size, id);
    }

    void insert(int place, int id, Member member) {
      if (size == ids.length) {
        ids = Arrays.copyOf(ids, 2 * size);
        members = Arrays.copyOf(members, 2 * size);
      }
      System.arraycopy(ids, place, ids, place + 1, size - place);
      System.arraycopy(members, place, members, place + 1, size - place);
      ids[place] = id;
      members[place] = member;
      size++;
    }

    void remove(int place) {
      size--;
      System.arraycopy(ids, place + 1, ids, place, size - place);
      System.arraycopy(members, place + 1, members, place, size - place);
      members[size] = null;
    }

    /** Appends elements from a place on to a list until it is as long as it may be. */
    void copy(int from, List<Member> list, int max) {
      for (int place = from; place < size && list.size() < max; place++) {
        Member member = members[place];
        if (member != null) {
          list.add(member);
        }
      }
    }

    /** Moves the elements from a place on to the end of another block, which has room for them. */
    void moveTo(Block other, int from) {
      System.arraycopy(ids, from, other.ids, other.size, size - from);
      System.arraycopy(members, from, other.members, other.size, size - from);
      other.size += size - from;
      Arrays.fill(members, from, size, null);
      size = from;
    }
  }

  /** Ids are unsigned; this gives them the order of signed numbers. */
  private static int signed(int id) {
    return id ^ Integer.MIN_VALUE;
  }

  private int blockOf(int signed) {
    int found = Arrays.binarySearch(firsts, 0, count, signed);
    return found >= 0 ? found : -2 - found;
  }

  private Block block(int number) {
    Block block = blocks[number];
    if (block == null) {
      throw new IllegalStateException("block " + number + " of " + count + " is missing");
    }
    return block;
  }

  boolean isEmpty() {
    return size == 0;
  }

  /** An element that is not in. */
  void add(Member member) {
    int id = signed(member.id);
    int number = blockOf(id);
    if (block(number).size == LARGEST_BLOCK) {
      split(number);
      number = blockOf(id);
    }
    block(number).insert(-1 - block(number).find(id), id, member);
    size++;
  }

  private void split(int number) {
    if (count == firsts.length) {
      firsts = Arrays.copyOf(firsts, 2 * count);
      blocks = Arrays.copyOf(blocks, 2 * count);
    }
    Block lower = block(number);
    Block upper = new Block(LARGEST_BLOCK);
    lower.moveTo(upper, LARGEST_BLOCK / 2);
    System.arraycopy(firsts, number + 1, firsts, number + 2, count - number - 1);
    System.arraycopy(blocks, number + 1, blocks, number + 2, count - number - 1);
    firsts[number + 1] = upper.ids[0];
    blocks[number + 1] = upper;
    count++;
  }

  /** An element that is in. */
  void remove(Member member) {
    int id = signed(member.id);
    int number = blockOf(id);
    block(number).remove(block(number).find(id));
    size--;
    if (number > 0 && isSmall(number - 1)) {
      number--;
      join(number);
    }
    if (number + 1 < count && isSmall(number)) {
      join(number);
    }
  }

  /** Whether a block and the one behind it are half a block together. */
  private boolean isSmall(int number) {
    return block(number).size + block(number + 1).size <= LARGEST_BLOCK / 2;
  }

  private void join(int number) {
    Block joined = new Block(LARGEST_BLOCK);
    block(number).moveTo(joined, 0);
    block(number + 1).moveTo(joined, 0);
    blocks[number] = joined;
    count--;
    System.arraycopy(firsts, number + 2, firsts, number + 1, count - number - 1);
    System.arraycopy(blocks, number + 2, blocks, number + 1, count - number - 1);
    blocks[count] = null;
  }

  /** Up to so many elements behind an id; 0 is before all. */
  List<Member> behind(int id, int max) {
    int signed = signed(id);
    int number = blockOf(signed);
    int found = block(number).find(signed);
    int place = found >= 0 ? found + 1 : -1 - found;
    List<Member> behind = new ArrayList<>(Math.min(max, size));
    while (number < count && behind.size() < max) {
      block(number).copy(place, behind, max);
      place = 0;
      number++;
    }
    return behind;
  }

  /** For tests, O(n). */
  int checkInvariants() {
    int seen = 0;
    for (int number = 0; number < count; number++) {
      Block block = block(number);
      boolean isAlone = number + 1 == count;
      if (!isAlone && (isSmall(number) || firsts[number + 1] <= firsts[number])) {
        throw new IllegalStateException("blocks " + number + " and its next are small or in no order");
      }
      for (int place = 0; place < block.size; place++) {
        Member member = block.members[place];
        int id = block.ids[place];
        boolean isIn = id >= firsts[number] && (isAlone || id < firsts[number + 1]) && (place == 0 || id > block.ids[place - 1]);
        if (member == null || signed(member.id) != id || !isIn) {
          throw new IllegalStateException(member + " is at place " + place + " of block " + number + " by mistake");
        }
      }
      seen += block.size;
    }
    if (seen != size) {
      throw new IllegalStateException(seen + " elements in blocks, " + size + " counted");
    }
    return seen;
  }
}
