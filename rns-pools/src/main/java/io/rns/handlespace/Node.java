package io.rns.handlespace;

import org.jspecify.annotations.Nullable;

/**
 * An element's position in a {@link RankedTree}, which alone changes it. Elements extend this class, so that one memory
 * access reaches both.
 */
@SuppressWarnings("ReferenceEquality") // a node is compared by identity
public abstract class Node<E> {
  @Nullable Node<E> parent;
  @Nullable Node<E> left;
  @Nullable Node<E> right;
  int height;

  /** The first sort key, stored here because comparing along a search path dominates the cost of a search. */
  long key;

  long weight;
  long sum;

  /** The element at this position. */
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

  /** Updates height and sum from the children. */
  void refresh() {
    height = 1 + Math.max(height(left), height(right));
    sum = sum(left) + weight + sum(right);
  }

  /** The next node; null after the last. */
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

  /** The previous node; null before the first. */
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

  /** The first node of the subtree. */
  Node<E> leftmost() {
    Node<E> leftmost = this;
    while (leftmost.left != null) {
      leftmost = leftmost.left;
    }
    return leftmost;
  }
}
