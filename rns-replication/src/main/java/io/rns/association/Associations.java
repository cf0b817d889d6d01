package io.rns.association;

import io.rns.registrar.Recipient;
import io.rns.rserpool.IpAddress;
import io.rns.rserpool.Message;
import io.rns.rserpool.Octets;
import io.rns.rserpool.Transport;
import io.rns.rserpool.TransportUse;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** All open connections. */
final class Associations {
  /** Connections at most; a further one is closed at once. */
  static final int CONNECTIONS = 20_000;

  private final Association.Listener listener;
  private final AtomicLong last = new AtomicLong();
  private final Map<Long, Association> byId = new ConcurrentHashMap<>();

  /** Those that were opened from here, by whom they were opened to. Only for the thread of the registrar. */
  private final Map<Place, Association> opened = new ConcurrentHashMap<>();

  private record Place(Protocol protocol, InetSocketAddress address) {}

  Associations(Association.Listener listener) {
    this.listener = listener;
  }

  static Transport transport(InetSocketAddress address) {
    IpAddress ip = new IpAddress(Octets.of(address.getAddress().getAddress()));
    return new Transport.Tcp(address.getPort(), TransportUse.DATA_ONLY, ip);
  }

  /** Where a transport is, if it is TCP. */
  private static Optional<InetSocketAddress> address(Transport transport) {
    if (!(transport instanceof Transport.Tcp tcp)) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new InetSocketAddress(InetAddress.getByAddress(tcp.address().octets().toBytes()), tcp.port()));
    } catch (UnknownHostException e) {
      throw new IllegalStateException("an address of " + tcp.address().octets().length() + " bytes", e);
    }
  }

  /** Somebody connected. */
  void accept(Protocol protocol, Socket socket) {
    Association association = new Association(last.incrementAndGet(), protocol, socket, listener);
    if (byId.size() >= CONNECTIONS) {
      association.close();
      return;
    }
    byId.put(association.id(), association);
    association.start(Optional.empty());
  }

  void send(Recipient to, Message message) {
    switch (to) {
      case Recipient.Connected connected -> {
        Association association = byId.get(connected.id());
        if (association != null) {
          association.send(Protocol.encode(message));
        }
      }
      case Recipient.Listening listening ->
          address(listening.transport())
              .ifPresent(at -> opened(new Place(Protocol.of(message), at)).send(Protocol.encode(message)));
    }
  }

  private Association opened(Place place) {
    return opened.computeIfAbsent(
        place,
        p -> {
          Association association = new Association(last.incrementAndGet(), p.protocol(), new Socket(), listener);
          byId.put(association.id(), association);
          association.start(Optional.of(p.address()));
          return association;
        });
  }

  void end(long id) {
    Association association = byId.get(id);
    if (association != null) {
      association.end();
    }
  }

  void closed(Association association) {
    byId.remove(association.id());
    opened.values().remove(association);
  }

  void closeAll() {
    byId.values().forEach(Association::close);
  }
}
