package io.rns.loadtest;

import io.rns.api.Consistency;
import io.rns.api.EndpointReference;
import io.rns.api.NameService;
import io.rns.api.RnsPath;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.loadtest.http.HttpClients;
import io.rns.loadtest.measure.Measurement;
import io.rns.loadtest.measure.Rounds;
import io.rns.loadtest.measure.Row;
import io.rns.loadtest.measure.Schedule;
import io.rns.loadtest.measure.Series;
import io.rns.loadtest.measure.Workload;
import io.rns.loadtest.pool.Echo;
import io.rns.loadtest.pool.ResolutionClients;
import io.rns.loadtest.work.Keys;
import io.rns.loadtest.work.Mix;
import io.rns.pool.Parameters;
import io.rns.pool.PolicyType;
import io.rns.pool.PoolService;
import io.rns.pool.Registration;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;

/**
 * Resolves a pool by SOAP, ASAP and DNS, in turns with queries of names, and with the same clients at a process that
 * gives the same answers without thinking.
 *
 * @param serviceUrl where SOAP messages are posted
 * @param asap where a registrar of the service is heard by ASAP; left out if empty
 * @param dns where the service is heard by DNS; left out if empty
 * @param clients how many of each kind, one kind at a time
 * @param rounds how often they take turns
 * @param first how long each is measured in the first round
 * @param later and in the others
 */
public record ResolutionBenchmark(
    String serviceUrl, Optional<InetSocketAddress> asap, Optional<Dns> dns, int clients, int rounds, Schedule first,
    Schedule later) {
  /** The queries that resolution is compared with: a thousand paths of four names. */
  private static final Work QUERIES =
      new Work(Mix.parse(Mix.HDFS), 1_000, 4, 100, new Keys.Uniform(), 0, Consistency.SESSION);
  private static final int FILLING_CLIENTS = 4;
  private static final int ELEMENTS = 3;
  private static final long LIFETIME_MILLIS = 3_600_000;
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final int P99 = 99;

  /** The same clients, and a process that has one answer: what they reach at most on the machine. */
  private static final String ECHO = ", echo";

  /**
   * A server of names.
   *
   * @param address where it is heard
   * @param zone that it answers for
   */
  public record Dns(InetSocketAddress address, String zone) {}

  /**
   * Registers a pool, measures, and takes the pool out again.
   *
   * @param names the service; makes and removes what is queried
   * @param pools of the same service
   * @throws RnsException {@link RnsError#UNAVAILABLE} if nobody answers
   */
  public List<Row> run(NameService names, PoolService pools, Consumer<String> progress) throws InterruptedException {
    String name = "bench-" + Long.toString(ThreadLocalRandom.current().nextLong(1L << 40), Character.MAX_RADIX);
    RnsPath handle = RnsPath.parse("/" + name);
    HttpTarget service = HttpTarget.of(serviceUrl);
    progress.accept("making entries to work with");
    try (LoadDirectory directory = LoadDirectory.create(names)) {
      LoadData data = LoadData.make(directory, QUERIES, 0, FILLING_CLIENTS);
      for (int id = 1; id <= ELEMENTS; id++) {
        EndpointReference at = EndpointReference.ofAddress("http://127.0.0." + id + ":8080/");
        pools.register(handle, PolicyType.ROUND_ROBIN,
            new Registration(id, List.of(at), Parameters.PLAIN, LIFETIME_MILLIS));
      }
      try (Echo echo = echo(name)) {
        return rows(Rounds.run(workloads(service, data, name, echo), rounds, first, later, progress));
      } finally {
        for (int id = 1; id <= ELEMENTS; id++) {
          boolean unused = pools.deregister(handle, id);
        }
      }
    }
  }

  /** The answers of the service without the service. */
  private Echo echo(String name) {
    return Echo.start(
        asap.map(at -> ResolutionClients.asapAnswer(at, "/" + name)),
        dns.map(at -> ResolutionClients.dnsAnswer(at.address(), question(name, at))));
  }

  private static String question(String name, Dns at) {
    return "_http._tcp." + name + "." + at.zone();
  }

  private List<Workload> workloads(HttpTarget service, LoadData data, String name, Echo echo) {
    RawLoad raw = new RawLoad(service, data, HttpClients::of, TIMEOUT);
    List<Workload> workloads = new ArrayList<>();
    workloads.add(raw.of(LoadOperation.QUERY, clients));
    workloads.add(raw.poolResolution("/" + name, clients));
    asap.ifPresent(
        at -> {
          workloads.add(new Workload("ASAP", 1, () -> ResolutionClients.asap(at, "/" + name, clients), TIMEOUT));
          workloads.add(
              new Workload("ASAP" + ECHO, 1, () -> ResolutionClients.asap(echo.tcp(), "/" + name, clients), TIMEOUT));
        });
    dns.ifPresent(
        at -> {
          String question = question(name, at);
          workloads.add(new Workload("DNS", 1, () -> ResolutionClients.dns(at.address(), question, clients), TIMEOUT));
          workloads
              .add(new Workload("DNS" + ECHO, 1, () -> ResolutionClients.dns(echo.udp(), question, clients), TIMEOUT));
        });
    return workloads;
  }

  private static List<Row> rows(List<Series> all) {
    Series query = all.get(0);
    List<Row> rows = new ArrayList<>();
    for (Series series : all) {
      Measurement together = series.together();
      if (together.completed() == 0) {
        throw new RnsException(
            RnsError.UNAVAILABLE, "nothing was resolved by " + series.workload().name() + ": " + together.failures());
      }
      String echo = series.workload().name() + ECHO;
      Row row =
          Row.of(series.workload().name())
              .with("perSecond", series.throughput())
              .with("toQuery", series.ratioTo(query))
              .with("p50Micros", together.micros(50))
              .with("p99Micros", together.micros(P99))
              .with("errors", (double) together.failures().total());
      Optional<Series> ceiling = all.stream().filter(one -> one.workload().name().equals(echo)).findFirst();
      rows.add(ceiling.map(most -> row.with("toEcho", series.ratioTo(most))).orElse(row));
    }
    return rows;
  }
}
