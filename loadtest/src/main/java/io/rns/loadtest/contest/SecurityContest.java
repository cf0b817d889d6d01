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
import io.rns.loadtest.service.HttpTarget;
import io.rns.loadtest.service.LoadDirectory;
import io.rns.loadtest.service.NameServiceClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * What security costs: the same requests at an open service by HTTP, at a closed one with rules in every directory, at
 * one by HTTPS, and at closed ones with an audit log and without. And what one caller gets beside twenty that import.
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

  private static final Optional<String> NOBODY = Optional.empty();
  private static final Map<String, String> WITHOUT_AUDIT = Map.of("RNS_AUDIT", "");
  private static final int ROUNDS_OF_A_START = 2;
  private static final double AUDIT_BAR = 0.95;
  private static final String UNRECORDED_QUERY = "query: closed, JWT, no audit log";
  private static final String RECORDED_QUERY = "query: closed, JWT, audit log";
  private static final String UNRECORDED_ADD = "add: closed, JWT, no audit log";
  private static final String RECORDED_ADD = "add: closed, JWT, audit log";

  /** Starts the services, measures, and removes them. */
  public Contest.Report run(Path launcher, Consumer<String> progress) throws InterruptedException {
    List<Row> rows = new ArrayList<>();
    Map<String, String> notes = new LinkedHashMap<>();
    credentials(launcher, rows, notes, progress);
    audit(launcher, rows, notes, progress);
    return new Contest.Report(rows, notes);
  }

  private void credentials(Path launcher, List<Row> rows, Map<String, String> notes, Consumer<String> progress)
      throws InterruptedException {
    progress.accept("starting an open service, a closed one, and one with HTTPS");
    try (TokenIssuer issuer = TokenIssuer.start();
        CertificateIssuer certificates = CertificateIssuer.make();
        TemporaryService open = start(launcher, Map.of());
        TemporaryService closed = start(launcher, issued(issuer, WITHOUT_AUDIT), "--secure");
        TemporaryService secure =
            start(launcher, Map.of("RNS_X509_TRUST", certificates.authority().toString()), "--tls");
        NameService openNames = open.client();
        NameService closedNames = closed.client();
        NameService secureNames = secure.client();
        LoadDirectory openTree = LoadDirectory.create(openNames, DEPTH, Metadata.NONE);
        LoadDirectory closedTree = LoadDirectory.create(closedNames, DEPTH, rules(closedNames, issuer));
        LoadDirectory secureTree = LoadDirectory.create(secureNames, DEPTH, Metadata.NONE)) {
      progress.accept("adding entries to work with");
      Load plain = new Load(open.target(NOBODY), LoadData.make(openTree, WORK, LoadData.LISTED_ENTRIES));
      Optional<String> bearer = Optional.of(issuer.token("single"));
      Load token = new Load(closed.target(bearer), LoadData.make(closedTree, WORK, LoadData.LISTED_ENTRIES));
      String made = closed.run("ticket", "make", "/", "--rights", "list,read,add", "--for", "12h");
      Load ticket = token.to(closed.target(Optional.of(made)));
      Load https = new Load(secure.target(NOBODY), LoadData.withoutListing(secureTree, WORK));
      Load certified = https.to(secure.target(certificates.client()));
      compare(plain, token, ticket, https, certified, rows, notes, progress);
      share(closed, token, issuer, rows, notes, progress);
    }
  }

  /**
   * What an audit log costs, at services that are started anew each time: of two equal ones, one may be some percent
   * faster than the other as long as they run. So a start counts as one round.
   */
  private void audit(Path launcher, List<Row> rows, Map<String, String> notes, Consumer<String> progress)
      throws InterruptedException {
    Map<String, List<Series>> started = new LinkedHashMap<>();
    for (int start = 1; start <= contest.rounds(); start++) {
      progress.accept("start " + start + " of " + contest.rounds() + ": a closed service, and one with an audit log");
      for (Series series : startAndMeasure(launcher, start % 2 == 0, progress)) {
        started.computeIfAbsent(series.workload().name(), name -> new ArrayList<>()).add(series);
      }
    }
    List.of(List.of(RECORDED_QUERY, UNRECORDED_QUERY), List.of(RECORDED_ADD, UNRECORDED_ADD)).forEach(pair -> {
      Series recorded = ofStarts(started.get(pair.getFirst()));
      Series plain = ofStarts(started.get(pair.getLast()));
      rows.add(Contest.row(plain));
      rows.add(
          new Contest.Pair(recorded.workload(), plain.workload(), AUDIT_BAR)
              .row(Map.of(recorded.workload(), recorded, plain.workload(), plain), notes));
    });
  }

  private List<Series> startAndMeasure(Path launcher, boolean auditFirst, Consumer<String> progress)
      throws InterruptedException {
    try (TokenIssuer issuer = TokenIssuer.start();
        TemporaryService first = start(launcher, issued(issuer, auditFirst ? Map.of() : WITHOUT_AUDIT), "--secure");
        TemporaryService second = start(launcher, issued(issuer, auditFirst ? WITHOUT_AUDIT : Map.of()), "--secure");
        NameService firstNames = first.client();
        NameService secondNames = second.client();
        LoadDirectory firstTree = LoadDirectory.create(firstNames, DEPTH, rules(firstNames, issuer));
        LoadDirectory secondTree = LoadDirectory.create(secondNames, DEPTH, rules(secondNames, issuer))) {
      Optional<String> bearer = Optional.of(issuer.token("single"));
      Load one = new Load(first.target(bearer), LoadData.withoutListing(firstTree, WORK));
      Load two = new Load(second.target(bearer), LoadData.withoutListing(secondTree, WORK));
      Load plain = auditFirst ? two : one;
      Load recorded = auditFirst ? one : two;
      return new Contest(ROUNDS_OF_A_START, contest.warmUp(), contest.turn())
          .run(
              List.of(
                  plain.of(UNRECORDED_QUERY, LoadOperation.QUERY, clients),
                  recorded.of(RECORDED_QUERY, LoadOperation.QUERY, clients),
                  plain.of(UNRECORDED_ADD, LoadOperation.ADD, clients),
                  recorded.of(RECORDED_ADD, LoadOperation.ADD, clients)),
              progress);
    }
  }

  /** What was measured since each start, as one run. */
  private static Series ofStarts(List<Series> starts) {
    return new Series(starts.getFirst().workload(), starts.stream().map(Series::together).toList());
  }

  private static TemporaryService start(Path launcher, Map<String, String> environment, String... options)
      throws InterruptedException {
    List<String> arguments = new ArrayList<>(List.of("--port=0"));
    arguments.addAll(List.of(options));
    return TemporaryService.start(launcher, arguments, data -> environment);
  }

  private static Map<String, String> issued(TokenIssuer issuer, Map<String, String> others) {
    Map<String, String> settings =
        new HashMap<>(Map.of("RNS_ISSUERS", issuer.name(), "RNS_AUDIENCE", TokenIssuer.AUDIENCE));
    settings.putAll(others);
    return settings;
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

  /** What is asked of a service, and by whom, which the target says. */
  private record Load(HttpTarget target, LoadData data) {
    Load to(HttpTarget other) {
      return new Load(other, data);
    }

    Workload of(String name, LoadOperation operation, int clients) {
      return new RawLoad(target, data, TIMEOUT).of(operation, clients).as(name, RequestArrivals.AT_ONCE);
    }
  }

  private void compare(
      Load plain, Load token, Load ticket, Load https, Load certified, List<Row> rows, Map<String, String> notes,
      Consumer<String> progress) throws InterruptedException {
    Workload query = plain.of("query: open, plain", LoadOperation.QUERY, clients);
    Workload list = plain.of("list of 1,000: open, plain", LoadOperation.LIST, clients);
    Workload add = plain.of("add: open, plain", LoadOperation.ADD, clients);
    Workload secureQuery = https.of("query: open, HTTPS", LoadOperation.QUERY, clients);
    List<Contest.Pair> pairs =
        List.of(
            new Contest.Pair(token.of("query: closed, JWT", LoadOperation.QUERY, clients), query, 0.9),
            new Contest.Pair(ticket.of("query: closed, ticket", LoadOperation.QUERY, clients), query, 0.9),
            new Contest.Pair(token.of("list of 1,000: closed, JWT", LoadOperation.LIST, clients), list, 0.95),
            new Contest.Pair(token.of("add: closed, JWT", LoadOperation.ADD, clients), add, 0.95),
            new Contest.Pair(secureQuery, query, 0.75),
            new Contest.Pair(certified.of("query: HTTPS, certificate", LoadOperation.QUERY, clients), secureQuery,
                0.9));
    List<Workload> all = new ArrayList<>(List.of(query, list, add));
    pairs.forEach(pair -> all.add(pair.workload()));
    Map<Workload, Series> measured = new LinkedHashMap<>();
    contest.run(all, progress).forEach(series -> measured.put(series.workload(), series));
    List.of(query, list, add).forEach(each -> rows.add(Contest.row(measured.get(each))));
    pairs.forEach(pair -> rows.add(pair.row(measured, notes)));
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
                .mapToObj(i -> load.to(service.target(Optional.of(issuer.token("importer-" + i)))))
                .map(importer -> importer.of("import", LoadOperation.ADD_BATCH, 1))
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
