package io.rns.server.partition;

import io.rns.api.CallContext;
import io.rns.api.Entry;
import io.rns.api.EntryId;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.QueryRequest;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.referral.Announcement;
import io.rns.referral.ServerRole;
import io.rns.replication.partition.BalancerSettings;
import io.rns.replication.partition.DirectoryHeat;
import io.rns.replication.partition.HeatWindow;
import io.rns.replication.partition.Partition;
import io.rns.replication.partition.PartitionMap;
import io.rns.replication.partition.PartitionTable;
import io.rns.replication.partition.PlanSettings;
import io.rns.replication.partition.Planner;
import io.rns.replication.partition.Situation;
import io.rns.server.namespace.LocalNameService;
import io.rns.server.partition.HeatHistory.Weight;
import io.rns.server.partition.PlanJson.SilentJson;
import io.rns.server.store.DirectoryCountTable;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** What operators see of the heat of directories, and what they may do about it. Thread-safe. */
final class Plans {
  /** As long as a server hears from others. */
  private static final Duration HEARD = Duration.ofSeconds(2);
  private static final double MILLIS = 1_000;
  private static final String HALF_LIFE = "halfLifeMillis";
  private static final String WINDOW = "windowMillis";
  private static final String SIZES = "sizes";
  private static final String ASK_SIZES = "&" + SIZES + "=true";
  /** Directories with entries of a group of which these are summed: that takes about 25 MB. */
  private static final int MOST_COUNTED = 1_000_000;
  private static final String UNREACHABLE = "it is unreachable";
  /** The part of a window that a server has to have counted. */
  private static final double MOST_OF = 0.9;
  /** Hot directories whose entries are looked at; colder ones change little. */
  private static final int MOST_CANDIDATES = 1_000;
  private static final int BATCH = 100;

  private final Partitions partitions;
  private final HeatHistory history;
  private final PartitionSizes sizes;
  private final InstantSource clock;

  Plans(Partitions partitions, HeatHistory history, ExecutorService executor, InstantSource clock) {
    this.partitions = partitions;
    this.history = history;
    this.sizes = new PartitionSizes(this::countEntries, executor, System::nanoTime);
    this.clock = clock;
  }

  /**
   * What a plan starts from.
   *
   * @param halfLife of what was measured
   * @param settled how long a partition stays where it is at least
   */
  record PlanRequest(PlanSettings settings, Duration halfLife, Duration settled) {
    private static final double INITIAL_HALF_LIFE = 300_000;
    private static final double INITIAL_SETTLED = 900_000;
    private static final double DAY = 86_400_000;

    static PlanRequest of(QueryParameters parameters) {
      PlanSettings initial = PlanSettings.DEFAULT;
      return new PlanRequest(
          initial.with(
              parameters.number("writeCost", initial.writeCost(), 0, 1_000),
              parameters.number("minimumLoad", initial.minimumLoad(), 0, 1_000_000_000),
              (int) parameters.number("moves", initial.moves(), 1, PlanSettings.MOST_MOVES)),
          halfLife(parameters),
          Duration.ofMillis((long) parameters.number("settledMillis", INITIAL_SETTLED, 0, DAY)));
    }

    /** Not longer than what is kept of the past would show. */
    static Duration halfLife(QueryParameters parameters) {
      return Duration.ofMillis(
          (long) parameters.number(HALF_LIFE, INITIAL_HALF_LIFE, MILLIS, 2 * INITIAL_HALF_LIFE));
    }
  }

  /** The heat of directories at this server, and if wanted the sizes of the partitions of its group. */
  HeatJson heat(Weight weight, boolean withSizes) {
    PartitionMap map = partitions.table().map();
    return HeatJson.of(
        history.measured(partitions.copyOrNull(), weight, map), map, withSizes ? sizes.entries() : Map.of());
  }

  /** The entries of the partitions of this group. */
  Map<EntryId, Long> countEntries() {
    return countEntries(partitions.table(), partitions.copy());
  }

  /** The entries of the partitions that a group has in a copy of its part of the tree. */
  static Map<EntryId, Long> countEntries(PartitionTable table, LocalNameService copy) {
    return PartitionSizes.count(
        (after, most) -> copy.partitionRecords(connection -> DirectoryCountTable.placed(connection, after, most)),
        table.map().partitions().stream().filter(each -> each.group() == table.group()).map(Partition::root).toList(),
        copy.partitions().value().partitions().stream().filter(each -> each.group() != table.group())
            .map(Partition::root).toList(),
        MOST_COUNTED);
  }

  /**
   * How servers are asked for their heat.
   *
   * @param withSizes whether one of each group is asked for the sizes of partitions
   */
  private record Question(String parameters, Weight weight, boolean withSizes) {
    static Question halved(Duration halfLife, boolean withSizes) {
      return new Question(HALF_LIFE + "=" + halfLife.toMillis(), Weight.halved(halfLife), withSizes);
    }
  }

