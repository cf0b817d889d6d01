package io.rns.rserpool;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.util.List;

/** A transport address (RFC 5354, sections 3.3 to 3.7 and 3.16). Ports are 0 to 65,535. */
public sealed interface Transport {
  /**
   * DCCP.
   *
   * @param port the port
   * @param serviceCode 32 bits
   * @param address the address
   */
  record Dccp(int port, int serviceCode, IpAddress address) implements Transport {
    /** Checks the port. */
    public Dccp {
      checkPort(port);
    }
  }

  /**
   * SCTP, the only transport with several addresses.
   *
   * @param port the port
   * @param use what it carries
   * @param addresses 1 or more
   */
  record Sctp(int port, TransportUse use, List<IpAddress> addresses) implements Transport {
    /** Checks and copies. */
    public Sctp {
      checkPort(port);
      addresses = List.copyOf(addresses);
      if (addresses.isEmpty()) {
        throw new RnsException(RnsError.INVALID_REQUEST, "an SCTP transport has no address");
      }
    }
  }

  /**
   * TCP.
   *
   * @param port the port
   * @param use what it carries
   * @param address the address
   */
  record Tcp(int port, TransportUse use, IpAddress address) implements Transport {
    /** Checks the port. */
    public Tcp {
      checkPort(port);
    }
  }

  /**
   * UDP.
   *
   * @param port the port
   * @param address the address
   */
  record Udp(int port, IpAddress address) implements Transport {
    /** Checks the port. */
    public Udp {
      checkPort(port);
    }
  }

  /**
   * UDP-Lite.
   *
   * @param port the port
   * @param address the address
   */
  record UdpLite(int port, IpAddress address) implements Transport {
    /** Checks the port. */
    public UdpLite {
      checkPort(port);
    }
  }

  /**
   * Anything else, such as URLs; registrars pass it on.
   *
   * @param value opaque to registrars
   */
  record Opaque(Octets value) implements Transport {}

  private static void checkPort(int port) {
    if (port < 0 || port > 0xffff) {
      throw new RnsException(RnsError.INVALID_REQUEST, "port " + port + " is not between 0 and 65535");
    }
  }
}
