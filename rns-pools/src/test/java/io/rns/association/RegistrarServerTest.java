package io.rns.association;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.handlespace.Checksum;
import io.rns.handlespace.Handlespace;
import io.rns.handlespace.HandlespaceSettings;
import io.rns.pool.PolicyType;
import io.rns.registrar.RegistrarSettings;
import io.rns.rserpool.AsapCodec;
import io.rns.rserpool.AsapMessage;
import io.rns.rserpool.AsapMessage.HandleResolutionResponse;
import io.rns.rserpool.AsapMessage.RegistrationResponse;
import io.rns.rserpool.ElementDescription;
import io.rns.rserpool.Octets;
import io.rns.rserpool.SelectionPolicy;
import io.rns.rserpool.Transport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Registrars, elements and a user with real sockets: one registrar fails, another takes over, and it comes back. */
class RegistrarServerTest {
  private static final Duration BOUND = Duration.ofSeconds(60);
  private static final int ELEMENTS = 30;
  private static final Octets HANDLE = Octets.utf8("/service");

  /** Takeover within about a second; a long keep-alive timeout, for a busy machine. */
  private static final RegistrarSettings SETTINGS =
      new RegistrarSettings(new HandlespaceSettings(99, 999, 999, 3, 1, 2_000, 60_000, 3), 100, 400, 400, 400, 7);

  private final List<AutoCloseable> open = new ArrayList<>();
  private long seed = 1;

  private RegistrarServer bind(int elementsPort, int peersPort) throws IOException {
    RegistrarServer server = RegistrarServer.bind(InetAddress.getLoopbackAddress(), elementsPort, peersPort);
    open.add(server);
    return server;
  }

