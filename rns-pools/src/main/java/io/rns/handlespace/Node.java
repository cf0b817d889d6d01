package io.rns.handlespace;

import org.jspecify.annotations.Nullable;

/**
 * The place of an element in a {@link RankedTree}, which alone changes it. Elements are nodes themselves, so that one
 * read finds both.
 */
@SuppressWarnings("ReferenceEquality") // a place is nothing but itself
public abstract class Node<E> {
  @Nullable Node<E> parent;
  @Nullable Node<E> left;
  @Nullable Node<E> right;
  int height;

  /** The first thing that orders it, at hand here because reading the elements of a path is what a search costs. */
  long key;

  long weight;
  long sum;

  /** Whose place it is. */
  protected abstract E element();

  /** Whether it is in a tree. */
  boolean isLinked() {
    return height > 0;
  }

  static int height(@Nullable Node<?> node) {
    return node == null ? 0 : node.height;
  }

  static long sum(@Nullable Node<?> node) {
    return node == null ? 0 : node.sum;
  }

  /** Counts anew from the nodes just below. */
  void refresh() {
    height = 1 + Math.max(height(left), height(right));
    sum = sum(left) + weight + sum(right);
  }

  /** The node behind this; null after the last. */
  @Nullable
  Node<E> next() {
    if (right != null) {
      return right.leftmost();
    }
    Node<E> below = this;
    Node<E> above = parent;
    while (above != null && above.right == below) {
      below = above;
      above = above.parent;
    }
    return above;
  }

  /** The node before this; null before the first. */
  @Nullable
  Node<E> previous() {
    if (left != null) {
      Node<E> rightmost = left;
      while (rightmost.right != null) {
        rightmost = rightmost.right;
      }
      return rightmost;
    }
    Node<E> below = this;
    Node<E> above = parent;
    while (above != null && above.left == below) {
      below = above;
      above = above.parent;
    }
    return above;
  }

  /** The first node of those at and below this. */
  Node<E> leftmost() {
    Node<E> leftmost = this;
    while (leftmost.left != null) {
      leftmost = leftmost.left;
    }
    return leftmost;
  }
}
