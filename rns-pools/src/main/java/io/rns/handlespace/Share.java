package io.rns.handlespace;

import java.util.List;

/** The elements of one home in one pool, by id. */
final class Share {
  final Owners.Owned of;
  final Pool pool;
  private final Blocks<PoolMember> members = new Blocks<>();

  Share(Owners.Owned of, Pool pool) {
    this.of = of;
    this.pool = pool;
  }

  boolean isEmpty() {
    return members.size() == 0;
  }

  void add(PoolMember member) {
    members.add(Integer.toUnsignedLong(member.id), 0, member);
  }

  void remove(PoolMember member) {
    members.remove(Integer.toUnsignedLong(member.id), 0);
  }

  /** Up to {@code max} elements after an id; 0 precedes all ids. */
  List<PoolMember> behind(int id, int max) {
    return members.behind(Integer.toUnsignedLong(id), 0, max);
  }

  /** For tests, O(n). */
  int checkInvariants() {
    members.checkInvariants();
    return members.size();
  }
}
