package io.rns.rserpool;

import java.util.List;
import java.util.Optional;

/** The messages of ENRP (RFC 5353, section 2). Every one says who sends it and to whom; 0 is everybody, or unknown. */
public sealed interface EnrpMessage extends Message {
  /** The registrar that sends it, unsigned. */
  int sender();

  /** The registrar it is for, unsigned. */
  int receiver();

  /**
   * A registrar lives.
   *
   * @param sender who
   * @param receiver for whom
   * @param replyRequired asks for the same; RFC 5353, section 3.4, has the flag only in its text: bit 0
   * @param checksum over handles and ids of the sender's elements, 16 bits
   * @param information where the sender can be reached
   * @param versions ours: 64 bits over handles, ids and versions
   * @param unreachable ours: an element of the receiver's that a user told the sender it could not reach
   */
  record Presence(
      int sender,
      int receiver,
      boolean replyRequired,
      int checksum,
      Optional<ServerInformation> information,
      Optional<Long> versions,
      Optional<ElementName> unreachable)
      implements
        EnrpMessage {}

  /**
   * Asks for elements.
   *
   * @param sender who
   * @param receiver of whom
   * @param ownOnly only those whose home the receiver is
   * @param after ours: the last element that came, to go on behind it; without, the answerer remembers where it was
   */
  record HandleTableRequest(int sender, int receiver, boolean ownOnly, Optional<ElementName> after)
      implements
        EnrpMessage {}

  /**
   * Elements.
   *
   * @param sender who
   * @param receiver for whom
   * @param more whether to ask again for what comes next
   * @param rejected the sender cannot answer now
   * @param pools in order
   * @param after ours: as it was in the request, so that a late answer is not taken for that to the next request
   */
  record HandleTableResponse(
      int sender, int receiver, boolean more, boolean rejected, List<PoolEntry> pools, Optional<ElementName> after)
      implements
        EnrpMessage {
    /** Copies. */
    public HandleTableResponse {
      pools = List.copyOf(pools);
    }
  }

  /**
   * An element came, changed or went.
   *
   * @param sender who tells
   * @param receiver for whom
   * @param action what happened
   * @param handle of its pool
   * @param element as it is or was
   */
  record HandleUpdate(int sender, int receiver, UpdateAction action, Octets handle, ElementDescription element)
      implements
        EnrpMessage {}

  /**
   * Asks whom the receiver knows.
   *
   * @param sender who
   * @param receiver of whom
   */
  record ListRequest(int sender, int receiver) implements EnrpMessage {}

  /**
   * Registrars.
   *
   * @param sender who tells
   * @param receiver for whom
   * @param rejected the sender cannot answer now
   * @param servers whom it knows
   */
  record ListResponse(int sender, int receiver, boolean rejected, List<ServerInformation> servers)
      implements
        EnrpMessage {
    /** Copies. */
    public ListResponse {
      servers = List.copyOf(servers);
    }
  }

  /**
   * The sender wants to take over the elements of a registrar that seems dead.
   *
   * @param sender who
   * @param receiver for whom
   * @param target the one that seems dead
   */
  record InitTakeover(int sender, int receiver, int target) implements EnrpMessage {}

  /**
   * The sender agrees.
   *
   * @param sender who
   * @param receiver for whom
   * @param target the one that seems dead
   */
  record InitTakeoverAck(int sender, int receiver, int target) implements EnrpMessage {}

  /**
   * The sender has taken over.
   *
   * @param sender who
   * @param receiver for whom
   * @param target the dead one
   */
  record TakeoverServer(int sender, int receiver, int target) implements EnrpMessage {}

  /**
   * Something was wrong with a message.
   *
   * @param sender who says so
   * @param receiver for whom
   * @param causes what, 1 and more
   */
  record ErrorReport(int sender, int receiver, List<ErrorCause> causes) implements EnrpMessage {
    /** Copies. */
    public ErrorReport {
      causes = List.copyOf(causes);
    }
  }
}
