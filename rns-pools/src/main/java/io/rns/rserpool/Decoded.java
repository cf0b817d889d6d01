package io.rns.rserpool;

import java.util.List;

/**
 * The result of decoding bytes.
 *
 * @param <M> the message type of the protocol
 */
public sealed interface Decoded<M> {
  /**
   * A message.
   *
   * @param message the message
   * @param reports skipped parameters to report to the sender; may be empty
   * @param <M> the message type of the protocol
   */
  record Understood<M>(M message, List<ErrorCause> reports) implements Decoded<M> {
    /** Copies. */
    public Understood {
      reports = List.copyOf(reports);
    }
  }

  /**
   * An unknown message, or one with an unknown parameter, to be dropped.
   *
   * @param why the reason, for people
   * @param <M> the message type of the protocol
   */
  record Dropped<M>(String why) implements Decoded<M> {}

  /**
   * An unknown message, or one with an unknown parameter, to be dropped and reported to the sender.
   *
   * @param cause the cause to report
   * @param why the reason, for people
   * @param <M> the message type of the protocol
   */
  record DroppedAndReported<M>(ErrorCause cause, String why) implements Decoded<M> {}

  /**
   * Malformed bytes: inconsistent lengths, missing or surplus parts, or invalid values.
   *
   * @param why the reason, for people
   * @param <M> the message type of the protocol
   */
  record Malformed<M>(String why) implements Decoded<M> {}
}
