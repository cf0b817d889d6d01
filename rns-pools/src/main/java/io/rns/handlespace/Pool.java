package io.rns.handlespace;

import io.rns.api.RnsPath;
import io.rns.handlespace.ResolutionOutcome.Selected;
import io.rns.pool.Distance;
import io.rns.pool.Parameters;
import io.rns.pool.Policy;
import io.rns.pool.PolicyType;
import io.rns.pool.SelectionState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The elements under one handle: by id, by home, and, if eligible, in selection order. */
final class Pool {
  private static final Comparator<PoolMember> BY_ID = (a, b) -> Integer.compareUnsigned(a.id, b.id);

  private final RnsPath handle;
  private final HandleHash hash;
  private final PolicyType type;
  private final Policy policy;
  private final Map<Integer, PoolMember> members = new HashMap<>();

  /** The elements by home and id, for {@link Owners}; there are few homes. */
  private final List<Share> shares = new ArrayList<>(1);

  private final SelectionRule selection;
  private final long handleBytes;
  private long joined;

  /** For whose host the pool counts; another one when it leaves. */
  private @Nullable PoolMember founder;

  Pool(RnsPath handle, PolicyType type) {
    this.handle = handle;
    this.hash = HandleHash.of(handle);
    this.type = type;
    this.policy = type.policy();
    this.selection = SelectionRule.of(policy);
    this.handleBytes = ElementMemory.of(handle);
  }

  /** The memory of its handle. */
  long handleBytes() {
    return handleBytes;
  }

  /** Its memory without its elements. */
  long ownBytes() {
    return ElementMemory.ofPool(handleBytes);
  }

  /** Its memory with its elements; O(n). */
  long bytes() {
    return ownBytes() + members.values().stream().mapToLong(PoolMember::bytes).sum();
  }

  /** The element for whose host the pool counts; null if there is none. */
  @Nullable
  PoolMember founder() {
    return founder;
  }

  /** Counts the pool for the host of another element. */
  void founder(PoolMember next) {
    founder = next;
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

  @Nullable
  PoolMember find(int id) {
    return members.get(id);
  }

  /** The share of each home; changed only by {@link Owners}. */
  List<Share> shares() {
    return shares;
  }

  @Nullable
  Share share(int home) {
    for (Share share : shares) {
      if (share.of.home() == home) {
        return share;
      }
    }
    return null;
  }

  /** Up to {@code max} elements after an id, in id order; 0 precedes all ids. */
  List<PoolMember> behind(int id, int max) {
    if (shares.size() == 1) {
      return shares.get(0).behind(id, max);
    }
    return shares.stream().flatMap(share -> share.behind(id, max).stream()).sorted(BY_ID).limit(max).toList();
  }

  /** Adds an element whose id is not in the pool. */
  PoolMember add(RegisteredElement element, long serial) {
    SelectionState fresh = SelectionState.fresh(element.registration().parameters(), Distance.NONE, joined++);
    PoolMember member = new PoolMember(this, element, fresh, serial);
    members.put(member.id, member);
    founder = founder == null ? member : founder;
    if (policy.admits(fresh)) {
      enter(member, fresh);
    }
    return member;
  }

  void remove(PoolMember member) {
    members.remove(member.id);
    if (member.selectable) {
      leave(member);
    }
  }

  private void enter(PoolMember member, SelectionState standing) {
    PoolMember head = selection.head();
    selection.add(member, policy.join(standing, head == null ? null : head.standing));
    member.selectable = true;
  }

  private void leave(PoolMember member) {
    selection.remove(member);
    member.selectable = false;
  }

  /** Applies the parameters of a re-registration. */
  void report(PoolMember member, Parameters report) {
    place(member, policy.report(member.standing, report));
  }

  /** Applies a newly measured distance. */
  void measured(PoolMember member, Distance distance) {
    place(member, member.standing.at(distance));
  }

  private void place(PoolMember member, SelectionState standing) {
    boolean admitted = policy.admits(standing);
    if (member.selectable && admitted) {
      selection.moved(member, standing);
    } else if (admitted) {
      enter(member, standing);
    } else {
      if (member.selectable) {
        leave(member);
      }
      member.standing = standing;
    }
  }

  /**
   * Selects up to {@code items} elements, the best first; the first {@code charged} of them count as selected, unless
   * the policy draws at random.
   */
  List<Selected> select(int items, int charged, RandomGenerator random) {
    PoolMember head = items == 1 ? selection.head() : null;
    if (head != null) {
      return List.of(selected(head, charged > 0));
    }
    List<PoolMember> chosen = selection.choose(items, random);
    List<Selected> selected = new ArrayList<>(chosen.size());
    for (PoolMember member : chosen) {
      selected.add(selected(member, selected.size() < charged));
    }
    return selected;
  }

  private Selected selected(PoolMember member, boolean charge) {
    SelectionState before = member.standing;
    if (charge) {
      charge(member, policy.charge(before));
    }
    return new Selected(member.element, before);
  }

  /** Charges an element, which may have used up its last credit. */
  private void charge(PoolMember member, SelectionState charged) {
    if (policy.admits(charged)) {
      selection.selected(member, charged);
    } else {
      leave(member);
      member.standing = charged;
    }
  }

  /** For tests, O(n). */
  void checkInvariants() {
    selection.checkInvariants();
    int seen = 0;
    for (PoolMember member : behind(0, Integer.MAX_VALUE)) {
      seen++;
      if (find(member.id) != member) {
        throw new IllegalStateException(member + " is not found by its id");
      }
      if (member.selectable != policy.admits(member.standing)) {
        throw new IllegalStateException(member + " is wrongly in or missing from the selection");
      }
    }
    if (seen != size()) {
      throw new IllegalStateException(seen + " elements in shares of " + handle + ", " + size() + " by id");
    }
    if (founder == null || find(founder.id) != founder) {
      throw new IllegalStateException(founder + " has founded " + handle + ", of which it is no element");
    }
  }
}
