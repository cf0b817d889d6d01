package io.rns.api;

import java.util.List;
import java.util.Set;

/**
 * The identity of a client.
 *
 * <p>An authenticated name begins with how it was proved and a colon ({@code local:alice},
 * {@code jwt:https://issuer.example#subject}), so that two methods never make the same name.
 *
 * @param name the authenticated name, empty for the anonymous caller
 * @param groups the groups the name belongs to, as stated by whoever proved it
 * @param limits narrow what the access rules permit: a right to a path needs a scope that has it in each of these sets.
 *        Empty: no limit
 */
public record Caller(String name, Set<String> groups, List<Set<Scope>> limits) {
  /** The unauthenticated caller. */
  public static final Caller ANONYMOUS = new Caller("", Set.of());

  /** The service itself, which may do everything. No credential of a client proves this name. */
  public static final Caller SERVICE = new Caller("rns:service", Set.of());

  public Caller {
    groups = Set.copyOf(groups);
    limits = limits.stream().map(Set::copyOf).toList();
  }

  /** A caller whose credential sets no limits. */
  public Caller(String name, Set<String> groups) {
    this(name, groups, List.of());
  }

  /** Whether the credential leaves the caller a right to a path, if the access rules permit it as well. */
  public boolean isWithinLimits(Right right, RnsPath path) {
    for (Set<Scope> limit : limits) {
      if (!isWithin(limit, right, path)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isWithin(Set<Scope> limit, Right right, RnsPath path) {
    for (Scope scope : limit) {
      if (scope.has(right, path)) {
        return true;
      }
    }
    return false;
  }
}
