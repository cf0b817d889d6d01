package io.rns.replication;

/**
 * How a server begins to be the primary.
 *
 * @param after its epoch is later than this one, and than all that its database knows of
 * @param first no database takes writes nor could be chosen to: the others join this one. Each of them must have been
 *        told to {@link GroupMember#stopReceiving} before
 * @param alone not even the beginning is acknowledged by another member, since none may be able to; from then on writes
 *        are
 */
public record PromotionTerms(int after, boolean first, boolean alone) {
  /** Of a planned change, or of one that was the primary just now. */
  public static PromotionTerms after(int epoch) {
    return new PromotionTerms(epoch, false, false);
  }
}
