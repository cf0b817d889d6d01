package io.rns.server.dns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.rns.pool.Parameters;
import io.rns.pool.PolicyType;
import io.rns.server.access.LineLogSettings;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.SimpleResolver;
import org.xbill.DNS.Type;

/** The server on real sockets. */
class DnsServerTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int CONNECTIONS = 3;
  private static final InstantSource CLOCK = InstantSource.fixed(Instant.ofEpochMilli(1_790_000_000_123L));

  private final SamplePools pools = new SamplePools();
  private final AtomicLong nanos = new AtomicLong();
  private final DnsSettings settings =
      new DnsSettings(
          "rns.example.org",
          new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
          Duration.ofSeconds(30),
          "secret",
          3,
          CONNECTIONS,
          Duration.ofSeconds(10),
          Optional.empty());
  private final DnsServer server = DnsServer.start(settings, pools, CLOCK, nanos::get);

  @AfterEach
  void close() {
    server.close();
  }

  private static Message query(String below, int type) throws Exception {
    return Message.newQuery(Record.newRecord(Name.fromString(below + "rns.example.org."), type, DClass.IN));
  }

  private SimpleResolver client() throws Exception {
    SimpleResolver client = new SimpleResolver(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
    client.setTimeout(PATIENCE);
    return client;
  }

  private Socket connect() throws Exception {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
    socket.setSoTimeout((int) PATIENCE.toMillis());
    return socket;
  }

  private static Message ask(Socket socket, Message query) throws Exception {
    byte[] bytes = query.toWire();
    DataOutputStream out = new DataOutputStream(socket.getOutputStream());
    out.writeShort(bytes.length);
    out.write(bytes);
    DataInputStream in = new DataInputStream(socket.getInputStream());
    return new Message(in.readNBytes(in.readUnsignedShort()));
  }

  private void addMany() {
    for (int i = 1; i <= 8; i++) {
      String host = "http://192.0.2." + i;
      pools.add("/many", PolicyType.ROUND_ROBIN, i, Parameters.PLAIN, host + ":1/", host + ":2/", host + ":3/",
          host + ":4/");
    }
  }

  @Test
  void whatDoesNotFitIsAskedForByTcp() throws Exception {
    addMany();
    Message query = query("_http._tcp.many.", Type.SRV);
    SimpleResolver client = client();
    client.setIgnoreTruncation(true);
    assertThat(client.send(query).getHeader().getFlag(Flags.TC)).isTrue();
    client.setIgnoreTruncation(false);
    Message whole = client.send(query);
    assertThat(whole.getHeader().getFlag(Flags.TC)).isFalse();
    assertThat(whole.getSection(Section.ANSWER)).hasSize(ZoneRecords.RECORDS);
  }

  @Test
  void rubbishStopsNobody() throws Exception {
    pools.add("/p", PolicyType.ROUND_ROBIN, 1, Parameters.PLAIN, "http://192.0.2.1/");
    try (DatagramSocket rubbish = new DatagramSocket()) {
      for (int length : new int[]{0, 1, 11, 12, 13, 4_096, 60_000}) {
        rubbish.send(new DatagramPacket(new byte[length], length, InetAddress.getLoopbackAddress(), server.port()));
      }
    }
    try (Socket wrong = connect()) {
      wrong.getOutputStream().write(new byte[]{(byte) 0xff, (byte) 0xff});
      assertThat(wrong.getInputStream().read()).isEqualTo(-1);
    }
    try (Socket wrong = connect()) {
      wrong.getOutputStream().write(new byte[]{0, 0});
      assertThat(wrong.getInputStream().read()).isEqualTo(-1);
    }
    assertThat(client().send(query("p.", Type.A)).getSection(Section.ANSWER)).hasSize(1);
  }

  /** One that has been quiet for longest, but is the only one of its client. */
  @Test
  void aClientWithManyConnectionsLosesItsOwn() throws Exception {
    pools.add("/p", PolicyType.ROUND_ROBIN, 1, Parameters.PLAIN, "http://192.0.2.1/");
    InetAddress other = InetAddress.getByAddress(new byte[]{127, 0, 0, 2});
    List<Socket> many = new ArrayList<>();
    try (Socket only = new Socket(InetAddress.getLoopbackAddress(), server.port(), other, 0)) {
      only.setSoTimeout((int) PATIENCE.toMillis());
      assertThat(ask(only, query("p.", Type.A)).getSection(Section.ANSWER)).hasSize(1);
      for (int i = 0; i < 2 * CONNECTIONS; i++) {
        nanos.incrementAndGet();
        Socket next = connect();
        many.add(next);
        assertThat(ask(next, query("p.", Type.A)).getSection(Section.ANSWER)).hasSize(1);
      }
      assertThat(many.get(0).getInputStream().read()).isEqualTo(-1);
      assertThat(ask(only, query("p.", Type.A)).getSection(Section.ANSWER)).hasSize(1);
    } finally {
      for (Socket each : many) {
        each.close();
      }
    }
  }

  /** Rights of a path may be another group's to say, which does not answer: other names are answered meanwhile. */
  @Test
  void questionsThatWaitHoldUpNoOthersAndAreBounded() throws Exception {
    pools.add("/p", PolicyType.ROUND_ROBIN, 1, Parameters.PLAIN, "http://192.0.2.1/");
    pools.add("/awaited", PolicyType.ROUND_ROBIN, 1, Parameters.PLAIN, "http://192.0.2.2/");
    CountDownLatch gate = new CountDownLatch(1);
    pools.gate = gate;
    try (DatagramSocket asker = new DatagramSocket()) {
      asker.setSoTimeout((int) PATIENCE.toMillis());
      for (int waiting = 0; waiting < UdpPort.PLACES - 1; waiting++) {
        // Of type SRV, since a question for A is the twin of one for AAAA.
        send(asker, query("_http._tcp.awaited.", Type.SRV));
        int most = waiting;
        await(() -> pools.waiting.get() > most);
      }
      assertThat(client().send(query("p.", Type.A)).getSection(Section.ANSWER)).hasSize(1);
      Message last = query("_http._tcp.awaited.", Type.SRV);
      await(() -> {
        // The place of the answered question may not be free at once.
        send(asker, last);
        return pools.waiting.get() == UdpPort.PLACES;
      });
      // No place is left: the question is lost.
      SimpleResolver unlucky = client();
      unlucky.setTimeout(Duration.ofMillis(300));
      assertThatThrownBy(() -> unlucky.send(query("p.", Type.A))).isInstanceOf(IOException.class);
      gate.countDown();
      for (int i = 0; i < UdpPort.PLACES; i++) {
        asker.receive(new DatagramPacket(new byte[512], 512));
      }
    }
    pools.gate = null;
    assertThat(client().send(query("p.", Type.A)).getSection(Section.ANSWER)).hasSize(1);
  }

  private void send(DatagramSocket asker, Message query) {
    byte[] bytes = query.toWire();
    try {
      asker.send(new DatagramPacket(bytes, bytes.length, InetAddress.getLoopbackAddress(), server.port()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void await(BooleanSupplier condition) {
    long begun = System.nanoTime();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - begun).isLessThan(PATIENCE.toNanos());
      LockSupport.parkNanos(100_000);
    }
  }

  @Test
  void oneConnectionServesManyQuestionsAndIsClosedWhenQuiet() throws Exception {
    pools.add("/p", PolicyType.ROUND_ROBIN, 1, Parameters.PLAIN, "http://192.0.2.1/");
    try (Socket socket = connect()) {
      for (int i = 0; i < 100; i++) {
        assertThat(ask(socket, query("p.", Type.A)).getSection(Section.ANSWER)).hasSize(1);
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
      }
      nanos.addAndGet(TimeUnit.SECONDS.toNanos(11));
      assertThat(socket.getInputStream().read()).isEqualTo(-1);
    }
  }

  @Test
  void oneConnectionTooManyClosesTheOneThatIsQuietForLongest() throws Exception {
    List<Socket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < CONNECTIONS; i++) {
        sockets.add(connect());
        nanos.incrementAndGet();
        assertThat(ask(sockets.get(i), query("", Type.SOA)).getRcode()).isEqualTo(Rcode.NOERROR);
      }
      nanos.incrementAndGet();
      assertThat(ask(sockets.get(0), query("", Type.SOA)).getRcode()).isEqualTo(Rcode.NOERROR);
      nanos.incrementAndGet();
      sockets.add(connect());
      assertThat(sockets.get(1).getInputStream().read()).isEqualTo(-1);
      for (int i : new int[]{0, 2, 3}) {
        assertThat(ask(sockets.get(i), query("", Type.SOA)).getRcode()).isEqualTo(Rcode.NOERROR);
      }
    } finally {
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }

  @Test
  void aPortThatIsTakenIsTold() {
    DnsSettings same =
        DnsSettings.of("rns.example.org", new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()),
            "secret", Optional.empty());
    assertThatThrownBy(() -> DnsServer.start(same, pools, CLOCK, nanos::get))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining(Integer.toString(server.port()));
  }

  @Test
  void everyQuestionByUdpIsLoggedOnce(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("dns.log");
    DnsSettings logged =
        DnsSettings.of(
            "rns.example.org", new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), "secret",
            Optional.of(new LineLogSettings(file, 1 << 20, 1)));
    pools.add("/p", PolicyType.ROUND_ROBIN, 1, Parameters.PLAIN, "http://192.0.2.1/");
    DnsServer logging = DnsServer.start(logged, pools, CLOCK, nanos::get);
    try (logging) {
      SimpleResolver client =
          new SimpleResolver(new InetSocketAddress(InetAddress.getLoopbackAddress(), logging.port()));
      client.setTimeout(PATIENCE);
      for (Message query : List.of(
          query("p.", Type.A), query("_http._tcp.P.", Type.SRV), query("a\\009b.", 65_280),
          Message.newQuery(Record.newRecord(Name.fromString("version.bind."), Type.TXT, DClass.CH)))) {
        assertThat(client.send(query).getHeader().getFlag(Flags.QR)).isTrue();
      }
      client.setTCP(true);
      assertThat(client.send(query("p.", Type.AAAA)).getRcode()).isEqualTo(Rcode.NOERROR);
      try (DatagramSocket rubbish = new DatagramSocket()) {
        rubbish.send(new DatagramPacket(new byte[13], 13, InetAddress.getLoopbackAddress(), logging.port()));
      }
    }
    List<String> lines = Files.readAllLines(file);
    assertThat(lines).hasSize(4).startsWith("# milliseconds, client, type, name");
    String client = lines.get(1).split("\t", -1)[1];
    assertThat(client).matches("[0-9a-f]{16}");
    String begin = "1790000000123.000\t" + client + "\t";
    assertThat(lines.subList(1, 4))
        .containsExactly(
            begin + "A\tp.rns.example.org.", begin + "SRV\t_http._tcp.P.rns.example.org.",
            begin + "TYPE65280\ta\\009b.rns.example.org.");
    assertThat(logging.statistics()).containsEntry("dnsLogDropped", 0L);
    assertThat(server.statistics()).isEmpty();
  }

  @Test
  void aDnsLogThatCannotBeWrittenIsReported(@TempDir Path directory) {
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    LineLogSettings nowhere = new LineLogSettings(directory.resolve("no/dns.log"), 1 << 20, 1);
    DnsSettings logged = DnsSettings.of("rns.example.org", address, "secret", Optional.of(nowhere));
    assertThatThrownBy(() -> DnsServer.start(logged, pools, CLOCK, nanos::get))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("no/dns.log cannot be written: there is no directory");
  }

  @Test
  void digUnderstands() throws Exception {
    boolean installed =
        Stream.of(System.getenv("PATH").split(File.pathSeparator))
            .anyMatch(place -> new File(place, "dig").canExecute());
    assumeTrue(installed, "dig is not installed (Debian: bind9-dnsutils)");
    addMany();
    assertThat(dig("+noall", "+answer", "many.rns.example.org", "A").lines()).hasSize(8)
        .allMatch(line -> line.contains("192.0.2."));
    assertThat(dig("+short", "_http._tcp.many.rns.example.org", "SRV").lines()).hasSize(ZoneRecords.RECORDS);
    assertThat(dig("+notcp", "+ignore", "_http._tcp.many.rns.example.org", "SRV")).contains("flags: qr aa tc rd");
    assertThat(dig("none.rns.example.org")).contains("status: NXDOMAIN").contains("SOA");
    assertThat(dig("example.com")).contains("status: REFUSED");
    assertThat(dig("+edns=1", "+noednsneg", "rns.example.org", "SOA")).contains("status: BADVERS");
    assertThat(dig()).doesNotContain("Warning").doesNotContain("malformed");
  }

  private String dig(String... arguments) throws Exception {
    List<String> command =
        new ArrayList<>(List.of("dig", "@127.0.0.1", "-p", Integer.toString(server.port()), "+timeout=20"));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(output).doesNotContain("malformed").doesNotContain("Warning: ID mismatch");
    return output;
  }
}
