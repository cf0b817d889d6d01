package io.rns.server.namespace;

import io.rns.api.AddRequest;
import io.rns.api.Answer;
import io.rns.api.ArriveRequest;
import io.rns.api.AssignRequest;
import io.rns.api.CallContext;
import io.rns.api.ConcludeRequest;
import io.rns.api.Consistency;
import io.rns.api.ContentRequest;
import io.rns.api.DepartRequest;
import io.rns.api.Entry;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.EntryId;
import io.rns.api.ListRequest;
import io.rns.api.Outcome;
import io.rns.api.Page;
import io.rns.api.Position;
import io.rns.api.Positions;
import io.rns.api.QueryRequest;
import io.rns.api.Refusal;
import io.rns.api.RemoveRequest;
import io.rns.api.Right;
import io.rns.api.HopStep;
import io.rns.api.RnsPath;
import io.rns.api.SubtreePage;
import io.rns.api.SubtreeRequest;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.api.WriteRequest;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.permission.AccessControl;
import io.rns.replication.Lag;
import io.rns.replication.MemberList;
import io.rns.replication.Timing;
import io.rns.replication.member.CommitWait;
import io.rns.replication.member.LastCommit;
import io.rns.replication.member.MemberCopy;
import io.rns.replication.partition.Partition;
import io.rns.replication.partition.PartitionMap;
import io.rns.server.store.Database;
import io.rns.server.store.DelegatedDirectoryTable;
import io.rns.server.store.DepartureTable.Departure;
import io.rns.server.store.DepartureTable;
import io.rns.server.store.EntryTable;
import io.rns.server.store.GroupTable;
import io.rns.server.store.PartitionRecordTable;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The namespace over one database: of the primary, whose only writer this server is, or of a replica, which another
 * server writes and this one follows.
 */
public final class LocalNameService implements MemberCopy {
  private static final Logger LOG = LoggerFactory.getLogger(LocalNameService.class);

  /** How long a primary whose tree was replaced tries to go on, if the database has gone away. */
  private static final Duration LEAD_WITHIN = Duration.ofMinutes(2);

  /** The former writer ends within a second. */
  private static final Duration STAND_DOWN_WAIT = Duration.ofSeconds(5);

  /** A move to another server group takes milliseconds if that answers. */
  private static final Duration MOVE_WAIT = Duration.ofSeconds(2);

  private static final Duration LEAD_PAUSE = Duration.ofMillis(200);

  private final Database database;
  private final WriterSettings settings;
  private final InstantSource clock;
  private final AccessControl control;

  /** Whether the databases elect the next primary, so that this one may show its writes before this server knows. */
  private final boolean elected;

  private final EntryCache cache;
  private final ServedPosition served;
  private final TreeReader reader;
  private final ChangeFeed feed;
  private final Listings listings;
  private final SubtreeReader subtrees;
  private final LagWindow lag = new LagWindow();
  private final RequestSamples samples = new RequestSamples();

  // Changed under the monitor of this, one of them null.
  private volatile @Nullable Writer writer;
  private volatile @Nullable LogTail tail;

  /** Whether the writer has run, or was warmed up. Changed under the monitor of this. */
  private boolean warmedUp;

  /** Of how many replicas the commits of the database can wait. Changed under the monitor of this. */
  private int most = 1;

  /** While the tree is being replaced: counted down when what was being written before can be read. */
  private volatile @Nullable CountDownLatch replacement;

  /**
   * Begins a new epoch on a database whose schema is up to date, and starts the writer.
   *
   * @param cacheBytes the most memory for cached entries, about
   * @throws RnsException {@link RnsError#UNAVAILABLE} if the database cannot be reached
   */
  public static LocalNameService start(
      Database database, long cacheBytes, WriterSettings settings, InstantSource clock) {
    return start(database, cacheBytes, settings, clock, AccessControl.open());
  }

  /**
   * The same.
   *
   * @param control what callers may do
   */
  public static LocalNameService start(
      Database database, long cacheBytes, WriterSettings settings, InstantSource clock, AccessControl control) {
    LocalNameService service = new LocalNameService(database, cacheBytes, settings, clock, control, false);
    Optional<Position> unused = service.lead(0, List.of(), CommitWait.FOR_ONE, last -> true);
    return service;
  }

