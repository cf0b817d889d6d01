package io.rns.rserpool;

import java.util.ArrayList;
import java.util.List;

/** Transports and addresses on the wire (RFC 5354, sections 3.1 to 3.7 and 3.16). */
final class Transports {
  private Transports() {}

  static void write(Encoder out, Transport transport) {
    int start;
    switch (transport) {
      case Transport.Dccp dccp -> {
        start = out.begin(ParameterType.DCCP_TRANSPORT);
        out.u16(dccp.port()).u16(0).u32(dccp.serviceCode());
        write(out, dccp.address());
      }
      case Transport.Sctp sctp -> {
        start = out.begin(ParameterType.SCTP_TRANSPORT);
        out.u16(sctp.port()).u16(sctp.use().code());
        for (IpAddress address : sctp.addresses()) {
          write(out, address);
        }
      }
      case Transport.Tcp tcp -> {
        start = out.begin(ParameterType.TCP_TRANSPORT);
        out.u16(tcp.port()).u16(tcp.use().code());
        write(out, tcp.address());
      }
      case Transport.Udp udp -> {
        start = out.begin(ParameterType.UDP_TRANSPORT);
        out.u16(udp.port()).u16(0);
        write(out, udp.address());
      }
      case Transport.UdpLite udpLite -> {
        start = out.begin(ParameterType.UDP_LITE_TRANSPORT);
        out.u16(udpLite.port()).u16(0);
        write(out, udpLite.address());
      }
      case Transport.Opaque opaque -> {
        start = out.begin(ParameterType.OPAQUE_TRANSPORT);
        out.octets(opaque.value());
      }
    }
    out.end(start);
  }

  private static void write(Encoder out, IpAddress address) {
    out.parameter(address.isV4() ? ParameterType.IPV4_ADDRESS : ParameterType.IPV6_ADDRESS, address.octets());
  }

  static Transport read(ParameterReader in) throws Stopped {
    int type = in.nextType();
    if (!ParameterType.isTransport(type)) {
      throw Stopped.malformed("a transport is missing");
    }
    Input value = in.take(type);
    if (type == ParameterType.OPAQUE_TRANSPORT) {
      return new Transport.Opaque(value.rest());
    }
    int port = value.u16();
    int second = value.u16();
    int serviceCode = type == ParameterType.DCCP_TRANSPORT ? value.s32() : 0;
    List<IpAddress> addresses = addresses(new ParameterReader(value, in.reports()));
    if (type == ParameterType.SCTP_TRANSPORT) {
      return new Transport.Sctp(port, use(second), addresses);
    }
    if (addresses.size() > 1) {
      throw Stopped.malformed(value.what() + " has " + addresses.size() + " addresses; only SCTP may have several");
    }
    return switch (type) {
      case ParameterType.DCCP_TRANSPORT -> new Transport.Dccp(port, serviceCode, addresses.get(0));
      case ParameterType.TCP_TRANSPORT -> new Transport.Tcp(port, use(second), addresses.get(0));
      case ParameterType.UDP_TRANSPORT -> new Transport.Udp(port, addresses.get(0));
      default -> new Transport.UdpLite(port, addresses.get(0));
    };
  }

  private static List<IpAddress> addresses(ParameterReader in) throws Stopped {
    List<IpAddress> addresses = new ArrayList<>(1);
    do {
      boolean v4 = in.nextIs(ParameterType.IPV4_ADDRESS);
      Input value = in.take(v4 ? ParameterType.IPV4_ADDRESS : ParameterType.IPV6_ADDRESS);
      addresses.add(new IpAddress(value.octets(v4 ? IpAddress.V4_BYTES : IpAddress.V6_BYTES)));
      value.end();
    } while (in.nextIs(ParameterType.IPV4_ADDRESS) || in.nextIs(ParameterType.IPV6_ADDRESS));
    in.end();
    return addresses;
  }

  private static TransportUse use(int code) throws Stopped {
    return TransportUse.ofCode(code)
        .orElseThrow(() -> Stopped.malformed("transport use " + code + " is neither 0 nor 1"));
  }
}
