package io.rns.replication.membership;

import io.rns.replication.MemberReport;
import io.rns.replication.Role;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What a server sees of itself and the other members, as input for its next step.
 *
 * @param url its own address
 * @param role its role
 * @param state the state of its database
 * @param epoch the epoch of its copy; 0 without a copy, or before its copy has seen a primary
 * @param writing whether its copy is the writable one, not superseded by another primary
 * @param following whether its copy is known to belong to the group's tree
 * @param accepted the term in which it leads, or that of the primary that it follows
 * @param cutOff whether a change of primary has cut off its database and is still in progress
 * @param primary the server that claims to be primary; of several, the prevailing one
 * @param others the reports of the other members
 * @param known the number of known members, including itself, whether they answer or not
 * @param asked how many members, including itself, have a database and were asked since the last transaction came to
 *        its own
 * @param acknowledgements how many replicas acknowledge a write
 * @param leaderless how long no primary with a database has been known, itself included
 * @param formerMayServe whether the primary of the last epoch may still answer reads as the primary
 */
public record MembershipView(
    String url,
    Role role,
    MemberState state,
    int epoch,
    boolean writing,
    boolean following,
    int accepted,
    boolean cutOff,
    Optional<MemberReport> primary,
    List<MemberReport> others,
    int known,
    int asked,
    int acknowledgements,
    Duration leaderless,
    boolean formerMayServe) {
  /** Copies the reports. */
  public MembershipView {
    others = List.copyOf(others);
  }

  /** Whether another server is primary of a later term than its own, or of a later epoch in the same term. */
  public boolean isSuperseded() {
    if (primary.isEmpty()) {
      return false;
    }
    int other = primary.get().allegiance().accepted();
    return other > accepted || (other == accepted && primary.get().epoch() > epoch);
  }

  /**
   * The primary of its own epoch to which this server, also a primary, gives way: the one with the lower address. It
   * became primary unaware of this one, so their databases have different transactions.
   */
  public Optional<MemberReport> rival() {
    return others.stream()
        .filter(other -> other.role() == Role.PRIMARY && other.epoch() == epoch && other.url().compareTo(url) < 0)
        .filter(other -> other.allegiance().accepted() >= accepted)
        .min(Comparator.comparing(MemberReport::url));
  }

  /**
   * Whether so many members answer that one of them would know if another than this primary had led when the last
   * transaction came. If this server was away, its database may have acknowledged the writes of such a one. Where one
   * acknowledgement suffices, a change takes all members but one, so that this server or that primary would know.
   */
  boolean isLast(MemberReport other) {
    return isLast(other, asked);
  }

  /** The same as far as members have said lately, whenever transactions came. */
  public boolean seemsLast(MemberReport other) {
    return isLast(other, 1 + (int) others.stream().filter(each -> each.database().isPresent()).count());
  }

  private boolean isLast(MemberReport other, int members) {
    return (acknowledgements == 1 || members >= known - acknowledgements)
        && others.stream().allMatch(each -> each.allegiance().least() <= other.allegiance().accepted());
  }

  /** Whether a majority of the group answers, including itself. */
  public boolean hearsMajority() {
    return 2 * (others.size() + 1) > known;
  }
}
