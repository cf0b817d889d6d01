package io.rns.client.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.rns.api.RnsPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The examples work, over sockets, and docs/pools.md shows just them. */
@Timeout(120)
class PoolExamplesTest {
  private final MemoryPools pools = new MemoryPools(() -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()), 0);

  @ParameterizedTest
  @ValueSource(strings = {"replicated", "admission", "rejecting", "get"})
  void theDocumentShowsTheExample(String name) throws IOException {
    String source = Files.readString(Path.of("src/test/java/io/rns/client/pool/PoolExamples.java"));
    String mark = "// example " + name + "\n";
    String body = source.substring(source.indexOf(mark) + mark.length());
    body = body.substring(0, body.lastIndexOf("\n", body.indexOf("// end")) + 1);
    assertThat(Files.readString(Path.of("../docs/pools.md")))
        .contains("```java\n" + body.stripTrailing().stripIndent() + "\n```\n");
  }

  @Test
  void aServiceIsAnsweredByWhoeverLives() throws IOException {
    HttpServer one = PoolExamples.serving(PoolExamples::answer);
    HttpServer other = PoolExamples.serving(PoolExamples::answer);
    one.start();
    other.start();
    String oneUrl = PoolExamples.url(one.getAddress().getPort());
    String otherUrl = PoolExamples.url(other.getAddress().getPort());
    try {
      List<String> answers = PoolExamples.replicated(pools, oneUrl, otherUrl, () -> one.stop(0));
      assertThat(answers.subList(0, 2)).containsExactlyInAnyOrder(oneUrl, otherUrl);
      assertThat(answers.subList(2, 6)).containsOnly(otherUrl);
    } finally {
      one.stop(0);
      other.stop(0);
    }
  }

  /** A small and a large server: what the small one cannot take goes to the large one, until both are full. */
  @Test
  void whatOneTurnsAwayTheOtherTakes() throws Exception {
    RnsPath handle = RnsPath.parse("/svc/work");
    CountDownLatch over = new CountDownLatch(1);
    ExecutorService threads = Executors.newCachedThreadPool();
    List<HttpServer> servers = new ArrayList<>();
    List<PoolElement> elements = new ArrayList<>();
    try {
      for (int limit : new int[]{1, 3}) {
        Admission admission = new Admission(limit);
        HttpServer server = PoolExamples.limited(admission, over);
        server.setExecutor(threads);
        server.start();
        servers.add(server);
        elements.add(PoolExamples.rejecting(pools, handle, PoolExamples.url(server.getAddress().getPort()), admission));
      }
      PoolUser user = PoolUser.of(pools);
      List<CompletableFuture<String>> answers = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        answers.add(
            CompletableFuture.supplyAsync(
                () -> {
                  try {
                    return user.session(handle).call(element -> PoolExamples.get(element.endpoint().address()));
                  } catch (IOException e) {
                    throw new AssertionError(e);
                  }
                },
                threads));
      }
      awaitOccupied(handle, 4);
      assertThatThrownBy(() -> user.session(handle).call(element -> PoolExamples.get(element.endpoint().address())))
          .isInstanceOf(ElementBusyException.class);
      over.countDown();
      String small = PoolExamples.url(servers.get(0).getAddress().getPort());
      List<String> answered = new ArrayList<>();
      for (CompletableFuture<String> answer : answers) {
        answered.add(answer.get(60, TimeUnit.SECONDS));
      }
      assertThat(answered.stream().filter(small::equals)).hasSize(1);
      assertThat(pools.reports()).isZero();
    } finally {
      over.countDown();
      elements.forEach(PoolElement::close);
      servers.forEach(server -> server.stop(0));
      threads.shutdownNow();
    }
  }

  private void awaitOccupied(RnsPath handle, long places) {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    long occupied = 0;
    while (occupied != places && System.nanoTime() < until) {
      occupied = pools.ids(handle).stream()
          .mapToLong(id -> pools.registration(handle, id).parameters().occupancy().occupied()).sum();
    }
    assertThat(occupied).isEqualTo(places);
  }
}
