package io.rns.replication.membership;

import io.rns.replication.MemberReport;
import java.util.Optional;

/** The next step of a server in its group. */
public sealed interface MembershipStep {
  /** Do nothing for now. */
  record Wait() implements MembershipStep {}

  /**
   * Stay primary.
   *
   * @param writable false if its database must be made writable first
   */
  record StayPrimary(boolean writable) implements MembershipStep {}

  /** Step down as primary. */
  record StepDown(String why) implements MembershipStep {}

  /** Become primary, with a new epoch. */
  record Lead(String why) implements MembershipStep {}

  /**
   * Follow the primary.
   *
   * @param source the address its database must connect to; empty if it is connected
   */
  record Follow(MemberReport primary, Optional<String> source) implements MembershipStep {}

  /** Rebuild its copy from the primary's, then follow. */
  record Copy(MemberReport primary) implements MembershipStep {}

  /** Keep what its database has: members that do not answer may know a later primary, who may have acknowledged it. */
  record AwaitMembers(MemberReport primary) implements MembershipStep {}

  /** Stay outside the group: its database has transactions that the primary's lacks. */
  record StayOutside(MemberReport primary) implements MembershipStep {}

  /**
   * No primary is known.
   *
   * @param belongs whether its copy is nevertheless known to belong to the group's tree
   */
  record KnowNoPrimary(boolean belongs) implements MembershipStep {}
}
