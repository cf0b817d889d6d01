package io.rns.identity;

import io.rns.api.Caller;
import io.rns.api.Right;
import io.rns.api.RnsPath;
import java.util.Set;

/**
 * How closed a service is, and who administers it.
 *
 * @param mode what access rules mean
 * @param administrators names of callers, and groups as {@code group:NAME}, which may do everything
 */
public record AccessPolicy(AccessMode mode, Set<String> administrators) {
  /** Every caller may do everything. */
  public static final AccessPolicy OPEN = new AccessPolicy(AccessMode.OPEN, Set.of());

  /** What a group begins with where names of callers may stand as well. */
  public static final String GROUP = "group:";

  public AccessPolicy {
    administrators = Set.copyOf(administrators);
  }

  /**
   * Whether a caller has every right everywhere without a rule, as far as the limits of its credential go:
   * {@link Caller#isWithinLimits} still has to be asked. The anonymous caller never is one.
   */
  public boolean isAdministrator(Caller caller) {
    if (caller.name().isEmpty()) {
      return false;
    }
    return caller.name().equals(Caller.SERVICE.name()) || administrators.contains(caller.name())
        || caller.groups().stream().anyMatch(group -> administrators.contains(GROUP + group));
  }

  /** Whether a caller may operate the service without a rule: an administrator whose limits leave it that. */
  public boolean mayOperate(Caller caller) {
    return isAdministrator(caller) && caller.isWithinLimits(Right.ADMIN, RnsPath.ROOT);
  }
}
