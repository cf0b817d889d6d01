package io.rns.api;

import java.util.Set;

/**
 * Some rights to a subtree, as stated by a credential. A scope grants nothing: access rules do.
 *
 * @param path the root of the subtree
 * @param rights the rights to it and to everything below
 */
public record Scope(RnsPath path, Set<Right> rights) {
  public Scope {
    rights = Set.copyOf(rights);
  }

  /** Whether this scope has a right to a path. */
  public boolean has(Right right, RnsPath at) {
    return rights.contains(right) && path.contains(at);
  }
}
