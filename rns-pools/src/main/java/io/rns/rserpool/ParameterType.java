package io.rns.rserpool;

/**
 * Parameter types (RFC 5354, section 3), and our extensions, whose top bits 10 make other implementations skip them.
 */
final class ParameterType {
  static final int IPV4_ADDRESS = 0x1;
  static final int IPV6_ADDRESS = 0x2;
  static final int DCCP_TRANSPORT = 0x3;
  static final int SCTP_TRANSPORT = 0x4;
  static final int TCP_TRANSPORT = 0x5;
  static final int UDP_TRANSPORT = 0x6;
  static final int UDP_LITE_TRANSPORT = 0x7;
  static final int SELECTION_POLICY = 0x8;
  static final int POOL_HANDLE = 0x9;
  static final int POOL_ELEMENT = 0xa;
  static final int SERVER_INFORMATION = 0xb;
  static final int OPERATION_ERROR = 0xc;
  static final int COOKIE = 0xd;
  static final int ELEMENT_ID = 0xe;
  static final int CHECKSUM = 0xf;
  static final int OPAQUE_TRANSPORT = 0x10;

  /** In a pool element: its version, 64 bits. */
  static final int ELEMENT_VERSION = 0xa521;

  /** In a pool element, for credits and adaptive: epoch, 32 bits; accepted, 64; occupied, 32; limit, 32. */
  static final int OCCUPANCY = 0xa522;

  /** In ENRP_PRESENCE: sum of hashes over handle, id and version of the sender's elements, 64 bits. */
  static final int VERSIONS_HASH = 0xa523;

  /** In requests and responses of handle tables: id and handle of the element behind which the block begins. */
  static final int TABLE_POSITION = 0xa524;

  /** In ENRP_PRESENCE: id and handle of a receiver's element that a user could not reach. */
  static final int UNREACHABLE_ELEMENT = 0xa525;

  /** After UNREACHABLE_ELEMENT: hash of the user's address, 64 bits; without, the sender counts as the user. */
  static final int REPORTER = 0xa526;

  /**
   * After a pool handle: id of an element, 32 bits; hash of a user's address, 64; response time in ms, 32; and so on.
   */
  static final int EXPERIENCES = 0xa527;

  /** In ASAP_SERVER_ANNOUNCE: the address of the registrar's server, UTF-8. */
  static final int SERVICE_ADDRESS = 0xa528;

  private ParameterType() {}

  static boolean isKnown(int type) {
    return (type >= IPV4_ADDRESS && type <= OPAQUE_TRANSPORT)
        || (type >= ELEMENT_VERSION && type <= SERVICE_ADDRESS);
  }

  static boolean isTransport(int type) {
    return (type >= DCCP_TRANSPORT && type <= UDP_LITE_TRANSPORT) || type == OPAQUE_TRANSPORT;
  }
}
