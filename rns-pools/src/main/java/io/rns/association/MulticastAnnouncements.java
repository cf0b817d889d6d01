package io.rns.association;

import io.rns.rserpool.Decoded;
import io.rns.rserpool.EnrpCodec;
import io.rns.rserpool.EnrpMessage;
import io.rns.rserpool.EnrpMessage.Presence;
import io.rns.rserpool.Octets;
import io.rns.rserpool.Transport;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Multicast of a registrar. Used only by the {@link Carrier} thread.
 *
 * <p>Of what others announce, only a place counts, and only one at the address from which the announcement came: so one
 * host cannot make registrars connect to another one, unless it forges addresses.
 */
final class MulticastAnnouncements implements AutoCloseable {
  /** Longer datagrams are ignored. */
  static final int DATAGRAM_BYTES = 1_400;

  /** Datagrams read in each window; others wait, or are lost, so that a flood costs little. */
  static final int DATAGRAMS = 100;

  private static final long WINDOW_NANOS = 100_000_000;
  private static final Logger LOG = LoggerFactory.getLogger(MulticastAnnouncements.class);

  private final Multicast settings;
  private final int self;
  private final InetSocketAddress own;
  private final DatagramChannel sending;
  private final DatagramChannel receiving;
  private final SelectionKey key;

  /** One byte more than may come, to notice that. */
  private final ByteBuffer buffer = ByteBuffer.allocate(DATAGRAM_BYTES + 1);

  private long windowEnd;
  private int inWindow;
  private boolean hasWarned;

  private MulticastAnnouncements(
      Multicast settings, int self, InetSocketAddress own, DatagramChannel sending, DatagramChannel receiving,
      SelectionKey key) {
    this.settings = settings;
    this.self = self;
    this.own = own;
    this.sending = sending;
    this.receiving = receiving;
    this.key = key;
    this.windowEnd = System.nanoTime();
  }

  /**
   * Joins a group.
   *
   * @param self the id of the registrar
   * @param own where it listens for peers
   * @throws IOException if the interface cannot do that, or has another address than the registrar
   */
  static MulticastAnnouncements open(Multicast settings, int self, InetSocketAddress own, Selector selector)
      throws IOException {
    InetAddress group = settings.group().address();
    NetworkInterface network = settings.group().network();
    if (network.inetAddresses().noneMatch(own.getAddress()::equals)) {
      throw new IOException(
          own.getAddress().getHostAddress() + " is not an address of interface " + network.getName());
    }
    boolean isV4 = group instanceof Inet4Address;
    if (isV4 != own.getAddress() instanceof Inet4Address) {
      throw new IOException(
          own.getAddress().getHostAddress() + " and the group " + group.getHostAddress()
              + " are of different versions of IP");
    }
    ProtocolFamily family = isV4 ? StandardProtocolFamily.INET : StandardProtocolFamily.INET6;
    DatagramChannel sending = DatagramChannel.open(family);
    @Nullable
    DatagramChannel receiving = null;
    try {
      sending.configureBlocking(false);
      sending.bind(new InetSocketAddress(own.getAddress(), 0));
      sending.setOption(StandardSocketOptions.IP_MULTICAST_IF, network);
      receiving = DatagramChannel.open(family);
      receiving.configureBlocking(false);
      receiving.setOption(StandardSocketOptions.SO_REUSEADDR, true);
      // By the group's address: at the wildcard address, datagrams to other groups and to this host would come, too.
      receiving.bind(new InetSocketAddress(group, settings.peersPort()));
      receiving.join(group, network);
      SelectionKey key = receiving.register(selector, SelectionKey.OP_READ);
      MulticastAnnouncements made = new MulticastAnnouncements(settings, self, own, sending, receiving, key);
      key.attach(made);
      return made;
    } catch (IOException | RuntimeException e) {
      sending.close();
      if (receiving != null) {
        receiving.close();
      }
      throw e;
    }
  }

  /** Sends a message to the group; if that fails, the next one may succeed. */
  void send(Protocol protocol, byte[] message) {
    int port = protocol == Protocol.ASAP ? settings.elementsPort() : settings.peersPort();
    try {
      sending.send(ByteBuffer.wrap(message), new InetSocketAddress(settings.group().address(), port));
    } catch (IOException e) {
      if (!hasWarned) {
        LOG.warn("the registrar cannot announce itself to {}: {}", settings.group(), e.getMessage());
      }
      hasWarned = true;
      return;
    }
    hasWarned = false;
  }

  /** Reads what has come, and passes on where other registrars say that they listen. */
  void receive(Consumer<Transport.Tcp> places, long nowNanos) {
    if (nowNanos - windowEnd >= 0) {
      windowEnd = nowNanos + WINDOW_NANOS;
      inWindow = 0;
    }
    try {
      for (; inWindow < DATAGRAMS; inWindow++) {
        buffer.clear();
        InetSocketAddress from = (InetSocketAddress) receiving.receive(buffer);
        if (from == null) {
          return;
        }
        buffer.flip();
        if (buffer.remaining() <= DATAGRAM_BYTES) {
          byte[] message = new byte[buffer.remaining()];
          buffer.get(message);
          place(message, from.getAddress()).ifPresent(places);
        }
      }
    } catch (IOException e) {
      // An error of the network that is reported here; what comes after a pause can be read.
      LOG.debug("an announcement cannot be read", e);
    }
    key.interestOps(0);
  }

  private Optional<Transport.Tcp> place(byte[] message, InetAddress from) {
    Decoded<EnrpMessage> decoded;
    try {
      decoded = EnrpCodec.decode(message);
    } catch (RuntimeException e) {
      // Anybody may have sent it: what one message meets must not end the registrar.
      return Optional.empty();
    }
    return decoded instanceof Decoded.Understood<EnrpMessage> understood
        && understood.message() instanceof Presence presence
        && presence.receiver() == 0 && presence.sender() != 0 && presence.sender() != self
        && presence.information().isPresent()
        && presence.information().get().id() == presence.sender()
        && presence.information().get().transport() instanceof Transport.Tcp tcp
        && tcp.port() != 0
        && tcp.address().octets().equals(Octets.of(from.getAddress()))
        && !Associations.transport(own).equals(tcp) ? Optional.of(tcp) : Optional.empty();
  }

  /** When it reads again after a flood; empty if it reads. */
  OptionalLong pauseNanos(long nowNanos) {
    return key.isValid() && key.interestOps() == 0
        ? OptionalLong.of(Math.max(0, windowEnd - nowNanos))
        : OptionalLong.empty();
  }

  /** Reads again if the pause is over. */
  void resume(long nowNanos) {
    if (key.isValid() && key.interestOps() == 0 && nowNanos - windowEnd >= 0) {
      key.interestOps(SelectionKey.OP_READ);
    }
  }

  @Override
  public void close() {
    for (DatagramChannel channel : List.of(sending, receiving)) {
      try {
        channel.close();
      } catch (IOException e) {
        // Nothing more can be done.
      }
    }
  }
}
