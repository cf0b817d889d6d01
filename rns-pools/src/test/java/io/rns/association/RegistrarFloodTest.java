package io.rns.association;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.handlespace.HandlespaceSettings;
import io.rns.pool.PolicyType;
import io.rns.registrar.RegistrarSettings;
import io.rns.rserpool.AsapCodec;
import io.rns.rserpool.AsapMessage;
import io.rns.rserpool.AsapMessage.HandleResolution;
import io.rns.rserpool.AsapMessage.HandleResolutionResponse;
import io.rns.rserpool.AsapMessage.RegistrationResponse;
import io.rns.rserpool.Decoded;
import io.rns.rserpool.ElementDescription;
import io.rns.rserpool.FrameReader;
import io.rns.rserpool.IpAddress;
import io.rns.rserpool.Octets;
import io.rns.rserpool.SelectionPolicy;
import io.rns.rserpool.Transport;
import io.rns.rserpool.TransportUse;
import io.rns.rserpool.WireLimits;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A registrar with little memory for messages, real sockets, and clients that want to exhaust it. */
class RegistrarFloodTest {
  private static final Duration BOUND = Duration.ofSeconds(60);
  private static final int BOUND_MILLIS = (int) BOUND.toMillis();
  private static final Octets HANDLE = Octets.utf8("/service");

  /** What one read may bring, and its answers, before memory is counted. */
  private static final long SLACK_BYTES = 512 * 1_024;

  private static final int ELEMENT_BYTES = 40_000;
  private static final int ELEMENTS_PLACES = 100;
  private static final RegistrarSettings SETTINGS =
      new RegistrarSettings(new HandlespaceSettings(99, 999, 999, 3, 1, 20_000, 60_000, 3), 100, 400, 400, 400, 7);

  private final List<AutoCloseable> open = new ArrayList<>();
  private RegistrarServer server;
  private Client user;

  @BeforeEach
  void start() throws Exception {
    server = started(Duration.ofMillis(400));
    user = client();
    assertThat(user.ask(new AsapMessage.Registration(HANDLE, element())))
        .isEqualTo(new RegistrationResponse(false, HANDLE, 1, List.of()));
  }

  private RegistrarServer started(Duration patience, RegistrarServer... others) throws Exception {
    RegistrarServer started = RegistrarServer.bind(InetAddress.getLoopbackAddress(), 0, 0);
    open.add(started);
    AssociationLimits limits =
        new AssociationLimits(ELEMENTS_PLACES, 10, 10, AssociationLimits.LEAST_BYTES, patience);
    started.start(List.of(others).stream().map(RegistrarServer::peersAddress).toList(), SETTINGS,
        new SplittableRandom(open.size()), () -> System.nanoTime() / 1_000_000,
        new RegistrarProtection(Optional.empty(), AsapAccess.OPEN, limits));
    until("it serves", () -> started.ask(registrar -> registrar.isServing()));
    return started;
  }

  private static ElementDescription element() {
    return element(1, Optional.empty());
  }

