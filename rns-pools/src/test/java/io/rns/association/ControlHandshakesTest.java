package io.rns.association;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.handlespace.HandlespaceSettings;
import io.rns.pool.PolicyType;
import io.rns.registrar.RegistrarSettings;
import io.rns.rserpool.AsapCodec;
import io.rns.rserpool.AsapMessage;
import io.rns.rserpool.Decoded;
import io.rns.rserpool.ElementDescription;
import io.rns.rserpool.FrameReader;
import io.rns.rserpool.Octets;
import io.rns.rserpool.SelectionPolicy;
import io.rns.rserpool.Transport;
import io.rns.rserpool.WireLimits;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A registrar that has to reach many control addresses by TLS at once. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ControlHandshakesTest {
  private static final int BOUND_MILLIS = 60_000;
  private static final Octets HANDLE = Octets.utf8("/service");
  private static final int ELEMENTS = 20;

  /** A quarter of the places to control addresses. */
  private static final int AT_A_TIME = 10;

  private static final RegistrarSettings SETTINGS =
      new RegistrarSettings(new HandlespaceSettings(99, 999, 999, 3, 1, 20_000, 60_000, 3), 100, 400, 400, 400, 7);

  private final List<AutoCloseable> open = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  private static ElementDescription element(int id, ServerSocket control) {
    Transport at = Associations.transport((InetSocketAddress) control.getLocalSocketAddress());
    return new ElementDescription(
        id, 0, 600, at, new SelectionPolicy(PolicyType.ROUND_ROBIN.code(), Octets.NONE), Optional.of(at),
        Optional.empty(), Optional.empty());
  }

  private static AsapMessage next(Socket from) throws IOException {
    FrameReader frames = new FrameReader(WireLimits.MESSAGE_BYTES);
    byte[] buffer = new byte[8_192];
    for (int count = from.getInputStream().read(buffer); count >= 0; count = from.getInputStream().read(buffer)) {
      List<byte[]> messages = frames.accept(buffer, 0, count);
      if (!messages.isEmpty()) {
        return ((Decoded.Understood<AsapMessage>) AsapCodec.decode(messages.get(0))).message();
      }
    }
    throw new EOFException("closed by the registrar");
  }

  private static int begun(List<Socket> of) throws IOException {
    int begun = 0;
    for (Socket each : of) {
      begun += each.getInputStream().available() > 0 ? 1 : 0;
    }
    return begun;
  }

  /** Waits until so many have begun TLS, and returns how many have. */
  private static int begun(List<Socket> of, int awaited) throws IOException {
    int begun = begun(of);
    while (begun < awaited) {
      LockSupport.parkNanos(2_000_000);
      begun = begun(of);
    }
    return begun;
  }

  @Test
  void onlySomeShakeHandsAtATimeAndTheOthersWait() throws Exception {
    TestKeys keys = new TestKeys();
    RegistrarServer server = RegistrarServer.bind(InetAddress.getLoopbackAddress(), 0, 0);
    open.add(server);
    AssociationLimits limits =
        new AssociationLimits(40, 4 * AT_A_TIME, 10, AssociationLimits.LEAST_BYTES, Duration.ofSeconds(10));
    server.start(List.of(), SETTINGS, new SplittableRandom(1), () -> System.nanoTime() / 1_000_000,
        new RegistrarProtection(Optional.of(keys), AsapAccess.OPEN, limits));
    while (!server.<Boolean>ask(registrar -> registrar.isServing())) {
      LockSupport.parkNanos(2_000_000);
    }
    List<ServerSocket> controls = new ArrayList<>();
    InetSocketAddress at = server.elementsAddress();
    try (Socket element = keys.context().getSocketFactory().createSocket(at.getAddress(), at.getPort())) {
      for (int id = 1; id <= ELEMENTS; id++) {
        ServerSocket control = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        open.add(control);
        controls.add(control);
        element.getOutputStream().write(AsapCodec.encode(new AsapMessage.Registration(HANDLE, element(id, control))));
        assertThat(next(element)).isEqualTo(new AsapMessage.RegistrationResponse(false, HANDLE, id, List.of()));
      }
    }
    // It asks all of them whether they are there.
    List<Socket> asked = new ArrayList<>();
    for (ServerSocket control : controls) {
      Socket socket = control.accept();
      open.add(socket);
      socket.setSoTimeout(BOUND_MILLIS);
      asked.add(socket);
    }
    assertThat(begun(asked, AT_A_TIME)).isEqualTo(AT_A_TIME);
    List<Socket> waiting = new ArrayList<>();
    for (Socket each : asked) {
      if (each.getInputStream().available() == 0) {
        waiting.add(each);
      } else {
        each.close();
      }
    }
    for (Socket each : waiting) {
      SSLSocket last = (SSLSocket) keys.context().getSocketFactory().createSocket(each, "", each.getPort(), true);
      last.setUseClientMode(false);
      assertThat(next(last)).as("the others have had their turn").isInstanceOf(AsapMessage.KeepAlive.class);
    }
  }
}
