package io.rns.loadtest;

import io.rns.error.RnsException;
import io.rns.loadtest.jdbc.YardstickTable;
import io.rns.loadtest.measure.Arrivals;
import io.rns.loadtest.measure.Workload;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds out which yardsticks an operation has and which of them can be used here. */
final class Yardsticks implements AutoCloseable {
  private final LoadSettings settings;
  private final HttpTarget service;
  private final List<Workload> workloads = new ArrayList<>();
  private final Map<String, String> missing = new LinkedHashMap<>();
  private @Nullable YardstickTable table;

  Yardsticks(LoadSettings settings, HttpTarget service) {
    this.settings = settings;
    this.service = service;
  }

  /** Prepares those of the operation. */
  void prepare(RawLoad raw) {
    if (settings.via() == LoadTransport.CLIENT && settings.operation().isPrepared()) {
      Workload same = raw.of(settings.operation(), settings.clients());
      workloads.add(same.as("raw", Arrivals.AT_ONCE));
    }
    if (!settings.yardsticks()) {
      return;
    }
    switch (settings.operation()) {
      case QUERY, MIXED -> {
        web(raw);
        database("jdbcSelect");
      }
      case QUERY_BATCH -> {
        workloads.add(raw.of(LoadOperation.QUERY, settings.clients()));
        database("jdbcSelect");
      }
      case ADD, ADD_BATCH -> database("jdbcInsert");
      case LOOKUP -> workloads.add(raw.of(LoadOperation.QUERY, settings.clients()));
      case LOOKUP_BATCH -> workloads.add(raw.of(LoadOperation.LOOKUP, settings.clients()));
      case LIST, LISTING, SESSION, MIX, TRACE -> {
      }
    }
  }

  private void web(RawLoad raw) {
    if (!WebYardsticks.areBeside(service)) {
      missing.put("echo", WebYardsticks.MISSING);
      missing.put("nullOperation", WebYardsticks.MISSING);
      return;
    }
    workloads.add(raw.echo(WebYardsticks.echo(service), settings.clients()));
    workloads.add(raw.nullOperation(WebYardsticks.nullOperation(service), settings.clients()));
  }

  private void database(String name) {
    if (settings.jdbcUrl().isEmpty()) {
      missing.put(name, "no database given, and none found in the data directory (--jdbc URL, --data DIR)");
      return;
    }
    byte[] content = Messages.address(Tree.leafName(0).toString()).getBytes(StandardCharsets.UTF_8);
    YardstickTable made;
    try {
      made = YardstickTable.create(settings.jdbcUrl().get(), content);
    } catch (RnsException e) {
      missing.put(name, String.valueOf(e.getMessage()));
      return;
    }
    table = made;
    boolean inserts = name.equals("jdbcInsert");
    int clients = settings.clients();
    workloads.add(
        new Workload(
            name, 1, () -> inserts ? made.inserts(clients) : made.selects(clients), settings.timeout()));
  }

  /** The workloads to run. */
  List<Workload> workloads() {
    return workloads;
  }

  /** What could not be prepared, and why. */
  Map<String, String> missing() {
    return missing;
  }

  /** What the database is and how durable its commits are. */
  Map<String, String> durability() {
    return table == null ? Map.of() : table.durability();
  }

  @Override
  public void close() {
    if (table != null) {
      table.close();
    }
  }
}
