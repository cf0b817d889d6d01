package io.rns.association;

import io.rns.rserpool.AsapMessage;
import io.rns.rserpool.ErrorCause;
import java.util.List;

/** Who sends ASAP messages by one connection. */
public interface AsapCaller {
  /** A caller who may do everything. */
  AsapCaller OPEN =
      new AsapCaller() {
        @Override
        public boolean isFree(AsapMessage message) {
          return true;
        }

        @Override
        public Decision decide(AsapMessage message) {
          return Decision.PERMITTED;
        }
      };

  /** Whether a message needs no decision; answers at once. */
  boolean isFree(AsapMessage message);

  /** Decides about a message; may take time, and has a thread of its own. */
  Decision decide(AsapMessage message);

  /** Whether the registrar gets a message. */
  sealed interface Decision {
    /** It does, and nobody needs to know what comes of it. */
    Decision PERMITTED = new Permitted(causes -> {});

    /** It does. */
    record Permitted(Ending ending) implements Decision {}

    /**
     * It does not.
     *
     * @param cause for the sender
     */
    record Refused(ErrorCause cause) implements Decision {}
  }

  /** Receives what came of a permitted message; answers at once. */
  interface Ending {
    /**
     * The registrar has handled the message.
     *
     * @param causes why it was rejected; empty if it was not
     */
    void ended(List<ErrorCause> causes);
  }
}