  /**
   * A service of a database that another server writes, at the position that it has now; see {@link #follow}.
   *
   * @throws RnsException {@link RnsError#UNAVAILABLE} if the database cannot be reached, {@link RnsError#INTERNAL} if
   *         it has no tables yet
   */
  public static LocalNameService open(
      Database database, long cacheBytes, WriterSettings settings, InstantSource clock) {
    return open(database, cacheBytes, settings, clock, AccessControl.open());
  }

  /**
   * The same.
   *
   * @param control what callers may do
   */
  public static LocalNameService open(
      Database database, long cacheBytes, WriterSettings settings, InstantSource clock, AccessControl control) {
    return open(database, cacheBytes, settings, clock, control, false);
  }

  /**
   * The same.
   *
   * @param elected whether the databases elect who takes writes: that of a primary may show what the next one has
   *        written before this server learns of it
   */
  public static LocalNameService open(
      Database database, long cacheBytes, WriterSettings settings, InstantSource clock, AccessControl control,
      boolean elected) {
    return new LocalNameService(database, cacheBytes, settings, clock, control, elected);
  }

  private LocalNameService(
      Database database, long cacheBytes, WriterSettings settings, InstantSource clock, AccessControl control,
      boolean elected) {
    GroupTable.GroupRow group = database.group();
    this.database = database;
    this.settings = settings;
    this.clock = clock;
    this.control = control;
    this.elected = elected;
    this.cache = new EntryCache(cacheBytes);
    this.served = new ServedPosition(confirmed(group), group.reflected(), group.beat());
    this.reader = new TreeReader(database, cache, served);
    this.listings = new Listings(reader);
    this.subtrees = new SubtreeReader(reader);
    this.feed = new ChangeFeed(database, served.position());
  }

  /** Where a copy begins: later changes than those that are known to stay are shown once they are. */
  private static Position confirmed(GroupTable.GroupRow group) {
    Position now = group.position();
    return group.isConfirmed() ? now : new Position(now.group(), now.epoch(), Math.max(0, group.confirmed()));
  }

  private LogTail newTail() {
    return new LogTail(database, cache, served, feed, lag, clock);
  }

  @Override
  public void prepareToLead() {
    database.prepareTakeOver();
  }

  @Override
  public synchronized Optional<Position> lead(
      int after, List<String> members, CommitWait wait, Predicate<LastCommit> mayFollow) {
    if (writer != null) {
      throw new IllegalStateException("this server is the primary already");
    }
    long began = System.nanoTime();
    Optional<Writer.Begin> begin = Writer.begin(database, clock.instant(), after, members, wait, mayFollow);
    if (begin.isEmpty()) {
      return Optional.empty();
    }
    LogTail former = tail;
    if (former != null) {
      former.close();
      tail = null;
    }
    // From here on no other server writes: the database's present state is complete.
    newTail().finish();
    Writer begun = new Writer(database, cache, served, feed, settings, clock, control, begin.get(), began);
    reader.setFollowing(elected);
    begun.start();
    writer = begun;
    warmedUp = true;
    most = wait.most();
    return Optional.of(begin.get().row().position());
  }

  @Override
  public MemberList replaceMembers(int epoch, List<String> members, int most) {
    return writer().replaceMembers(epoch, members, most);
  }

  @Override
  public synchronized void standDown(String why) {
    Writer former = writer;
    if (former != null) {
      standDown(former, new RnsException(RnsError.NOT_PRIMARY, why));
    }
  }

  @Override
  public boolean showsAll() {
    return database.group().position().equals(served.position());
  }

  private void standDown(Writer former, RnsException reason) {
    // What it does not publish any more, no read is to see as part of what is served.
    reader.setFollowing(true);
    former.standDown(reason);
    writer = null;
  }

  /**
   * Lets a caller replace the whole content of the database. Meanwhile reads see the former content, writes are refused
   * as unavailable.
   *
   * @param replacing replaces it in one transaction, or fails and leaves it as it is
   * @return the position at which this server, the primary, goes on
   * @throws RnsException as {@code replacing} does; {@link RnsError#NOT_PRIMARY}
   */
  public synchronized Position replace(Runnable replacing) {
    Writer former = writer();
    CountDownLatch stoodDown = new CountDownLatch(1);
    replacement = stoodDown;
    try {
      standDown(former, replacing());
      newTail().step();
      // Seen as a whole, or not at all, as what another server commits.
      follow();
      stoodDown.countDown();
      try {
        replacing.run();
      } finally {
        leadAgain(new CommitWait(former.acknowledgements(), most));
      }
    } finally {
      stoodDown.countDown();
      replacement = null;
    }
    return position();
  }

