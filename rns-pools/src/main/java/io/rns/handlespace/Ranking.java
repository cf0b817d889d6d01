package io.rns.handlespace;

import io.rns.pool.PolicyType;
import io.rns.pool.RankedPolicy;
import io.rns.pool.SelectionState;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Elements ordered by round, rank and sequence number. */
final class Ranking implements SelectionRule {
  /** For a policy with rounds, ranks are points on a circle of this many bits. */
  private static final int POINT_BITS = 32;
  /** Rounds that ranks may have: the next ones are counted from another one. */
  private static final long MOST_ROUNDS = 1L << 30;

  private final RankedPolicy policy;

  /** True only for weighted round robin. */
  private final boolean hasRounds;

  private final Blocks<PoolMember> members = new Blocks<>();
  private long sequence;
  /** The round from which ranks count. */
  private long base;

  Ranking(RankedPolicy policy) {
    this.policy = policy;
    this.hasRounds = policy.type() == PolicyType.WEIGHTED_ROUND_ROBIN;
  }

  private long rank(SelectionState standing) {
    long rank = policy.rank(standing);
    return hasRounds ? ((standing.round() - base) << POINT_BITS) + rank : rank;
  }

  private void rebase() {
    List<PoolMember> all = members.behind(Long.MIN_VALUE, Long.MIN_VALUE, members.size());
    base = all.getFirst().standing.round();
    for (PoolMember member : all) {
      members.remove(member.rank, member.sequence);
    }
    for (PoolMember member : all) {
      member.rank = rank(member.standing);
      members.add(member.rank, member.sequence, member);
    }
  }

  @Override
  public int size() {
    return members.size();
  }

  @Override
  public @Nullable PoolMember head() {
    return members.first();
  }

  @Override
  public void add(PoolMember member, SelectionState standing) {
    member.standing = standing;
    member.rank = rank(standing);
    member.sequence = ++sequence;
    members.add(member.rank, member.sequence, member);
    PoolMember first = members.first();
    if (hasRounds && first != null && first.standing.round() - base > MOST_ROUNDS) {
      rebase();
    }
  }

  @Override
  public void remove(PoolMember member) {
    members.remove(member.rank, member.sequence);
  }

  @Override
  public void moved(PoolMember member, SelectionState standing) {
    if (rank(standing) == member.rank) {
      member.standing = standing;
    } else {
      selected(member, standing);
    }
  }

  @Override
  public void selected(PoolMember member, SelectionState standing) {
    remove(member);
    add(member, standing);
  }

  @Override
  public List<PoolMember> choose(int items, RandomGenerator random) {
    return members.behind(Long.MIN_VALUE, Long.MIN_VALUE, items);
  }

  @Override
  public void checkInvariants() {
    members.checkInvariants();
  }
}
