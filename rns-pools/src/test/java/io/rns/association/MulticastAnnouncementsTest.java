package io.rns.association;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.handlespace.HandlespaceSettings;
import io.rns.network.MulticastGroup;
import io.rns.registrar.LocalCaller;
import io.rns.registrar.Registrar;
import io.rns.registrar.RegistrarSettings;
import io.rns.rserpool.AsapCodec;
import io.rns.rserpool.AsapMessage;
import io.rns.rserpool.AsapMessage.HandleResolutionResponse;
import io.rns.rserpool.AsapMessage.RegistrationResponse;
import io.rns.rserpool.AsapMessage.ServerAnnounce;
import io.rns.rserpool.Decoded;
import io.rns.rserpool.EnrpCodec;
import io.rns.rserpool.EnrpMessage.Presence;
import io.rns.rserpool.Octets;
import io.rns.rserpool.ServerInformation;
import io.rns.rserpool.Transport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.MulticastSocket;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Registrars and elements that know no address find each other by multicast on the loopback interface. */
@Timeout(120)
class MulticastAnnouncementsTest {
  private static final Duration BOUND = Duration.ofSeconds(60);
  private static final Octets HANDLE = Octets.utf8("/service");
  private static final String SERVICE = "http://127.0.0.1:8080/rns";
  private static final int LARGEST_TO_SEND = 60_000;
  private static final RegistrarSettings SETTINGS =
      new RegistrarSettings(new HandlespaceSettings(99, 999, 999, 3, 1, 2_000, 60_000, 3), 100, 2_000, 2_000, 400, 7);

  private final List<AutoCloseable> open = new ArrayList<>();
  private final SplittableRandom random = new SplittableRandom();
  private Multicast multicast =
      new Multicast(new MulticastGroup(InetAddress.getLoopbackAddress(), "none"), SERVICE);

  /** A group and ports of this test only. */
  @BeforeEach
  void choose() throws IOException {
    String group = "239.255." + random.nextInt(256) + "." + random.nextInt(1, 255) + "%lo";
    multicast = new Multicast(MulticastGroup.parse(group), freePort(), freePort(), SERVICE);
  }

  private static int freePort() throws IOException {
    try (DatagramSocket socket = new DatagramSocket()) {
      return socket.getLocalPort();
    }
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  private RegistrarServer registrar() throws Exception {
    RegistrarServer server = RegistrarServer.bind(InetAddress.getLoopbackAddress(), 0, 0);
    open.add(server);
    server.start(List.of(), SETTINGS, random.split(), () -> System.nanoTime() / 1_000_000, RegistrarProtection.NONE,
        Optional.of(multicast));
    until("it serves", () -> server.ask(Registrar::isServing));
    return server;
  }

  private static void until(String what, Callable<Boolean> condition) throws Exception {
    long deadline = System.nanoTime() + BOUND.toNanos();
    while (!condition.call()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("not within " + BOUND + ": " + what);
      }
      LockSupport.parkNanos(5_000_000);
    }
  }

  private static int registrars(RegistrarServer server) throws Exception {
    return server.call(LocalCaller::figures, BOUND.toMillis()).registrars();
  }

  /** What an element without a registrar hears. */
  private ServerAnnounce heard(int registrar) throws IOException {
    try (MulticastSocket socket =
        new MulticastSocket(new InetSocketAddress(multicast.group().address(), multicast.elementsPort()))) {
      socket.setSoTimeout((int) BOUND.toMillis());
      socket.joinGroup(
          new InetSocketAddress(multicast.group().address(), multicast.elementsPort()), multicast.group().network());
      DatagramPacket packet = new DatagramPacket(new byte[2_000], 2_000);
      while (true) {
        packet.setLength(2_000);
        socket.receive(packet);
        byte[] bytes = Arrays.copyOf(packet.getData(), packet.getLength());
        Decoded<AsapMessage> decoded = AsapCodec.decode(bytes);
        if (decoded instanceof Decoded.Understood<AsapMessage> understood
            && understood.message() instanceof ServerAnnounce announced && announced.server() == registrar) {
          return announced;
        }
      }
    }
  }

  private static InetSocketAddress address(Transport transport) throws IOException {
    Transport.Tcp tcp = (Transport.Tcp) transport;
    return new InetSocketAddress(InetAddress.getByAddress(tcp.address().octets().toBytes()), tcp.port());
  }

  private TestElement element(int id) throws IOException {
    TestElement element = new TestElement(HANDLE, id);
    open.add(element);
    return element;
  }

  @Test
  void elementsAndUsersFindRegistrarsAndRegistrarsEachOther() throws Exception {
    RegistrarServer first = registrar();
    ServerAnnounce announced = heard(first.id());
    assertThat(announced.service()).contains(Octets.utf8(SERVICE));
    TestElement element = element(1);
    element.register(element.connect(address(announced.transports().get(0))));
    assertThat(element.received.poll(60, TimeUnit.SECONDS))
        .isEqualTo(new RegistrationResponse(false, HANDLE, 1, List.of()));

    RegistrarServer second = registrar();
    assertThat(second.<Integer>ask(registrar -> registrar.handlespace().size()))
        .as("it has copied the first before it serves").isEqualTo(1);
    TestElement user = element(2);
    ServerAnnounce other = heard(second.id());
    TestElement.send(
        user.connect(address(other.transports().get(0))), new AsapMessage.HandleResolution(false, HANDLE));
    AsapMessage answer = user.received.poll(60, TimeUnit.SECONDS);
    assertThat(answer).isInstanceOf(HandleResolutionResponse.class);
    assertThat(((HandleResolutionResponse) answer).elements()).hasSize(1);
  }

