package io.rns.loadtest;

import io.rns.loadtest.measure.LoadClient;
import io.rns.loadtest.measure.Workload;
import io.rns.loadtest.work.Caller;
import io.rns.loadtest.work.Keys;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** The workload of a mix of operations. */
final class MixLoad {
  private final Work work;
  private final LoadData data;
  private final Supplier<Session> sessions;
  private final Duration timeout;
  private final Keys.Choice choice;
  /** Each run gives its entries names of their own. */
  private final AtomicLong runs = new AtomicLong();

  MixLoad(Work work, LoadData data, Supplier<Session> sessions, Duration timeout) {
    this.work = work;
    this.data = data;
    this.sessions = sessions;
    this.timeout = timeout;
    choice = work.keys().among(data.junctions(), data.perDirectory());
  }

  Workload of(int clients) {
    return new Workload(LoadOperation.MIX.toString(), 1, () -> clients(clients), timeout);
  }

  private List<LoadClient> clients(int count) {
    long run = runs.getAndIncrement();
    List<LoadClient> clients = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Caller caller = new Caller(work.mix(), data, choice, "r" + run + "c" + i + "n", run * count + i);
      clients.add(new CallingClient(caller, sessions.get()));
    }
    return clients;
  }
}
