package io.rns.replication;

/**
 * One change of primary. A member takes part in one at a time: having promised a term, it refuses the steps of lower
 * ones, and those of another proposer in the same term.
 *
 * @param number later changes have higher numbers; 1 or more
 * @param proposer names the change: the address of the server that runs it, and a number, since one server may run two
 */
public record Term(int number, String proposer) {
  @Override
  public String toString() {
    return "term " + number + " of " + proposer;
  }
}
