package io.rns.handlespace;

import org.jspecify.annotations.Nullable;

/** The elements that one home has in one pool, by id. */
final class Share {
  final Owners.Owned of;
  final Pool pool;
  private final Tree<Member> members = new Tree<>((a, b) -> Integer.compareUnsigned(a.id, b.id));

  Share(Owners.Owned of, Pool pool) {
    this.of = of;
    this.pool = pool;
  }

  boolean isEmpty() {
    return members.size() == 0;
  }

  void add(Member member) {
    members.add(member.ownership, Integer.toUnsignedLong(member.id), 0);
  }

  void remove(Member member) {
    members.remove(member.ownership);
  }

  @Nullable Member first() {
    return element(members.first());
  }

  /** The first element behind an id. */
  @Nullable Member after(int id) {
    return element(members.after(Integer.toUnsignedLong(id)));
  }

  /** The element behind one of these. */
  @Nullable Member next(Member member) {
    return element(member.ownership.next());
  }

  private static @Nullable Member element(@Nullable Node<Member> node) {
    return node == null ? null : node.element();
  }

  /** For tests, O(n). */
  int checkInvariants() {
    members.checkInvariants();
    return members.size();
  }
}
