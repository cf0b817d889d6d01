package io.rns.replication;

import java.util.Optional;

/**
 * What a server knows of itself and the primary at one moment.
 *
 * @param role what it is
 * @param copy the copy it reads from; empty if it has none that may be read
 * @param primary the address of the primary, {@code http://host:8080/rns}; empty while it is not known
 * @param reason why it is not a primary or replica that serves, or what is wrong with it; empty if nothing is
 */
public record RoleState(Role role, Optional<LocalCopy> copy, Optional<String> primary, String reason) {
  /** Before anything is known. */
  public static RoleState starting(String reason) {
    return new RoleState(Role.STARTING, Optional.empty(), Optional.empty(), reason);
  }
}
