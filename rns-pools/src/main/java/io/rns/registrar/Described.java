package io.rns.registrar;

import io.rns.handlespace.RegisteredElement;
import io.rns.pool.PolicyType;
import io.rns.rserpool.ElementDescription;
import org.jspecify.annotations.Nullable;

/**
 * A cache of wire descriptions: elements are resolved more often than they change. Holds at most 4,096 descriptions of
 * at most 4,096 bytes; a colliding element replaces the previous one. Not thread-safe.
 */
final class Described {
  /** A power of two. */
  private static final int PLACES = 4_096;

  /** Of a description, at most: longer ones would take much memory, and converting them little of their time. */
  private static final long BYTES = 4_096;

  private final @Nullable Known[] places = new Known[PLACES];

  private record Known(RegisteredElement element, PolicyType policy, ElementDescription description) {}

  /** As {@link Descriptions#description}. */
  ElementDescription of(PolicyType policy, RegisteredElement element) {
    int place = (Long.hashCode(element.version()) * 31 + element.id()) & (PLACES - 1);
    Known known = places[place];
    if (known == null || !known.element.equals(element) || known.policy != policy) {
      known = new Known(element, policy, Descriptions.description(policy, element));
      places[place] = Descriptions.mostBytes(element.registration()) <= BYTES ? known : null;
    }
    return known.description;
  }
}
