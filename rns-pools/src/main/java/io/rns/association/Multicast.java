package io.rns.association;

import io.rns.network.MulticastGroup;

/**
 * Where a registrar announces itself, and finds others, by multicast over UDP.
 *
 * @param group on one interface, which has the address of the registrar
 * @param elementsPort where elements and users listen for ASAP_SERVER_ANNOUNCE
 * @param peersPort where registrars listen for ENRP_PRESENCE
 * @param service address of the registrar's server for SOAP and HTTP, a longer one than 1,000 bytes is not announced;
 *        empty: unknown
 */
public record Multicast(MulticastGroup group, int elementsPort, int peersPort, String service) {
  /** The port of RFC 5352. */
  public static final int ELEMENTS_PORT = 3863;

  /** The port of RFC 5353. */
  public static final int PEERS_PORT = 9901;

  /** The longest address of a server that is announced, in bytes: a datagram should have room for it. */
  static final int SERVICE_BYTES = 1_000;

  /** The ports of the RFCs. */
  public Multicast(MulticastGroup group, String service) {
    this(group, ELEMENTS_PORT, PEERS_PORT, service);
  }
}
