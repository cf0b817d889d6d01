package io.rns.rserpool;

import java.util.List;
import java.util.Optional;

/** The messages of ENRP (RFC 5353, section 2). Each names its sender and receiver; receiver 0 means all, or unknown. */
public sealed interface EnrpMessage extends Message {
  /** The sending registrar, unsigned. */
  int sender();

  /** The receiving registrar, unsigned. */
  int receiver();

  /**
   * A heartbeat.
   *
   * @param sender the sender
   * @param receiver the receiver
   * @param replyRequired asks for a presence in reply; RFC 5353, section 3.4, defines the flag only in its text: bit 0
   * @param checksum over handles and ids of the sender's elements, 16 bits
   * @param information where the sender listens
   * @param versions extension: 64-bit hash over handles, ids and versions
   * @param unreachable extension: an element of the receiver that a user reported unreachable to the sender
   */
  record Presence(
      int sender,
      int receiver,
      boolean replyRequired,
      int checksum,
      Optional<ServerInformation> information,
      Optional<Long> versions,
      Optional<UnreachableElement> unreachable)
      implements
        EnrpMessage {}

  /**
   * Asks for elements.
   *
   * @param sender the sender
   * @param receiver the receiver
   * @param ownOnly only elements with the receiver as home
   * @param after extension: the last element received, to continue after it; if absent, the receiver remembers the
   *        position
   */
  record HandleTableRequest(int sender, int receiver, boolean ownOnly, Optional<ElementName> after)
      implements
        EnrpMessage {}

  /**
   * A block of elements.
   *
   * @param sender the sender
   * @param receiver the receiver
   * @param more whether more elements follow on request
   * @param rejected the sender cannot answer now
   * @param pools in order
   * @param after extension: copied from the request, so that a late response is not taken for the next one
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
   * Announces that an element was added, changed or removed.
   *
   * @param sender the sender
   * @param receiver the receiver
   * @param action what happened
   * @param handle of its pool
   * @param element its current or last state
   */
  record HandleUpdate(int sender, int receiver, UpdateAction action, Octets handle, ElementDescription element)
      implements
        EnrpMessage {}

  /**
   * Asks for the registrars that the receiver knows.
   *
   * @param sender the sender
   * @param receiver the receiver
   */
  record ListRequest(int sender, int receiver) implements EnrpMessage {}

  /**
   * Lists registrars.
   *
   * @param sender the sender
   * @param receiver the receiver
   * @param rejected the sender cannot answer now
   * @param servers the registrars known to the sender
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
   * The sender wants to take over the elements of a registrar that seems to have failed.
   *
   * @param sender the sender
   * @param receiver the receiver
   * @param target the registrar that seems to have failed
   */
  record InitTakeover(int sender, int receiver, int target) implements EnrpMessage {}

  /**
   * Agrees to a takeover.
   *
   * @param sender the sender
   * @param receiver the receiver
   * @param target the registrar that seems to have failed
   */
  record InitTakeoverAck(int sender, int receiver, int target) implements EnrpMessage {}

  /**
   * Announces a completed takeover.
   *
   * @param sender the sender
   * @param receiver the receiver
   * @param target the failed registrar
   */
  record TakeoverServer(int sender, int receiver, int target) implements EnrpMessage {}

  /**
   * Extension: what users have reported to the sender.
   *
   * @param sender the sender
   * @param receiver the receiver
   * @param pools 1 or more
   */
  record ExperienceReport(int sender, int receiver, List<PoolExperience> pools) implements EnrpMessage {
    /** Copies. */
    public ExperienceReport {
      pools = List.copyOf(pools);
    }
  }

  /**
   * Reports an error in a message.
   *
   * @param sender the sender
   * @param receiver the receiver
   * @param causes 1 or more
   */
  record ErrorReport(int sender, int receiver, List<ErrorCause> causes) implements EnrpMessage {
    /** Copies. */
    public ErrorReport {
      causes = List.copyOf(causes);
    }
  }
}
