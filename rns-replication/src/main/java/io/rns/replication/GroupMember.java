package io.rns.replication;

/**
 * A server of a group as it is seen by who changes its primary. Every method may throw
 * {@link io.rns.error.RnsException} {@link io.rns.error.RnsError#UNAVAILABLE} if the server or its database cannot be
 * reached.
 */
public interface GroupMember {
  /** Its address. */
  String url();

  /** How it stands. */
  MemberReport report();

  /**
   * Takes no more writes, finishes what is being written, and makes the database read-only. Callers who wait with a
   * write go on waiting until there is another primary.
   *
   * @return how it stands then, with its last transaction
   */
  MemberReport stepDown();

  /**
   * Cuts the database off from its source, or takes it out of its database group; answers when all that it had received
   * is applied.
   */
  MemberReport stopReceiving();

  /** Whether its database has all transactions that another one's report tells. */
  boolean contains(String transactions);

  /**
   * Has the database replicate from another one.
   *
   * @param source the address of that database
   * @param primary the address of the server that will be the primary; empty if that is not known
   */
  void follow(String source, String primary);

  /**
   * Makes the database writable and the server the primary of a new epoch. Ends when the first commit is acknowledged,
   * so another member has to follow it meanwhile.
   *
   * @throws io.rns.error.RnsException {@link io.rns.error.RnsError#INVALID_REQUEST} if nobody is there who
   *         acknowledges; nothing was changed then
   */
  MemberReport lead(PromotionTerms beginning);
}
