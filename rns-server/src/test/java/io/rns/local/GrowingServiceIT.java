package io.rns.local;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.CallContext;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.QueryRequest;
import io.rns.api.Target;
import io.rns.client.RnsClient;
import io.rns.error.Limits;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A service of one group gets a second one, and a partition of it, while a client writes and reads what it wrote. */
@Tag("slow")
@Tag("long")
class GrowingServiceIT {
  /** A client that repeats for longer than a service takes to restart. */
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private static final int DIRECTORIES = 7;
  private static final int SOME = 200;

  @TempDir private Path temporary;

  /** Writes one entry after the other, and reads each at once, with one of those before. */
  private static final class Writer implements AutoCloseable {
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final AtomicInteger written = new AtomicInteger();
    private final NameService names;
    private final Future<?> work;
    private volatile boolean over;

    Writer(String url) {
      names = RnsClient.builder().server(URI.create(url)).attempts(10_000).deadline(PATIENCE).build();
      work = thread.submit(this::write);
    }

    private void write() {
      while (!over) {
        int number = written.get();
        NewEntry entry =
            NewEntry.junction(Target.of(path(number)), EndpointReference.ofAddress("urn:" + number));
        names.add(CallContext.ANONYMOUS, AddRequest.of(entry).withParents()).value().forEach(Outcome::orThrow);
        for (int read : List.of(number, number / 2)) {
          assertThat(reference(names, read)).isEqualTo("urn:" + read);
        }
        written.incrementAndGet();
        // The other processors are for the server that starts.
        LockSupport.parkNanos(5_000_000);
      }
    }

    /** Waits for further requests that were answered well. */
    void awaitSome() {
      int before = written.get();
      Eventually.holds("requests are answered", () -> work.isDone() || written.get() > before + SOME);
      assertThat(work.state()).isEqualTo(Future.State.RUNNING);
    }

    /** Ends it; the number of entries. */
    int end() throws Exception {
      over = true;
      Object unused = work.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      return written.get();
    }

    @Override
    public void close() {
      over = true;
      thread.shutdownNow();
      names.close();
    }
  }

  private static String path(int number) {
    return "/busy/d" + number % DIRECTORIES + "/n" + number;
  }

  private static String reference(NameService names, int number) {
    Entry found =
        names.query(CallContext.ANONYMOUS, QueryRequest.of(Target.of(path(number)))).value().getFirst().orThrow();
    return found instanceof Entry.Junction junction ? junction.references().getFirst().address() : "no junction";
  }

  /** As docs/operations.md says of groups and partitions. */
  @Test
  void aSecondGroupJoinsWhileTheFirstOneServes() throws Exception {
    int port = Ports.free();
    int second = Ports.free();
    try (LocalService first = service("data", port, Map.of()); Writer writer = new Writer(first.url())) {
      writer.awaitSome();
      Map<String, String> settings =
          Map.of(
              "RNS_GROUP", "1", "RNS_ROOT_SERVERS", url(port), "RNS_GROUP_SECRET",
              new DataDirectory(temporary.resolve("data")).groupSecret());
      try (LocalService other = service("other", second, settings)) {
        assigned(first.url(), writer, other.url());
      }
    }
  }

  private static String url(int port) {
    return "http://127.0.0.1:" + port + "/rns";
  }

  private LocalService service(String name, int port, Map<String, String> settings) {
    Map<String, String> environment = new HashMap<>(settings);
    environment.put("RNS_SERVER_NAME", name);
    environment.put("RNS_SERVER_URL", url(port));
    return LocalService.start(
        new LocalService.Settings(
            temporary.resolve(name), port, "256m", "64M", LocalInstallation.find().war(), null)
            .withEnvironment(environment),
        line -> {});
  }

  /** Assigns what is written to the second group, and looks for all of it at both. */
  private void assigned(String first, Writer writer, String second) throws Exception {
    Eventually.holds("the group is known",
        () -> command(first, "partition", "ls").path("groups").findValuesAsText("name").contains("1"));
    writer.awaitSome();
    assertThat(command(first, "partition", "assign", "/busy", "--to", "1").path("group").asInt()).isEqualTo(1);
    writer.awaitSome();
    int written = writer.end();
    for (String url : List.of(first, second)) {
      try (NameService names = RnsClient.builder().server(URI.create(url)).build()) {
        for (int directory = 0; directory < DIRECTORIES; directory++) {
          int remainder = directory;
          List<Target> all = IntStream.range(0, written).filter(number -> number % DIRECTORIES == remainder)
              .mapToObj(number -> Target.of(path(number))).toList();
          Target in = Target.of("/busy/d" + directory);
          assertThat(names.query(CallContext.ANONYMOUS, QueryRequest.of(in).withCounts()).value().getFirst().orThrow())
              .isInstanceOfSatisfying(Entry.VirtualDirectory.class,
                  counted -> assertThat(counted.entries()).as(url).isEqualTo(all.size()));
          for (int from = 0; from < all.size(); from += Limits.BATCH_ITEMS) {
            names.query(
                CallContext.ANONYMOUS,
                new QueryRequest(all.subList(from, Math.min(all.size(), from + Limits.BATCH_ITEMS)), false)).value()
                .forEach(Outcome::orThrow);
          }
        }
      }
    }
  }

  private JsonNode command(String server, String... arguments) {
    return LocalCommand.json(temporary.resolve("data"), server, arguments);
  }
}
