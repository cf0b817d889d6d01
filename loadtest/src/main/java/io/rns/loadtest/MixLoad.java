package io.rns.loadtest;

import io.rns.loadtest.measure.LoadClient;
import io.rns.loadtest.measure.Workload;
import io.rns.loadtest.work.Call;
import io.rns.loadtest.work.Caller;
import io.rns.loadtest.work.Keys;
import io.rns.loadtest.work.Session;
import io.rns.loadtest.work.TraceWriter;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The workload of a mix of operations. */
final class MixLoad {
  private final LoadSettings settings;
  private final LoadData data;
  private final Supplier<Session> sessions;
  private final @Nullable TraceWriter trace;
  private final Keys.Choice choice;
  /** Each run gives its entries names of their own. */
  private final AtomicLong runs = new AtomicLong();

  /**
   * The workload.
   *
   * @param record where what is asked for is written as a trace
   */
  MixLoad(LoadSettings settings, LoadData data, Supplier<Session> sessions, Optional<Writer> record) {
    this.settings = settings;
    this.data = data;
    this.sessions = sessions;
    trace = record.map(out -> new TraceWriter(out, System.nanoTime(), data.top().toString())).orElse(null);
    choice = settings.work().keys().among(data.junctions(), data.perDirectory());
  }

  Workload of(int clients) {
    return new Workload(LoadOperation.MIX.toString(), 1, () -> clients(clients), settings.timeout());
  }

  private List<LoadClient> clients(int count) {
    long run = runs.getAndIncrement();
    List<LoadClient> clients = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String name = "r" + run + "c" + i;
      Caller caller = new Caller(settings.work().mix(), data, choice, name + "n", run * count + i);
      Consumer<Call> recorder = trace == null ? call -> {} : call -> trace.write(System.nanoTime(), name, call);
      clients.add(new CallingClient(caller, sessions.get(), recorder));
    }
    return clients;
  }
}
