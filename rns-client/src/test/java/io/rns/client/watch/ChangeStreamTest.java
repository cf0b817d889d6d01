package io.rns.client.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.rns.api.Change;
import io.rns.api.Position;
import io.rns.api.RnsPath;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A stream goes on at the next server of a group. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ChangeStreamTest {
  private static final URI NOBODY = URI.create("http://127.0.0.1:1/rns");

  private final List<Watched> servers = new ArrayList<>();

  /** A server that tells consecutive changes up to some sequence, and refuses who has seen later ones. */
  private static final class Watched implements AutoCloseable {
    private final HttpServer http;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final List<String> questions = Collections.synchronizedList(new ArrayList<>());
    private final int group;
    private final boolean stays;
    private volatile long last;
    private volatile String before = "";
    private volatile String redirection = "";

    Watched(int group, long last, boolean stays) {
      this.group = group;
      this.last = last;
      this.stays = stays;
      try {
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      http.setExecutor(threads);
      http.createContext("/rns/watch", this::watch);
      http.start();
    }

    URI address() {
      return URI.create("http://127.0.0.1:" + http.getAddress().getPort() + "/rns");
    }

    private void watch(HttpExchange exchange) throws IOException {
      String query = exchange.getRequestURI().getQuery();
      questions.add(query);
      int from = query.indexOf("from=");
      long known = from < 0 ? 0 : Position.parse(query.substring(from + "from=".length())).sequence();
      try (exchange) {
        if (!redirection.isEmpty()) {
          exchange.getResponseHeaders().set("Location", redirection + "/watch?" + query);
          exchange.sendResponseHeaders(307, -1);
          return;
        }
        boolean refused = known > last;
        StringBuilder text = new StringBuilder(refused ? "{\"message\":\"not reached\"}" : event("position", known));
        for (long sequence = known + 1; !refused && sequence <= last; sequence++) {
          text.append(event("added", sequence));
        }
        exchange.sendResponseHeaders(refused ? 400 : 200, 0);
        OutputStream body = exchange.getResponseBody();
        body.write((before + text).getBytes(StandardCharsets.UTF_8));
        body.flush();
        if (stays && !refused) {
          closed.await();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    private String event(String name, long sequence) {
      String position = "\"position\":\"" + group + "-1-" + sequence + "\"";
      String rest = ",\"path\":\"/" + sequence + "\",\"id\":\"0000000000000009\",\"time\":\"2026-01-01T00:00:00Z\"";
      return "event: " + name + "\ndata: {" + position + rest + "}\n\n";
    }

    @Override
    public void close() {
      closed.countDown();
      http.stop(0);
      threads.shutdownNow();
    }
  }

  private Watched server(int group, long last, boolean stays) {
    Watched server = new Watched(group, last, stays);
    servers.add(server);
    return server;
  }

  @AfterEach
  void stop() {
    servers.forEach(Watched::close);
  }

  private static List<Long> next(ChangeStream stream, int count) throws InterruptedException {
    List<Long> sequences = new ArrayList<>();
    while (sequences.size() < count) {
      Optional<Change> change = stream.next(Duration.ofSeconds(30));
      sequences.add(change.orElseThrow().position().sequence());
    }
    return sequences;
  }

  @Test
  void theNextServerGoesOnWhereOneEnds() throws InterruptedException {
    Watched first = server(0, 3, false);
    Watched second = server(0, 6, true);
    try (ChangeStream stream = ChangeStream.of(List.of(first.address(), NOBODY, second.address())).open()) {
      assertThat(next(stream, 6)).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
      assertThat(second.questions).containsExactly("path=/&from=0-1-3");
    }
  }

  @Test
  void aWatchGoesToTheGroupThatOwnsThePathAndKnowsWhatItDoesNotSee() throws InterruptedException {
    Watched first = server(0, 9, true);
    Watched owner = server(1, 2, true);
    first.redirection = owner.address().toString();
    owner.before = "event: cut\ndata: {\"position\":\"1-1-0\",\"path\":\"/a/b\",\"group\":2}\n\n";
    try (ChangeStream stream = ChangeStream.of(first.address()).path(RnsPath.parse("/a")).open()) {
      assertThat(stream.cuts()).containsExactly(RnsPath.parse("/a/b"));
      assertThat(next(stream, 2)).containsExactly(1L, 2L);
      assertThat(owner.questions).containsExactly("path=/a");
    }
  }

  @Test
  void serversThatRedirectInACircleEndTheWatch() {
    Watched first = server(0, 9, true);
    Watched second = server(0, 9, true);
    first.redirection = second.address().toString();
    second.redirection = first.address().toString();
    assertThatThrownBy(() -> ChangeStream.of(first.address()).open())
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.UNAVAILABLE));
    first.redirection = "ftp://nowhere";
    assertThatThrownBy(() -> ChangeStream.of(first.address()).open()).hasMessageContaining("redirects to 'ftp://");
  }

  @Test
  void aServerThatIsAwayAtTheBeginningIsPassedOver() throws InterruptedException {
    Watched second = server(0, 2, true);
    try (ChangeStream stream = ChangeStream.of(List.of(NOBODY, second.address())).open()) {
      assertThat(next(stream, 2)).containsExactly(1L, 2L);
    }
    assertThatThrownBy(() -> ChangeStream.of(List.of(NOBODY, NOBODY)).open())
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.UNAVAILABLE));
    assertThatThrownBy(() -> ChangeStream.of(List.of())).hasMessage("no server to watch");
  }

  @Test
  void aServerThatHasNotGotAsFarIsGivenTime() throws InterruptedException {
    Watched first = server(0, 3, true);
    Watched late = server(0, 1, true);
    try (ChangeStream stream = ChangeStream.of(List.of(first.address(), late.address())).open()) {
      assertThat(next(stream, 3)).containsExactly(1L, 2L, 3L);
      first.close();
      while (late.questions.size() < 3) {
        assertThat(stream.next(Duration.ofMillis(1))).isEmpty();
      }
      late.last = 5;
      assertThat(next(stream, 2)).containsExactly(4L, 5L);
    }
  }

  @Test
  void aPositionThatNobodyHasReachedIsRefusedAtTheBeginning() {
    List<URI> both = List.of(server(0, 3, true).address(), server(0, 4, true).address());
    assertThatThrownBy(() -> ChangeStream.of(both).from(new Position(0, 1, 9)).open())
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.INVALID_REQUEST));
    assertThat(servers).allMatch(server -> server.questions.size() == 1);
  }

  /** Otherwise it would return, after more changes of primary, with an epoch that had no changes. */
  @Test
  void theServerNamesTheEpochOfTheChangeAtThePosition() throws InterruptedException {
    Watched server = server(0, 3, true);
    try (ChangeStream stream = ChangeStream.of(server.address()).from(new Position(0, 4, 2)).open()) {
      assertThat(stream.position()).isEqualTo(new Position(0, 1, 2));
      assertThat(next(stream, 1)).containsExactly(3L);
    }
  }

  @Test
  void aServerOfAnotherGroupIsNotBelieved() throws InterruptedException {
    Watched first = server(0, 3, false);
    Watched other = server(7, 9, true);
    Watched third = server(0, 4, true);
    try (ChangeStream stream = ChangeStream.of(List.of(first.address(), other.address(), third.address())).open()) {
      assertThat(next(stream, 4)).containsExactly(1L, 2L, 3L, 4L);
    }
  }
}
