package io.rns.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.CallContext;
import io.rns.api.ListRequest;
import io.rns.api.ModelNameService;
import io.rns.api.NameService;
import io.rns.api.QueryRequest;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.error.RnsError;
import io.rns.replication.Role;
import io.rns.server.metrics.ServerMetrics.Snapshot;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ServerMetricsTest {
  private static final Path BOARD = Path.of("..", "docker", "grafana-rns.json");
  private static final Pattern METRIC = Pattern.compile("\\b[a-z]+(_[a-z]+)+(?=\\{)");
  private static final Pattern SAMPLE = Pattern.compile("(?m)^([a-z_]+)(?:\\{.*})? ");

  private static Target target(String path) {
    return Target.of(RnsPath.parse(path));
  }

  @Test
  void countsRequestsByOperationAndOutcome() {
    try (ServerMetrics metrics = new ServerMetrics();
        NameService service = metrics.over(new ModelNameService())) {
      CallContext call = CallContext.ANONYMOUS;
      service.add(call, AddRequest.of(NewEntry.directory(target("/d"))));
      service.query(call, QueryRequest.of(target("/d")));
      service.query(call, new QueryRequest(List.of(target("/d"), target("/absent"), target("/other")), false));
      service.list(call, ListRequest.of(target("/absent")));
      assertThat(metrics.text(new Snapshot(Role.PRIMARY, Map.of())))
          .contains(
              "rns_requests_seconds_count{operation=\"add\",outcome=\"ok\"} 1\n",
              "rns_requests_seconds_count{operation=\"query\",outcome=\"ok\"} 1\n",
              "rns_requests_seconds_count{operation=\"query\",outcome=\"" + RnsError.NO_SUCH_ENTRY + "\"} 1\n",
              "rns_requests_seconds_count{operation=\"list\",outcome=\"" + RnsError.NO_SUCH_ENTRY + "\"} 1\n",
              "rns_requests_seconds_bucket{operation=\"add\",outcome=\"ok\",le=\"20.0\"} 1\n");
    }
  }

  @Test
  void areThoseOfTheMoment() {
    try (ServerMetrics metrics = new ServerMetrics()) {
      assertThat(metrics.text(new Snapshot(Role.STARTING, Map.of()))).contains("rns_cache_hits_total 0.0\n",
          "rns_writer_queue NaN\n");
      assertThat(metrics.text(new Snapshot(Role.REPLICA, Map.of("hits", 7L, "watchers", 2))))
          .contains("rns_cache_hits_total 7.0\n", "rns_watchers 2.0\n", "rns_role{role=\"replica\"} 1.0\n",
              "rns_role{role=\"primary\"} 0.0\n");
      assertThat(metrics.text(new Snapshot(Role.PRIMARY, Map.of("hits", 9L, "watchers", 1))))
          .contains("rns_cache_hits_total 9.0\n", "rns_watchers 1.0\n", "rns_role{role=\"primary\"} 1.0\n");
    }
  }

  @Test
  void haveAllThatTheBoardAsksFor() throws IOException {
    Set<String> asked = new TreeSet<>();
    for (JsonNode panel : new ObjectMapper().readTree(BOARD.toFile()).get("panels")) {
      for (JsonNode query : panel.get("targets")) {
        METRIC.matcher(query.get("expr").asText()).results().forEach(found -> asked.add(found.group()));
      }
    }
    Map<String, Number> all = Metric.ALL.stream().collect(Collectors.toMap(Metric::statistic, figure -> 1));
    try (ServerMetrics metrics = new ServerMetrics()) {
      Set<String> served =
          SAMPLE.matcher(metrics.text(new Snapshot(Role.PRIMARY, all))).results().map(found -> found.group(1))
              .collect(Collectors.toSet());
      // There is none before the first collection.
      served.add("jvm_gc_pause_seconds_sum");
      assertThat(asked).hasSizeGreaterThan(25);
      assertThat(served).containsAll(asked);
    }
  }
}
