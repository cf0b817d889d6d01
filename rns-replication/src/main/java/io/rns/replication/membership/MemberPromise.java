package io.rns.replication.membership;

import io.rns.replication.Term;

/**
 * What a member has promised to changes of the primary. It is kept on the member's disk, since a member that forgot it
 * could agree to a change that a later one has overtaken.
 *
 * @param term the highest term that it has promised to take part in; 0 if none. It takes no step of a lower one
 * @param proposer address of the server that runs the change of this term; empty if none
 * @param accepted the highest term in which it led or followed who led; it follows no primary of an earlier one
 * @param cutOff the term for which it stopped receiving or stepped down, or in which it is to follow or lead, if it has
 *        neither followed nor led since; else 0
 * @param led the highest term in which it led, so that a commit of it was acknowledged; 0 if none
 * @param chosen the highest term in which it led, or a failover without force had it lead since it had all that was
 *        acknowledged, whether it then led or not; 0 if none. Its database has all writes that were acknowledged in
 *        earlier terms, and those of this one
 * @param forced the highest term known in which a member was made to lead by force, so that acknowledged writes may be
 *        in the databases of members that stayed outside; 0 if none
 * @param vouchedRun the run of its database ({@link MemberState#run}) in which it was known to have all that it ever
 *        acknowledged; 0 if none
 */
public record MemberPromise(int term, String proposer, int accepted, int cutOff, int led, int chosen, int forced,
    long vouchedRun) {
  /** Of a member that has promised nothing. */
  public static final MemberPromise NONE = new MemberPromise(0, "", 0, 0, 0, 0, 0, 0);

  /** Rejects negative terms. Earlier versions do not note that a member was chosen before it has led. */
  public MemberPromise {
    if (term < 0 || accepted < 0 || cutOff < 0 || led < 0) {
      throw new IllegalArgumentException(
          "terms are not negative: promised " + term + ", accepted " + accepted + ", cut off " + cutOff + ", led "
              + led);
    }
    chosen = Math.max(chosen, led);
  }

  /**
   * Whether it takes the steps of this change. A term that it has accepted from whoever leads in it is no other
   * proposer's, promised or not.
   */
  public boolean allows(Term other) {
    return other.number() > Math.max(term, least())
        || (other.number() == term && other.proposer().equals(proposer) && term >= accepted);
  }

  /** Having promised a term that it {@link #allows}. */
  public MemberPromise to(Term other) {
    return new MemberPromise(other.number(), other.proposer(), accepted, cutOff, led, chosen, forced, vouchedRun);
  }

  /** Cut off for a term. */
  public MemberPromise cutOff(int number) {
    return new MemberPromise(term, proposer, accepted, number, led, chosen, forced, vouchedRun);
  }

  /**
   * About to follow a primary that leads in a term. Until its database does, it counts as cut off, so that no change
   * has it follow its former source again.
   *
   * <p>In a group of two, each may have been chosen in that term: the one that follows does not have what the other one
   * commits in it.
   */
  public MemberPromise accepting(int number) {
    int until = number > accepted ? Math.max(cutOff, number) : cutOff;
    int since = chosen == number ? 0 : chosen;
    return new MemberPromise(term, proposer, Math.max(accepted, number), until, led, since, forced, vouchedRun);
  }

  /** Following a primary that leads in a term. */
  public MemberPromise following(int number) {
    return accepting(number).cutOff(0);
  }

  /** About to lead in a term: cut off until it does. */
  public MemberPromise leading(int number) {
    return new MemberPromise(term, proposer, number, number, led, chosen, forced, vouchedRun);
  }

  /** Having been found to have all that was acknowledged before a term. */
  public MemberPromise chosen(int number) {
    return new MemberPromise(term, proposer, accepted, cutOff, led, Math.max(chosen, number), forced, vouchedRun);
  }

  /** Having led in the accepted term: a commit of it was acknowledged. */
  public MemberPromise established() {
    return new MemberPromise(term, proposer, accepted, 0, accepted, chosen, forced, vouchedRun);
  }

  /** After its database was replaced by a copy of that of the primary of a term. */
  public MemberPromise copied(int number) {
    return new MemberPromise(term, proposer, number, 0, 0, 0, forced, 0);
  }

  /** Having learnt of a forced change. */
  public MemberPromise knowing(int forcedTerm) {
    return new MemberPromise(term, proposer, accepted, cutOff, led, chosen, Math.max(forced, forcedTerm), vouchedRun);
  }

  /** The earliest term whose primary it follows. */
  public int least() {
    return Math.max(accepted, cutOff);
  }

  /**
   * Whether it was primary last, as far as it knows, so that its database has all that was acknowledged to anybody:
   * before a write of a later term is acknowledged, two other members have accepted that term.
   */
  public boolean ledLast() {
    return led == accepted;
  }

  /** Vouching in a run of its database. */
  public MemberPromise vouching(long run) {
    return new MemberPromise(term, proposer, accepted, cutOff, led, chosen, forced, run);
  }
}
