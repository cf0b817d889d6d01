package io.rns.handlespace;

import io.rns.api.RnsPath;
import io.rns.handlespace.ResolutionOutcome.Selected;
import io.rns.pool.Distance;
import io.rns.pool.DrawnPolicy;
import io.rns.pool.Parameters;
import io.rns.pool.Policy;
import io.rns.pool.PolicyType;
import io.rns.pool.RankedPolicy;
import io.rns.pool.Standing;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The elements under one handle: by id, and, those that can be selected, by who is next.
 *
 * <p>An element gets a new sequence number when it joins, when it is selected, and when a re-registration changes its rank.
 * One that renews without news keeps its turn; otherwise an element that renews often would never be next.
 */
final class Pool {
  private static final Comparator<Member> BY_ID = (a, b) -> Integer.compareUnsigned(a.id(), b.id());
  private static final Comparator<Member> BY_TURN = Pool::compareTurns;

  private final RnsPath handle;
  private final HandleHash hash;
  private final Policy policy;
  private final Tree<Member> index = new Tree<>(BY_ID);
  private final Tree<Member> selection = new Tree<>(BY_TURN);
  private long joined;
  private long sequence;

  Pool(RnsPath handle, PolicyType type) {
    this.handle = handle;
    this.hash = HandleHash.of(handle);
    this.policy = type.policy();
  }

  private static int compareTurns(Member a, Member b) {
    int order = Long.compare(a.standing.round(), b.standing.round());
    if (order == 0) {
      order = Long.compare(a.rank, b.rank);
    }
    return order != 0 ? order : Long.compare(a.sequence, b.sequence);
  }

  RnsPath handle() {
    return handle;
  }

  HandleHash hash() {
    return hash;
  }

  PolicyType type() {
    return policy.type();
  }

  int size() {
    return index.size();
  }

  int eligible() {
    return selection.size();
  }

  @Nullable Member find(int id) {
    Node<Member> node = index.find(Integer.toUnsignedLong(id));
    return node == null ? null : node.element();
  }

  /** The first element by id. */
  @Nullable Node<Member> first() {
    return index.first();
  }

  /** The first element behind an id. */
  @Nullable Node<Member> after(int id) {
    return index.after(m -> Integer.compareUnsigned(id, m.id()));
  }

  /** A new element; its id is not in the pool. */
  Member add(PoolElement element, long serial) {
    Standing fresh = Standing.fresh(element.registration().parameters(), Distance.NONE, joined++);
    Member member = new Member(this, element, fresh, serial);
    index.add(member.index, Integer.toUnsignedLong(member.id()), 0);
    if (policy.admits(fresh)) {
      enter(member, fresh);
    }
    return member;
  }

  void remove(Member member) {
    index.remove(member.index);
    if (member.selection.isLinked()) {
      selection.remove(member.selection);
    }
  }

  /** What an element reports with its re-registration. */
  void report(Member member, Parameters report) {
    place(member, policy.report(member.standing, report), false);
  }

  /** Another distance of an element. */
  void measured(Member member, Distance distance) {
    place(member, member.standing.at(distance), false);
  }

  /** Up to so many elements, the best first, of which the first ones count as selected if the policy is not one of chance. */
  List<Selected> select(int items, int charged, RandomGenerator random) {
    List<Member> members = policy instanceof DrawnPolicy ? draw(items, random) : head(items);
    List<Selected> selected = new ArrayList<>(members.size());
    for (Member member : members) {
      Standing before = member.standing;
      if (selected.size() < charged && policy instanceof RankedPolicy) {
        place(member, policy.charge(member.standing), true);
      }
      selected.add(new Selected(member.element, before));
    }
    return selected;
  }

  private List<Member> head(int items) {
    List<Member> members = new ArrayList<>(Math.min(items, selection.size()));
    for (Node<Member> node = selection.first(); node != null && members.size() < items; node = node.next()) {
      members.add(node.element());
    }
    return members;
  }

  /** What was drawn weighs nothing until all are drawn: nothing comes twice. */
  private List<Member> draw(int items, RandomGenerator random) {
    int count = Math.min(items, selection.size());
    List<Member> members = new ArrayList<>(count);
    while (members.size() < count) {
      Node<Member> node = selection.at(random.nextLong(selection.sum()));
      members.add(node.element());
      if (count > 1) {
        selection.reweigh(node, 0);
      }
    }
    if (count > 1) {
      for (Member member : members) {
        selection.reweigh(member.selection, weight(member.standing));
      }
    }
    return members;
  }

  private void place(Member member, Standing standing, boolean turnTaken) {
    boolean admitted = policy.admits(standing);
    if (!member.selection.isLinked()) {
      member.standing = standing;
      if (admitted) {
        enter(member, standing);
      }
    } else if (!admitted) {
      selection.remove(member.selection);
      member.standing = standing;
    } else if (turnTaken || standing.round() != member.standing.round() || rank(standing) != member.rank) {
      selection.remove(member.selection);
      link(member, standing);
    } else {
      long before = weight(member.standing);
      member.standing = standing;
      if (weight(standing) != before) {
        selection.reweigh(member.selection, weight(standing));
      }
    }
  }

  private void enter(Member member, Standing standing) {
    Node<Member> head = selection.first();
    link(member, policy.join(standing, head == null ? null : head.element().standing));
  }

  private void link(Member member, Standing standing) {
    member.standing = standing;
    member.rank = rank(standing);
    member.sequence = ++sequence;
    // Only one policy has rounds, and those come before ranks.
    selection.add(member.selection, type() == PolicyType.WEIGHTED_ROUND_ROBIN ? standing.round() : member.rank, weight(standing));
  }

  private long rank(Standing standing) {
    return policy instanceof RankedPolicy ranked ? ranked.rank(standing) : 0;
  }

  private long weight(Standing standing) {
    return policy instanceof DrawnPolicy drawn ? drawn.weight(standing) : 0;
  }

  /** For tests, O(n). */
  void checkInvariants() {
    index.checkInvariants();
    selection.checkInvariants();
    for (Node<Member> node = index.first(); node != null; node = node.next()) {
      Member member = node.element();
      if (member.selection.isLinked() != policy.admits(member.standing)) {
        throw new IllegalStateException(member + " is in the selection set by mistake, or not by mistake");
      }
    }
  }
}