  /** Whether the tree is being replaced, and what was being written before has ended. */
  private boolean awaitStoodDown() {
    CountDownLatch coming = replacement;
    try {
      return coming != null && coming.await(STAND_DOWN_WAIT.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RnsException(RnsError.UNAVAILABLE, "the service is stopping", e);
    }
  }

  private static RnsException replacing() {
    return new RnsException(RnsError.UNAVAILABLE, "a backup is being restored; retry later");
  }

  private void leadAgain(CommitWait wait) {
    long until = System.nanoTime() + LEAD_WITHIN.toNanos();
    while (true) {
      try {
        Optional<Position> unused = lead(0, List.of(), wait, last -> true);
        return;
      } catch (RnsException e) {
        if (System.nanoTime() > until) {
          throw e;
        }
        LOG.warn("this server cannot write yet: {}", e.getMessage());
        LockSupport.parkNanos(LEAD_PAUSE.toNanos());
      }
    }
  }

  @Override
  public synchronized void follow() {
    if (tail == null) {
      reader.setFollowing(true);
      LogTail following = newTail();
      following.start();
      tail = following;
    }
    if (settings.inGroup() && !warmedUp) {
      warmedUp = true;
      new WriterWarmUp(database, cache, settings, clock, control).start();
    }
  }

  @Override
  public boolean isPrimary() {
    Writer current = writer;
    return current != null && !current.isDeposed();
  }

  @Override
  public boolean isConfirmed() {
    Writer current = writer;
    return current != null && current.isConfirmed();
  }

  @Override
  public void refuseWrites(@Nullable String reason) {
    Writer current = writer;
    if (current != null) {
      current.refuse(reason);
    }
  }

  /**
   * Checks that what is read now is all that was answered to anybody.
   *
   * @throws RnsException {@link RnsError#NOT_PRIMARY}, or {@link RnsError#UNAVAILABLE} if that is not known at this
   *         moment
   */
  @Override
  public void checkLatest() {
    writer().checkLease();
  }

  private Writer writer() {
    Writer current = writer;
    if (current == null) {
      throw replacement != null ? replacing() : new RnsException(RnsError.NOT_PRIMARY, "this server is a replica");
    }
    current.checkPrimary();
    return current;
  }

  @Override
  public boolean awaitServed(Positions seen, Duration most) {
    Optional<Position> own = ownOf(seen);
    try {
      return own.isEmpty() || served.await(own.get(), most);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RnsException(RnsError.UNAVAILABLE, "the service is stopping", e);
    }
  }

  @Override
  public boolean hasServed(Positions seen) {
    Optional<Position> own = ownOf(seen);
    return own.isEmpty() || served.hasReached(own.get());
  }

  /** What a session has seen of this group. */
  private Optional<Position> ownOf(Positions seen) {
    return seen.isEmpty() ? Optional.empty() : seen.of(served.position().group());
  }

  /** How old what is read now may be, in milliseconds by the clocks of the two servers; 0 on the primary. */
  @Override
  public long ageMillis() {
    return writer != null ? 0 : Math.max(0, Duration.between(served.asOf(), clock.instant()).toMillis());
  }

  @Override
  public Instant asOf() {
    return served.asOf();
  }

  @Override
  public Lag lag() {
    return lag.last(clock.instant());
  }

  @Override
  public Answer<List<Outcome<Entry>>> add(CallContext call, AddRequest request) {
    return samples.written(write(call, request));
  }

  @Override
  public Answer<List<Outcome<Entry>>> update(CallContext call, UpdateRequest request) {
    return samples.written(write(call, request));
  }

  @Override
  public Answer<List<Outcome<Entry>>> remove(CallContext call, RemoveRequest request) {
    return samples.written(write(call, request));
  }

  /**
   * Gives the content of an empty directory to another server group, or begins to own that of a directory that another
   * group has given to this one, named by its identity.
   *
   * @return the directory; refused with {@link Refusal.NotEmpty}, {@link Refusal.Delegated} if another group owns it or
   *         a directory above it, {@link Refusal.NoSuchEntry}, {@link Refusal.NotDirectory},
   *         {@link Refusal.RootIsFixed}, or {@link Refusal.Invalid}
   * @throws RnsException as the writes of a {@link io.rns.api.NameService}
   */
  public Answer<Outcome<Entry>> assign(CallContext call, AssignRequest request) {
    return write(call, request).map(List::getFirst);
  }

  /**
   * At the primary: begins to own a directory that another group has given to this one without content.
   *
   * @param epoch of its partition
   * @throws RnsException as the writes of a {@link io.rns.api.NameService}; {@link RnsError#BUSY} while this group
   *         deletes a copy that has the directory, which a move that came to nothing has left
   */
  public void serve(EntryId directory, long epoch) {
    AssignRequest request = new AssignRequest(Target.of(directory), position().group(), epoch);
    Entry unused = ArrivingContent.orForget(
        this::content, directory, epoch, () -> assign(CallContext.SERVICE, request).value().orThrow());
  }

  /**
   * A step of moving the content of a directory to another server group or from there.
   *
   * @return the directory as it is then
   * @throws RnsException as the writes of a {@link io.rns.api.NameService}
   */
  Answer<Outcome<Entry>> content(ContentRequest request) {
    return write(CallContext.SERVICE, request).map(List::getFirst);
  }

  /**
   * At the primary: what brings the content of a directory of this group to another one.
   *
   * @param targets the primary of that group, asked for again by each try
   * @param keptBytes most that is kept in memory of entries that change meanwhile; if they take more, all are gone
   *        through again
   */
  public DepartingContent departing(EntryId directory, int to, Supplier<ContentTarget> targets, long keptBytes) {
    return new DepartingContent(
        this::content, SqlRows.snapshots(database), directory, position().group(), to, targets, keptBytes,
        Timing.system(), clock.instant());
  }

  /**
   * At the primary: what takes in the content of a directory.
   *
   * @param owners asks the primary of a group what it knows of a directory's content
   * @param lag how far the replica that is furthest behind in the group is behind, in milliseconds
   */
  public ContentTarget arriving(
      EntryId directory, BiFunction<Integer, EntryId, Ownership> owners, LongSupplier lag) {
    return new ArrivingContent(this::content, SqlRows.snapshots(database), directory, owners, lag);
  }

  /**
   * At the primary: begins to own the content of a directory that this group has taken in, as its former owner says.
   *
   * @param version of the directory here when the former owner was asked
   * @param given positions of the former owner that cover that at which it gave the content away
   * @param there the version of the directory there since
   */
  public void own(EntryId directory, long version, Positions given, long there) {
    Entry unused =
        content(new ContentRequest(directory, new ContentRequest.Own(version, given, there))).value().orThrow();
  }

  /**
   * What the group has for a directory, whose content or entry may belong to another one: its owner is that of the
   * content.
   *
   * @throws RnsException {@link RnsError#NO_SUCH_ENTRY}
   */
  public VirtualDirectory row(EntryId directory) {
    return directory(database.read(connection -> EntryTable.find(connection, directory)), directory);
  }

  /** Whether the group has a directory in its place: not in a copy, nor in what is being deleted. */
  public boolean has(EntryId directory) {
    return database.readSnapshot(connection -> has(new SqlRows(connection), directory));
  }

  /** The same in the rows of a group. */
  static boolean has(GroupRows rows, EntryId directory) {
    Entry row = rows.find(directory);
    return row != null && !MovingEntries.isTrace(row) && Resolution.isInTree(rows::find, row);
  }

  /**
   * What the group knows of the content of a directory.
   *
   * @param owner to which group it gave the content, or from which it takes that in; its own number if it owns that
   * @param receives whether it takes that in, or such a move was interrupted
   * @param epoch the version of the directory here since; 0 if the group owns the content
   * @param positions of a state of the database that has this
   */
  public record Ownership(int owner, boolean receives, long epoch, Positions positions) {
    /**
     * What the rows of a group have, with all that it has given or takes in.
     *
     * @throws RnsException {@link RnsError#NO_SUCH_ENTRY}, or {@link RnsError#BUSY} if what it has of the directory is
     *         in a copy, or being deleted, so that another group may own it
     */
    static Ownership of(
        GroupRows rows, EntryId directory, Collection<DelegatedDirectoryTable.Row> delegated, Positions positions) {
      VirtualDirectory row = directory(rows.find(directory), directory);
      if (row.owner().isEmpty() && !Resolution.isInTree(rows::find, row)) {
        throw ContentRules.copyLeft(directory);
      }
      int group = rows.position().group();
      Optional<DelegatedDirectoryTable.Row> cut =
          delegated.stream().filter(each -> each.directory().equals(directory)).findFirst();
      return new Ownership(
          row.owner().orElse(group), cut.filter(each -> each.copiedSince() > 0).isPresent(),
          cut.map(DelegatedDirectoryTable.Row::epoch).orElse(0L), positions);
    }

    /**
     * Checks that the group has or had the content: that it names another group is no sign of it while it takes that
     * in, and another group may take it for the owner already.
     *
     * @throws RnsException {@link RnsError#UNAVAILABLE} if it takes it in
     */
    public void checkArrived(EntryId directory) {
      if (receives) {
        throw new RnsException(
            RnsError.UNAVAILABLE,
            "the content of " + directory + " is moving here from server group " + owner
                + ", or such a move came to nothing: it has to be completed first");
      }
    }
  }

  /** At the primary: what the database says of the content of a directory. */
  public Ownership ownership(EntryId directory) {
    checkLatest();
    return database.readSnapshot(
        connection -> {
          GroupTable.GroupRow group = GroupTable.find(connection);
          return Ownership.of(
              new SqlRows(connection), directory, DelegatedDirectoryTable.all(connection),
              Positions.of(group.position()).with(group.reflected()));
        });
  }

  private static VirtualDirectory directory(@Nullable Entry found, EntryId id) {
    if (found instanceof VirtualDirectory row) {
      return row;
    }
    throw new RnsException(RnsError.NO_SUCH_ENTRY, "this group has no directory " + id);
  }

  /**
   * At the primary: has the row of a directory here say which group owns its content now.
   *
   * @param version of the directory here before that group was known; if it is another one by now, nothing is done
   */
  public void point(EntryId directory, int to, long version) {
    Entry unused = content(new ContentRequest(directory, new ContentRequest.Point(to, version))).value().orThrow();
  }

  /** The partitions of the tree as this server sees them, and the position that this reflects. */
  public Answer<PartitionMap> partitions() {
    TreeReader.Read<PartitionMap> read =
        reader.inSnapshot(
            TreeAccess.ALL,
            (source, connection, budget) -> new PartitionMap(
                partitions(source, served.position().group(), DelegatedDirectoryTable.all(connection))));
    return read.answer(0);
  }

  /** The partitions that a group's rows make. */
  static List<Partition> partitions(EntrySource source, int group, List<DelegatedDirectoryTable.Row> delegated) {
    List<Partition> partitions = new ArrayList<>(PartitionMap.whole(group).partitions());
    for (DelegatedDirectoryTable.Row row : delegated) {
      // A copy of content that another group owns has cuts, and rules above them, as they were.
      if (!(Resolution.find(source, row.directory()) instanceof VirtualDirectory directory)
          || directory.owner().isEmpty() || !Resolution.isInTree(source, directory)) {
        continue;
      }
      Resolution.path(source, row.directory())
          .ifPresent(
              path -> partitions.add(
                  new Partition(
                      path, row.directory(), row.group(), row.epoch(),
                      Resolution.above(source, row.directory(), path.depth()))));
    }
    return partitions;
  }

  /**
   * Begins to move an entry to another server group. What that answers to {@link #departures} is to be told by
   * {@link #conclude}.
   *
   * @return the entry as the other group is to have it, and the position of its mark
   * @throws RnsException as the writes of a {@link io.rns.api.NameService}
   */
  public Answer<Outcome<Entry>> depart(CallContext call, DepartRequest request) {
    return write(call, request).map(List::getFirst);
  }

  /**
   * Takes an entry that another server group has marked, if it may be here.
   *
   * @throws RnsException as the writes of a {@link io.rns.api.NameService}
   */
  public Answer<Outcome<Entry>> arrive(CallContext call, ArriveRequest request) {
    Answer<Outcome<Entry>> answer = write(call, request).map(List::getFirst);
    if (answer.value() instanceof Outcome.Refused<Entry>(Refusal refusal) && refusal.error() == RnsError.BUSY) {
      // It may come if it tries again.
      ArrivingContent.forget(this::content, request.entry().id(), request.entry().version());
    }
    return answer;
  }

  /**
   * Ends the move of an entry to another server group.
   *
   * @throws RnsException as the writes of a {@link io.rns.api.NameService}
   */
  public Answer<Outcome<Entry>> conclude(ConcludeRequest request) {
    return write(CallContext.SERVICE, request).map(List::getFirst);
  }

  /** What is recorded about partitions, and what they consist of, as the database has it. */
  public <T> T partitionRecords(Database.Work<T> read) {
    return database.read(read);
  }

  /**
   * At the primary: writes a record about partitions.
   *
   * @param number of the record to be replaced; 0 for a new one
   * @return its number
   */
  public long writePartitionRecord(PartitionRecordTable.Kind kind, long number, byte[] document) {
    return writer().betweenBatches(connection -> PartitionRecordTable.write(connection, kind, number, document));
  }

  /** The entries that are moving to other server groups, as the database has them. */
  public List<Departure> departures() {
    List<Departure> all =
        database.read(connection -> DepartureTable.all(connection, served.position().group()));
    // What the tree reflects by now it may have reflected before.
    Positions reflected = served.state().reflected();
    return all.stream().map(each -> new Departure(each.group(), each.arrival().with(reflected))).toList();
  }

  private Answer<List<Outcome<Entry>>> write(CallContext call, WriteRequest request) {
    Writer current = writer();
    PendingWrite write = new PendingWrite(call, request);
    current.submit(write);
    return write.await(settings.timeout());
  }

  /** Why writes are refused for now although reads are answered; empty if they are not. */
  public Optional<String> writeTrouble() {
    Writer current = writer;
    return current == null ? Optional.empty() : current.trouble();
  }

  @Override
  public Answer<Outcome<Page>> list(CallContext call, ListRequest request) {
    checkReadable(call);
    long age = ageMillis();
    return samples.listed(settled(() -> listings.list(access(call), request, age)));
  }

  @Override
  public Answer<Outcome<SubtreePage>> subtree(CallContext call, SubtreeRequest request) {
    checkReadable(call);
    long age = ageMillis();
    return samples.visited(settled(() -> subtrees.read(access(call), request, age)));
  }

  private TreeAccess access(CallContext call) {
    return TreeAccess.of(control, call.caller(), settings.anchors());
  }

  /** A server without others that was deposed knows nothing of what the other one writes. */
  private void checkReadable(CallContext call) {
    boolean unused = awaitStoodDown();
    Writer current = writer;
    while (current != null && !settings.inGroup() && current.isDeposed()) {
      // By another server, or by a replacement that has begun since the last look.
      if (!awaitStoodDown() && current == writer) {
        current.checkPrimary();
      }
      current = writer;
    }
    if (current != null && !settings.inGroup() && call.consistency() instanceof Consistency.Session) {
      ownOf(call.seen()).ifPresent(this::checkReached);
    }
  }

  /** Where no other server writes, a position that this one has not reached has never been. */
  private void checkReached(Position seen) {
    if (!served.hasReached(seen)) {
      throw new RnsException(
          RnsError.INVALID_REQUEST,
          "position " + seen + " has never been reached here; the last change is at " + served.position());
    }
  }

  @Override
  public Answer<List<Outcome<Entry>>> query(CallContext call, QueryRequest request) {
    checkReadable(call);
    long age = ageMillis();
    return samples.queried(settled(() -> query(call, request, age)));
  }

  private Answer<List<Outcome<Entry>>> query(CallContext call, QueryRequest request, long age) {
    TreeReader.Read<List<Outcome<Entry>>> read =
        reader.consistently(
            access(call),
            source -> {
              Resolution.prefetch(source, request.targets());
              List<Outcome<Entry>> outcomes = new ArrayList<>(request.targets().size());
              long bytes = 0;
              for (Target target : request.targets()) {
                Outcome<Entry> outcome = query(source, target, request.counts());
                if (outcome instanceof Outcome.Done<Entry>(Entry entry)) {
                  // Also what was not read for it: the same entry may be asked for many times.
                  bytes += EntryTable.contentBytes(entry);
                  Limits.check("the answer", bytes, Limits.ANSWER_BYTES, "bytes of references and metadata");
                }
                outcomes.add(outcome);
              }
              return outcomes;
            });
    call.explain(() -> new HopStep.Copy(read.statements()));
    return read.answer(age);
  }

  /** Reads again as long as it meets entries that are moving to other server groups. */
  private <T> T settled(Supplier<T> read) {
    long until = System.nanoTime() + MOVE_WAIT.toNanos();
    while (true) {
      Position before = served.position();
      try {
        return read.get();
      } catch (EntryMoving moving) {
        long left = until - System.nanoTime();
        if (left <= 0) {
          throw moving.undecided(MOVE_WAIT.toMillis());
        }
        Position next = new Position(before.group(), before.epoch(), before.sequence() + 1);
        awaitServed(Positions.of(next), Duration.ofNanos(left));
      }
    }
  }

  private static Outcome<Entry> query(EntrySource source, Target target, boolean counts) {
    return switch (counts ? Resolution.ofContent(source, target) : Resolution.of(source, target)) {
      case Resolution.Found found -> {
        Refusal refusal =
            source.access().lacks(
                Right.READ, found.within(), target, Math.max(0, target.path().depth() - 1),
                () -> Resolution.path(source, target));
        yield refusal != null ? Outcome.refused(refusal)
            : Outcome.done(counts ? counted(source, target, found) : found.entry());
      }
      case Resolution.Forbidden forbidden -> Outcome.refused(Resolution.forbidden(source, target, forbidden));
      case Resolution.Missing missing -> Outcome.refused(new Refusal.NoSuchEntry(target, missing.missing()));
      case Resolution.Blocked blocked -> Outcome.refused(new Refusal.NotDirectory(target, blocked.junction()));
      case Resolution.Delegated delegated -> Outcome.refused(delegated.refused(target));
      case Resolution.Moving moving -> throw moving.met();
    };
  }

  /** An entry with the number of its entries, if it is a directory and the caller may list that. */
  private static Entry counted(EntrySource source, Target target, Resolution.Found found) {
    if (!(found.entry() instanceof VirtualDirectory directory)
        || !source.access().has(
            Right.LIST, Resolution.inside(source, found), () -> Resolution.path(source, target))) {
      return found.entry();
    }
    return new VirtualDirectory(
        directory.place(),
        directory.id(),
        directory.version(),
        directory.created(),
        directory.modified(),
        directory.metadata(),
        source.count(directory.id()));
  }

  /** The position whose changes every read sees. */
  @Override
  public Position position() {
    return served.position();
  }

  /** For which directories requests come. */
  public RequestSamples samples() {
    return samples;
  }

  /** Where directories are as this server sees them; without an entry for one that is not in the tree. */
  public Map<EntryId, RnsPath> paths(Collection<EntryId> directories) {
    return reader
        .consistently(
            TreeAccess.ALL,
            source -> {
              Map<EntryId, RnsPath> paths = new HashMap<>();
              for (EntryId directory : directories) {
                Resolution.path(source, directory).ifPresent(path -> paths.put(directory, path));
              }
              return paths;
            })
        .value();
  }

  /**
   * Where a directory of this group's tree lies now, in the group's own words; empty if it is not in the tree, its
   * content belongs to a directory that another group owns, or no path leads there.
   */
  public Optional<RnsPath> place(EntryId directory) {
    return reader.consistently(TreeAccess.ALL, source -> Resolution.place(source, directory)).value();
  }

  /** The committed changes in order. */
  public ChangeFeed changes() {
    return feed;
  }

  /** Statistics for operators. */
  public Map<String, Number> statistics() {
    Map<String, Number> all = new TreeMap<>(cache.statistics());
    Writer current = writer;
    if (current != null) {
      all.putAll(current.statistics());
    }
    return all;
  }

  @Override
  public synchronized void close() {
    Writer current = writer;
    if (current != null) {
      current.close();
    }
    LogTail following = tail;
    if (following != null) {
      following.close();
    }
    feed.end(new RnsException(RnsError.UNAVAILABLE, "this server no longer follows the tree"));
  }
}
