package io.rns.loadtest.handlespace;

import io.rns.handlespace.Blocks;
import io.rns.handlespace.Node;
import io.rns.handlespace.RankedTree;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;

/** A set of elements in the order in which they are next. */
interface OrderedSet {
  Comparator<Ranked> ORDER = Comparator.<Ranked>comparingLong(r -> r.rank).thenComparingLong(r -> r.sequence);

  void add(Ranked element);

  void remove(Ranked element);

  Ranked first();

  /** An element; its order may change only while it is in no set. */
  final class Ranked extends Node<Ranked> {
    long rank;
    long sequence;

    @Override
    protected Ranked element() {
      return this;
    }
  }

  /** What there is. */
  enum Kind {
    /** Where the handlespace keeps who is next. */
    BLOCKS("blocks of the handlespace"),
    /** Where it draws. */
    AVL_TREE("balanced tree of the handlespace"),
    /** {@link TreeSet}. */
    RED_BLACK_TREE("red-black tree of Java"),
    /** {@link ConcurrentSkipListSet}. */
    SKIP_LIST("skip list of Java"),
    /** An array, searched by halving, whose elements are shifted. */
    SORTED_ARRAY("sorted array");

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    OrderedSet create() {
      return switch (this) {
        case BLOCKS -> new OfBlocks();
        case AVL_TREE -> new OfHandlespace();
        case RED_BLACK_TREE -> new OfJava(new TreeSet<>(ORDER));
        case SKIP_LIST -> new OfJava(new ConcurrentSkipListSet<>(ORDER));
        case SORTED_ARRAY -> new SortedArray();
      };
    }

    @Override
    public String toString() {
      return text;
    }
  }

  /** Found by what orders them. */
  final class OfBlocks implements OrderedSet {
    private final Blocks<Ranked> blocks = new Blocks<>();

    @Override
    public void add(Ranked element) {
      blocks.add(element.rank, element.sequence, element);
    }

    @Override
    public void remove(Ranked element) {
      blocks.remove(element.rank, element.sequence);
    }

    @Override
    public Ranked first() {
      return Objects.requireNonNull(blocks.first(), "there is none");
    }
  }

  /** Elements know their place, so that removal looks for nothing. */
  final class OfHandlespace implements OrderedSet {
    private final RankedTree<Ranked> tree = new RankedTree<>(ORDER);

    @Override
    public void add(Ranked element) {
      tree.add(element, element.rank, 0);
    }

    @Override
    public void remove(Ranked element) {
      tree.remove(element);
    }

    @Override
    public Ranked first() {
      if (tree.first() instanceof Ranked first) {
        return first;
      }
      throw new IllegalStateException("the tree is empty");
    }
  }

  /** Sets of Java. */
  final class OfJava implements OrderedSet {
    private final NavigableSet<Ranked> set;

    OfJava(NavigableSet<Ranked> set) {
      this.set = set;
    }

    @Override
    public void add(Ranked element) {
      set.add(element);
    }

    @Override
    public void remove(Ranked element) {
      set.remove(element);
    }

    @Override
    public Ranked first() {
      return set.first();
    }
  }

  /** An array. */
  final class SortedArray implements OrderedSet {
    private final List<Ranked> elements = new ArrayList<>();

    @Override
    public void add(Ranked element) {
      elements.add(-1 - Collections.binarySearch(elements, element, ORDER), element);
    }

    @Override
    public void remove(Ranked element) {
      elements.remove(Collections.binarySearch(elements, element, ORDER));
    }

    @Override
    public Ranked first() {
      return elements.get(0);
    }
  }
}
