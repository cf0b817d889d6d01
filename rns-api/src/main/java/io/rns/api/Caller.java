package io.rns.api;

import java.util.Set;

/**
 * Who is asking.
 *
 * @param name the authenticated name, empty for nobody in particular
 * @param groups the groups the name is in
 */
public record Caller(String name, Set<String> groups) {
  /** Nobody in particular. */
  public static final Caller ANONYMOUS = new Caller("", Set.of());

  /** Copies the groups. */
  public Caller {
    groups = Set.copyOf(groups);
  }
}
