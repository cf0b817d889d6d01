package io.rns.loadtest.pool;

import io.rns.api.EndpointReference;
import io.rns.api.NameService;
import io.rns.api.RnsPath;
import io.rns.loadtest.contest.Contest;
import io.rns.loadtest.http.RawConnection;
import io.rns.loadtest.launcher.Io;
import io.rns.loadtest.load.LoadData;
import io.rns.loadtest.load.LoadOperation;
import io.rns.loadtest.load.RawLoad;
import io.rns.loadtest.load.Work;
import io.rns.loadtest.measure.LoadClient;
import io.rns.loadtest.measure.Measurement;
import io.rns.loadtest.measure.RatioInterval;
import io.rns.loadtest.measure.Row;
import io.rns.loadtest.measure.Series;
import io.rns.loadtest.measure.Workload;
import io.rns.loadtest.service.Answers;
import io.rns.loadtest.service.HttpTarget;
import io.rns.loadtest.service.LoadDirectory;
import io.rns.loadtest.service.Messages;
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
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Resolutions of a pool by SOAP, ASAP and DNS beside queries of names, these queries once more, and the same clients at
 * a process that returns the same answers without any work.
 */
public record ResolutionContest(String serviceUrl, Optional<InetSocketAddress> asap, Optional<Dns> dns, int clients,
    Contest contest) {
  private static final int ELEMENTS = 3;
  private static final long LIFETIME_MILLIS = 3_600_000;
  private static final byte[] NO_ANSWER = new byte[2];
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  /** The same load once more: what differs then is chance. */
  private static final String AGAIN = ", again";

  /** The same clients, and a process that has one answer: what they reach at most on the machine. */
  private static final String ECHO = ", echo";

  public record Dns(InetSocketAddress address, String zone) {
    private String question(String pool) {
      return "_http._tcp." + pool + "." + zone;
    }
  }

  /** Registers a pool, measures, and deregisters the pool. */
  public List<Row> run(NameService names, PoolService pools, Consumer<String> progress) throws InterruptedException {
    String name = "bench-" + Long.toString(ThreadLocalRandom.current().nextLong(1L << 40), Character.MAX_RADIX);
    RnsPath handle = RnsPath.parse("/" + name);
    progress.accept("adding entries to work with");
    try (LoadDirectory directory = LoadDirectory.create(names)) {
      LoadData data = LoadData.withoutListing(directory, Work.QUERIES);
      for (int id = 1; id <= ELEMENTS; id++) {
        EndpointReference at = EndpointReference.ofAddress("http://127.0.0." + id + ":8080/");
        pools.register(handle, PolicyType.ROUND_ROBIN,
            new Registration(id, List.of(at), Parameters.PLAIN, LIFETIME_MILLIS));
      }
      try (Echo echo = new Echo(
          asap.map(at -> AsapUser.of(at, "/" + name)).map(user -> answer(user, user::answer)).orElse(NO_ANSWER),
          dns.map(at -> new DnsUser(at.address(), at.question(name))).map(user -> answer(user, user::answer))
              .orElse(NO_ANSWER))) {
        return rows(contest.run(workloads(data, name, echo), progress));
      } finally {
        for (int id = 1; id <= ELEMENTS; id++) {
          pools.deregister(handle, id);
        }
      }
    }
  }

  /** The answer of a user that is closed then. */
  private static byte[] answer(LoadClient user, Io.Source<byte[]> answer) {
    try (user) {
      return Io.get("resolving the pool", answer);
    }
  }

  private List<Workload> workloads(LoadData data, String name, Echo echo) {
    HttpTarget service = HttpTarget.of(serviceUrl);
    byte[] request = service.post(Messages.poolResolve("/" + name));
    List<Workload> workloads = new ArrayList<>();
    Workload query = new RawLoad(service, data, TIMEOUT).of(LoadOperation.QUERY, clients);
    workloads.add(query);
    workloads.add(query.as(query.name() + AGAIN, query.arrivals()));
    workloads.add(
        workload("SOAP",
            () -> RawConnection.clients(service.address(), 1, i -> () -> request, Answers::soap).getFirst()));
    asap.ifPresent(at -> {
      workloads.add(workload("ASAP", () -> AsapUser.of(at, "/" + name)));
      workloads.add(workload("ASAP" + ECHO, () -> AsapUser.of(echo.tcp(), "/" + name)));
    });
    dns.ifPresent(at -> {
      String question = at.question(name);
      workloads.add(workload("DNS", () -> new DnsUser(at.address(), question)));
      workloads.add(workload("DNS" + ECHO, () -> new DnsUser(echo.udp(), question)));
    });
    return workloads;
  }

  private Workload workload(String name, Supplier<LoadClient> client) {
    return new Workload(name, 1, () -> Stream.generate(client).limit(clients).toList(), TIMEOUT);
  }

  private static List<Row> rows(List<Series> all) {
    List<Row> rows = new ArrayList<>();
    for (Series series : all) {
      String echo = series.workload().name() + ECHO;
      RatioInterval toQuery = RatioInterval.of(rates(series), rates(all.get(0)));
      Row row = Contest.row(series).with("toQuery", series.ratioTo(all.get(0)))
          .with("toQueryLow", toQuery.low()).with("toQueryHigh", toQuery.high());
      Optional<Series> ceiling = all.stream().filter(one -> one.workload().name().equals(echo)).findFirst();
      rows.add(ceiling.map(most -> row.with("toEcho", series.ratioTo(most))).orElse(row));
    }
    return rows;
  }

  private static List<Double> rates(Series series) {
    return series.runs().stream().map(Measurement::throughput).toList();
  }
}
