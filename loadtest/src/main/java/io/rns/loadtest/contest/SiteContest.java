package io.rns.loadtest.contest;

import io.rns.api.NameService;
import io.rns.loadtest.group.ServerGroup;
import io.rns.loadtest.group.GroupLayout;
import io.rns.loadtest.group.ServerGroup.Member;
import io.rns.loadtest.link.Delay;
import io.rns.loadtest.load.ClientLoad;
import io.rns.loadtest.load.LoadData;
import io.rns.loadtest.load.LoadOperation;
import io.rns.loadtest.load.Work;
import io.rns.loadtest.measure.Row;
import io.rns.loadtest.measure.Series;
import io.rns.loadtest.measure.Workload;
import io.rns.loadtest.service.LoadDirectory;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Names looked up at a replica beside the client, while the primary is at another site. */
public record SiteContest(Duration delay, int clients, double rate, Contest contest) {
  /** How many times what a query takes beside the primary it may take at the replica. */
  private static final double WANTED = 1.2;
  private static final int SESSIONS = 16;

  /** Clients at all distances together. */
  private static final int MANY = 120;

  /** A replica at the site of the client, and the primary without and over the distance. */
  record Sites(URI replica, URI primary, URI distant) {}

  /** Starts a group with a distance between its members, measures, and removes it. */
  public Contest.Report run(Path launcher, Consumer<String> progress) throws InterruptedException {
    progress.accept("starting 2 servers");
    GroupLayout layout = GroupLayout.of(1, new Delay(delay, Duration.ZERO), Delay.NONE);
    try (ServerGroup group = ServerGroup.start(launcher, layout)) {
      List<Member> members = group.members();
      return measure(new Sites(members.get(1).url(), members.get(0).url(), group.overLine(members.get(0))), progress);
    }
  }

  Contest.Report measure(Sites sites, Consumer<String> progress) throws InterruptedException {
    progress.accept("adding entries to work with");
    try (NameService primary = GroupClients.client(sites.primary(), SESSIONS);
        NameService replica = GroupClients.client(sites.replica(), SESSIONS);
        NameService distant = GroupClients.client(sites.distant(), SESSIONS);
        Distances distances = Distances.open(sites.primary(), delay, SESSIONS);
        LoadDirectory directory = LoadDirectory.create(primary)) {
      LoadData data = LoadData.withoutListing(directory, Work.QUERIES);
      GroupClients.await(primary, List.of(sites.replica()));
      List<Workload> workloads = new ArrayList<>(
          List.of(
              GroupClients.queries("query: primary, beside it", sites.primary(), data, clients),
              GroupClients.queries("query: replica", sites.replica(), data, clients),
              GroupClients.queries("query: no replica", sites.distant(), data, clients),
              sessions("session: replica", replica, replica, data),
              sessions("session: replica reads, primary writes", distant, replica, data),
              sessions("session: no replica", distant, distant, data)));
      workloads.addAll(manySites(sites, replica, distances, data));
      return report(contest.run(workloads, progress));
    }
  }

  /** Many clients, some at each distance from the primary, and what an addition costs at each. */
  private static List<Workload> manySites(Sites sites, NameService replica, Distances distances, LoadData data) {
    List<Workload> workloads = new ArrayList<>();
    int each = MANY / distances.ways().size();
    workloads.add(
        Contest.together(
            "query: " + MANY + " clients, mixed distances",
            distances.ways().stream().map(way -> GroupClients.queries(way.name(), way.server(), data, each)).toList()));
    workloads.add(GroupClients.queries("query: " + MANY + " clients at the replica", sites.replica(), data, MANY));
    for (Distances.Way way : distances.ways()) {
      workloads.add(additions("add: " + way.name(), way.client(), data));
    }
    workloads.add(additions("add: at the replica", replica, data));
    return workloads;
  }

  private static Workload additions(String name, NameService client, LoadData data) {
    Workload additions = new ClientLoad(client, client, data, 0, GroupClients.TIMEOUT).of(LoadOperation.ADD, SESSIONS);
    return additions.as(name, additions.arrivals());
  }

  private Workload sessions(String name, NameService writer, NameService reader, LoadData data) {
    Workload sessions =
        new ClientLoad(writer, reader, data, rate, GroupClients.TIMEOUT).of(LoadOperation.SESSION, SESSIONS);
    return sessions.as(name, sessions.arrivals());
  }

  private Contest.Report report(List<Series> all) {
    List<Row> rows = new ArrayList<>(all.stream().map(Contest::row).toList());
    double times = all.get(0).ratioTo(all.get(1));
    rows.set(1, rows.get(1).with("timesBeside", times));
    double roundTrip = 2 * delay.toNanos() / 1e3;
    rows.add(Row.of("bar").with("timesBeside", WANTED).with("sessionP99Micros", roundTrip));
    double p99 = rows.get(3).figure("p99Micros");
    Map<String, String> notes = new LinkedHashMap<>();
    notes.put("query at the replica", Contest.verdict(
        "%.2f x what it takes beside the primary; wanted is at most %.1f x", times, WANTED, times <= WANTED));
    notes.put("session read at the replica", Contest.verdict("p99 %.1f ms; wanted is at most a round trip, %.0f ms",
        p99 / 1e3, roundTrip / 1e3, p99 <= roundTrip));
    notes.put("sessions", "each adds a junction and looks it up as soon as that is acknowledged; only the lookup is "
        + "measured. At the replica, additions are forwarded to the primary over the distance.");
    notes.put("distance", delay.toMillis() + " ms in each direction, in front of the primary's server and database; "
        + "all share the cores of this machine");
    return new Contest.Report(rows, notes);
  }
}
