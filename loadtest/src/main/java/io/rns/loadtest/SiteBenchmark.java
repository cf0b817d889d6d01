package io.rns.loadtest;

import io.rns.api.NameService;
import io.rns.client.RnsClient;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.loadtest.group.Group;
import io.rns.loadtest.group.Layout;
import io.rns.loadtest.group.Member;
import io.rns.loadtest.http.HttpClients;
import io.rns.loadtest.link.Delay;
import io.rns.loadtest.measure.Measurement;
import io.rns.loadtest.measure.Rounds;
import io.rns.loadtest.measure.Row;
import io.rns.loadtest.measure.Schedule;
import io.rns.loadtest.measure.Series;
import io.rns.loadtest.measure.Workload;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A client and a replica at one site, the primary at another: what queries and reads after own writes take, with and
 * without the replica.
 *
 * @param delay between the sites, in each direction
 * @param clients how many ask for queries
 * @param rate writes per second, each of which is looked up as soon as it is acknowledged
 * @param rounds how often all take turns
 * @param first how long each is measured in the first round
 * @param later and in the others
 */
public record SiteBenchmark(Duration delay, int clients, double rate, int rounds, Schedule first, Schedule later) {
  /** How many times what a query takes beside the primary it may take at the replica. */
  private static final double WANTED = 1.2;
  private static final int SESSIONS = 16;
  private static final int FILLING_CLIENTS = 4;
  private static final int P99 = 99;

  /**
   * Where the servers are.
   *
   * @param replica at the site of the client
   * @param primary as who is beside it reaches it
   * @param distant the primary, as the client reaches it
   */
  record Sites(URI replica, URI primary, URI distant) {}

  /**
   * Starts a group with the distance between its members, measures, and removes it.
   *
   * @param launcher the program {@code rns}
   * @throws RnsException {@link RnsError#UNAVAILABLE} if there is no group to be had, or it does not answer
   */
  public BenchReport run(Path launcher, Consumer<String> progress) throws InterruptedException {
    progress.accept("starting 2 servers");
    Layout layout = Layout.of(1).withLines(List.of(new Delay(delay, Duration.ZERO), Delay.NONE));
    try (Group group = Group.start(launcher, layout)) {
      List<Member> members = group.members();
      return measure(new Sites(members.get(1).url(), members.get(0).url(), group.overLine(members.get(0))), progress);
    }
  }

  BenchReport measure(Sites sites, Consumer<String> progress) throws InterruptedException {
    progress.accept("making entries to work with");
    try (NameService primary = Followers.client(sites.primary(), FILLING_CLIENTS);
        NameService replica = Followers.client(sites.replica(), SESSIONS);
        NameService distant = Followers.client(sites.distant(), SESSIONS);
        LoadDirectory directory = LoadDirectory.create(primary)) {
      LoadData data = LoadData.withoutListing(directory, Followers.QUERIES, FILLING_CLIENTS);
      Followers.await(primary, List.of(sites.replica()));
      List<Workload> workloads =
          List.of(
              queries("query: primary, beside it", sites.primary(), data),
              queries("query: replica", sites.replica(), data),
              queries("query: no replica", sites.distant(), data),
              sessions("session: replica", replica, replica, data),
              sessions("session: replica reads, primary writes", distant, replica, data),
              sessions("session: no replica", distant, distant, data));
      return report(Rounds.run(workloads, rounds, first, later, progress));
    }
  }

  private Workload queries(String name, URI server, LoadData data) {
    HttpTarget target = HttpTarget.of(RnsClient.soapEndpoint(server).toString());
    Workload queries = new RawLoad(target, data, HttpClients::of, Followers.TIMEOUT).of(LoadOperation.QUERY, clients);
    return queries.as(name, queries.arrivals());
  }

  private Workload sessions(String name, NameService writer, NameService reader, LoadData data) {
    Workload sessions =
        new ClientLoad(writer, reader, data, rate, Followers.TIMEOUT).of(LoadOperation.SESSION, SESSIONS);
    return sessions.as(name, sessions.arrivals());
  }

  private BenchReport report(List<Series> all) {
    Series beside = all.get(0);
    Series replica = all.get(1);
    List<Row> rows = new ArrayList<>();
    all.forEach(series -> rows.add(row(series)));
    double times = beside.ratioTo(replica);
    rows.set(1, rows.get(1).with("timesBeside", times));
    double roundTrip = 2 * delay.toNanos() / 1e3;
    rows.add(Row.of("bar").with("timesBeside", WANTED).with("sessionP99Micros", roundTrip));
    double p99 = all.get(3).together().micros(P99);
    Map<String, String> notes = new LinkedHashMap<>();
    notes.put(
        "query at the replica",
        String.format(
            Locale.ROOT, "%.2f x what it takes beside the primary; wanted is at most %.1f x: %s", times, WANTED,
            verdict(times, WANTED)));
    notes.put(
        "session read at the replica",
        String.format(
            Locale.ROOT, "p99 %.1f ms; wanted is at most a round trip, %.0f ms: %s", p99 / 1e3, roundTrip / 1e3,
            verdict(p99, roundTrip)));
    notes.put(
        "sessions",
        "each adds a junction and looks it up as soon as that is acknowledged; only the lookup is measured. At the replica, additions go on to the "
            + "primary over the distance.");
    notes.put("distance", delay.toMillis()
        + " ms in each direction, in front of the primary's server and database; all share the cores of this machine");
    return new BenchReport(rows, notes);
  }

  private static String verdict(double figure, double most) {
    return figure <= most ? "reached" : "missed";
  }

  private static Row row(Series series) {
    Measurement together = series.together();
    if (together.completed() == 0) {
      throw new RnsException(RnsError.UNAVAILABLE,
          "nothing was answered by " + series.workload().name() + ": " + together.failures());
    }
    return Row.of(series.workload().name())
        .with("perSecond", series.throughput())
        .with("p50Micros", together.micros(50))
        .with("p99Micros", together.micros(P99))
        .with("errors", (double) together.failures().total());
  }
}
