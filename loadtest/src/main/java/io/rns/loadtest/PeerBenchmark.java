package io.rns.loadtest;

import io.rns.api.NameService;
import io.rns.error.RnsException;
import io.rns.loadtest.measure.LoadClient;
import io.rns.loadtest.measure.Measurement;
import io.rns.loadtest.measure.Rounds;
import io.rns.loadtest.measure.Row;
import io.rns.loadtest.measure.Schedule;
import io.rns.loadtest.measure.Series;
import io.rns.loadtest.measure.Workload;
import io.rns.loadtest.peer.Peer;
import io.rns.loadtest.work.Caller;
import io.rns.loadtest.work.Keys;
import io.rns.loadtest.work.Kind;
import io.rns.loadtest.work.Mix;
import io.rns.loadtest.work.Places;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Asks RNS and its peers for the same, in turns.
 *
 * @param serviceUrl where SOAP messages are posted
 * @param via by what RNS is asked; peers are asked by their own client libraries
 * @param junctions how many names there are to look up
 * @param fanOut how many of them a directory has
 * @param clients how many ask at a time
 * @param rounds how often they take turns
 * @param first how long each is measured in the first round
 * @param later and in the others
 */
public record PeerBenchmark(
    String serviceUrl, LoadTransport via, int junctions, int fanOut, int clients, int rounds, Schedule first,
    Schedule later) {
  private static final List<Kind> OPERATIONS = List.of(Kind.QUERY, Kind.ADD, Kind.LIST);
  private static final String RNS = "rns";
  private static final int WHOLE = 100;
  private static final int P99 = 99;
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  /**
   * A peer that may not be there.
   *
   * @param name for the report
   * @param start starts it, or throws an {@link RnsException} that says why it cannot be had
   */
  public record Candidate(String name, Supplier<Peer> start) {}

  /**
   * What was found.
   *
   * @param rows a row for each operation of each of them
   * @param notes what each of them is and how durable, or why it was left out; and what failed
   */
  public record Report(List<Row> rows, Map<String, String> notes) {}

  /** One that takes part. */
  private record Contestant(String name, Peer peer) {}

  /** A turn of one of them. */
  private record Turn(Kind operation, String name, Workload workload) {}

  /**
   * Starts the peers, makes the same entries in all, measures, and removes everything.
   *
   * @param names the service that is compared with them
   * @throws RnsException {@link io.rns.error.RnsError#UNAVAILABLE} if the service does not answer
   */
  public Report run(NameService names, List<Candidate> candidates, Consumer<String> progress)
      throws InterruptedException {
    Map<String, String> notes = new LinkedHashMap<>();
    List<Contestant> contestants = new ArrayList<>();
    try (LoadDirectory directory = LoadDirectory.create(names)) {
      PeerTree tree = new PeerTree(directory.path(), junctions, fanOut);
      Contestant rns = new Contestant(RNS, new RnsPeer(HttpTarget.of(serviceUrl), names, via));
      progress.accept("making entries in rns");
      fill(rns.peer(), tree, directory.path().toString());
      notes.put(RNS, rns.peer().durability());
      contestants.add(rns);
      for (Candidate candidate : candidates) {
        admit(candidate, tree, contestants, notes, progress);
      }
      List<Turn> turns = turns(contestants, tree);
      List<Series> series = Rounds.run(turns.stream().map(Turn::workload).toList(), rounds, first, later, progress);
      return new Report(rows(turns, series, notes), notes);
    } finally {
      contestants.forEach(contestant -> contestant.peer().close());
    }
  }

  private void admit(
      Candidate candidate, PeerTree tree, List<Contestant> contestants, Map<String, String> notes,
      Consumer<String> progress)
      throws InterruptedException {
    progress.accept("starting " + candidate.name());
    try {
      Peer peer = candidate.start().get();
      try {
        progress.accept("making entries in " + candidate.name());
        fill(peer, tree, "/");
      } catch (RnsException | InterruptedException e) {
        peer.close();
        throw e;
      }
      contestants.add(new Contestant(candidate.name(), peer));
      notes.put(candidate.name(), peer.durability());
    } catch (RnsException e) {
      notes.put(candidate.name(), "left out: " + e.getMessage());
      progress.accept("without " + candidate.name() + ": " + e.getMessage());
    }
  }

  private void fill(Peer peer, PeerTree tree, String top) throws InterruptedException {
    if (peer.operations().contains(Kind.ADD)) {
      PeerFilling.perform(peer, tree.directories(top), 1);
      PeerFilling.perform(peer, tree.junctions(), clients);
    }
  }

  /** Those of one operation one after the other, so that what is compared is near in time. */
  private List<Turn> turns(List<Contestant> contestants, PeerTree tree) {
    List<Turn> turns = new ArrayList<>();
    for (Kind operation : OPERATIONS) {
      Places places = operation == Kind.ADD ? tree.written() : tree.read();
      for (Contestant contestant : contestants) {
        if (contestant.peer().operations().contains(operation)) {
          turns.add(new Turn(operation, contestant.name(), workload(operation, contestant, places)));
        }
      }
    }
    return turns;
  }

  private Workload workload(Kind operation, Contestant contestant, Places places) {
    Mix mix = new Mix(Map.of(operation, (double) WHOLE));
    Keys.Choice choice = new Keys.Uniform().among(places.junctions(), places.perDirectory());
    AtomicLong runs = new AtomicLong();
    Supplier<List<LoadClient>> made =
        () -> {
          long run = runs.getAndIncrement();
          List<LoadClient> all = new ArrayList<>();
          for (int i = 0; i < clients; i++) {
            Caller caller = new Caller(mix, places, choice, "r" + run + "c" + i + "n", run * clients + i);
            all.add(new CallingClient(caller, contestant.peer().session(), call -> {}));
          }
          return all;
        };
    return new Workload(operation + ": " + contestant.name(), 1, made, TIMEOUT);
  }

  private static List<Row> rows(List<Turn> turns, List<Series> all, Map<String, String> notes) {
    Map<Kind, Series> rns = new LinkedHashMap<>();
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < turns.size(); i++) {
      Turn turn = turns.get(i);
      Series series = all.get(i);
      Series reference = rns.computeIfAbsent(turn.operation(), first -> series);
      Measurement together = series.together();
      Row row = Row.of(turn.workload().name()).with("perSecond", series.throughput());
      if (together.completed() > 0) {
        row = row.with("rnsToIt", reference.ratioTo(series)).with("p50Micros", together.micros(50)).with("p99Micros",
            together.micros(P99));
      }
      rows.add(row.with("errors", (double) together.failures().total()));
      if (together.failures().total() > 0) {
        notes.put(turn.workload().name(), "failed: " + together.failures());
      }
    }
    return rows;
  }
}
