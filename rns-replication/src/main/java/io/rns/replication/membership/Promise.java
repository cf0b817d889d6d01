package io.rns.replication.membership;

/**
 * What a member has promised to changes of the primary. It is kept on the member's disk, since a member that forgot it
 * could agree to a change that a later one has overtaken.
 *
 * @param term the highest term that it has promised to take part in; 0 if none. It takes no step of a lower one
 * @param proposer address of the server that runs the change of this term; empty if none
 * @param cutOff whether it stopped receiving from its source for this term, and has neither followed nor led since
 * @param led the highest term in which it led; 0 if none
 */
public record Promise(int term, String proposer, boolean cutOff, int led) {
  /** Of a member that has promised nothing. */
  public static final Promise NONE = new Promise(0, "", false, 0);

  /** Rejects negative terms. */
  public Promise {
    if (term < 0 || led < 0) {
      throw new IllegalArgumentException("terms are not negative: promised " + term + ", led " + led);
    }
  }
}
