package io.rns.server.soap;

import java.util.function.Supplier;

/** What the fast path makes of a message. */
sealed interface FastPathResult {
  /** What a message asks for, as far as that decides who works at it. */
  enum Work {
    /** A frequent read. */
    READ,
    /** A change of entries, which waits for its commit. */
    WRITE,
    /** Anything else. */
    OTHER
  }

  /**
   * The message was read to its end, and nothing has been done yet.
   *
   * @param work what it asks for
   * @param waits whether its answer may have to wait for other servers
   * @param addressing what the reply has to relate to
   * @param answer does what the message asks for, once, and returns the reply, which may be a fault; never throws
   */
  record Plain(Work work, boolean waits, Addressing addressing, Supplier<Reply> answer) implements FastPathResult {
    /** Whatever the message asks for, this is the reply. */
    static Plain of(Reply reply, Addressing addressing) {
      return new Plain(Work.READ, false, addressing, () -> reply);
    }
  }

  /** The message is for JAX-WS. */
  record NotMine() implements FastPathResult {
    static final NotMine INSTANCE = new NotMine();
  }
}
