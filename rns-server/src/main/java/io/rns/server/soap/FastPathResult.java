package io.rns.server.soap;

import java.util.function.Supplier;

/** What became of a message on the fast path. */
sealed interface FastPathResult {
  /** The message has been answered, perhaps by a fault. */
  record Answered(Reply reply) implements FastPathResult {}

  /**
   * The message was read to its end, and nothing has been done yet: its answer takes time, so a thread that may wait
   * asks for it.
   *
   * @param works whether this server works meanwhile, instead of waiting for other servers
   * @param answer does what the message asks for; never throws; to be called once
   */
  record Postponed(boolean works, Supplier<Reply> answer) implements FastPathResult {}

  /** The message is for JAX-WS. */
  record NotMine() implements FastPathResult {
    static final NotMine INSTANCE = new NotMine();
  }
}