  private void start(RegistrarServer server, List<InetSocketAddress> others) {
    server.start(others, SETTINGS, new SplittableRandom(seed++), () -> System.nanoTime() / 1_000_000);
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
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

  private static <T> T ask(RegistrarServer server, Function<Handlespace, T> question) throws Exception {
    return server.ask(registrar -> question.apply(registrar.handlespace()));
  }

  private static boolean serves(RegistrarServer server) throws Exception {
    return server.ask(registrar -> registrar.isServing());
  }

  private static List<Checksum> checksums(RegistrarServer server) throws Exception {
    return ask(
        server,
        handlespace -> handlespace.synchronisation().homes().stream().map(handlespace.synchronisation()::checksum)
            .toList());
  }

  @Test
  void poolsSurviveTheFailureOfARegistrar() throws Exception {
    List<RegistrarServer> servers = List.of(bind(0, 0), bind(0, 0), bind(0, 0));
    List<InetSocketAddress> places = servers.stream().map(RegistrarServer::peersAddress).toList();
    for (RegistrarServer server : servers) {
      start(server, places.stream().filter(place -> !place.equals(server.peersAddress())).toList());
      until("it serves", () -> serves(server));
    }
    List<TestElement> elements = register(servers);
    for (RegistrarServer server : servers) {
      until("all are known", () -> ask(server, Handlespace::size) == ELEMENTS);
    }

    RegistrarServer dead = servers.get(0);
    dead.close();
    List<RegistrarServer> survivors = servers.subList(1, 3);
    for (RegistrarServer server : survivors) {
      until("two homes are left", () -> ask(server, h -> h.synchronisation().homes().size()) == 2);
      assertThat(ask(server, Handlespace::size)).isEqualTo(ELEMENTS);
    }
    for (int i = 0; i < ELEMENTS; i += 3) {
      TestElement element = elements.get(i);
      until("the element learns its home", () -> element.newHome != 0);
    }
    // Each answer to the new home is announced.
    until("the survivors agree", () -> checksums(survivors.get(0)).equals(checksums(survivors.get(1))));
    assertThat(resolve(survivors.get(1)).elements()).hasSize(3);

    RegistrarServer back = bind(dead.elementsAddress().getPort(), dead.peersAddress().getPort());
    start(back, places.subList(1, 3));
    until("it serves", () -> serves(back));
    assertThat(ask(back, Handlespace::size)).isEqualTo(ELEMENTS);
    until("all agree", () -> checksums(back).equals(checksums(survivors.get(0))));
    assertThat(resolve(back).elements()).hasSize(3);
  }

  /** A third of them at each registrar. */
  private List<TestElement> register(List<RegistrarServer> servers) throws Exception {
    List<TestElement> elements = new ArrayList<>();
    for (int i = 0; i < ELEMENTS; i++) {
      TestElement element = new TestElement(HANDLE, i + 1);
      open.add(element);
      elements.add(element);
      element.register(element.connect(servers.get(i % 3).elementsAddress()));
      assertThat(element.received.poll(60, TimeUnit.SECONDS))
          .isEqualTo(new RegistrationResponse(false, HANDLE, i + 1, List.of()));
    }
    return elements;
  }

  private HandleResolutionResponse resolve(RegistrarServer server) throws Exception {
    TestElement user = new TestElement(HANDLE, 1);
    open.add(user);
    TestElement.send(user.connect(server.elementsAddress()), new AsapMessage.HandleResolution(false, HANDLE));
    AsapMessage answer = user.received.poll(60, TimeUnit.SECONDS);
    assertThat(answer).isInstanceOf(HandleResolutionResponse.class);
    return (HandleResolutionResponse) answer;
  }

  @Test
  void aRegistrarRefusedEverywhereStartsAtOnce() throws Exception {
    RegistrarServer gone = bind(0, 0);
    gone.close();
    RegistrarServer server = bind(0, 0);
    long longerThanTheBound = 2 * BOUND.toMillis();
    RegistrarSettings patient = new RegistrarSettings(SETTINGS.handlespace(), 100, 400, longerThanTheBound, 400, 7);
    server.start(List.of(gone.peersAddress()), patient, new SplittableRandom(seed),
        () -> System.nanoTime() / 1_000_000);
    until("it serves", () -> serves(server));
  }

  /** What peers were to get of it ended the connection, and whatever was to be done then was left undone. */
  @Test
  void aRegistrationIsAnsweredThoughItIsTooLongForPeers() throws Exception {
    List<RegistrarServer> servers = List.of(bind(0, 0), bind(0, 0));
    start(servers.get(0), List.of());
    until("it serves", () -> serves(servers.get(0)));
    start(servers.get(1), List.of(servers.get(0).peersAddress()));
    until("it serves", () -> serves(servers.get(1)));
    TestElement element = new TestElement(HANDLE, 1);
    open.add(element);
    Socket socket = element.connect(servers.get(0).elementsAddress());
    byte[] reference =
        ("<a:EndpointReference xmlns:a='http://www.w3.org/2005/08/addressing'><a:Address>http://a/</a:Address>"
            + " ".repeat(65_350) + "</a:EndpointReference>").getBytes(StandardCharsets.UTF_8);
    byte[] all = ByteBuffer.allocate(4 + reference.length).putInt(reference.length).put(reference).array();
    ElementDescription padded =
        new ElementDescription(1, 0, 600, new Transport.Opaque(Octets.of(all)),
            new SelectionPolicy(PolicyType.ROUND_ROBIN.code(), Octets.NONE), Optional.empty(), Optional.empty(),
            Optional.empty());
    AsapMessage.Registration registration = new AsapMessage.Registration(HANDLE, padded);
    assertThat(AsapCodec.encode(registration).length).isBetween(0xffff - 24, 0xffff);
    TestElement.send(socket, registration);
    assertThat(element.received.poll(60, TimeUnit.SECONDS))
        .isEqualTo(new RegistrationResponse(false, HANDLE, 1, List.of()));
    until("peers hear of it by an audit", () -> ask(servers.get(1), Handlespace::size) == 1);
  }

  @Test
  void malformedBytesEndOnlyTheirConnection() throws Exception {
    RegistrarServer server = bind(0, 0);
    start(server, List.of());
    until("it serves", () -> serves(server));
    for (byte[] bytes : List.of(new byte[]{5, 0, 0, 3}, new byte[]{5, 0, 0, 4})) {
      try (Socket socket = new Socket(server.elementsAddress().getAddress(), server.elementsAddress().getPort())) {
        socket.setSoTimeout((int) BOUND.toMillis());
        socket.getOutputStream().write(bytes);
        assertThat(socket.getInputStream().readAllBytes()).hasSizeLessThan(200);
      }
    }
    // Unknown, to be reported: the connection stays.
    TestElement user = new TestElement(HANDLE, 1);
    open.add(user);
    Socket socket = user.connect(server.elementsAddress());
    socket.getOutputStream().write(new byte[]{0x41, 0, 0, 4});
    assertThat(user.received.poll(60, TimeUnit.SECONDS)).isInstanceOf(AsapMessage.ErrorReport.class);
    TestElement.send(socket, new AsapMessage.HandleResolution(false, HANDLE));
    assertThat(user.received.poll(60, TimeUnit.SECONDS)).isInstanceOf(HandleResolutionResponse.class);
  }
}
