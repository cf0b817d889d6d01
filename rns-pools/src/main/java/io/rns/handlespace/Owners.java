package io.rns.handlespace;

import io.rns.api.RnsPath;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The ownership set: the elements of each home registrar by handle and id, with their checksum. */
final class Owners {
  private final NavigableMap<Integer, Owned> owned = new TreeMap<>(Integer::compareUnsigned);
  private List<Integer> homes = List.of();

  /** The elements of one home. Sums are not folded, so that elements can be subtracted again. */
  static final class Owned {
    private final int home;
    private final NavigableMap<RnsPath, Share> shares = new TreeMap<>();
    private int size;
    private long words;
    private long bits;

    private Owned(int home) {
      this.home = home;
    }

    int home() {
      return home;
    }

    void count(RegisteredElement element, HandleHash hash, int sign) {
      words += sign * hash.wordsOf(element);
      bits += sign * hash.bitsOf(element);
    }
  }

  void add(PoolMember member) {
    Share share = share(member.pool, member.element.home());
    member.share = share;
    share.add(member);
    share.of.size++;
    share.of.count(member.element, member.pool.hash(), 1);
  }

  /** The share of a home in a pool, created if absent. */
  private Share share(Pool pool, int home) {
    Share known = pool.share(home);
    if (known != null) {
      return known;
    }
    Owned of = owned.get(home);
    if (of == null) {
      of = new Owned(home);
      owned.put(home, of);
      homes = List.copyOf(owned.keySet());
    }
    Share share = new Share(of, pool);
    of.shares.put(pool.handle(), share);
    pool.shares().add(share);
    return share;
  }

  void remove(PoolMember member) {
    Share share = member.share;
    if (share == null) {
      throw new IllegalStateException(member + " has no owner");
    }
    Owned of = share.of;
    share.remove(member);
    of.size--;
    of.count(member.element, member.pool.hash(), -1);
    member.share = null;
    if (share.isEmpty()) {
      of.shares.remove(share.pool.handle());
      share.pool.shares().remove(share);
    }
    if (of.size == 0) {
      owned.remove(of.home);
      homes = List.copyOf(owned.keySet());
    }
  }

  /** Replaces the state of an element, which may have a new home. */
  void replace(PoolMember member, RegisteredElement element) {
    Share share = member.share;
    if (share != null && element.home() == share.of.home) {
      share.of.count(member.element, member.pool.hash(), -1);
      share.of.count(element, member.pool.hash(), 1);
      member.element = element;
    } else {
      remove(member);
      member.element = element;
      add(member);
    }
  }

  /** Up to {@code max} elements of a home by handle and id, after a key that need not exist, or from the first. */
  List<PoolMember> behind(int home, @Nullable ElementKey after, int max) {
    Owned of = owned.get(home);
    if (of == null) {
      return List.of();
    }
    Share begun = after == null ? null : of.shares.get(after.handle());
    List<PoolMember> behind = begun == null || after == null ? new ArrayList<>() : begun.behind(after.id(), max);
    for (Share share : after == null ? of.shares.values() : of.shares.tailMap(after.handle(), false).values()) {
      if (behind.size() == max) {
        break;
      }
      behind.addAll(share.behind(0, max - behind.size()));
    }
    return behind;
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
    return of == null ? 0 : of.size;
  }

  List<Integer> homes() {
    return homes;
  }

  /** For tests, O(n). */
  void checkInvariants() {
    for (Owned of : owned.values()) {
      int members = 0;
      for (Share share : of.shares.values()) {
        members += share.checkInvariants();
        if (share.isEmpty() || share.pool.share(of.home) != share) {
          throw new IllegalStateException(
              "share of " + of.home + " in " + share.pool.handle() + " is empty or unknown to it");
        }
      }
      if (members != of.size) {
        throw new IllegalStateException(members + " elements in shares of " + of.home + ", " + of.size + " counted");
      }
    }
  }
}
