package io.rns.association;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.time.Duration;

/**
 * How many connections a registrar has, and what they may cost. The three kinds of connections have places of their
 * own, so that none can keep the others out.
 *
 * @param elements maximum number of connections from elements and users, at least 1; one client, see
 *        {@link io.rns.network.ClientNetwork}, may have a quarter of them, the loopback address all
 * @param controls maximum number of connections to control addresses of elements, at least 1; a quarter of them to one
 *        host, all to the loopback address
 * @param peers maximum number of connections with other registrars, of either direction, at least 1; one host may have
 *        a quarter of those that it opens
 * @param bytes maximum of the memory of messages that are unfinished, undecided or unsent, over all connections; at
 *        least {@value #LEAST_BYTES}
 * @param patience how long a message may take from its first byte to its last, more than 0
 */
public record AssociationLimits(int elements, int controls, int peers, long bytes, Duration patience) {
  /** The least for messages of all connections, in bytes: some of the greatest length. */
  public static final long LEAST_BYTES = 1_048_576;

  /** Handshakes of TLS at a time, at most. */
  private static final int OPENING = 1_024;

  /** Handshakes of TLS at a time with control addresses: some hundreds of milliseconds of a processor. */
  private static final int OPENING_CONTROLS = 256;

  private static final int MOST = 20_000;
  private static final int MOST_PEERS = 1_024;
  private static final int PART_OF_HEAP = 16;

  /** Of the heap, for each connection without TLS. */
  private static final int BYTES_OF_HEAP = 32_768;

  /** Of the heap, for all connections with TLS. */
  private static final int PART_FOR_TLS = 8;

  /**
   * What an idle connection with TLS takes, and a third more: measured are 12,000 bytes with TLS 1.2 and 7,100 with TLS
   * 1.3, with all that belongs to it (OpenJDK 25, 600 connections that have asked once, after garbage collection). What
   * messages and certificates take is counted.
   */
  private static final int BYTES_OF_TLS = 16_384;

  /** Of the places with TLS: 7 sixteenths each from and to elements, one each from and to registrars. */
  private static final int PARTS = 16;

  private static final int PARTS_OF_ELEMENTS = 7;

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int PART_OF_HOST = 4;

  /**
   * Checks the limits.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST}
   */
  public AssociationLimits {
    check("connections of elements", elements, 1);
    check("connections to control addresses", controls, 1);
    check("connections of registrars", peers, 1);
    check("bytes of messages", bytes, LEAST_BYTES);
    check("nanoseconds of a message", patience.toNanos(), 1);
  }

  private static void check(String what, long value, long least) {
    if (value < least) {
      throw new RnsException(RnsError.INVALID_REQUEST, what + " must be at least " + least + ", not " + value);
    }
  }

  /**
   * Limits that suit a heap: 20,000 connections from elements and as many to them, fewer if the heap is below 625 MiB;
   * 1,024 with registrars; a sixteenth of the heap for messages; 10 s for a message. With TLS, connections of all kinds
   * have an eighth of the heap, 16 KiB each.
   *
   * @param heap the maximum size of the heap, in bytes
   */
  public static AssociationLimits ofHeap(long heap, boolean hasTls) {
    long bytes = Math.max(LEAST_BYTES, heap / PART_OF_HEAP);
    if (hasTls) {
      long places = heap / PART_FOR_TLS / BYTES_OF_TLS;
      int most = Math.clamp(places * PARTS_OF_ELEMENTS / PARTS, 1, MOST);
      return new AssociationLimits(most, most, Math.clamp(places / PARTS, 1, MOST_PEERS), bytes, PATIENCE);
    }
    int most = Math.clamp(heap / BYTES_OF_HEAP, 1, MOST);
    return new AssociationLimits(most, most, MOST_PEERS, bytes, PATIENCE);
  }

  /** Limits that suit the heap of this process. */
  public static AssociationLimits ofHeap(boolean hasTls) {
    return ofHeap(Runtime.getRuntime().maxMemory(), hasTls);
  }

  /** The places for connections that others open. */
  int incoming(Protocol protocol) {
    return protocol == Protocol.ASAP ? elements : peers;
  }

  /** What one host may have of them. */
  int ofHost(Protocol protocol) {
    return Math.ceilDiv(incoming(protocol), PART_OF_HOST);
  }

  /**
   * How many of them TLS may be opening: no more than a quarter, so that connections of which nobody knows who is at
   * the other end leave places for others. One more takes the place of the oldest, since honest clients need
   * milliseconds.
   */
  int opening(Protocol protocol) {
    return Math.min(OPENING, ofHost(protocol));
  }

  /** How many connections to control addresses TLS opens at a time; the others wait for their turn. */
  int openingControls() {
    return Math.min(OPENING_CONTROLS, toHost(Protocol.ASAP));
  }

  /** How many of these may lead to one host, all to the loopback address. */
  int openingToHost() {
    return Math.ceilDiv(openingControls(), PART_OF_HOST);
  }

  /** The places for connections that this side opens. */
  int outgoing(Protocol protocol) {
    return protocol == Protocol.ASAP ? controls : peers;
  }

  /** How many of them may lead to one host. */
  int toHost(Protocol protocol) {
    return protocol == Protocol.ASAP ? Math.ceilDiv(controls, PART_OF_HOST) : peers;
  }
}
