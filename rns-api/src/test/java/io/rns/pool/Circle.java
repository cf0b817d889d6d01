package io.rns.pool;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** A small pool driven by its policy alone. Not thread-safe. */
final class Circle {
  private final Policy policy;
  private final RandomGenerator random = new SplittableRandom(1);
  private final Map<String, Element> elements = new LinkedHashMap<>();
  private long sequence;

  /** An element of the pool. */
  static final class Element implements Candidate {
    private final String name;
    private SelectionState standing;
    private long sequence;

    private Element(String name, SelectionState standing, long sequence) {
      this.name = name;
      this.standing = standing;
      this.sequence = sequence;
    }

    @Override
    public SelectionState standing() {
      return standing;
    }

    @Override
    public long sequence() {
      return sequence;
    }
  }

  Circle(PolicyType type) {
    policy = type.policy();
  }

  Circle with(String name, Parameters parameters) {
    return with(name, parameters, Distance.NONE);
  }

  Circle with(String name, Parameters parameters, Distance distance) {
    SelectionState fresh = SelectionState.fresh(parameters, distance, elements.size());
    List<Element> others = order();
    SelectionState standing = policy.join(fresh, others.isEmpty() ? null : others.get(0).standing);
    elements.put(name, new Element(name, standing, ++sequence));
    return this;
  }

  void report(String name, Parameters parameters) {
    Element element = element(name);
    element.standing = policy.report(element.standing, parameters);
  }

  SelectionState standing(String name) {
    return element(name).standing;
  }

  private Element element(String name) {
    Element element = elements.get(name);
    if (element == null) {
      throw new AssertionError("no element " + name);
    }
    return element;
  }

  private List<Element> order() {
    return policy.order(new ArrayList<>(elements.values()), random);
  }

  /** All selectable elements, best first. */
  String names() {
    StringBuilder names = new StringBuilder();
    order().forEach(e -> names.append(e.name));
    return names.toString();
  }

  /** Selects {@code count} times and returns the names in order; a dot where no element was selectable. */
  String turns(int count) {
    StringBuilder turns = new StringBuilder();
    for (int i = 0; i < count; i++) {
      List<Element> order = order();
      if (order.isEmpty()) {
        turns.append('.');
      } else {
        Element next = order.get(0);
        turns.append(next.name);
        next.standing = policy.charge(next.standing);
        next.sequence = ++sequence;
      }
    }
    return turns.toString();
  }
}
