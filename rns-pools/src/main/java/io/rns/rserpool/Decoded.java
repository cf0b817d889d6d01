package io.rns.rserpool;

import java.util.List;

/**
 * What became of bytes that were to be a message.
 *
 * @param <M> messages of which protocol
 */
public sealed interface Decoded<M> {
  /**
   * A message.
   *
   * @param message the message
   * @param reports parameters that were skipped and are to be reported to the sender, which may be none
   * @param <M> messages of which protocol
   */
  record Understood<M>(M message, List<ErrorCause> reports) implements Decoded<M> {
    /** Copies. */
    public Understood {
      reports = List.copyOf(reports);
    }
  }

  /**
   * Of a kind that is unknown and to be dropped: the message, or one of its parameters.
   *
   * @param why for people
   * @param <M> messages of which protocol
   */
  record Dropped<M>(String why) implements Decoded<M> {}

  /**
   * Of a kind that is unknown, to be dropped and reported to the sender.
   *
   * @param cause what to report
   * @param why for people
   * @param <M> messages of which protocol
   */
  record DroppedAndReported<M>(ErrorCause cause, String why) implements Decoded<M> {}

  /**
   * Not a message: lengths that do not fit, something missing, something too much, a value without meaning.
   *
   * @param why for people
   * @param <M> messages of which protocol
   */
  record Malformed<M>(String why) implements Decoded<M> {}
}
