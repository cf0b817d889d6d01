package io.rns.loadtest.service;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.CallContext;
import io.rns.api.Entry;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.Metadata;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.QueryRequest;
import io.rns.api.RemoveRequest;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.RequestId;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.loadtest.launcher.Cleanup;
import io.rns.loadtest.measure.Measurement;
import io.rns.loadtest.work.Call;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The directory that a load creates for its entries and removes at its end. */
public final class LoadDirectory implements AutoCloseable {
  private static final int BATCH = 1_000;
  private static final Duration BATCH_BOUND = Duration.ofMinutes(5);

  private final NameService service;
  private final RnsPath top;
  private final RnsPath path;
  private final Metadata metadata;
  private References references = References.SHORT;
  private boolean kept;

  private LoadDirectory(NameService service, RnsPath top, RnsPath path, Metadata metadata, boolean kept) {
    this.service = service;
    this.top = top;
    this.path = path;
    this.metadata = metadata;
    this.kept = kept;
  }

  /** Creates one under the root, with a random name. */
  public static LoadDirectory create(NameService service) {
    return create(service, 1, Metadata.NONE);
  }

  /**
   * Creates one at a depth below the root, with a random name.
   *
   * @param metadata of all directories that are made
   */
  public static LoadDirectory create(NameService service, int depth, Metadata metadata) {
    String random = Long.toString(ThreadLocalRandom.current().nextLong(1L << 40), Character.MAX_RADIX);
    RnsPath top = RnsPath.parse("/rns-load-" + random);
    LoadDirectory directory =
        new LoadDirectory(service, top, RnsPath.parse(top + "/level".repeat(depth - 1)), metadata, false);
    for (int level = 1; level <= depth; level++) {
      directory.addDirectory(directory.path.prefix(level));
    }
    return directory;
  }

  /** One that only has a path. */
  public static LoadDirectory imagined(NameService service) {
    RnsPath unmade = RnsPath.parse("/rns-load-unmade");
    return new LoadDirectory(service, unmade, unmade, Metadata.NONE, true);
  }

  /** One that a former run has kept. */
  public static LoadDirectory reopen(NameService service, RnsPath path) {
    LoadDirectory directory = new LoadDirectory(service, path, path, Metadata.NONE, true);
    directory.entry(path, false);
    return directory;
  }

  public RnsPath path() {
    return path;
  }

  public RnsPath path(String name) {
    return path.child(EntryName.of(name));
  }

  /** Sets the references of the junctions that are added from now on. */
  public void references(References wanted) {
    references = wanted;
  }

  /** Leaves everything there when this is closed. */
  public void keep() {
    kept = true;
  }

  public EntryId directory(String name) {
    return addDirectory(path(name));
  }

  private NewEntry newDirectory(RnsPath directory) {
    return NewEntry.directory(Target.of(directory)).with(metadata);
  }

  private EntryId addDirectory(RnsPath directory) {
    return add(List.of(newDirectory(directory)), false).get(0).orThrow().id();
  }

  /** Adds directories and junctions by their paths below this one. */
  public void make(List<String> directories, List<String> junctions) {
    List<NewEntry> entries = new ArrayList<>();
    directories.forEach(directory -> entries.add(NewEntry.directory(Target.of(path + directory))));
    junctions.forEach(
        junction -> entries.add(NewEntry.junction(Target.of(path + junction), references.of(Call.nameOf(junction)))));
    for (int from = 0; from < entries.size(); from += BATCH) {
      NameServiceClient.requireDone(add(entries.subList(from, Math.min(from + BATCH, entries.size())), true));
    }
  }

  private List<Outcome<Entry>> add(List<NewEntry> entries, boolean parents) {
    return service.add(call(), new AddRequest(entries, parents, false)).value();
  }

  private static CallContext call() {
    return CallContext.ANONYMOUS.with(RequestId.random());
  }

  public long count(RnsPath directory) {
    return entry(directory, true) instanceof VirtualDirectory found ? found.entries() : 0;
  }

  public EntryId id(String name) {
    return entry(path(name), false).id();
  }

  private Entry entry(RnsPath wanted, boolean counts) {
    QueryRequest request = new QueryRequest(List.of(Target.of(wanted)), counts);
    return service.query(CallContext.ANONYMOUS, request).value().get(0).orThrow();
  }

  /** Adds junctions to a directory, named by their numbers. */
  public Measurement fill(EntryId directory, long count, int clients) throws InterruptedException {
    return addAll(count, clients, number -> directory);
  }

  public Measurement fill(Tree tree, int clients) throws InterruptedException {
    List<EntryId> directories = new ArrayList<>();
    for (long from = 0; from < tree.directories(); from += BATCH) {
      add(batch(from, tree.directories(), number -> newDirectory(tree.directory(number))), true)
          .forEach(added -> directories.add(added.orThrow().id()));
    }
    return addAll(tree.leaves(), clients, number -> directories.get((int) (number / tree.fanOut())));
  }

  private static List<NewEntry> batch(long from, long end, LongFunction<NewEntry> entry) {
    return LongStream.range(from, Math.min(from + BATCH, end)).mapToObj(entry).toList();
  }

  /** Adds junctions, each to the directory of its number. */
  private Measurement addAll(long count, int clients, LongFunction<EntryId> directories) throws InterruptedException {
    AtomicLong next = new AtomicLong();
    Supplier<@Nullable Runnable> batches =
        () -> {
          long from = next.getAndAdd(BATCH);
          if (from >= count) {
            return null;
          }
          List<NewEntry> batch = batch(from, count, number -> {
            EntryName name = Tree.leafName(number);
            return NewEntry.junction(Target.of(directories.apply(number)).child(name), references.of(name.toString()));
          });
          return () -> NameServiceClient.requireDone(add(batch, false));
        };
    return NameServiceClient.fill(Stream.generate(() -> new NameServiceClient(batches)).limit(clients).toList(),
        BATCH_BOUND);
  }

  /** Removes everything, unless it is kept; also when the thread is interrupted. */
  @Override
  public void close() {
    if (kept) {
      return;
    }
    Cleanup.run(() -> NameServiceClient.requireDone(
        service.remove(call(), RemoveRequest.of(Removal.recursive(Target.of(top)))).value()));
  }
}
