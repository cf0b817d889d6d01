package io.rns.loadtest.contest;

import io.rns.api.NameService;
import io.rns.loadtest.group.GroupLayout;
import io.rns.loadtest.group.ServerGroup;
import io.rns.loadtest.group.ServerGroup.Member;
import io.rns.loadtest.load.LoadData;
import io.rns.loadtest.load.Work;
import io.rns.loadtest.measure.Measurement;
import io.rns.loadtest.measure.Observer;
import io.rns.loadtest.measure.Processors;
import io.rns.loadtest.measure.Row;
import io.rns.loadtest.measure.Schedule;
import io.rns.loadtest.measure.Series;
import io.rns.loadtest.measure.Workload;
import io.rns.loadtest.quota.Quota;
import io.rns.loadtest.service.LoadDirectory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Queries at each of two replicas alone and at both, each held to a share of the processors.
 *
 * @param processors how many each of them may use; 0 for as many as it can get
 * @param warmUp how long both are queried before they are held
 */
public record ScaleOutContest(double processors, int clients, Duration warmUp, Contest contest) {
  private static final int REPLICAS = 2;
  /** What two servers are to give at least, of one. */
  private static final double WANTED = 1.9;
  /** What they are to do at least with the same time of the processors. */
  private static final double WANTED_PER_PROCESSOR = 0.95;
  /** "Throughput improved to 269 requests/s from 123 requests/s", one and two servers of 2008. */
  private static final double PAPER_ONE = 123;
  private static final double PAPER_TWO = 269;
  private static final String NOT_SHOWN =
      "what machines of their own would give: servers, databases and generator share the cores, caches, memory and "
          + "disk of this one, no network is between them, and only the servers are held. That servers do not hinder "
          + "each other is all that it shows.";

  /** Starts a group, measures, and removes it. */
  public Contest.Report run(Path launcher, Consumer<String> progress) throws InterruptedException {
    String how = processors == 0
        ? "no: each server takes as much of the processors as it gets"
        : "each server to " + Quota.check(processors);
    progress.accept("starting " + (REPLICAS + 1) + " servers");
    try (ServerGroup group = ServerGroup.start(launcher, GroupLayout.of(REPLICAS))) {
      List<Member> members = group.members();
      Member primary = members.getFirst();
      List<Member> replicas = members.subList(1, REPLICAS + 1);
      progress.accept("adding entries to work with");
      try (NameService names = GroupClients.client(primary.url(), 4);
          LoadDirectory directory = LoadDirectory.create(names)) {
        LoadData data = LoadData.withoutListing(directory, Work.QUERIES);
        GroupClients.await(names, replicas.stream().map(Member::url).toList());
        return report(replicas.stream().map(Member::name).toList(), measure(replicas, data, progress), how);
      }
    }
  }

  /** One alone before both, the other one after them: a machine that becomes faster or slower does so on both sides. */
  private List<Series> measure(List<Member> replicas, LoadData data, Consumer<String> progress)
      throws InterruptedException {
    List<Workload> each = replicas.stream()
        .map(server -> GroupClients.queries(server.name() + " alone", server.url(), data, clients)).toList();
    Workload both = Contest.together("both", each);
    progress.accept("warming up");
    both.run(new Schedule(Duration.ZERO, warmUp));
    Map<String, List<Long>> processes = new LinkedHashMap<>();
    replicas.forEach(server -> processes.put(server.name(), List.of(server.serverPid())));
    Observer observer = new Observer(new Processors(processes), second -> {}, () -> {});
    try (Quota quotas = Quota.each(processors, replicas.stream().map(Member::serverPid).toList())) {
      progress.accept(quotas.toString());
      return contest.run(List.of(each.get(0), both, each.get(1)), observer, progress);
    }
  }

  /**
   * Compares both servers with the mean of each alone, round by round.
   *
   * @param measured one alone, both, the other alone
   */
  static Contest.Report report(List<String> servers, List<Series> measured, String held) {
    Series first = measured.get(0);
    Series both = measured.get(1);
    Series second = measured.get(2);
    List<Row> rows = new ArrayList<>();
    rows.add(row(first, servers.subList(0, 1)));
    rows.add(row(second, servers.subList(1, 2)));
    Row together = row(both, servers);
    List<Row> rounds = IntStream.range(0, both.runs().size()).mapToObj(round -> {
      Measurement one = first.runs().get(round);
      Measurement two = both.runs().get(round);
      Measurement other = second.runs().get(round);
      double alone = (one.throughput() + other.throughput()) / 2;
      double perProcessorAlone =
          (perProcessorSecond(one, servers.subList(0, 1)) + perProcessorSecond(other, servers.subList(1, 2))) / 2;
      return Row.of("both, round " + (round + 1))
          .with("perSecond", two.throughput())
          .with("ratio", two.throughput() / alone)
          .with("perProcessorRatio",
              perProcessorAlone == 0 ? 0 : perProcessorSecond(two, servers) / perProcessorAlone);
    }).toList();
    double ratio = median(rounds, "ratio");
    double perProcessor = median(rounds, "perProcessorRatio");
    rows.add(together.with("ratio", ratio).with("perProcessorRatio", perProcessor));
    rows.addAll(rounds);
    rows.add(Row.of("bar").with("ratio", WANTED).with("perProcessorRatio", WANTED_PER_PROCESSOR));
    rows.add(Row.of("paper, one").with("perSecond", PAPER_ONE));
    rows.add(Row.of("paper, two").with("perSecond", PAPER_TWO).with("ratio", PAPER_TWO / PAPER_ONE));
    Map<String, String> notes = new LinkedHashMap<>();
    notes.put("held", held);
    notes.put("throughput", Contest.verdict("%.2f x that of one server; wanted is %.2f x", ratio, WANTED,
        ratio >= WANTED));
    notes.put("per second of the servers' processor time",
        Contest.verdict("%.2f x what one server does; wanted is %.2f x", perProcessor, WANTED_PER_PROCESSOR,
            perProcessor >= WANTED_PER_PROCESSOR));
    notes.put("not shown", NOT_SHOWN);
    return new Contest.Report(rows, notes);
  }

  private static double median(List<Row> rounds, String figure) {
    return Series.median(rounds.stream().mapToDouble(row -> row.figure(figure)).toArray());
  }

  private static Row row(Series series, List<String> servers) {
    Measurement together = series.together();
    return Contest.row(series)
        .with("processors", used(together, servers).toNanos() / (double) together.measured().toNanos())
        .with("perProcessorSecond", perProcessorSecond(together, servers));
  }

  /** Queries per second that servers have used of the processors; 0 if that was too little to be counted. */
  private static double perProcessorSecond(Measurement run, List<String> servers) {
    Duration used = used(run, servers);
    return used.isZero() ? 0 : run.completed() * 1e9 / used.toNanos();
  }

  private static Duration used(Measurement run, List<String> servers) {
    return servers.stream().map(server -> run.used().getOrDefault(server, Duration.ZERO)).reduce(Duration.ZERO,
        Duration::plus);
  }
}
