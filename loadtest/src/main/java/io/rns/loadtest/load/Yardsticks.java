package io.rns.loadtest.load;

import io.rns.error.RnsException;
import io.rns.loadtest.jdbc.TablePeer;
import io.rns.loadtest.measure.RequestArrivals;
import io.rns.loadtest.measure.Workload;
import io.rns.loadtest.peer.PeerService;
import io.rns.loadtest.service.LoadTransport;
import io.rns.loadtest.service.Tree;
import io.rns.loadtest.service.YardstickPeer;
import io.rns.loadtest.work.Call;
import io.rns.loadtest.work.CallSource;
import io.rns.loadtest.work.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** The yardsticks of an operation that can be used here. */
final class Yardsticks implements AutoCloseable {
  private static final int ROWS_TO_READ = 10_000;

  private final LoadSettings settings;
  final List<Workload> workloads = new ArrayList<>();
  /** What could not be prepared, and why. */
  final Map<String, String> missing = new LinkedHashMap<>();
  private @Nullable TablePeer table;

  Yardsticks(LoadSettings settings) {
    this.settings = settings;
  }

  void prepare(RawLoad raw) {
    int clients = settings.clients();
    if (settings.via() == LoadTransport.CLIENT && settings.operation().isPrepared()) {
      workloads.add(raw.of(settings.operation(), clients).as("raw", RequestArrivals.AT_ONCE));
    }
    if (!settings.yardsticks()) {
      return;
    }
    switch (settings.operation()) {
      case QUERY, MIXED -> {
        CallSource query = () -> Call.of(Kind.QUERY, raw.data.places().junction(0));
        add("echo", () -> YardstickPeer.servlet(settings.target()), i -> query);
        add("nullOperation", () -> YardstickPeer.jaxWs(settings.target()), i -> query);
        selects();
      }
      case QUERY_BATCH -> {
        workloads.add(raw.of(LoadOperation.QUERY, clients));
        selects();
      }
      case ADD, ADD_BATCH -> {
        AtomicLong next = new AtomicLong();
        add("jdbcInsert", () -> table(List.of()), i -> () -> Call.of(Kind.ADD, row(next.getAndIncrement())));
      }
      case LOOKUP, LIST, LISTING, SESSION, MIX -> workloads.add(raw.of(LoadOperation.QUERY, clients));
      case LOOKUP_BATCH -> workloads.add(raw.of(LoadOperation.LOOKUP, clients));
      case TRACE -> {
      }
    }
  }

  private void selects() {
    add("jdbcSelect",
        () -> table(LongStream.range(0, ROWS_TO_READ).mapToObj(Yardsticks::row).toList()),
        i -> {
          SplittableRandom random = new SplittableRandom(i);
          return () -> Call.of(Kind.QUERY, row(random.nextInt(ROWS_TO_READ)));
        });
  }

  private static String row(long number) {
    return "/" + Tree.leafName(number);
  }

  private TablePeer table(List<String> rows) {
    TablePeer made = TablePeer.create(settings.jdbcUrl().orElseThrow(
        () -> PeerService.missing("no database given, and none found in the data directory (--jdbc URL, --data DIR)")),
        rows);
    table = made;
    return made;
  }

  private void add(String name, Supplier<PeerService> peer, IntFunction<CallSource> calls) {
    try {
      workloads.add(peer.get().workload(name, settings.clients(), calls, settings.timeout()));
    } catch (RnsException e) {
      missing.put(name, String.valueOf(e.getMessage()));
    }
  }

  Map<String, String> database() {
    return table == null ? Map.of() : table.variables();
  }

  @Override
  public void close() {
    if (table != null) {
      table.close();
    }
  }
}