  /** Neither hears the first announcement of the other as one that serves. */
  @Test
  void registrarsThatStartAtOnceBecomePeers() throws Exception {
    List<RegistrarServer> starting = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      RegistrarServer server = RegistrarServer.bind(InetAddress.getLoopbackAddress(), 0, 0);
      open.add(server);
      server.start(List.of(), SETTINGS, random.split(), () -> System.nanoTime() / 1_000_000,
          RegistrarProtection.NONE, Optional.of(multicast));
      starting.add(server);
    }
    for (RegistrarServer server : starting) {
      until("it serves", () -> server.ask(Registrar::isServing));
      until("it knows all", () -> registrars(server) == 3);
    }
    TestElement element = element(1);
    element.register(element.connect(starting.get(0).elementsAddress()));
    for (RegistrarServer server : starting) {
      until("it has the element", () -> server.<Integer>ask(r -> r.handlespace().size()) == 1);
    }
  }

  @Test
  void anAnnouncementForAnotherAddressLeadsToNoConnection() throws Exception {
    RegistrarServer server = registrar();
    try (ServerSocket victim = new ServerSocket(0, 9, InetAddress.getLoopbackAddress());
        DatagramSocket foreign = new DatagramSocket(new InetSocketAddress("127.0.0.2", 0));
        DatagramSocket own = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
      byte[] forged = EnrpCodec.encode(presence(77, 77, address(victim)));
      for (int i = 0; i < 20; i++) {
        send(foreign, forged);
      }
      byte[] otherId = EnrpCodec.encode(presence(78, 79, address(victim)));
      byte[] itself = EnrpCodec.encode(presence(server.id(), server.id(), address(victim)));
      for (byte[] refused : List.of(otherId, itself)) {
        send(own, refused);
      }
      // Whatever was sent before is read before this.
      try (ServerSocket honest = new ServerSocket(0, 9, InetAddress.getLoopbackAddress())) {
        send(own, EnrpCodec.encode(presence(80, 80, address(honest))));
        honest.setSoTimeout((int) BOUND.toMillis());
        honest.accept().close();
      }
      victim.setSoTimeout(1);
      assertThatThrownBy(victim::accept).isInstanceOf(SocketTimeoutException.class);
    }
  }

  @Test
  void hostileDatagramsKeepNobodyFromBeingFound() throws Exception {
    RegistrarServer first = registrar();
    SplittableRandom draws = new SplittableRandom(5);
    try (DatagramSocket own = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
      byte[] valid = EnrpCodec.encode(presence(77, 77, new InetSocketAddress(InetAddress.getLoopbackAddress(), 9)));
      for (int length = 0; length < valid.length; length++) {
        send(own, Arrays.copyOf(valid, length));
      }
      for (int i = 0; i < 2_000; i++) {
        byte[] changed = valid.clone();
        changed[draws.nextInt(changed.length)] = (byte) draws.nextInt();
        changed[draws.nextInt(changed.length)] = (byte) draws.nextInt();
        send(own, changed);
      }
      for (int length : new int[]{MulticastAnnouncements.DATAGRAM_BYTES + 1, LARGEST_TO_SEND}) {
        send(own, Arrays.copyOf(valid, length));
      }
    }
    RegistrarServer second = registrar();
    until("it knows the other", () -> registrars(first) >= 2 && registrars(second) >= 2);
    TestElement element = element(1);
    element.register(element.connect(first.elementsAddress()));
    until("it has the element", () -> second.<Integer>ask(r -> r.handlespace().size()) == 1);
  }

  @Test
  void whatCannotBeJoinedIsReportedAndThePortsAreFreeAgain() throws Exception {
    MulticastGroup group = new MulticastGroup(multicast.group().address(), "none0");
    RegistrarServer server = RegistrarServer.bind(InetAddress.getLoopbackAddress(), 0, 0);
    assertThatThrownBy(
        () -> server.start(
            List.of(), SETTINGS, random.split(), () -> 0, RegistrarProtection.NONE,
            Optional.of(new Multicast(group, ""))))
        .isInstanceOf(UncheckedIOException.class).hasMessageContaining("no network interface none0");
    server.close();
    RegistrarServer.bind(
        InetAddress.getLoopbackAddress(), server.elementsAddress().getPort(), server.peersAddress().getPort()).close();
    RegistrarServer elsewhere = RegistrarServer.bind(InetAddress.getByName("127.0.0.2"), 0, 0);
    open.add(elsewhere);
    assertThatThrownBy(
        () -> elsewhere.start(
            List.of(), SETTINGS, random.split(), () -> 0, RegistrarProtection.NONE, Optional.of(multicast)))
        .isInstanceOf(UncheckedIOException.class).hasMessageContaining("127.0.0.2 is not an address of interface lo");
  }

  private static InetSocketAddress address(ServerSocket socket) {
    return (InetSocketAddress) socket.getLocalSocketAddress();
  }

  private static Presence presence(int sender, int named, InetSocketAddress at) {
    ServerInformation information = new ServerInformation(named, Associations.transport(at));
    return new Presence(sender, 0, true, 0xffff, Optional.of(information), Optional.empty(), Optional.empty());
  }

  private void send(DatagramSocket from, byte[] bytes) throws IOException {
    from.setOption(StandardSocketOptions.IP_MULTICAST_IF, multicast.group().network());
    from.send(
        new DatagramPacket(bytes, bytes.length, new InetSocketAddress(multicast.group().address(),
            multicast.peersPort())));
  }
}
