package io.rns.loadtest.contest;

import io.rns.api.EntryName;
import io.rns.api.NameService;
import io.rns.api.RnsPath;
import io.rns.error.RnsException;
import io.rns.loadtest.measure.LoadClient;
import io.rns.loadtest.measure.Measurement;
import io.rns.loadtest.measure.Row;
import io.rns.loadtest.measure.Series;
import io.rns.loadtest.measure.Workload;
import io.rns.loadtest.peer.PeerService;
import io.rns.loadtest.service.HttpTarget;
import io.rns.loadtest.service.LoadDirectory;
import io.rns.loadtest.service.LoadTransport;
import io.rns.loadtest.service.NameServiceClient;
import io.rns.loadtest.service.RnsPeer;
import io.rns.loadtest.service.Tree;
import io.rns.loadtest.work.Call;
import io.rns.loadtest.work.CallSource;
import io.rns.loadtest.work.WorkloadCaller;
import io.rns.loadtest.work.Keys;
import io.rns.loadtest.work.Kind;
import io.rns.loadtest.work.Mix;
import io.rns.loadtest.work.Places;
import io.rns.loadtest.work.SessionClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The same queries, additions and listings at RNS and its peers.
 *
 * @param via how RNS is called; peers are called through their own client libraries
 */
public record PeerContest(String serviceUrl, LoadTransport via, int junctions, int fanOut, List<Integer> clients,
    Contest contest) {
  private static final List<Kind> OPERATIONS = List.of(Kind.QUERY, Kind.ADD, Kind.LIST);
  private static final String RNS = "rns";
  private static final double WHOLE = 100;
  private static final long NUMBERS_PER_WORK = 1_000_000;
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final Duration FILLING_TIMEOUT = Duration.ofMinutes(1);

  /** A peer that may not be available. */
  public record Candidate(String name, Start start) {}

  public interface Start {
    PeerService peer() throws InterruptedException;
  }

  private record Work(Kind operation, int clients) {}

  /** What is looked up and listed, and beside it the directories to add to, so that what is listed does not grow. */
  private record Trees(Places read, Places written) {
    static Trees below(RnsPath top, int junctions, int fanOut) {
      return new Trees(new Tree(top.child(EntryName.of("read")), junctions, 1, fanOut).places(),
          new Tree(top.child(EntryName.of("written")), junctions, 1, fanOut).places());
    }

    /** What adds their directories, parents first, below one that exists. */
    List<Call> directories(String existing) {
      // sorted, parents come before their children
      Set<String> all = new TreeSet<>();
      for (Places places : List.of(read, written)) {
        for (int number = 0; number < places.junctions(); number++) {
          String at = Call.directoryOf(places.junction(number));
          while (!at.equals(existing) && all.add(at)) {
            at = Call.directoryOf(at);
          }
        }
      }
      return all.stream().map(path -> Call.of(Kind.MKDIR, path)).toList();
    }

    /** What adds the junctions to look up. */
    List<Call> junctions() {
      return IntStream.range(0, read.junctions()).mapToObj(i -> Call.of(Kind.ADD, read.junction(i))).toList();
    }
  }

  /** Starts the peers, adds the same entries to all, measures, and removes everything. */
  public Contest.Report run(NameService names, List<Candidate> candidates, Consumer<String> progress)
      throws InterruptedException {
    Map<String, String> notes = new LinkedHashMap<>();
    Map<String, PeerService> contestants = new LinkedHashMap<>();
    try (LoadDirectory directory = LoadDirectory.create(names)) {
      Trees trees = Trees.below(directory.path(), junctions, fanOut);
      PeerService rns = new RnsPeer(HttpTarget.of(serviceUrl), names, via);
      progress.accept("adding entries to rns");
      fill(rns, trees, directory.path().toString());
      notes.put(RNS, rns.durability());
      contestants.put(RNS, rns);
      for (Candidate candidate : candidates) {
        admit(candidate, trees, contestants, notes, progress);
      }
      Map<Workload, Work> turns = turns(contestants, trees);
      List<Series> measured = contest.run(List.copyOf(turns.keySet()), progress);
      return new Contest.Report(rows(turns, measured, notes), notes);
    } finally {
      contestants.values().forEach(PeerService::close);
    }
  }

  private void admit(Candidate candidate, Trees trees, Map<String, PeerService> contestants,
      Map<String, String> notes, Consumer<String> progress) throws InterruptedException {
    progress.accept("starting " + candidate.name());
    try {
      PeerService peer = candidate.start().peer();
      try {
        progress.accept("adding entries to " + candidate.name());
        fill(peer, trees, "/");
      } catch (RnsException | InterruptedException e) {
        peer.close();
        throw e;
      }
      contestants.put(candidate.name(), peer);
      notes.put(candidate.name(), peer.durability());
    } catch (RnsException e) {
      notes.put(candidate.name(), "left out: " + e.getMessage());
      progress.accept("without " + candidate.name() + ": " + e.getMessage());
    }
  }

  private void fill(PeerService peer, Trees trees, String existing) throws InterruptedException {
    if (peer.operations().contains(Kind.ADD)) {
      fill(peer, trees.directories(existing), 1);
      fill(peer, trees.junctions(), Collections.max(clients));
    }
  }

  /** Has a peer do what adds entries, in any order if by several clients. */
  static void fill(PeerService peer, List<Call> calls, int clients) throws InterruptedException {
    Queue<Call> left = new ConcurrentLinkedQueue<>(calls);
    CallSource source =
        new CallSource() {
          @Override
          public @Nullable Call next() {
            return left.poll();
          }

          @Override
          public void done(Call call, boolean succeeded) {
            if (!succeeded) {
              left.clear();
            }
          }
        };
    List<LoadClient> filling = new ArrayList<>();
    for (int i = 0; i < clients; i++) {
      filling.add(new SessionClient(peer.session(), source));
    }
    NameServiceClient.fill(filling, FILLING_TIMEOUT);
  }

  /** Those of one operation and number of clients one after the other, so that what is compared is near in time. */
  private Map<Workload, Work> turns(Map<String, PeerService> contestants, Trees trees) {
    Map<Workload, Work> turns = new LinkedHashMap<>();
    for (Kind operation : OPERATIONS) {
      for (int count : clients) {
        Work work = new Work(operation, count);
        contestants.forEach((name, peer) -> {
          if (peer.operations().contains(operation)) {
            turns.put(workload(work, name, peer, trees), work);
          }
        });
      }
    }
    return turns;
  }

  private Workload workload(Work work, String name, PeerService peer, Trees trees) {
    Kind operation = work.operation();
    Places places = operation == Kind.ADD ? trees.written() : trees.read();
    Mix mix = new Mix(Map.of(operation, WHOLE));
    Keys.Choice choice = Keys.UNIFORM.among(places.junctions(), places.perDirectory());
    String number = clients.size() == 1 ? "" : work.clients() == 1 ? ", 1 client" : ", " + work.clients() + " clients";
    // Each client of each work adds names of its own.
    AtomicLong numbers = new AtomicLong(work.clients() * NUMBERS_PER_WORK);
    return peer.workload(operation + number + ": " + name, work.clients(), i -> {
      long next = numbers.getAndIncrement();
      return new WorkloadCaller(mix, places, choice, "c" + next + "n", next);
    }, TIMEOUT);
  }

  private static List<Row> rows(Map<Workload, Work> turns, List<Series> all, Map<String, String> notes) {
    Map<Work, Series> rns = new HashMap<>();
    List<Row> rows = new ArrayList<>();
    for (Series series : all) {
      Series reference = rns.computeIfAbsent(turns.get(series.workload()), first -> series);
      Measurement together = series.together();
      String name = series.workload().name();
      Row row = Row.of(name).with("perSecond", series.throughput());
      if (together.completed() > 0) {
        row = row.with("rnsToIt", reference.ratioTo(series)).with("p50Micros", together.micros(50))
            .with("p99Micros", together.micros(99));
      }
      rows.add(row.with("errors", (double) together.failures().total()));
      if (together.failures().total() > 0) {
        notes.put(name, "failed: " + together.failures());
      }
    }
    return rows;
  }
}
