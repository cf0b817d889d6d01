package io.rns.loadtest.history;

/**
 * One look that was not answered.
 *
 * @param session who asked
 * @param server who was asked
 * @param invoked when the call began, in nanoseconds of the history's clock
 * @param answered when it ended
 * @param why what the client said
 */
public record FailedRead(String session, String server, long invoked, long answered, String why) {
  @Override
  public String toString() {
    return "read of " + session + " at " + server + ", " + Moment.between(invoked, answered) + ": " + why;
  }
}
