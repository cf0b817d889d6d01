package io.rns.replication.membership;

import io.rns.replication.MemberReport;
import java.util.Optional;

/** What a server does next in its group. */
public sealed interface MembershipStep {
  /** Nothing for now. */
  record Wait() implements MembershipStep {}

  /**
   * Goes on as the primary.
   *
   * @param writable false if its database has to be made writable first
   */
  record StayPrimary(boolean writable) implements MembershipStep {}

  /** Ends to be the primary. */
  record StepDown(String why) implements MembershipStep {}

  /** Becomes the primary, of a new epoch. */
  record Lead(String why) implements MembershipStep {}

  /**
   * Follows the primary.
   *
   * @param source the address of the database that its own has to be connected to; empty if it is
   */
  record Follow(MemberReport primary, Optional<String> source) implements MembershipStep {}

  /** Makes its copy anew from the primary's, and follows. */
  record Copy(MemberReport primary) implements MembershipStep {}

  /** Stays out of the group: its database has what the primary's has not. */
  record StayOutside(MemberReport primary) implements MembershipStep {}

  /**
   * Knows no primary.
   *
   * @param belongs whether its copy is known to belong to the tree of the group nevertheless
   */
  record KnowNoPrimary(boolean belongs) implements MembershipStep {}
}
