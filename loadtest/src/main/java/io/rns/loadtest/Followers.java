package io.rns.loadtest;

import io.rns.api.CallContext;
import io.rns.api.Consistency;
import io.rns.api.NameService;
import io.rns.api.Position;
import io.rns.api.QueryRequest;
import io.rns.api.Target;
import io.rns.client.RnsClient;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.loadtest.work.Keys;
import io.rns.loadtest.work.Mix;
import java.net.URI;
import java.time.Duration;
import java.util.List;

/** Servers that follow a primary, in benchmarks of groups. */
final class Followers {
  /** What they are asked for: a thousand paths of four names. */
  static final Work QUERIES = new Work(Mix.parse(Mix.HDFS), 1_000, 4, 100, new Keys.Uniform(), 0, Consistency.SESSION);

  static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration LOOK = Duration.ofMillis(20);
  private static final QueryRequest ROOT = QueryRequest.of(Target.ROOT);

  private Followers() {}

  /** A client that asks one server, which sends on what it cannot answer. */
  static NameService client(URI server, int connections) {
    return RnsClient.builder().server(server).followReferrals(false).connections(connections).build();
  }

  /** Waits until each of them answers with all that the primary has by now. */
  static void await(NameService primary, List<URI> servers) throws InterruptedException {
    Position wanted = primary.query(CallContext.ANONYMOUS.with(Consistency.PRIMARY), ROOT).position();
    long end = System.nanoTime() + PATIENCE.toNanos();
    for (URI server : servers) {
      try (NameService client = client(server, 1)) {
        while (!client.query(CallContext.ANONYMOUS.with(Consistency.ANY), ROOT).position().covers(wanted)) {
          if (System.nanoTime() - end > 0) {
            throw new RnsException(RnsError.UNAVAILABLE,
                server + " has not what was written, after " + PATIENCE.toSeconds() + " s");
          }
          Thread.sleep(LOOK.toMillis());
        }
      }
    }
  }
}
