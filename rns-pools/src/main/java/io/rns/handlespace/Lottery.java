package io.rns.handlespace;

import io.rns.pool.DrawnPolicy;
import io.rns.pool.SelectionState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Eligible elements drawn with a probability proportional to their weight. */
final class Lottery implements SelectionRule {
  private static final Comparator<PoolMember> BY_SEQUENCE = (a, b) -> Long.compare(a.sequence, b.sequence);

  private final DrawnPolicy policy;
  private final RankedTree<PoolMember> members = new RankedTree<>(BY_SEQUENCE);
  private long sequence;

  Lottery(DrawnPolicy policy) {
    this.policy = policy;
  }

  @Override
  public int size() {
    return members.size();
  }

  @Override
  public @Nullable PoolMember head() {
    return null;
  }

  @Override
  public void add(PoolMember member, SelectionState standing) {
    member.standing = standing;
    member.sequence = ++sequence;
    members.add(member, 0, policy.weight(standing));
  }

  @Override
  public void remove(PoolMember member) {
    members.remove(member);
  }

  @Override
  public void moved(PoolMember member, SelectionState standing) {
    long before = policy.weight(member.standing);
    member.standing = standing;
    long weight = policy.weight(standing);
    if (weight != before) {
      members.reweigh(member, weight);
    }
  }

  /** A draw does not depend on earlier ones. */
  @Override
  public void selected(PoolMember member, SelectionState standing) {
    moved(member, standing);
  }

  /** Drawn elements have weight 0 until all are drawn, so that none is drawn twice. */
  @Override
  public List<PoolMember> choose(int items, RandomGenerator random) {
    int count = Math.min(items, members.size());
    List<PoolMember> chosen = new ArrayList<>(count);
    while (chosen.size() < count) {
      Node<PoolMember> node = members.at(random.nextLong(members.sum()));
      chosen.add(node.element());
      if (count > 1) {
        members.reweigh(node, 0);
      }
    }
    if (count > 1) {
      for (PoolMember member : chosen) {
        members.reweigh(member, policy.weight(member.standing));
      }
    }
    return chosen;
  }

  @Override
  public void checkInvariants() {
    members.checkInvariants();
  }
}
