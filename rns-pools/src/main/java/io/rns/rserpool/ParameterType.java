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

  static final int ELEMENT_VERSION = 0xa521;
  static final int OCCUPANCY = 0xa522;
  static final int VERSIONS_HASH = 0xa523;
  static final int TABLE_POSITION = 0xa524;
  static final int UNREACHABLE_ELEMENT = 0xa525;
  static final int REPORTER = 0xa526;

  private ParameterType() {}

  static boolean isKnown(int type) {
    return (type >= IPV4_ADDRESS && type <= OPAQUE_TRANSPORT)
        || (type >= ELEMENT_VERSION && type <= REPORTER);
  }

  static boolean isTransport(int type) {
    return (type >= DCCP_TRANSPORT && type <= UDP_LITE_TRANSPORT) || type == OPAQUE_TRANSPORT;
  }
}
