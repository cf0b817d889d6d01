package io.rns.client.pool;

import io.rns.network.MulticastGroup;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.MulticastSocket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A registrar that announces itself by multicast (ASAP_SERVER_ANNOUNCE, RFC 5352).
 *
 * <p>Anybody in the network can announce anything: it is an address to try, of which nothing is verified. Send a
 * credential there only by HTTPS, and only to a server that its owner knows by name.
 *
 * @param id of the registrar, unsigned
 * @param asap where it listens to elements and users that speak ASAP
 * @param service the address of its server for SOAP and HTTP; empty if it has sent none that is one
 */
public record AnnouncedRegistrar(int id, InetSocketAddress asap, Optional<URI> service) {
  /** The port of the announcements. */
  public static final int PORT = 3863;

  /** Registrars found at most; further ones are ignored. */
  public static final int MOST = 32;

  /** Those of one address. */
  public static final int OF_ADDRESS = 8;

  private static final int DATAGRAM_BYTES = 1_400;
  private static final int SERVICE_BYTES = 1_000;
  private static final int SERVER_ANNOUNCE = 0x0a;
  private static final int TCP_TRANSPORT = 0x5;
  private static final int SERVICE_ADDRESS = 0xa528;
  private static final int HEADER_BYTES = 4;

  /**
   * Listens for that long, and returns the registrars in the order in which they were heard first. Servers announce
   * themselves every 2.4 s on average, at the latest after 2.7 s.
   *
   * @param port usually {@link #PORT}
   * @throws IOException if the interface cannot do that
   */
  public static List<AnnouncedRegistrar> listen(MulticastGroup group, int port, Duration time) throws IOException {
    long end = System.nanoTime() + time.toNanos();
    Map<Integer, AnnouncedRegistrar> found = new LinkedHashMap<>();
    // By the group's address: at the wildcard address, datagrams to other groups and to this host would come, too.
    try (MulticastSocket socket = new MulticastSocket(new InetSocketAddress(group.address(), port))) {
      socket.joinGroup(new InetSocketAddress(group.address(), port), group.network());
      // One byte more than may come, to notice that.
      DatagramPacket packet = new DatagramPacket(new byte[DATAGRAM_BYTES + 1], DATAGRAM_BYTES + 1);
      for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
        socket.setSoTimeout((int) Math.min(Integer.MAX_VALUE, left / 1_000_000 + 1));
        packet.setLength(DATAGRAM_BYTES + 1);
        socket.receive(packet);
        if (packet.getLength() <= DATAGRAM_BYTES) {
          decode(ByteBuffer.wrap(packet.getData(), 0, packet.getLength()), packet.getAddress())
              .filter(one -> found.containsKey(one.id()) || hasRoom(found.values(), one))
              .ifPresent(one -> found.put(one.id(), one));
        }
      }
    } catch (SocketTimeoutException e) {
      return new ArrayList<>(found.values());
    }
    return new ArrayList<>(found.values());
  }

  private static boolean hasRoom(Iterable<AnnouncedRegistrar> found, AnnouncedRegistrar one) {
    int all = 0;
    int ofAddress = 0;
    for (AnnouncedRegistrar other : found) {
      all++;
      ofAddress += other.asap().getAddress().equals(one.asap().getAddress()) ? 1 : 0;
    }
    return all < MOST && ofAddress < OF_ADDRESS;
  }

  /** Reads an announcement; empty if it is none, or names another address than it came from. */
  static Optional<AnnouncedRegistrar> decode(ByteBuffer in, InetAddress from) {
    try {
      int type = in.get() & 0xff;
      in.get();
      int length = in.getShort() & 0xffff;
      if (type != SERVER_ANNOUNCE || length < 2 * HEADER_BYTES || length > in.limit()) {
        return Optional.empty();
      }
      in.limit(length);
      int id = in.getInt();
      Optional<InetSocketAddress> asap = Optional.empty();
      Optional<URI> service = Optional.empty();
      while (in.hasRemaining()) {
        int parameter = in.getShort() & 0xffff;
        int size = (in.getShort() & 0xffff) - HEADER_BYTES;
        if (size < 0 || size > in.remaining()) {
          return Optional.empty();
        }
        ByteBuffer value = in.slice().limit(size);
        in.position(Math.min(in.limit(), in.position() + size + (-size & 3)));
        if (parameter == TCP_TRANSPORT && asap.isEmpty()) {
          asap = transport(value, from);
        } else if (parameter == SERVICE_ADDRESS && size > 0 && size <= SERVICE_BYTES) {
          service = service(StandardCharsets.UTF_8.decode(value).toString());
        }
      }
      Optional<URI> said = service;
      return asap.filter(at -> id != 0).map(at -> new AnnouncedRegistrar(id, at, said));
    } catch (BufferUnderflowException e) {
      return Optional.empty();
    }
  }

  private static Optional<URI> service(String text) {
    try {
      URI uri = new URI(text);
      boolean isHttp = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
      return isHttp && uri.getHost() != null && uri.toASCIIString().equals(text) ? Optional.of(uri) : Optional.empty();
    } catch (URISyntaxException e) {
      return Optional.empty();
    }
  }

  /** A TCP transport with the address from which it came. */
  private static Optional<InetSocketAddress> transport(ByteBuffer in, InetAddress from) {
    int port = in.getShort() & 0xffff;
    // Use, and the type and the length of the address.
    in.getShort();
    in.getInt();
    return port != 0 && in.equals(ByteBuffer.wrap(from.getAddress()))
        ? Optional.of(new InetSocketAddress(from, port))
        : Optional.empty();
  }
}
