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
 * The elements under one handle: by id, by home, and, those that can be selected, by who is next.
 *
 * <p>An element gets a new sequence number when it joins, when it is selected, and when a re-registration changes its rank.
 * One that renews without news keeps its turn; otherwise an element that renews often would never be next.
 */
final class Pool {
  private static final Comparator<Member> BY_TURN = Pool::compareTurns;
  private static final Comparator<Member> BY_ID = (a, b) -> Integer.compareUnsigned(a.id, b.id);

  private final RnsPath handle;
  private final HandleHash hash;
  private final PolicyType type;
  private final Policy policy;

  /** The policy as what it is. */
  private final @Nullable RankedPolicy ranked;

  private final @Nullable DrawnPolicy drawn;
  private final boolean hasRounds;
  private final MemberTable members = new MemberTable();

  /** The elements again, by home and id; for {@link Owners}. Homes are few. */
  private final List<Share> shares = new ArrayList<>(1);

  private final Tree<Member> selection = new Tree<>(BY_TURN);
  private long joined;
  private long sequence;

  Pool(RnsPath handle, PolicyType type) {
    this.handle = handle;
    this.hash = HandleHash.of(handle);
    this.type = type;
    this.policy = type.policy();
    this.ranked = policy instanceof RankedPolicy is ? is : null;
    this.drawn = policy instanceof DrawnPolicy is ? is : null;
    // Only one policy has rounds, and those come before ranks.
    this.hasRounds = type == PolicyType.WEIGHTED_ROUND_ROBIN;
  }

  private static int compareTurns(Member a, Member b) {
    int order = Long.compare(a.round, b.round);
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
    return type;
  }

  int size() {
    return members.size();
  }

  int eligible() {
    return selection.size();
  }

  @Nullable Member find(int id) {
    return members.find(id);
  }

  /** What each home has; changed only by {@link Owners}. */
  List<Share> shares() {
    return shares;
  }

  @Nullable Share share(int home) {
    for (Share share : shares) {
      if (share.of.home() == home) {
        return share;
      }
    }
    return null;
  }

  /** Up to so many elements behind an id, in the order of the ids; 0 is before all. */
  List<Member> behind(int id, int max) {
    if (shares.size() == 1) {
      return shares.get(0).behind(id, max);
    }
    return shares.stream().flatMap(share -> share.behind(id, max).stream()).sorted(BY_ID).limit(max).toList();
  }

  /** A new element; its id is not in the pool. */
  Member add(PoolElement element, long serial) {
    Standing fresh = Standing.fresh(element.registration().parameters(), Distance.NONE, joined++);
    Member member = new Member(this, element, fresh, serial);
    members.add(member);
    if (policy.admits(fresh)) {
      enter(member, fresh);
    }
    return member;
  }

  void remove(Member member) {
    members.remove(member);
    if (member.isLinked()) {
      selection.remove(member);
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
    if (items == 1 && ranked != null) {
      Node<Member> first = selection.first();
      return first == null ? List.of() : List.of(selected(first.element(), charged > 0));
    }
    List<Member> chosen = drawn != null ? draw(items, random) : head(items);
    List<Selected> selected = new ArrayList<>(chosen.size());
    for (Member member : chosen) {
      selected.add(selected(member, selected.size() < charged));
    }
    return selected;
  }

  private Selected selected(Member member, boolean charge) {
    Standing before = member.standing;
    if (charge && ranked != null) {
      place(member, policy.charge(before), true);
    }
    return new Selected(member.element, before);
  }

  private List<Member> head(int items) {
    List<Member> head = new ArrayList<>(Math.min(items, selection.size()));
    Node<Member> node = selection.first();
    while (node != null) {
      head.add(node.element());
      // The one behind the last is of no interest, and seldom at hand.
      node = head.size() < items ? node.next() : null;
    }
    return head;
  }

  /** What was drawn weighs nothing until all are drawn: nothing comes twice. */
  private List<Member> draw(int items, RandomGenerator random) {
    int count = Math.min(items, selection.size());
    List<Member> chosen = new ArrayList<>(count);
    while (chosen.size() < count) {
      Node<Member> node = selection.at(random.nextLong(selection.sum()));
      chosen.add(node.element());
      if (count > 1) {
        selection.reweigh(node, 0);
      }
    }
    if (count > 1) {
      for (Member member : chosen) {
        selection.reweigh(member, weight(member.standing));
      }
    }
    return chosen;
  }

  private void place(Member member, Standing standing, boolean turnTaken) {
    boolean admitted = policy.admits(standing);
    if (!member.isLinked()) {
      member.standing = standing;
      if (admitted) {
        enter(member, standing);
      }
    } else if (!admitted) {
      selection.remove(member);
      member.standing = standing;
    } else if (turnTaken || standing.round() != member.standing.round() || rank(standing) != member.rank) {
      selection.remove(member);
      link(member, standing);
    } else {
      long before = weight(member.standing);
      member.standing = standing;
      if (weight(standing) != before) {
        selection.reweigh(member, weight(standing));
      }
    }
  }

  private void enter(Member member, Standing standing) {
    Node<Member> head = selection.first();
    link(member, policy.join(standing, head == null ? null : head.element().standing));
  }

  private void link(Member member, Standing standing) {
    member.standing = standing;
    member.round = hasRounds ? standing.round() : 0;
    member.rank = rank(standing);
    member.sequence = ++sequence;
    selection.add(member, hasRounds ? member.round : member.rank, weight(standing));
  }

  private long rank(Standing standing) {
    return ranked != null ? ranked.rank(standing) : 0;
  }

  private long weight(Standing standing) {
    return drawn != null ? drawn.weight(standing) : 0;
  }

  /** For tests, O(n). */
  void checkInvariants() {
    selection.checkInvariants();
    int seen = 0;
    for (Member member : behind(0, Integer.MAX_VALUE)) {
      seen++;
      if (find(member.id) != member) {
        throw new IllegalStateException(member + " is not found by its id");
      }
      if (member.isLinked() != policy.admits(member.standing)) {
        throw new IllegalStateException(member + " is in the selection set by mistake, or not by mistake");
      }
    }
    if (seen != size()) {
      throw new IllegalStateException(seen + " elements in shares of " + handle + ", " + size() + " by id");
    }
  }
}
