package io.rns.replication.membership;

import io.rns.replication.MemberReport;
import io.rns.replication.Role;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What a server sees of itself and the others at one moment, to decide what to do.
 *
 * @param url its own address
 * @param role what it is
 * @param state how its database stands
 * @param epoch of its copy; 0 if it has none or its copy has seen no primary yet
 * @param writing whether its copy is the one that is written, and nobody has deposed it
 * @param following whether its copy is known to belong to the tree of the group
 * @param cutOff whether an unplanned change of the primary has cut its database off, and is not over
 * @param primary which of the others says that it is the primary; of several the one that prevails
 * @param others what could be learnt of the others
 * @param known how many members are known, itself counted, whether they answer or not
 * @param leaderless how long no primary that has a database has been known, itself included
 */
public record MembershipView(
    String url,
    Role role,
    MemberState state,
    int epoch,
    boolean writing,
    boolean following,
    boolean cutOff,
    Optional<MemberReport> primary,
    List<MemberReport> others,
    int known,
    Duration leaderless) {
  /** Copies the others. */
  public MembershipView {
    others = List.copyOf(others);
  }

  /** Whether another server is the primary of a later epoch than this one knows. */
  public boolean isSuperseded() {
    return primary.isPresent() && primary.get().epoch() > epoch;
  }

  /** Whether most members of the group answer, itself counted. */
  public boolean hearsMajority() {
    return 2 * (others.size() + 1) > known;
  }
}
