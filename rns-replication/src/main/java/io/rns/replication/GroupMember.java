package io.rns.replication;

/**
 * A server of a group, as seen by a change of primary. Every method may throw {@link io.rns.error.RnsException}
 * {@link io.rns.error.RnsError#UNAVAILABLE} if the server or its database is unreachable.
 *
 * <p>The steps of a change carry its {@link Term}: so of two changes at a time, the later one prevails at every member.
 */
public interface GroupMember {
  /** Its address. */
  String url();

  /** Its current report. */
  MemberReport report();

  /**
   * Promises to refuse the steps of earlier changes of primary. It serves as before.
   *
   * @return its report afterwards
   * @throws io.rns.error.RnsException {@link io.rns.error.RnsError#NOT_PRIMARY} if it has promised a later term, or
   *         this one to another proposer; as every step of an earlier change does
   */
  MemberReport promise(Term term);

  /**
   * Stops accepting writes, completes those in progress, and makes the database read-only. Waiting writers keep waiting
   * until there is another primary.
   *
   * @return its report afterwards, with its last transaction
   */
  MemberReport stepDown(Term term);

  /**
   * Disconnects the database from its source, or removes it from its database group. What was received is still
   * applied, after this returns.
   *
   * @return its report afterwards, whose transactions include those that are received and not yet applied
   */
  MemberReport stopReceiving(Term term);

  /** Whether its database has applied all these transactions, taken from a report of its own or of another member. */
  boolean contains(String transactions);

  /**
   * Checks that its database can replicate from the one at this address: a server answers there that knows the account
   * of replication and is another database.
   *
   * @throws io.rns.error.RnsException {@link io.rns.error.RnsError#UNAVAILABLE} if not, with the reason;
   *         {@link io.rns.error.RnsError#UNKNOWN_OPERATION} if its version cannot check
   */
  void checkReaches(String source);

  /**
   * Makes the database replicate from another one, which has all that this one had by its last report to the change and
   * has received since.
   *
   * @param source the address of that database
   * @param primary the address of the server that will be the primary; empty if unknown
   * @param leading the term in which that one leads or is about to; 0 if unknown
   * @throws io.rns.error.RnsException {@link io.rns.error.RnsError#UNAVAILABLE} if the database may have got something
   *         else since that report: it could take writes, or has begun to follow another one
   */
  void follow(String source, String primary, int leading, Term term);

  /**
   * Makes the database writable and the server the primary of a new epoch. Returns when the first commit is
   * acknowledged, so another member must start to follow it meanwhile.
   *
   * @throws io.rns.error.RnsException {@link io.rns.error.RnsError#INVALID_REQUEST} if no member can acknowledge;
   *         nothing was changed then
   */
  MemberReport lead(Term term, PromotionTerms terms);
}
