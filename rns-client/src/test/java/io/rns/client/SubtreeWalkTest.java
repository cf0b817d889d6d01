package io.rns.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.sun.net.httpserver.HttpExchange;
import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.CallContext;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.EntryFilter;
import io.rns.api.Metadata;
import io.rns.api.ModelNameService;
import io.rns.api.NamePattern;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.SubtreePage.Visit;
import io.rns.api.SubtreePosition;
import io.rns.api.SubtreeRequest.Order;
import io.rns.api.Target;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Walks of subtrees that a server sends in one answer, or in the parts that bad connections leave of it. */
@Timeout(60)
class SubtreeWalkTest {
  private static final String LINES = "application/x-ndjson;charset=UTF-8";

  private final NameService model = new ModelNameService();
  private final List<String> queries = Collections.synchronizedList(new ArrayList<>());
  private final AtomicInteger delegated = new AtomicInteger();
  private final AtomicInteger passedOn = new AtomicInteger();
  private final TestServer server = TestServer.start(model);
  private final RnsConnection names =
      RnsClient.builder().server(server.address()).deadline(Duration.ofSeconds(20)).closeWait(Duration.ZERO).build();

  @AfterEach
  void close() {
    names.close();
    server.close();
  }

  private void add(String... paths) {
    List<NewEntry> entries = new ArrayList<>();
    for (String path : paths) {
      entries.add(
          path.endsWith("/")
              ? NewEntry.directory(Target.of(path.substring(0, path.length() - 1)))
              : NewEntry.junction(Target.of(path), EndpointReference.ofAddress("urn:x")));
    }
    model.add(CallContext.ANONYMOUS, new AddRequest(entries, true, false)).value().forEach(Outcome::orThrow);
  }

