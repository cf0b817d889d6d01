package io.rns.loadtest;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.EndpointReference;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.Supplier;

/** The workloads by way of a name service that all clients share, as the threads of a program would. */
final class ClientLoad {
  private final NameService service;
  private final NameService reader;
  private final LoadData data;
  private final double rate;
  private final Duration timeout;

  /**
   * Workloads of a service.
   *
   * @param reader where a session reads what it wrote
   */
  ClientLoad(NameService service, NameService reader, LoadData data, LoadSettings settings) {
    this(service, reader, data, settings.rate(), settings.timeout());
  }

  /** The same without settings: sessions write at a rate. */
  ClientLoad(NameService service, NameService reader, LoadData data, double rate, Duration timeout) {
    this.service = service;
    this.reader = reader;
    this.data = data;
    this.rate = rate;
    this.timeout = timeout;
  }

  /** The workload of an operation. */
  Workload of(LoadOperation operation, int clients) {
    return new Workload(operation.toString(), operation.items(), () -> clients(operation, clients), timeout);
  }

  private List<LoadClient> clients(LoadOperation operation, int clients) {
    Function<SplittableRandom, Runnable> calls = calls(operation);
    List<LoadClient> made = new ArrayList<>();
    for (int i = 0; i < clients; i++) {
      SplittableRandom random = new SplittableRandom(i);
      // Of a session only the lookup is measured, which follows the addition: the pause has to be before both.
      Pace pace = Pace.of(operation == LoadOperation.SESSION ? rate / clients : 0);
      Supplier<Runnable> next =
          () -> {
            pace.await();
            return calls.apply(random);
          };
      made.add(new NameServiceClient(next));
    }
    return made;
  }

  private Function<SplittableRandom, Runnable> calls(LoadOperation operation) {
    return switch (operation) {
      case QUERY, QUERY_BATCH -> random -> query(data.somePaths(random, operation.items()));
      case ADD, ADD_BATCH -> random -> add(operation.items());
      case LIST -> listing();
      case LOOKUP, LOOKUP_BATCH -> random -> lookup(data.someListed(random, operation.items()));
      case LISTING -> random -> () -> wholeListing(operation.items());
      case SESSION -> random -> session();
      case MIX, TRACE -> throw new IllegalArgumentException(operation + " has sessions of its own");
      case MIXED -> mixed();
    };
  }

  /** Adds an entry, and gives the call that looks it up. */
  private Runnable session() {
    Target entry = Target.of(data.addedTo()).child(data.takeName());
    EndpointReference reference = EndpointReference.ofAddress(Messages.address(entry.path().toString()));
    AddRequest request = AddRequest.of(NewEntry.junction(entry, reference));
    try {
      Answer<List<Outcome<Entry>>> added = service.add(CallContext.ANONYMOUS, request);
      NameServiceClient.requireDone(added.value());
      data.added().add(1);
      CallContext session = CallContext.ANONYMOUS.withSeen(added.position());
      return () -> NameServiceClient.requireDone(reader.query(session, QueryRequest.of(entry)).value());
    } catch (RnsException e) {
      // To be counted as a failure of the request, which cannot be made.
      return () -> {
        throw e;
      };
    }
  }

  private Runnable query(List<String> paths) {
    List<Target> targets = paths.stream().map(Target::of).toList();
    QueryRequest request = new QueryRequest(targets, false);
    return () -> NameServiceClient.requireDone(service.query(CallContext.ANONYMOUS, request).value());
  }

  private Runnable lookup(List<String> names) {
    Target directory = Target.of(data.listed());
    QueryRequest request =
        new QueryRequest(names.stream().map(name -> directory.child(EntryName.of(name))).toList(), false);
    return () -> NameServiceClient.requireDone(service.query(CallContext.ANONYMOUS, request).value());
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
      EntryName name = data.takeName();
      EndpointReference reference = EndpointReference.ofAddress(Messages.address(name.toString()));
      entries.add(NewEntry.junction(Target.of(data.addedTo()).child(name), reference));
    }
    AddRequest request = new AddRequest(entries, false, false);
    return () -> {
      NameServiceClient.requireDone(service.add(CallContext.ANONYMOUS, request).value());
      data.added().add(items);
    };
  }

  private Function<SplittableRandom, Runnable> listing() {
    List<ListRequest> pages = new ArrayList<>();
    data.pages().forEach(from -> pages.add(
        new ListRequest(Target.of(data.listed()), data.pageSize(), from, Optional.empty())));
    return random -> {
      ListRequest page = pages.get(random.nextInt(pages.size()));
      return () -> service.list(CallContext.ANONYMOUS, page).value().orThrow();
    };
  }

  private Function<SplittableRandom, Runnable> mixed() {
    Function<SplittableRandom, Runnable> lists = listing();
    return random -> switch (LoadOperation.partOfMix(random.nextInt(100))) {
      case ADD -> add(1);
      case LIST -> lists.apply(random);
      default -> query(data.somePaths(random, 1));
    };
  }
}
