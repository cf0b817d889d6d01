package io.rns.loadtest.contest;

import io.rns.api.AccessRule;
import io.rns.api.AccessRules;
import io.rns.api.CallContext;
import io.rns.api.Metadata;
import io.rns.api.NameService;
import io.rns.api.Right;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.loadtest.group.TemporaryService;
import io.rns.loadtest.load.LoadData;
import io.rns.loadtest.load.LoadOperation;
import io.rns.loadtest.load.RawLoad;
import io.rns.loadtest.load.Work;
import io.rns.loadtest.measure.Measurement;
import io.rns.loadtest.measure.RatioInterval;
import io.rns.loadtest.measure.RequestArrivals;
import io.rns.loadtest.measure.Row;
import io.rns.loadtest.measure.Schedule;
import io.rns.loadtest.measure.Series;
import io.rns.loadtest.measure.Workload;
import io.rns.loadtest.quota.Quota;
import io.rns.loadtest.service.LoadDirectory;
import io.rns.loadtest.service.NameServiceClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * What security costs: the same requests at an open service by HTTP, at a closed one with rules in every directory, and
 * at one by HTTPS. And what one caller gets beside twenty that import.
 *
 * @param importers how many callers import beside the single one
 */
public record SecurityContest(int clients, int importers, Contest contest) {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  /** Of the directory; the entries that are looked up are two levels below. */
  private static final int DEPTH = 4;
  private static final Work WORK =
      new Work(
          Work.QUERIES.mix(), Work.QUERIES.paths(), 3, Work.QUERIES.fanOut(), Work.QUERIES.keys(), 0,
          Work.QUERIES.consistency());

  /** A workload, what it is compared with, and by how much it may be slower. */
  private record Pair(Workload workload, Workload yardstick, double bar) {}

  /** Starts the services, measures, and removes them. */
  public Contest.Report run(Path launcher, Consumer<String> progress) throws InterruptedException {
    progress.accept("starting an open service, a closed one, and one with HTTPS");
    try (TokenIssuer issuer = TokenIssuer.start();
        TemporaryService open = TemporaryService.start(launcher, List.of("--port=0"), data -> Map.of());
        TemporaryService closed =
            TemporaryService.start(launcher, List.of("--port=0", "--secure"), data -> issued(issuer));
        TemporaryService secure = TemporaryService.start(launcher, List.of("--port=0", "--tls"), data -> Map.of());
        NameService openNames = open.client();
        NameService closedNames = closed.client();
        NameService secureNames = secure.client();
        LoadDirectory openTree = LoadDirectory.create(openNames, DEPTH, Metadata.NONE);
        LoadDirectory closedTree = LoadDirectory.create(closedNames, DEPTH, rules(closedNames, issuer));
        LoadDirectory secureTree = LoadDirectory.create(secureNames, DEPTH, Metadata.NONE)) {
      progress.accept("adding entries to work with");
      Load plain = new Load(open, Optional.empty(), LoadData.make(openTree, WORK, LoadData.LISTED_ENTRIES));
      Load token =
          new Load(closed, Optional.of(issuer.token("single")),
              LoadData.make(closedTree, WORK, LoadData.LISTED_ENTRIES));
      Load ticket =
          new Load(
              closed, Optional.of(closed.run("ticket", "make", "/", "--rights", "list,read,add", "--for", "12h")),
              token.data);
      Load https = new Load(secure, Optional.empty(), LoadData.withoutListing(secureTree, WORK));
      List<Row> rows = new ArrayList<>();
      Map<String, String> notes = new LinkedHashMap<>();
      compare(plain, token, ticket, https, rows, notes, progress);
      share(closed, token, issuer, rows, notes, progress);
      return new Contest.Report(rows, notes);
    }
  }

  private static Map<String, String> issued(TokenIssuer issuer) {
    return Map.of("RNS_ISSUERS", issuer.name(), "RNS_AUDIENCE", TokenIssuer.AUDIENCE);
  }

  /** Rules that let callers of the issuer do everything but administer, also in the root. */
  private static Metadata rules(NameService names, TokenIssuer issuer) {
    EnumSet<Right> rights = EnumSet.allOf(Right.class);
    rights.remove(Right.ADMIN);
    String group = AccessRule.GROUP + "jwt:" + issuer.name() + "#" + TokenIssuer.GROUP;
    AccessRules rules =
        new AccessRules(Optional.empty(), Optional.of(List.of(new AccessRule(group, rights))));
    Metadata metadata = Metadata.ofFragments(List.of(rules.xml()));
    NameServiceClient.requireDone(
        names.update(CallContext.ANONYMOUS, UpdateRequest.of(EntryChange.metadata(Target.ROOT, metadata))).value());
    return metadata;
  }

  /** What is asked of a service, by whom. */
  private record Load(TemporaryService service, Optional<String> token, LoadData data) {
    Load as(String other) {
      return new Load(service, Optional.of(other), data);
    }

