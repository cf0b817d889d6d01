package io.rns.loadtest.load;

import static io.rns.loadtest.service.NameServiceClient.requireDone;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Cursor;
import io.rns.api.Entry;
import io.rns.api.EntryName;
import io.rns.api.ListRequest;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.QueryRequest;
import io.rns.api.Target;
import io.rns.client.Entries;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.loadtest.measure.LoadClient;
import io.rns.loadtest.measure.Workload;
import io.rns.loadtest.service.NameServiceClient;
import io.rns.loadtest.service.References;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Workloads through a name service that all clients share, as the threads of a program do. */
public final class ClientLoad extends OperationLoad<Runnable> {
  private final NameService service;
  private final NameService reader;
  private final double rate;
  private final Duration timeout;

  /**
   * Sessions read what they wrote at {@code reader}, and add {@code rate} entries per second together; 0 for as many as
   * possible.
   */
  public ClientLoad(NameService service, NameService reader, LoadData data, double rate, Duration timeout) {
    super(data);
    this.service = service;
    this.reader = reader;
    this.rate = rate;
    this.timeout = timeout;
  }

  public Workload of(LoadOperation operation, int clients) {
    IntFunction<Supplier<Runnable>> calls =
        switch (operation) {
          case LISTING -> client -> () -> () -> wholeListing(operation.items());
          // Only the lookup is measured, which follows the addition: the pause has to be before both.
          case SESSION -> client -> rate > 0 ? paced(this::session, clients / rate) : this::session;
          default -> requests(operation);
        };
    return new Workload(operation.toString(), operation.items(),
        () -> IntStream.range(0, clients)
            .<LoadClient>mapToObj(client -> new NameServiceClient(calls.apply(client))).toList(),
        timeout);
  }

  /** Holds one client to a rate. One that is late does not catch up: it is the clients that are slow then. */
  private static Supplier<Runnable> paced(Supplier<Runnable> calls, double seconds) {
    long interval = Math.round(seconds * TimeUnit.SECONDS.toNanos(1));
    long[] due = {System.nanoTime()};
    return () -> {
      long now = System.nanoTime();
      while (now - due[0] < 0) {
        LockSupport.parkNanos(due[0] - now);
        now = System.nanoTime();
      }
      due[0] = Math.max(due[0] + interval, now);
      return calls.get();
    };
  }

  /** Adds an entry, and returns the call that looks it up. */
  private Runnable session() {
    NewEntry entry = newJunction();
    try {
      Answer<List<Outcome<Entry>>> added = service.add(CallContext.ANONYMOUS, AddRequest.of(entry));
      requireDone(added.value());
      data.added().add(1);
      CallContext session = CallContext.ANONYMOUS.withSeen(added.position());
      return () -> requireDone(reader.query(session, QueryRequest.of(entry.target())).value());
    } catch (RnsException e) {
      // To be counted as a failure of the request, which cannot be made.
      return () -> {
        throw e;
      };
    }
  }

  private NewEntry newJunction() {
    EntryName name = data.takeName();
    return NewEntry.junction(Target.of(data.addedTo()).child(name), References.SHORT.of(name.toString()));
  }

  private void wholeListing(int expected) {
    int found = 0;
    for (Entry entry : Entries.of(service, Target.of(data.listedPath()))) {
      found += entry.isRoot() ? 0 : 1;
    }
    if (found != expected) {
      throw new RnsException(RnsError.INTERNAL, "a listing has " + found + " entries instead of " + expected);
    }
  }

  @Override
  Runnable query(List<String> paths) {
    return querying(paths.stream().map(Target::of).toList());
  }

  @Override
  Runnable lookup(List<String> names) {
    Target directory = Target.of(data.listed());
    return querying(names.stream().map(name -> directory.child(EntryName.of(name))).toList());
  }

  private Runnable querying(List<Target> targets) {
    QueryRequest request = new QueryRequest(targets, false);
    return () -> requireDone(service.query(CallContext.ANONYMOUS, request).value());
  }

  @Override
  Runnable list(Optional<Cursor> page) {
    ListRequest request =
        new ListRequest(Target.of(data.listed()), LoadOperation.LIST.items(), page, Optional.empty());
    return () -> service.list(CallContext.ANONYMOUS, request).value().orThrow();
  }

  @Override
  Supplier<Runnable> additions(int items) {
    return () -> {
      AddRequest request = new AddRequest(Stream.generate(this::newJunction).limit(items).toList(), false, false);
      return () -> {
        requireDone(service.add(CallContext.ANONYMOUS, request).value());
        data.added().add(items);
      };
    };
  }
}
