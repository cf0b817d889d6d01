package io.rns.loadtest.pool;

import io.rns.pool.PolicyType;
import io.rns.rserpool.AsapCodec;
import io.rns.rserpool.AsapMessage;
import io.rns.rserpool.AsapMessage.KeepAlive;
import io.rns.rserpool.AsapMessage.KeepAliveAck;
import io.rns.rserpool.AsapMessage.RegistrationResponse;
import io.rns.rserpool.ElementDescription;
import io.rns.rserpool.IpAddress;
import io.rns.rserpool.Octets;
import io.rns.rserpool.SelectionPolicy;
import io.rns.rserpool.Transport;
import io.rns.rserpool.TransportUse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;

/**
 * A pool element that speaks ASAP and keeps its connection: as long as that lives the registrar needs no other place to
 * ask it.
 */
final class AsapElement extends AsapConnection {
  private static final int LIFE_SECONDS = 300;

  private final Octets handle;
  private final int id;
  private final byte[] registration;

  /** An element that users reach at a port of this machine. */
  AsapElement(InetSocketAddress registrar, Octets handle, int id, int port) throws IOException {
    super(registrar);
    this.handle = handle;
    this.id = id;
    IpAddress here = new IpAddress(Octets.of(InetAddress.getLoopbackAddress().getAddress()));
    ElementDescription element =
        new ElementDescription(
            id,
            0,
            LIFE_SECONDS,
            new Transport.Tcp(port, TransportUse.DATA_ONLY, here),
            new SelectionPolicy(PolicyType.ROUND_ROBIN.code(), Octets.NONE),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    this.registration = AsapCodec.encode(new AsapMessage.Registration(handle, element));
  }

  /** Registers, or renews, and waits for the answer. */
  void register() throws IOException {
    send(registration);
    while (true) {
      AsapMessage message = receive();
      if (message instanceof RegistrationResponse answer) {
        if (answer.rejected()) {
          throw new IOException("element " + id + " was refused: " + answer.causes());
        }
        return;
      }
      acknowledge(message);
    }
  }

  /** Answers keep-alives until the connection ends. */
  void stay() throws IOException {
    while (true) {
      acknowledge(receive());
    }
  }

  private void acknowledge(AsapMessage message) throws IOException {
    if (message instanceof KeepAlive) {
      send(AsapCodec.encode(new KeepAliveAck(handle, id)));
    }
  }
}
