package io.rns.loadtest.contest;

import io.rns.api.CallContext;
import io.rns.api.Consistency;
import io.rns.api.NameService;
import io.rns.api.Position;
import io.rns.api.QueryRequest;
import io.rns.api.Target;
import io.rns.client.RnsClient;
import io.rns.loadtest.launcher.Poll;
import io.rns.loadtest.load.LoadData;
import io.rns.loadtest.load.LoadOperation;
import io.rns.loadtest.load.RawLoad;
import io.rns.loadtest.measure.Workload;
import io.rns.loadtest.service.HttpTarget;
import java.net.URI;
import java.time.Duration;
import java.util.List;

/** Clients of single servers of a group. */
final class GroupClients {
  static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final QueryRequest ROOT = QueryRequest.of(Target.ROOT);

  private GroupClients() {}

  /** A client of one server, which forwards what it cannot answer. */
  static NameService client(URI server, int connections) {
    return RnsClient.builder().server(server).followReferrals(false).connections(connections).build();
  }

  /** Queries by prepared messages. */
  static Workload queries(String name, URI server, LoadData data, int clients) {
    HttpTarget target = HttpTarget.of(RnsClient.soapEndpoint(server).toString());
    Workload queries = new RawLoad(target, data, TIMEOUT).of(LoadOperation.QUERY, clients);
    return queries.as(name, queries.arrivals());
  }

  /** Waits until each server answers with everything that the primary has by now. */
  static void await(NameService primary, List<URI> servers) throws InterruptedException {
    Position wanted = primary.query(CallContext.ANONYMOUS.with(Consistency.PRIMARY), ROOT).position();
    for (URI server : servers) {
      try (NameService client = client(server, 1)) {
        Poll.until(server + " catches up with the primary",
            () -> client.query(CallContext.ANONYMOUS.with(Consistency.ANY), ROOT).position().covers(wanted));
      }
    }
  }
}
