package io.rns.server.namespace;

import io.rns.api.AddRequest;
import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Entry;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.ListRequest;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.Page;
import io.rns.api.Position;
import io.rns.api.QueryRequest;
import io.rns.api.Refusal;
import io.rns.api.RemoveRequest;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.api.WriteRequest;
import io.rns.server.store.Database;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The namespace over one database, of which this server is the only writer. */
public final class LocalNameService implements NameService {
  private final EntryCache cache;
  private final TreeReader reader;
  private final Writer writer;
  private final Listings listings;
  private final WriterSettings settings;

  /**
   * Begins a new epoch on a database whose schema is up to date, and starts the writer.
   *
   * @param cacheBytes the most memory for cached entries, about
   * @throws io.rns.error.RnsException {@link io.rns.error.RnsError#UNAVAILABLE} if the database cannot be reached
   */
  public static LocalNameService start(
      Database database, long cacheBytes, WriterSettings settings, InstantSource clock) {
    LocalNameService service =
        new LocalNameService(database, cacheBytes, settings, clock, Writer.begin(database));
    service.writer.start();
    return service;
  }

  private LocalNameService(
      Database database, long cacheBytes, WriterSettings settings, InstantSource clock, Position position) {
    this.settings = settings;
    this.cache = new EntryCache(cacheBytes);
    this.reader = new TreeReader(database, cache, position);
    this.listings = new Listings(database, reader);
    this.writer = new Writer(database, cache, reader, settings, clock, position);
  }

  @Override
  public Answer<List<Outcome<Entry>>> add(CallContext call, AddRequest request) {
    return write(call, request);
  }

  @Override
  public Answer<List<Outcome<Entry>>> update(CallContext call, UpdateRequest request) {
    return write(call, request);
  }

  @Override
  public Answer<List<Outcome<Entry>>> remove(CallContext call, RemoveRequest request) {
    return write(call, request);
  }

  private Answer<List<Outcome<Entry>>> write(CallContext call, WriteRequest request) {
    PendingWrite write = new PendingWrite(call, request);
    writer.submit(write);
    return write.await(settings.timeout());
  }

  @Override
  public Answer<Outcome<Page>> list(CallContext call, ListRequest request) {
    writer.checkPrimary();
    return listings.list(request);
  }

  @Override
  public Answer<List<Outcome<Entry>>> query(CallContext call, QueryRequest request) {
    writer.checkPrimary();
    TreeReader.Read<List<Outcome<Entry>>> read =
        reader.consistently(
            source -> {
              Resolution.prefetch(source, request.targets());
              List<Outcome<Entry>> outcomes = new ArrayList<>(request.targets().size());
              for (Target target : request.targets()) {
                outcomes.add(query(source, target, request.counts()));
              }
              return outcomes;
            });
    return new Answer<>(read.value(), read.position());
  }

  private static Outcome<Entry> query(EntrySource source, Target target, boolean counts) {
    return switch (Resolution.of(source, target)) {
      case Resolution.Found(VirtualDirectory directory) when counts ->
          Outcome.done(
              new VirtualDirectory(
                  directory.place(),
                  directory.id(),
                  directory.version(),
                  directory.created(),
                  directory.modified(),
                  directory.metadata(),
                  source.count(directory.id())));
      case Resolution.Found(Entry entry) -> Outcome.done(entry);
      case Resolution.Missing missing -> Outcome.refused(new Refusal.NoSuchEntry(target, missing.missing()));
      case Resolution.Blocked blocked -> Outcome.refused(new Refusal.NotDirectory(target, blocked.junction()));
    };
  }

  /** The position whose changes every read sees. */
  public Position position() {
    return reader.published();
  }

  /** Numbers for those who look after the service. */
  public Map<String, Number> statistics() {
    Map<String, Number> all = new java.util.TreeMap<>(cache.statistics());
    all.putAll(writer.statistics());
    return all;
  }

  @Override
  public void close() {
    writer.close();
  }
}
