package io.rns.api;

/**
 * Adds an entry that another server group has marked as moving here. What this is answered decides the move.
 *
 * @param entry the entry as the other group has it, with its new name
 * @param directory where it goes
 * @param departed the position of the mark, which no other move has
 * @param reflected positions of other server groups that the other group reflects
 * @param caller who moves it
 */
public record ArriveRequest(Entry entry, Target directory, Position departed, Positions reflected, Caller caller)
    implements
      WriteRequest {
  @Override
  public boolean allOrNothing() {
    return true;
  }

  @Override
  public int size() {
    return 1;
  }

  /** Returns a copy with other positions. */
  public ArriveRequest with(Positions reflecting) {
    return new ArriveRequest(entry, directory, departed, reflecting, caller);
  }

  /** The same move has the same text, also if the entry was read from a database in between. */
  @Override
  public String toString() {
    return "ArriveRequest[" + entry.id() + " as " + entry.binding().name() + " in " + directory + " from " + departed
        + "]";
  }
}