  private void addSome() {
    Random random = new Random(3);
    List<String> paths = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      StringBuilder path = new StringBuilder();
      for (int depth = 1 + random.nextInt(5); depth > 0; depth--) {
        path.append('/').append("ab-!0é".charAt(random.nextInt(6))).append("-+ %".charAt(random.nextInt(4)));
      }
      paths.add(path + "/");
    }
    add(paths.stream().distinct().sorted().toArray(String[]::new));
    EndpointReference rich =
        EndpointReference.parse(
            "<a:EndpointReference xmlns:a='" + EndpointReference.WSA
                + "'><a:Address>urn:y</a:Address><k xmlns='urn:k'>v</k></a:EndpointReference>");
    NewEntry entry = NewEntry.junction(Target.of("/a-/rich"), rich, EndpointReference.ofAddress("urn:z"));
    NewEntry other = NewEntry.directory(Target.of("/a-/kv")).with(Metadata.of(Map.of("k", "v & \"w\"")));
    Metadata xml = Metadata.parse("<m xmlns=\"urn:m\">text</m>");
    NewEntry third = NewEntry.directory(Target.of("/a-/xml")).with(xml);
    model.add(CallContext.ANONYMOUS, new AddRequest(List.of(entry, other, third), true, false)).value()
        .forEach(Outcome::orThrow);
  }

  private static List<Visit> all(TreeWalk.Settings settings) {
    try (Stream<Visit> visits = settings.open().stream()) {
      return visits.toList();
    }
  }

  // ---- the server's side

  private static String parameter(HttpExchange exchange, String name) {
    return Stream.of(exchange.getRequestURI().getRawQuery().split("&", -1))
        .filter(pair -> pair.startsWith(name + "="))
        .map(pair -> URLDecoder.decode(pair.substring(name.length() + 1), StandardCharsets.UTF_8))
        .findFirst().orElse("");
  }

  /** The lines that answer a request, as our servers write them. */
  private byte[] lines(HttpExchange exchange) throws IOException {
    queries.add(exchange.getRequestURI().getRawQuery());
    Order order = parameter(exchange, "order").equals("lines") ? Order.LINES : Order.NAMES;
    String after = parameter(exchange, "after");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (JsonGenerator json = new JsonFactory().createGenerator(out)) {
      json.setRootValueSeparator(new com.fasterxml.jackson.core.io.SerializedString("\n"));
      for (Visit visit : all(TreeWalk.of(model, Target.ROOT).order(order))) {
        if (after.isEmpty() || order.compare(visit.position(), SubtreePosition.parse(after)) > 0) {
          line(json, visit);
        }
      }
      json.writeStartObject();
      json.writeBooleanField("end", true);
      json.writeStringField("position", "0-1-7");
      json.writeEndObject();
    }
    return out.toByteArray();
  }

  private static void line(JsonGenerator json, Visit visit) throws IOException {
    Entry entry = visit.entry();
    json.writeStartObject();
    json.writeStringField("path", visit.path().toString());
    json.writeStringField("id", entry.id().toString());
    json.writeStringField("parent", entry.binding().parent().toString());
    json.writeNumberField("version", entry.version());
    json.writeStringField("created", entry.created().toString());
    json.writeStringField("modified", entry.modified().toString());
    json.writeStringField("metadataXml", entry.metadata().xml());
    json.writeObjectFieldStart("of a later version");
    json.writeNullField("x");
    json.writeEndObject();
    if (entry instanceof Entry.Junction junction) {
      json.writeArrayFieldStart("references");
      for (EndpointReference reference : junction.references()) {
        json.writeStartObject();
        json.writeStringField("xml", reference.xml());
        json.writeEndObject();
      }
      json.writeEndArray();
    }
    if (visit.last()) {
      json.writeBooleanField("last", true);
    }
    json.writeEndObject();
  }

  private static void send(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
    try (exchange) {
      exchange.getResponseHeaders().set("Content-Type", type);
      exchange.sendResponseHeaders(status, 0);
      try (OutputStream out = exchange.getResponseBody()) {
        out.write(body);
      }
    }
  }

  private static void send(HttpExchange exchange, int status, String type, String body) throws IOException {
    send(exchange, status, type, body.getBytes(StandardCharsets.UTF_8));
  }

  private boolean hasListed() {
    return server.payloads().containsKey("list");
  }

  @Test
  void aWalkIsOneRequestWhereTheServerSendsSubtrees() {
    addSome();
    server.handle("/rns/names", exchange -> send(exchange, 200, LINES, lines(exchange)));
    for (Order order : Order.values()) {
      assertThat(all(TreeWalk.of(names, Target.ROOT).order(order)))
          .isEqualTo(all(TreeWalk.of(model, Target.ROOT).order(order))).hasSizeGreaterThan(300);
    }
    assertThat(queries).containsExactly("subtree&order=names&depth=1024", "subtree&order=lines&depth=1024");
    assertThat(hasListed()).isFalse();
    assertThat(names.positions()).hasToString("0-1-7");
  }

  @Test
  void whereverTheConnectionBreaksTheWalkGoesOnWithoutGapOrDuplicate() {
    addSome();
    Random random = new Random(5);
    server.handle("/rns/names", exchange -> {
      byte[] lines = lines(exchange);
      int sent = random.nextInt(3) == 0 ? 0 : Math.min(lines.length, random.nextInt(30_000));
      // Also a part of a character, and an answer that seems to be complete.
      send(exchange, 200, LINES, Arrays.copyOf(lines, sent));
    });
    for (Order order : Order.values()) {
      queries.clear();
      assertThat(all(TreeWalk.of(names, Target.ROOT).order(order)))
          .isEqualTo(all(TreeWalk.of(model, Target.ROOT).order(order)));
      assertThat(queries).hasSizeGreaterThan(3);
    }
    assertThat(hasListed()).isFalse();
  }

  @Test
  void aPositionThatIsTooLongForAUrlIsReachedAgain() {
    String name = "n".repeat(900) + "!";
    add(("/" + name).repeat(12) + "/z", "/" + name + "!x", "/" + name + "/zz/", "/y/");
    server.handle("/rns/names", exchange -> {
      byte[] lines = lines(exchange);
      send(exchange, 200, LINES, Arrays.copyOf(lines, queries.size() % 2 == 1 ? 60_000 : lines.length));
    });
    for (Order order : Order.values()) {
      assertThat(all(TreeWalk.of(names, Target.ROOT).order(order)))
          .isEqualTo(all(TreeWalk.of(model, Target.ROOT).order(order))).hasSize(16);
    }
    assertThat(queries).hasSize(4).allMatch(query -> query.length() < 6_000);
  }

  @Test
  void aBusyServerIsAskedAgainAndARefusalEndsTheWalk() {
    addSome();
    server.handle("/rns/names", exchange -> {
      byte[] lines = lines(exchange);
      int end = new String(lines, StandardCharsets.UTF_8).lines().findFirst().orElseThrow()
          .getBytes(StandardCharsets.UTF_8).length;
      String error = queries.size() < 4
          ? "\n{\"error\":{\"code\":\"BUSY\",\"message\":\"later\",\"retryMillis\":1}}\n"
          : "\n{\"error\":{\"code\":\"LIMIT_EXCEEDED\",\"message\":\"too deep\"}}\n";
      send(exchange, 200, LINES, new String(lines, 0, end, StandardCharsets.UTF_8) + error);
    });
    List<Visit> expected = all(TreeWalk.of(model, Target.ROOT));
    try (TreeWalk walk = TreeWalk.of(names, Target.ROOT).open()) {
      for (int i = 0; i < 4; i++) {
        assertThat(walk.next()).isEqualTo(expected.get(i));
      }
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(walk::hasNext).isInstanceOfSatisfying(RnsException.class,
            e -> assertThat(e.error()).isEqualTo(RnsError.LIMIT_EXCEEDED)).hasMessage("too deep");
      }
    }
  }

  @Test
  void otherServersAreWalked() {
    addSome();
    List<Visit> expected = all(TreeWalk.of(model, Target.ROOT));
    EntryFilter filter = new EntryFilter(Optional.of(NamePattern.glob("a*")), Optional.empty(), Map.of());
    // As TestServer answers it: nothing is there.
    assertThat(all(TreeWalk.of(names, Target.ROOT))).isEqualTo(expected);
    assertThat(hasListed()).isTrue();
    // As our servers answered before they had it, and as others may.
    List<String> answers = List.of("application/json {\"path\":\"/\"}", "text/html <p/>",
        "application/problem+json {\"code\":\"UNKNOWN_OPERATION\"}");
    for (String answer : answers) {
      String[] parts = answer.split(" ", 2);
      try (TestServer other = TestServer.start(model)
          .handle("/rns/names", exchange -> send(exchange, 200, parts[0], parts[1]));
          RnsConnection connection = RnsClient.builder().server(other.address()).build()) {
        assertThat(all(TreeWalk.of(connection, Target.ROOT).matching(filter)))
            .isEqualTo(expected.stream().filter(visit -> filter.matches(visit.entry())).toList());
      }
    }
  }

  @Test
  void aServerThatMayNotAnswerNamesTheOneThatDoes() {
    addSome();
    try (TestServer replica = TestServer.start(model).handle("/rns/names",
        exchange -> send(exchange, 421, "application/problem+json",
            "{\"code\":\"NOT_PRIMARY\",\"referral\":\"" + server.address() + "\",\"servers\":[]}"));
        RnsConnection connection = RnsClient.builder().server(replica.address()).build()) {
      server.handle("/rns/names", exchange -> send(exchange, 200, LINES, lines(exchange)));
      assertThat(all(TreeWalk.of(connection, Target.ROOT))).isEqualTo(all(TreeWalk.of(model, Target.ROOT)));
      assertThat(queries).hasSize(1);
    }
  }

  /** What a front does: it sends a client that accepts it to a server, and passes the subtree on to others. */
  private void delegate(TestServer front, String location) {
    front.handle("/rns/names", exchange -> {
      if ("accept".equals(exchange.getRequestHeaders().getFirst("RNS-Direct"))) {
        delegated.incrementAndGet();
        exchange.getResponseHeaders().set("Location", location + "?" + exchange.getRequestURI().getRawQuery());
        exchange.sendResponseHeaders(307, -1);
        exchange.close();
      } else {
        passedOn.incrementAndGet();
        send(exchange, 200, LINES, lines(exchange));
      }
    });
  }

  @Test
  void aFrontSendsTheWalkToAServer() {
    addSome();
    try (TestServer front = TestServer.start(model);
        RnsConnection connection = RnsClient.builder().server(front.address()).build()) {
      delegate(front, "http://127.0.0.1:" + server.port() + "/rns/names");
      Random random = new Random(4);
      server.handle("/rns/names", exchange -> {
        assertThat(exchange.getRequestHeaders()).doesNotContainKey("RNS-Direct");
        byte[] lines = lines(exchange);
        send(exchange, 200, LINES, Arrays.copyOf(lines, Math.min(lines.length, random.nextInt(90_000))));
      });
      assertThat(all(TreeWalk.of(connection, Target.ROOT))).isEqualTo(all(TreeWalk.of(model, Target.ROOT)));
      assertThat(delegated).hasValueGreaterThan(1).hasValue(queries.size());
      assertThat(passedOn).hasValue(0);
    }
  }

  @Test
  void aServerThatRefusesOrCannotBeReachedIsReplacedByTheFront() throws IOException {
    addSome();
    List<Visit> expected = all(TreeWalk.of(model, Target.ROOT));
    int closed;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      closed = socket.getLocalPort();
    }
    server.handle("/rns/names", exchange -> send(exchange, 401, "application/problem+json",
        "{\"code\":\"NOT_AUTHENTICATED\",\"detail\":\"the direct ticket was used before\"}"));
    List<String> wrong = List.of("http://127.0.0.1:" + server.port() + "/rns/names",
        "http://127.0.0.1:" + closed + "/rns/names", "nowhere", "file:///rns/names");
    for (String location : wrong) {
      delegated.set(0);
      passedOn.set(0);
      try (TestServer front = TestServer.start(model);
          RnsConnection connection = RnsClient.builder().server(front.address()).build()) {
        delegate(front, location);
        for (int i = 0; i < 3; i++) {
          assertThat(all(TreeWalk.of(connection, Target.ROOT))).isEqualTo(expected);
        }
      }
      // One that is not reached is not tried again for a minute.
      assertThat(delegated).as(location).hasValue(location.equals(wrong.get(0)) ? 3 : 1);
      assertThat(passedOn).hasValue(3);
    }
  }

  @Test
  void aStartThatIsNoDirectoryIsRefused() {
    server.handle("/rns/names", exchange -> send(exchange, 404, "application/problem+json",
        "{\"code\":\"NO_SUCH_ENTRY\",\"detail\":\"no such entry: /none\"}"));
    assertThatThrownBy(() -> all(TreeWalk.of(names, Target.of("/none")))).hasMessage("no such entry: /none")
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.NO_SUCH_ENTRY));
  }

  @Test
  void theServerNoticesThatAWalkIsAbandoned() throws Exception {
    addSome();
    CountDownLatch gone = new CountDownLatch(1);
    server.handle("/rns/names", exchange -> {
      byte[] lines = lines(exchange);
      int beforeEnd = new String(lines, StandardCharsets.ISO_8859_1).lastIndexOf('\n') + 1;
      exchange.getResponseHeaders().set("Content-Type", LINES);
      exchange.sendResponseHeaders(200, 0);
      try (exchange; OutputStream out = exchange.getResponseBody()) {
        out.write(lines, 0, beforeEnd);
        out.flush();
        while (true) {
          // White space between lines means nothing.
          out.write(" ".repeat(65_536).getBytes(StandardCharsets.UTF_8));
        }
      } catch (IOException e) {
        gone.countDown();
      }
    });
    try (TreeWalk walk = TreeWalk.of(names, Target.ROOT).open()) {
      assertThat(walk.next().path().depth()).isEqualTo(1);
    }
    assertThat(gone.await(30, TimeUnit.SECONDS)).as("the server notices").isTrue();
  }

  @Test
  void aFailureReachesACallerWhoHasNotReadWhatCameBefore() throws Exception {
    add(IntStream.range(0, 8 * 256).mapToObj(i -> "/n" + i).toArray(String[]::new));
    CountDownLatch referred = new CountDownLatch(1);
    server.handle("/rns/names", exchange -> {
      byte[] lines = lines(exchange);
      if (queries.size() == 1) {
        send(exchange, 200, LINES, Arrays.copyOf(lines, new String(lines, StandardCharsets.UTF_8).lastIndexOf('\n')));
      } else {
        send(exchange, 421, "application/problem+json", "{\"code\": \"NOT_PRIMARY\", \"referral\": \"none:at-all\"}");
        referred.countDown();
      }
    });
    try (TreeWalk walk = TreeWalk.of(names, Target.ROOT).deadline(Duration.ofSeconds(40)).open()) {
      assertThat(referred.await(30, TimeUnit.SECONDS)).isTrue();
      assertThatThrownBy(() -> walk.forEachRemaining(visit -> {})).isInstanceOfSatisfying(RnsException.class,
          e -> assertThat(e.error()).isEqualTo(RnsError.NOT_PRIMARY))
          .hasMessage(server.address() + " refers to 'none:at-all', which is no address of a server");
    }
  }

  @Test
  void theDeadlineEndsAWalkWhoseServerIsSilent() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    server.handle("/rns/names", exchange -> {
      exchange.getResponseHeaders().set("Content-Type", LINES);
      exchange.sendResponseHeaders(200, 0);
      try {
        over.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      exchange.close();
    });
    try (TreeWalk walk = TreeWalk.of(names, Target.ROOT).deadline(Duration.ofMillis(300)).open()) {
      assertThatThrownBy(walk::hasNext).hasMessageContaining("cut off by its deadline of 300 ms")
          .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.TIMEOUT));
      assertThat(walk.isCutOff()).isTrue();
    } finally {
      over.countDown();
    }
  }
}
