package io.rns.loadtest.load;

import static io.rns.loadtest.service.NameServiceClient.requireDone;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.Answer;
import io.rns.api.CallContext;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Workloads through a name service that all clients share, as the threads of a program do.
 *
 * @param reader where a session reads what it wrote
 * @param rate additions per second of all sessions together; 0 for as many as possible
 * @param timeout after which a request has failed
 */
public record ClientLoad(NameService service, NameService reader, LoadData data, double rate, Duration timeout) {
  /** The workload of an operation. */
  public Workload of(LoadOperation operation, int clients) {
    return new Workload(operation.toString(), operation.items(), () -> clients(operation, clients), timeout);
  }

  private List<LoadClient> clients(LoadOperation operation, int clients) {
    Function<SplittableRandom, Runnable> calls = calls(operation);
    List<LoadClient> made = new ArrayList<>();
    for (int i = 0; i < clients; i++) {
      SplittableRandom random = new SplittableRandom(i);
      Supplier<Runnable> next = () -> calls.apply(random);
      // Of a session only the lookup is measured, which follows the addition: the pause has to be before both.
      boolean paced = operation == LoadOperation.SESSION && rate > 0;
      made.add(new NameServiceClient(paced ? paced(next, clients / rate) : next));
    }
    return made;
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

  private Function<SplittableRandom, Runnable> calls(LoadOperation operation) {
    return switch (operation) {
      case QUERY, QUERY_BATCH -> random -> query(data.somePaths(random, operation.items()));
      case ADD, ADD_BATCH -> random -> add(operation.items());
      case LIST -> pages();
      case LOOKUP, LOOKUP_BATCH -> random -> lookup(data.someListed(random, operation.items()));
      case LISTING -> random -> () -> wholeListing(operation.items());
      case SESSION -> random -> session();
      case MIX, TRACE -> throw new IllegalArgumentException(operation + " has sessions of its own");
      case MIXED -> mixed();
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

  private Runnable query(List<String> paths) {
    return query(new QueryRequest(paths.stream().map(Target::of).toList(), false));
  }

  private Runnable lookup(List<String> names) {
    Target directory = Target.of(data.listed());
    return query(new QueryRequest(names.stream().map(name -> directory.child(EntryName.of(name))).toList(), false));
  }

  private Runnable query(QueryRequest request) {
    return () -> requireDone(service.query(CallContext.ANONYMOUS, request).value());
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

  private Runnable add(int items) {
    List<NewEntry> entries = new ArrayList<>(items);
    for (int i = 0; i < items; i++) {
      entries.add(newJunction());
    }
    AddRequest request = new AddRequest(entries, false, false);
    return () -> {
      requireDone(service.add(CallContext.ANONYMOUS, request).value());
      data.added().add(items);
    };
  }

  private Function<SplittableRandom, Runnable> pages() {
    List<ListRequest> pages = new ArrayList<>();
    data.pages().forEach(from -> pages.add(
        new ListRequest(Target.of(data.listed()), LoadOperation.LIST.items(), from, Optional.empty())));
    return random -> {
      ListRequest page = pages.get(random.nextInt(pages.size()));
      return () -> service.list(CallContext.ANONYMOUS, page).value().orThrow();
    };
  }

  private Function<SplittableRandom, Runnable> mixed() {
    Function<SplittableRandom, Runnable> lists = pages();
    return random -> switch (LoadOperation.partOfMix(random.nextInt(100))) {
      case ADD -> add(1);
      case LIST -> lists.apply(random);
      default -> query(data.somePaths(random, 1));
    };
  }
}