  private static ElementDescription element(int id, Optional<Transport> control) {
    String padding = "x".repeat(ELEMENT_BYTES);
    byte[] reference =
        ("<a:EndpointReference xmlns:a='http://www.w3.org/2005/08/addressing'><a:Address>http://a/" + padding
            + "</a:Address></a:EndpointReference>").getBytes(StandardCharsets.UTF_8);
    byte[] all = ByteBuffer.allocate(4 + reference.length).putInt(reference.length).put(reference).array();
    return new ElementDescription(
        id, 0, 600, new Transport.Opaque(Octets.of(all)),
        new SelectionPolicy(PolicyType.ROUND_ROBIN.code(), Octets.NONE),
        control, Optional.empty(), Optional.empty());
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
      assertThat(System.nanoTime()).as("not within %s: %s", BOUND, what).isLessThan(deadline);
      LockSupport.parkNanos(2_000_000);
    }
  }

  /** A client that waits for each answer. */
  private static final class Client implements AutoCloseable {
    private final Socket socket;
    private final FrameReader frames = new FrameReader(WireLimits.MESSAGE_BYTES);
    private final Queue<AsapMessage> answers = new ArrayDeque<>();
    private final byte[] buffer = new byte[65_536];

    Client(InetSocketAddress at) throws IOException {
      socket = new Socket(at.getAddress(), at.getPort());
      socket.setSoTimeout(BOUND_MILLIS);
    }

    AsapMessage ask(AsapMessage message) throws IOException {
      socket.getOutputStream().write(AsapCodec.encode(message));
      return next();
    }

    AsapMessage next() throws IOException {
      while (answers.isEmpty()) {
        int count = socket.getInputStream().read(buffer);
        if (count < 0) {
          throw new EOFException("closed by the registrar");
        }
        for (byte[] frame : frames.accept(buffer, 0, count)) {
          answers.add(((Decoded.Understood<AsapMessage>) AsapCodec.decode(frame)).message());
        }
      }
      return answers.remove();
    }

    boolean isClosedByRegistrar() throws IOException {
      try {
        return socket.getInputStream().read() < 0;
      } catch (SocketException e) {
        return true;
      }
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  private Client client() throws IOException {
    Client client = new Client(server.elementsAddress());
    open.add(client);
    return client;
  }

  private void isServedWithinTheLimit() throws Exception {
    assertThat(user.ask(new HandleResolution(false, HANDLE))).isInstanceOfSatisfying(
        HandleResolutionResponse.class, response -> assertThat(response.elements()).hasSize(1));
    assertThat(server.figures().bytes()).isLessThan(AssociationLimits.LEAST_BYTES + SLACK_BYTES);
  }

  private SocketChannel raw(byte[] sent) throws IOException {
    SocketChannel channel = SocketChannel.open();
    open.add(channel);
    // Little room for what it never reads.
    channel.setOption(StandardSocketOptions.SO_RCVBUF, 4_096);
    channel.connect(server.elementsAddress());
    ByteBuffer bytes = ByteBuffer.wrap(sent);
    channel.configureBlocking(false);
    int unused = channel.write(bytes);
    return channel;
  }

  @Test
  void clientsThatDoNotReadTakeNoMoreThanTheLimit() throws Exception {
    byte[] request = AsapCodec.encode(new HandleResolution(false, HANDLE));
    ByteBuffer many = ByteBuffer.allocate(request.length * 1_000);
    while (many.hasRemaining()) {
      many.put(request);
    }
    for (int i = 0; i < 8; i++) {
      SocketChannel unused = raw(many.array());
      isServedWithinTheLimit();
    }
    until("connections are closed", () -> {
      isServedWithinTheLimit();
      return server.figures().closed() > 0;
    });
    assertThat(server.figures().closed()).as("the others stay, until they hold too much").isLessThan(8);
  }

  @Test
  void messagesThatDoNotEndTakeNoMoreThanTheLimit() throws Exception {
    byte[] begun = new byte[60_000];
    begun[0] = 5;
    begun[2] = (byte) 0xff;
    begun[3] = (byte) 0xf0;
    for (int i = 0; i < 40; i++) {
      SocketChannel unused = raw(begun);
      isServedWithinTheLimit();
    }
    assertThat(server.figures().closed()).as("closed for their memory").isPositive();
    until("all others are closed in time", () -> server.figures().connections() == 1);
    isServedWithinTheLimit();
  }

  /** More than was ever kept for a client: it is heard again as it reads. */
  @Test
  void aClientThatReadsLateGetsAllAnswers() throws Exception {
    Client late = client();
    byte[] request = AsapCodec.encode(new HandleResolution(false, HANDLE));
    int count = 500;
    for (int i = 0; i < count; i++) {
      late.socket.getOutputStream().write(request);
    }
    until("answers wait", () -> server.figures().bytes() > 200_000);
    isServedWithinTheLimit();
    for (int i = 0; i < count; i++) {
      assertThat(late.next()).isInstanceOf(HandleResolutionResponse.class);
    }
    assertThat(late.ask(new AsapMessage.Deregistration(HANDLE, 9)))
        .isEqualTo(new AsapMessage.DeregistrationResponse(HANDLE, 9, List.of()));
    until("nothing is held", () -> server.figures().bytes() == 0);
  }

  @Test
  void whoHasAllPlacesOfElementsKeepsNoRegistrarOut() throws Exception {
    for (int i = 1; i < ELEMENTS_PLACES; i++) {
      Client unused = client();
    }
    until("they are connected", () -> server.figures().connections() == ELEMENTS_PLACES);
    assertThat(client().isClosedByRegistrar()).as("there is no place").isTrue();
    until("it is counted", () -> server.figures().refused() == 1);
    isServedWithinTheLimit();
    RegistrarServer peer = started(Duration.ofSeconds(10), server);
    assertThat(peer.<Integer>ask(registrar -> registrar.handlespace().size())).isEqualTo(1);
  }

  /** Hosts without IPv6 cannot even try. */
  @Test
  void aControlAddressThatCannotBeReachedEndsNothing() throws Exception {
    IpAddress nowhere = new IpAddress(Octets.of(InetAddress.getByName("2001:db8::1").getAddress()));
    try (Client element = new Client(server.elementsAddress())) {
      AsapMessage answer = element.ask(
          new AsapMessage.Registration(
              HANDLE, element(2, Optional.of(new Transport.Tcp(9, TransportUse.DATA_ONLY, nowhere)))));
      assertThat(answer).isEqualTo(new RegistrationResponse(false, HANDLE, 2, List.of()));
    }
    until("it was asked there, in vain", () -> server.figures().connections() == 1);
    isServedWithinTheLimit();
  }

  /** An idle client stays; the time begins with a message. */
  @Test
  void idleClientsStay() throws Exception {
    Client idle = client();
    SocketChannel begun = raw(new byte[]{5});
    until("the message that does not end is given up", () -> begun.read(ByteBuffer.allocate(1)) < 0);
    assertThat(idle.ask(new HandleResolution(false, HANDLE))).isInstanceOf(HandleResolutionResponse.class);
  }

  @Test
  void handlesLongerThanAnyPathAreNotRepeated() throws Exception {
    Octets handle = Octets.of(new byte[60_000]);
    assertThat(user.ask(new HandleResolution(false, handle))).isInstanceOfSatisfying(
        AsapMessage.ErrorReport.class,
        report -> assertThat(AsapCodec.encode(report)).hasSizeLessThan(200).asString(StandardCharsets.UTF_8)
            .contains("60000 bytes; the limit is 32768 bytes"));
    isServedWithinTheLimit();
  }
}
