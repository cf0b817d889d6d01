package io.rns.handlespace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.rns.api.RandomCases;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class RankedTreeTest {
  private static final int RANGE = 200;

  /** An element that is only a number. */
  private static final class Numbered extends Node<Integer> {
    private final int number;

    Numbered(int number) {
      this.number = number;
    }

    @Override
    protected Integer element() {
      return number;
    }
  }

  /** A tree and a sorted map as its model. */
  private static final class Case {
    private final RankedTree<Integer> tree = new RankedTree<>(Comparator.naturalOrder());
    private final List<Node<Integer>> nodes = new ArrayList<>();
    private final NavigableMap<Integer, Long> model = new TreeMap<>();
    private final RandomGenerator random;

    /** How many neighbours share a key and are distinguished only by their order. */
    private final int alike;

    Case(RandomGenerator random) {
      this.random = random;
      this.alike = List.of(1, 7, RANGE).get(random.nextInt(3));
      for (int i = 0; i < RANGE; i++) {
        nodes.add(new Numbered(i));
      }
    }

    void step(int range) {
      int i = random.nextInt(range);
      long weight = random.nextInt(4);
      if (!model.containsKey(i)) {
        tree.add(nodes.get(i), i / alike, weight);
        model.put(i, weight);
      } else if (random.nextInt(3) > 0) {
        tree.remove(nodes.get(i));
        model.remove(i);
      } else {
        tree.reweigh(nodes.get(i), weight);
        model.put(i, weight);
      }
    }

    void check() {
      tree.checkInvariants();
      List<Integer> found = new ArrayList<>();
      for (Node<Integer> node = tree.first(); node != null; node = node.next()) {
        found.add(node.element());
      }
      assertThat(found).containsExactlyElementsOf(model.keySet());
      assertThat(tree.size()).isEqualTo(model.size());
      assertThat(tree.sum()).isEqualTo(model.values().stream().mapToLong(w -> w).sum());
      checkPoints();
    }

    private void checkPoints() {
      long point = 0;
      for (int element : model.keySet()) {
        for (long i = 0; i < model.getOrDefault(element, 0L); i++) {
          assertThat(tree.at(point++).element()).isEqualTo(element);
        }
      }
    }
  }

  @Test
  void behavesLikeASortedMap() {
    RandomCases.check(
        random -> {
          Case tested = new Case(random);
          int range = 1 + random.nextInt(RANGE);
          for (int i = 0; i < 100; i++) {
            tested.step(range);
          }
          tested.check();
        });
  }

  @Test
  void invariantsHoldAfterEachStep() {
    RandomCases.check(
        random -> {
          Case tested = new Case(random);
          for (int i = 0; i < 30; i++) {
            tested.step(12);
            tested.check();
          }
        });
  }

  /** As round robin does: take from the front, append. */
  @Test
  void staysFlatInRoundRobin() {
    RankedTree<Integer> tree = new RankedTree<>(Comparator.naturalOrder());
    for (int i = 0; i < 20_000; i++) {
      tree.add(new Numbered(i), 0, 1);
      Node<Integer> first = tree.first();
      if (i >= 1_000 && first != null) {
        tree.remove(first);
      }
    }
    tree.checkInvariants();
    assertThat(tree.size()).isEqualTo(1_000);
    assertThat(tree.at(0).element()).isEqualTo(19_000);
  }

  @Test
  void rejectsDuplicates() {
    RankedTree<Integer> tree = new RankedTree<>(Comparator.naturalOrder());
    Node<Integer> node = new Numbered(1);
    tree.add(node, 0, 0);
    assertThatIllegalStateException().isThrownBy(() -> tree.add(node, 0, 0));
    assertThatIllegalStateException().isThrownBy(() -> tree.add(new Numbered(1), 0, 0));
  }

  @Test
  void keysComeBeforeElements() {
    RankedTree<Integer> tree = new RankedTree<>(Comparator.naturalOrder());
    for (int i = 0; i < RANGE; i++) {
      tree.add(new Numbered(i), -i, 0);
    }
    tree.checkInvariants();
    assertThat(tree.first()).extracting(Node::element).isEqualTo(RANGE - 1);
  }
}
