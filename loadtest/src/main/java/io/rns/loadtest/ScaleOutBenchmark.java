package io.rns.loadtest;

import io.rns.api.NameService;
import io.rns.client.RnsClient;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.loadtest.group.Group;
import io.rns.loadtest.group.Layout;
import io.rns.loadtest.group.Member;
import io.rns.loadtest.http.HttpClients;
import io.rns.loadtest.measure.LoadClient;
import io.rns.loadtest.measure.Observer;
import io.rns.loadtest.measure.Processors;
import io.rns.loadtest.measure.Rounds;
import io.rns.loadtest.measure.Schedule;
import io.rns.loadtest.measure.Workload;
import io.rns.loadtest.quota.Quota;
import io.rns.loadtest.quota.Quotas;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Asks each of two replicas alone and then both at once, each held to a share of the processors.
 *
 * @param processors how many each of them may use; 0 for as many as it can get
 * @param clients how many ask each server
 * @param rounds how often they take turns
 * @param warmUp how long both are asked before they are held
 * @param turn how long each turn is measured
 */
public record ScaleOutBenchmark(double processors, int clients, int rounds, Duration warmUp, Schedule turn) {
  private static final int REPLICAS = 2;
  private static final int FILLING_CLIENTS = 4;

  /**
   * Starts a group, measures, and removes it.
   *
   * @param launcher the program {@code rns}
   * @throws RnsException {@link RnsError#UNAVAILABLE} if servers cannot be held here, there is no group to be had, or
   *         it does not answer
   */
  public BenchReport run(Path launcher, Consumer<String> progress) throws InterruptedException {
    String how = held();
    progress.accept("starting " + (REPLICAS + 1) + " servers");
    try (Group group = Group.start(launcher, Layout.of(REPLICAS))) {
      List<Member> members = group.members();
      return measure(members.getFirst().url(), members.subList(1, REPLICAS + 1), how, progress);
    }
  }

  /** Finds out, before anything is started, whether and how servers are held. */
  private String held() {
    if (processors == 0) {
      return "no: each server takes as much of the processors as it gets";
    }
    try (Quota tried = Quota.of(processors)) {
      return "each server to " + tried;
    }
  }

  private BenchReport measure(URI primary, List<Member> asked, String how, Consumer<String> progress)
      throws InterruptedException {
    progress.accept("making entries to work with");
    try (NameService names = Followers.client(primary, FILLING_CLIENTS);
        LoadDirectory directory = LoadDirectory.create(names)) {
      LoadData data = LoadData.withoutListing(directory, Followers.QUERIES, FILLING_CLIENTS);
      Followers.await(names, asked.stream().map(Member::url).toList());
      List<Workload> each = asked.stream().map(server -> queries(server, data)).toList();
      Workload both = together(each);
      progress.accept("warming up");
      boolean unused = both.run(new Schedule(Duration.ZERO, warmUp)).completed() > 0;
      return new ScaleOutFigures(asked.stream().map(Member::name).toList(), held(asked, each, both, progress))
          .report(how);
    }
  }

  /**
   * One alone before both, the other one after them: what makes the machine faster or slower meanwhile is on both
   * sides.
   */
  private Rounds.Outcome held(List<Member> asked, List<Workload> each, Workload both, Consumer<String> progress)
      throws InterruptedException {
    Map<String, List<Long>> processes = new LinkedHashMap<>();
    asked.forEach(server -> processes.put(server.name(), List.of(server.serverPid())));
    Observer observer = new Observer(new Processors(processes), second -> {}, () -> {});
    try (Quotas quotas = Quotas.each(processors, asked.stream().map(Member::serverPid).toList())) {
      progress.accept(quotas.toString());
      Rounds.Outcome outcome =
          Rounds.run(List.of(each.get(0), both, each.get(1)), rounds, turn, turn, observer, progress);
      if (outcome.interrupted()) {
        throw new InterruptedException("stopped");
      }
      return outcome;
    }
  }

  private Workload queries(Member server, LoadData data) {
    HttpTarget target = HttpTarget.of(RnsClient.soapEndpoint(server.url()).toString());
    Workload queries = new RawLoad(target, data, HttpClients::of, Followers.TIMEOUT).of(LoadOperation.QUERY, clients);
    return queries.as(server.name() + " alone", queries.arrivals());
  }

  private static Workload together(List<Workload> each) {
    return new Workload(
        "both",
        1,
        () -> {
          List<LoadClient> all = new ArrayList<>();
          each.forEach(one -> all.addAll(one.clients().get()));
          return all;
        },
        Followers.TIMEOUT);
  }
}
