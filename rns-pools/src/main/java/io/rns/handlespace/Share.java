package io.rns.handlespace;

import java.util.List;

/** The elements that one home has in one pool, by id. */
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

  /** Up to so many elements behind an id; 0 is before all. */
  List<PoolMember> behind(int id, int max) {
    return members.behind(Integer.toUnsignedLong(id), 0, max);
  }

  /** For tests, O(n). */
  int checkInvariants() {
    members.checkInvariants();
    return members.size();
  }
}
