package io.rns.api;

import java.util.Set;

/**
 * The identity of a client.
 *
 * @param name the authenticated name, empty for the anonymous caller
 * @param groups the groups the name belongs to
 */
public record Caller(String name, Set<String> groups) {
  /** The unauthenticated caller. */
  public static final Caller ANONYMOUS = new Caller("", Set.of());

  public Caller {
    groups = Set.copyOf(groups);
  }
}
