package io.rns.registrar;

import io.rns.api.EndpointReference;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.pool.Registration;
import io.rns.rserpool.IpAddress;
import io.rns.rserpool.Octets;
import io.rns.rserpool.Transport;
import io.rns.rserpool.TransportUse;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Converts endpoint references to transports and back. A single reference with an address such as
 * {@code tcp://127.0.0.1:80} or {@code udp://[20010db8...]:9} is a TCP or UDP transport. Any other reference, or
 * several, become an opaque transport: for each reference the length of its XML (32 bits) and the XML in UTF-8. Other
 * transports are rejected.
 */
final class Endpoints {
  private static final Pattern PLAIN =
      Pattern.compile("(tcp|udp)://(?:(\\d+)\\.(\\d+)\\.(\\d+)\\.(\\d+)|\\[([0-9a-f]{32})\\]):(\\d{1,5})(\\?control)?");

  private Endpoints() {}

  static Transport transport(List<EndpointReference> endpoints) {
    if (endpoints.size() == 1) {
      Optional<Transport> plain = plain(endpoints.get(0));
      if (plain.isPresent()) {
        return plain.get();
      }
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (EndpointReference endpoint : endpoints) {
      byte[] xml = endpoint.xml().getBytes(StandardCharsets.UTF_8);
      out.writeBytes(ByteBuffer.allocate(4).putInt(xml.length).array());
      out.writeBytes(xml);
    }
    return new Transport.Opaque(Octets.of(out.toByteArray()));
  }

  private static Optional<Transport> plain(EndpointReference endpoint) {
    Matcher matcher = PLAIN.matcher(endpoint.address());
    if (!matcher.matches() || !endpoint.isAddressOnly()) {
      return Optional.empty();
    }
    int port = Integer.parseInt(matcher.group(7));
    Optional<IpAddress> address = address(matcher);
    boolean control = matcher.group(8) != null;
    if (port > 0xffff || address.isEmpty() || (control && matcher.group(1).equals("udp"))) {
      return Optional.empty();
    }
    Transport transport =
        matcher.group(1).equals("udp")
            ? new Transport.Udp(port, address.get())
            : new Transport.Tcp(
                port, control ? TransportUse.DATA_AND_CONTROL : TransportUse.DATA_ONLY, address.get());
    // Other spellings, such as 127.000.0.1, must survive the round trip unchanged.
    return text(transport).filter(endpoint.address()::equals).map(same -> transport);
  }

  private static Optional<IpAddress> address(Matcher matcher) {
    if (matcher.group(6) != null) {
      return Optional.of(new IpAddress(Octets.of(HexFormat.of().parseHex(matcher.group(6)))));
    }
    byte[] bytes = new byte[4];
    for (int i = 0; i < bytes.length; i++) {
      String digits = matcher.group(i + 2);
      if (digits.length() > 3) {
        return Optional.empty();
      }
      bytes[i] = (byte) Integer.parseInt(digits);
    }
    return Optional.of(new IpAddress(Octets.of(bytes)));
  }

  private static Optional<String> text(Transport transport) {
    return switch (transport) {
      case Transport.Tcp tcp -> {
        String suffix = tcp.use() == TransportUse.DATA_AND_CONTROL ? "?control" : "";
        yield Optional.of("tcp://" + text(tcp.address()) + ":" + tcp.port() + suffix);
      }
      case Transport.Udp udp -> Optional.of("udp://" + text(udp.address()) + ":" + udp.port());
      default -> Optional.empty();
    };
  }

  private static String text(IpAddress address) {
    byte[] bytes = address.octets().toBytes();
    if (bytes.length == 4) {
      return (bytes[0] & 0xff) + "." + (bytes[1] & 0xff) + "." + (bytes[2] & 0xff) + "." + (bytes[3] & 0xff);
    }
    return "[" + HexFormat.of().formatHex(bytes) + "]";
  }

  /**
   * The references that a transport encodes.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST} if the transport is malformed or of an unsupported kind
   */
  static List<EndpointReference> references(Transport transport) {
    if (!(transport instanceof Transport.Opaque opaque)) {
      String address =
          text(transport)
              .orElseThrow(
                  () -> new RnsException(RnsError.INVALID_REQUEST,
                      "only TCP, UDP and opaque transports are supported"));
      return List.of(EndpointReference.ofAddress(address));
    }
    ByteBuffer in = ByteBuffer.wrap(opaque.value().toBytes());
    List<EndpointReference> references = new ArrayList<>();
    while (in.hasRemaining()) {
      int length = in.remaining() < 4 ? -1 : in.getInt();
      if (length < 0 || length > in.remaining()) {
        throw new RnsException(RnsError.INVALID_REQUEST, "the opaque transport is not a list of endpoint references");
      }
      references.add(EndpointReference.parse(utf8(in.slice(in.position(), length))));
      in.position(in.position() + length);
    }
    return references;
  }

  /**
   * Decodes UTF-8.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST} if the bytes are not UTF-8
   */
  static String utf8(ByteBuffer bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
    } catch (CharacterCodingException e) {
      throw new RnsException(RnsError.INVALID_REQUEST, "the text is not UTF-8", e);
    }
  }

  /** What all elements of a pool must share (RFC 5352, section 3.1): the protocol, and whether it carries control. */
  record Kind(String protocol, boolean control) {
    static Kind of(Registration registration) {
      return switch (transport(registration.endpoints())) {
        case Transport.Tcp tcp -> new Kind("TCP", tcp.use() == TransportUse.DATA_AND_CONTROL);
        case Transport.Udp udp -> new Kind("UDP", false);
        default -> new Kind("opaque", false);
      };
    }

    @Override
    public String toString() {
      return control ? protocol + " with control" : protocol;
    }
  }
}