    Workload of(String name, LoadOperation operation, int clients) {
      return new RawLoad(service.target(token), data, TIMEOUT).of(operation, clients).as(name, RequestArrivals.AT_ONCE);
    }
  }

  private void compare(
      Load plain, Load token, Load ticket, Load https, List<Row> rows, Map<String, String> notes,
      Consumer<String> progress) throws InterruptedException {
    Workload query = plain.of("query: open, plain", LoadOperation.QUERY, clients);
    Workload list = plain.of("list of 1,000: open, plain", LoadOperation.LIST, clients);
    Workload add = plain.of("add: open, plain", LoadOperation.ADD, clients);
    List<Pair> pairs =
        List.of(
            new Pair(token.of("query: closed, JWT", LoadOperation.QUERY, clients), query, 0.9),
            new Pair(ticket.of("query: closed, ticket", LoadOperation.QUERY, clients), query, 0.9),
            new Pair(https.of("query: open, HTTPS", LoadOperation.QUERY, clients), query, 0.75),
            new Pair(token.of("list of 1,000: closed, JWT", LoadOperation.LIST, clients), list, 0.95),
            new Pair(token.of("add: closed, JWT", LoadOperation.ADD, clients), add, 0.95));
    List<Workload> all = new ArrayList<>(List.of(query, list, add));
    pairs.forEach(pair -> all.add(pair.workload));
    Map<Workload, Series> measured = new LinkedHashMap<>();
    contest.run(all, progress).forEach(series -> measured.put(series.workload(), series));
    List.of(query, list, add).forEach(each -> rows.add(Contest.row(measured.get(each))));
    for (Pair pair : pairs) {
      Series series = measured.get(pair.workload);
      RatioInterval ratio = RatioInterval.of(
          Contest.figures(series, Measurement::throughput),
          Contest.figures(measured.get(pair.yardstick), Measurement::throughput));
      double median = series.ratioTo(measured.get(pair.yardstick));
      rows.add(
          Contest.row(series).with("ratio", median).with("low", ratio.low()).with("high", ratio.high())
              .with("bar", pair.bar));
      notes.put(
          pair.workload.name(),
          Contest.verdict("%.2f x the open service; wanted is %.2f x", median, pair.bar, median >= pair.bar));
    }
  }

  /**
   * The single caller alone, alone with an equal share, which is as many processors as each of all callers would have,
   * and beside the importers, in turns.
   */
  private void share(
      TemporaryService service, Load load, TokenIssuer issuer, List<Row> rows, Map<String, String> notes,
      Consumer<String> progress) throws InterruptedException {
    double processors = (double) Runtime.getRuntime().availableProcessors() / (importers + 1);
    Workload single = load.of("add of one caller", LoadOperation.ADD, 1);
    Workload imports =
        Contest.together(
            "imports",
            IntStream.range(0, importers)
                .mapToObj(i -> load.as(issuer.token("importer-" + i)).of("import", LoadOperation.ADD_BATCH, 1))
                .toList());
    List<Measurement> alone = new ArrayList<>();
    List<Measurement> share = new ArrayList<>();
    List<Measurement> beside = new ArrayList<>();
    List<Measurement> imported = new ArrayList<>();
    String held = "each of server and database to " + Quota.check(processors);
    for (int round = 1; round <= contest.rounds(); round++) {
      progress.accept("round " + round + " of " + contest.rounds() + ": one caller beside " + importers + " importers");
      Schedule turn = contest.turn();
      FutureTask<Measurement> others = new FutureTask<>(() -> imports.run(turn));
      Thread thread = Thread.ofPlatform().start(others);
      beside.add(single.run(turn));
      thread.join();
      imported.add(others.resultNow());
      alone.add(single.run(turn));
      try (Quota quota = Quota.each(processors, service.pids())) {
        progress.accept(quota.toString());
        share.add(single.run(turn));
      }
    }
    Series equal = new Series(single.as("add of one caller: alone, equal share", single.arrivals()), share);
    Series crowded = new Series(single.as("add of one caller: beside importers", single.arrivals()), beside);
    rows.add(Contest.row(new Series(single.as("add of one caller: alone", single.arrivals()), alone)));
    rows.add(Contest.row(equal));
    RatioInterval interval = RatioInterval.of(
        Contest.figures(crowded, run -> run.micros(99)), Contest.figures(equal, run -> run.micros(99)));
    double ratio = crowded.together().micros(99) / equal.together().micros(99);
    rows.add(
        Contest.row(crowded).with("ratio", ratio).with("low", interval.low()).with("high", interval.high())
            .with("bar", 2));
    Series all = new Series(imports.as("entries of the importers", imports.arrivals()), imported);
    rows.add(Contest.row(all).with("perSecond", all.itemsPerSecond()));
    notes.put("equal share", held + ": 1 of " + (importers + 1) + " parts of this machine");
    notes.put(
        "p99 of one caller beside " + importers + " importers, batches of 100",
        Contest.verdict("%.2f x that alone with an equal share; wanted is at most %.0f x", ratio, 2, ratio <= 2));
  }
}