  /** Whether a server is asked for sizes. */
  static boolean withSizes(QueryParameters parameters) {
    return parameters.optional(SIZES).filter("true"::equals).isPresent();
  }

  /** The parameters of {@link #heat}. */
  static Weight weight(QueryParameters parameters) {
    Duration window = Duration.ofMillis((long) parameters.number(WINDOW, 0, 0, (double) HeatHistory.MOST.toMillis()));
    return window.isZero() ? Weight.halved(PlanRequest.halfLife(parameters)) : Weight.within(window);
  }

  /** What all servers of all groups have counted, and what follows from that. */
  PlanJson plan(PlanRequest request) {
    Measured measured = measured(Question.halved(request.halfLife(), false), request);
    return PlanJson.of(
        Planner.plan(measured.situation(), request.settings()),
        measured.heats().stream().mapToDouble(HeatJson::seconds).max().orElse(0), measured.silent(),
        measured.absent());
  }

  /** How large and how busy each partition is. */
  LoadsJson loads(Duration halfLife) {
    PartitionTable table = partitions.table();
    List<Counted> all = counted(table, Question.halved(halfLife, true));
    return LoadsJson.of(
        table.map(), entries(table.map(), all),
        DirectoryHeat.sum(all.stream().flatMap(each -> each.heat().stream()).map(HeatJson::heat).toList()));
  }

  /** The entries of partitions, as their owners have counted them: a former owner may still have an older number. */
  private static Map<EntryId, Long> entries(PartitionMap map, List<Counted> all) {
    Map<EntryId, Integer> owners = new HashMap<>();
    map.partitions().forEach(partition -> owners.put(partition.root(), partition.group()));
    Map<EntryId, Long> entries = new HashMap<>();
    for (Counted counted : all) {
      counted.heat().stream().flatMap(heat -> heat.sizes().stream())
          .filter(size -> Objects.equals(owners.get(size.directory()), counted.group()))
          .forEach(size -> entries.put(size.directory(), size.entries()));
    }
    return entries;
  }

  /** What a decision starts from, in the last window. */
  HeatWindow window(Instant end, BalancerSettings settings) {
    Duration length = settings.window();
    Question question = new Question(WINDOW + "=" + length.toMillis(), Weight.within(length), false);
    // What was moved lately is the balancer's to know.
    Measured measured = measured(question, new PlanRequest(settings.plan(), length, Duration.ZERO));
    PartitionMap map = measured.situation().map();
    List<String> missing = new ArrayList<>();
    measured.absent().forEach((group, reason) -> {
      if (map.partitions().stream().anyMatch(partition -> partition.group() == group)) {
        missing.add("group " + group + ": " + reason);
      }
    });
    // A server that is unreachable gets no requests.
    measured.silent().stream().filter(each -> !each.reason().equals(UNREACHABLE))
        .forEach(each -> missing.add(each.server() + ": " + each.reason()));
    measured.heats().stream().filter(heat -> heat.seconds() < length.toSeconds() * MOST_OF)
        .forEach(heat -> missing.add("a server has counted for " + Math.round(heat.seconds()) + " s only"));
    return new HeatWindow(end, measured.situation(), missing);
  }

  /** What all servers say together. */
  private record Measured(
      Situation situation, List<HeatJson> heats, List<SilentJson> silent, SortedMap<Integer, String> absent) {}

  private Measured measured(Question question, PlanRequest request) {
    PartitionTable table = partitions.table();
    List<Counted> all = counted(table, question);
    List<HeatJson> heats = all.stream().flatMap(each -> each.heat().stream()).toList();
    SortedMap<Integer, String> absent = absent(table, all);
    TreeSet<Integer> groups = new TreeSet<>(table.servers().keySet());
    groups.add(table.group());
    groups.removeAll(absent.keySet());
    Situation found =
        new Situation(
            table.map(), groups, DirectoryHeat.sum(heats.stream().map(HeatJson::heat).toList()), Map.of());
    Situation known = new Situation(found.map(), found.groups(), found.heat(), fixed(found, request));
    return new Measured(known, heats, all.stream().flatMap(each -> each.silent().stream()).toList(), absent);
  }

  /** The groups that neither give nor take anything, and why. */
  private static SortedMap<Integer, String> absent(PartitionTable table, List<Counted> all) {
    Set<Integer> counted = new TreeSet<>();
    all.stream().filter(each -> each.heat().isPresent()).forEach(each -> counted.add(each.group()));
    SortedMap<Integer, String> absent = new TreeMap<>();
    table.map().partitions().forEach(partition -> absent.put(partition.group(), "none of its servers has reported"));
    table.servers().keySet().forEach(group -> absent.put(group, "none of its servers answers"));
    counted.forEach(group -> {
      if (hasPrimary(table, group)) {
        absent.remove(group);
      } else {
        absent.put(group, "it has no primary");
      }
    });
    return absent;
  }

