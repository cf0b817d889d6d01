package io.rns.server.soap;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import com.sun.management.ThreadMXBean;
import io.rns.api.AddRequest;
import io.rns.api.EntryName;
import io.rns.api.ListRequest;
import io.rns.api.ModelNameService;
import io.rns.api.QueryRequest;
import io.rns.api.Target;
import io.rns.client.message.RemoteCall;
import io.rns.client.message.StandardCall;
import io.rns.error.RnsException;
import io.rns.wire.HostileMessages;
import io.rns.wire.resource.Property;
import io.rns.xml.XmlPull;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Messages that were mutated at random, for some seconds: whatever comes, the server answers with XML and blames the
 * caller, and the client throws nothing but its own errors; neither takes long or much memory.
 *
 * <p>The cases are the same each time, as many of them as there is time for; {@code -Drns.test.seed=SEED} begins with
 * others, {@code -Drns.test.seconds=N} goes on for longer than the usual {@value #SECONDS} s per test. A failure names
 * its seed.
 */
class MutatedMessagesTest {
  static final int SECONDS = 3;

  private static final int MOST_MILLIS = 10_000;
  private static final long MOST_BYTES = 128L << 20;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static final SoapSettings SETTINGS =
      new SoapSettings(Optional.empty(), Duration.ofSeconds(1), 1, InstantSource.system());

  /** One case: what is done to a seed of messages. */
  private interface Check {
    void on(byte[] message);
  }

  private static void forSomeSeconds(List<byte[]> seeds, Check check) {
    long first = Long.getLong("rns.test.seed", 1);
    long until = System.nanoTime() + Duration.ofSeconds(Long.getLong("rns.test.seconds", SECONDS)).toNanos();
    long seed = first;
    for (; System.nanoTime() - until < 0; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      byte[] message = new Mutations(random).of(seeds.get(random.nextInt(seeds.size())));
      long allocated = THREADS.getCurrentThreadAllocatedBytes();
      long began = System.nanoTime();
      try {
        check.on(message);
      } catch (RuntimeException | Error e) {
        throw new AssertionError("with -Drns.test.seed=" + seed + ": " + e + "\n" + shown(message), e);
      }
      long millis = Duration.ofNanos(System.nanoTime() - began).toMillis();
      long bytes = THREADS.getCurrentThreadAllocatedBytes() - allocated;
      if (millis > MOST_MILLIS || bytes > MOST_BYTES) {
        fail("with -Drns.test.seed=" + seed + ": took " + millis + " ms and " + bytes + " bytes\n" + shown(message));
      }
    }
    assertThat(seed - first).as("cases").isGreaterThan(10);
  }

  private static String shown(byte[] message) {
    String text = new String(message, UTF_8);
    return text.length() < 4_000 ? text + "\n" + HexFormat.of().formatHex(message) : text.substring(0, 4_000) + "...";
  }

  @Test
  void theServerAnswersAnything() {
    List<byte[]> seeds = new ArrayList<>(StandardMessages.all());
    HostileMessages.all().forEach(hostile -> seeds.add(hostile.bytes()));
    SoapEndpoint[] endpoint = {null};
    int[] served = {0};
    forSomeSeconds(
        seeds,
        message -> {
          if (served[0]++ % 500 == 0) {
            // A fresh tree, now and then: that of the model must not grow for ever.
            endpoint[0] =
                new SoapEndpoint(SoapEndpoint.Parts.of(new ModelNameService(InstantSource.system()), SETTINGS));
            StandardMessages.all().subList(0, 3).forEach(standard -> Entrances.fast(endpoint[0], standard));
          }
          byte[] answer = Entrances.fast(endpoint[0], message);
          if (answer != null) {
            assertThat(new String(answer, UTF_8)).doesNotContain(">INTERNAL</");
            try (XmlPull pull = XmlPull.answer(new ByteArrayInputStream(answer))) {
              pull.skip();
              pull.finish();
            }
          }
        });
  }

  @Test
  void theClientReadsAnything() {
    SoapEndpoint endpoint =
        new SoapEndpoint(SoapEndpoint.Parts.of(new ModelNameService(InstantSource.system()), SETTINGS));
    List<byte[]> seeds = new ArrayList<>();
    for (byte[] standard : StandardMessages.all()) {
      String extended = new String(standard, UTF_8).replace("<s:Header>", "<s:Header><x:Extensions/>");
      for (byte[] message : List.of(standard, extended.getBytes(UTF_8))) {
        byte[] answer = Entrances.fast(endpoint, message);
        if (answer != null) {
          seeds.add(answer);
        }
      }
    }
    Target path = Target.of("/a/b");
    List<Consumer<InputStream>> readers =
        List.of(
            reader(RemoteCall.query(QueryRequest.of(path))::read),
            reader(RemoteCall.query(new QueryRequest(List.of(path, path), true))::read),
            reader(RemoteCall.list(new ListRequest(path, 10, Optional.empty(), Optional.empty()))::read),
            reader(RemoteCall.add(AddRequest.of(AddRequest.NewEntry.directory(path)))::read),
            reader(StandardCall.lookup(List.of(EntryName.of("a")))::read),
            reader(StandardCall.lookupAll()::read),
            reader(StandardCall.iterate(0, 10)::read),
            reader(StandardCall.properties(List.of(Property.values()))::read),
            reader(StandardCall.resolve()::read));
    forSomeSeconds(
        seeds,
        message -> {
          for (Consumer<InputStream> reader : readers) {
            try {
              reader.accept(new ByteArrayInputStream(message));
            } catch (RnsException expected) {
              assertThat(expected.getMessage()).isNotBlank();
            }
          }
        });
  }

  private interface Read {
    Object from(InputStream in);
  }

  private static Consumer<InputStream> reader(Read read) {
    return in -> {
      var unused = read.from(in);
    };
  }
}
