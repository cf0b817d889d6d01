package io.rns.replication;

import java.util.Optional;

/**
 * What a server knows about its own role and the primary.
 *
 * @param role its role
 * @param copy the copy it reads from; empty without a readable copy
 * @param primary the address of the primary, {@code http://host:8080/rns}; empty while unknown
 * @param reason why it does not serve as a primary or replica, or what is wrong with it; empty if nothing is
 */
public record RoleState(Role role, Optional<LocalCopy> copy, Optional<String> primary, String reason) {
  /** The state before anything is known. */
  public static RoleState starting(String reason) {
    return new RoleState(Role.STARTING, Optional.empty(), Optional.empty(), reason);
  }
}
