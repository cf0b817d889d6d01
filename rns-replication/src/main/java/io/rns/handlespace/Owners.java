package io.rns.handlespace;

import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The ownership set: the elements of each home registrar by handle and id, with their checksum. */
final class Owners {
  private static final Comparator<Member> BY_KEY = Owners::compareKeys;

  private final NavigableMap<Integer, Owned> owned = new TreeMap<>(Integer::compareUnsigned);
  private List<Integer> homes = List.of();

  /** The elements of one home. Sums are exact, not folded: what was added can be taken off again. */
  static final class Owned {
    private final int home;
    private final Tree<Member> members = new Tree<>(BY_KEY);
    private long words;
    private long bits;

    private Owned(int home) {
      this.home = home;
    }

    void count(PoolElement element, HandleHash hash, int sign) {
      words += sign * hash.wordsOf(element);
      bits += sign * hash.bitsOf(element);
    }
  }

  private static int compareKeys(Member a, Member b) {
    // Long handles are compared only where pools differ.
    int order = a.pool == b.pool ? 0 : a.pool.handle().compareTo(b.pool.handle());
    return order != 0 ? order : Integer.compareUnsigned(a.id(), b.id());
  }

  void add(Member member) {
    Owned of = owned.get(member.element.home());
    if (of == null) {
      of = new Owned(member.element.home());
      owned.put(of.home, of);
      homes = List.copyOf(owned.keySet());
    }
    member.owned = of;
    of.members.add(member.ownership, 0);
    of.count(member.element, member.pool.hash(), 1);
  }

  void remove(Member member) {
    Owned of = member.owned;
    if (of == null) {
      throw new IllegalStateException(member + " has no owner");
    }
    of.members.remove(member.ownership);
    of.count(member.element, member.pool.hash(), -1);
    member.owned = null;
    if (of.members.size() == 0) {
      owned.remove(of.home);
      homes = List.copyOf(owned.keySet());
    }
  }

  /** Another state of an element. */
  void replace(Member member, PoolElement element) {
    Owned of = member.owned;
    if (of != null && element.home() == of.home) {
      of.count(member.element, member.pool.hash(), -1);
      of.count(element, member.pool.hash(), 1);
      member.element = element;
    } else {
      remove(member);
      member.element = element;
      add(member);
    }
  }

  /** The first element of a home, or the first behind another, which need not exist. */
  @Nullable Node<Member> first(int home, @Nullable ElementKey after) {
    Owned of = owned.get(home);
    if (of == null) {
      return null;
    }
    return after == null
        ? of.members.first()
        : of.members.after(m -> after.compareTo(new ElementKey(m.pool.handle(), m.id())));
  }

  Checksum checksum(int home) {
    Owned of = owned.get(home);
    if (of == null) {
      return Checksum.NONE;
    }
    long folded = of.words;
    while (folded > 0xffff) {
      folded = (folded >>> 16) + (folded & 0xffff);
    }
    return new Checksum((int) (~folded & 0xffff), of.bits);
  }

  int size(int home) {
    Owned of = owned.get(home);
    return of == null ? 0 : of.members.size();
  }

  List<Integer> homes() {
    return homes;
  }

  /** For tests, O(n). */
  void checkInvariants() {
    for (Owned of : owned.values()) {
      of.members.checkInvariants();
    }
  }
}