  /** Whether content can come to a group or go from there. */
  private static boolean hasPrimary(PartitionTable table, int group) {
    List<Announcement> servers = table.servers().getOrDefault(group, List.of());
    return servers.isEmpty() || servers.stream().anyMatch(server -> server.role() == ServerRole.PRIMARY);
  }

  // ---- all servers

  /** What a server has counted, or why that is not known. */
  private record Counted(int group, Optional<HeatJson> heat, Optional<SilentJson> silent) {}

  private List<Counted> counted(PartitionTable table, Question question) {
    List<Callable<Counted>> questions = new ArrayList<>();
    table.servers().forEach((group, servers) -> {
      // They have the same partitions.
      Optional<Announcement> counting =
          question.withSizes() ? servers.stream().filter(Announcement::living).findFirst() : Optional.empty();
      servers.forEach(
          server -> questions.add(
              () -> counted(
                  group, server,
                  question.parameters() + (counting.filter(server::equals).isPresent() ? ASK_SIZES : ""))));
    });
    if (table.servers().getOrDefault(table.group(), List.of()).isEmpty()) {
      // A server without an address for others.
      questions.add(() -> new Counted(table.group(), Optional.of(heat(question.weight(), question.withSizes())),
          Optional.empty()));
    }
    List<Counted> all = new ArrayList<>();
    try (ExecutorService asking = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<Counted> answer : asking.invokeAll(questions)) {
        all.add(answer.get());
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RnsException(RnsError.UNAVAILABLE, "interrupted while asking for the heat of directories", e);
    }
    return all;
  }

  private Counted counted(int group, Announcement server, String parameters) {
    try {
      if (!server.living()) {
        return silent(group, server, UNREACHABLE);
      }
      HeatJson heat =
          partitions.ask("GET", server.url(), "/heat?" + parameters, "", HEARD, HeatJson.class);
      return new Counted(group, Optional.of(heat), Optional.empty());
    } catch (RnsException e) {
      return silent(group, server, String.valueOf(e.getMessage()));
    }
  }

  private static Counted silent(int group, Announcement server, String reason) {
    return new Counted(group, Optional.empty(), Optional.of(new SilentJson(server.url(), group, reason)));
  }

  // ---- directories that cannot move

  /** Which of the directories in question cannot move, and why. */
  private Map<RnsPath, String> fixed(Situation found, PlanRequest request) {
    List<RnsPath> candidates = Planner.candidates(found, request.settings());
    List<RnsPath> hot = candidates.subList(0, Math.min(candidates.size(), MOST_CANDIDATES));
    PartitionMap map = found.map();
    Set<RnsPath> wanted = new LinkedHashSet<>(hot);
    hot.forEach(path -> wanted.add(map.ofContent(path).path()));
    Map<RnsPath, Outcome<Entry>> entries =
        entries(wanted.stream().filter(path -> found.groups().contains(map.ofEntry(path).group())).toList());
    Instant settled = clock.instant().minus(request.settled());
    Map<RnsPath, String> fixed = new HashMap<>();
    candidates.subList(hot.size(), candidates.size())
        .forEach(path -> fixed.put(path, "it is none of the " + MOST_CANDIDATES + " hottest directories"));
    for (RnsPath path : hot) {
      Partition partition = map.ofContent(path);
      if (!(entries.get(path) instanceof Outcome.Done<Entry> done && done.value() instanceof VirtualDirectory)) {
        fixed.put(path, "it is no directory now, or cannot be read");
      } else if (!partition.path().isRoot() && isNewer(entries.get(partition.path()), settled)) {
        fixed.put(
            path,
            partition.path() + " was assigned or changed less than " + request.settled().toSeconds() + " s ago");
      }
    }
    return fixed;
  }

  private static boolean isNewer(@Nullable Outcome<Entry> partition, Instant than) {
    return !(partition instanceof Outcome.Done<Entry>(Entry entry)) || entry.modified().isAfter(than);
  }

  /** The entries of paths, as far as they can be read. */
  private Map<RnsPath, Outcome<Entry>> entries(List<RnsPath> paths) {
    NameService service = partitions.service();
    Map<RnsPath, Outcome<Entry>> entries = new HashMap<>();
    for (int from = 0; from < paths.size(); from += BATCH) {
      List<RnsPath> some = paths.subList(from, Math.min(paths.size(), from + BATCH));
      QueryRequest request = new QueryRequest(some.stream().map(Target::of).toList(), false);
      List<Outcome<Entry>> outcomes = service.query(CallContext.SERVICE, request).value();
      for (int i = 0; i < some.size(); i++) {
        entries.put(some.get(i), outcomes.get(i));
      }
    }
    return entries;
  }
}
