package io.rns.loadtest.drill;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Change;
import io.rns.api.Consistency;
import io.rns.api.Entry;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.Position;
import io.rns.api.Positions;
import io.rns.api.QueryRequest;
import io.rns.api.RequestId;
import io.rns.api.Target;
import io.rns.client.RnsClient;
import io.rns.client.RnsConnection;
import io.rns.client.TreeWalk;
import io.rns.error.Limits;
import io.rns.error.RnsException;
import io.rns.loadtest.drill.GroupOperator.Status;
import io.rns.loadtest.group.ServerGroup.Member;
import io.rns.loadtest.history.DrillEvent.Claim;
import io.rns.loadtest.history.DrillEvent.Write;
import io.rns.loadtest.history.History;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/** All clients of a drill, each with a thread of its own. */
final class DrillLoad implements AutoCloseable {
  private static final int SESSIONS = 4;
  private static final int BOUNDED = 2;
  /** Readers are slower than writers: most writes are not handed over. */
  private static final int HANDED_OVER = 64;
  private static final int READ_ATTEMPTS = 3;
  private static final Duration READ_BOUND = Duration.ofSeconds(5);
  private static final Duration WRITE_BOUND = Duration.ofSeconds(5);
  private static final Duration WRITE_DEADLINE = Duration.ofSeconds(30);
  private static final int LIST_ATTEMPTS = 20;
  private static final Duration LIST_DEADLINE = Duration.ofMinutes(2);
  private static final Duration WATCH_BOUND = Duration.ofMinutes(1);
  private static final Duration DIRECT_PAUSE = Duration.ofMillis(100);
  private static final Duration OBSERVE_PAUSE = Duration.ofMillis(200);

  private final List<Member> members;
  private final Recorder recorder;
  private final String root;
  private final List<NameService> clients = new ArrayList<>();
  private final List<Thread> requests = new ArrayList<>();
  private final NameService group;
  private final Position watchedFrom;
  private final TreeWatcher watcher;
  private final Thread watching;
  private final WriteLoop writes;
  private volatile boolean stopping;

  private interface Step {
    void run() throws InterruptedException;
  }

  /** Creates the directories and starts all clients. */
  DrillLoad(List<Member> members, GroupOperator operator, Recorder recorder, String root, int rate) {
    this.members = List.copyOf(members);
    this.recorder = recorder;
    this.root = root;
    List<URI> addresses = members.stream().map(Member::url).toList();
    group =
        opened(
            RnsClient.builder().servers(addresses).connections(WriteLoop.MOST_OPEN).requestTimeout(WRITE_BOUND)
                .deadline(WRITE_DEADLINE));
    watchedFrom = createDirectories(group, root, members.stream().map(Member::name).toList());
    watcher = new TreeWatcher(addresses, recorder, watchedFrom);
    watching = start("watch", () -> true, watcher::watch);
    for (Member member : members) {
      Set<Integer> claimed = new HashSet<>();
      request("observe " + member.name(), () -> observe(operator, member, claimed));
      RecordedClient direct = recorded(member, 1);
      AtomicLong number = new AtomicLong();
      request("write to " + member.name(), () -> writeDirectly(direct, member, number.getAndIncrement()));
    }
    BlockingQueue<Write> recent = new ArrayBlockingQueue<>(HANDED_OVER);
    for (int i = 0; i < SESSIONS; i++) {
      request("session " + i, reader("session-" + i, recent)::readInSession);
    }
    for (int i = 0; i < addresses.size(); i++) {
      request("any " + i, readerOfAny("any-" + i, startingAt(i, addresses), recent)::readInSession);
    }
    for (int i = 0; i < BOUNDED; i++) {
      request("bounded " + i, reader("bounded", recent)::readBounded);
    }
    writes = new WriteLoop(new RecordedClient(group, Optional.empty(), recorder), recent, root, rate);
    request("write", writes::next);
  }

  private RnsConnection opened(RnsClient.Builder settings) {
    RnsConnection client = settings.closeWait(Duration.ZERO).build();
    clients.add(client);
    return client;
  }

  /** A client that asks one server, which forwards what it cannot answer. */
  private RnsConnection alone(Member member, int attempts, Duration deadline) {
    return opened(
        RnsClient.builder().server(member.url()).followReferrals(false).attempts(attempts).requestTimeout(READ_BOUND)
            .deadline(deadline));
  }

  private RecordedClient recorded(Member member, int attempts) {
    return new RecordedClient(alone(member, attempts, READ_BOUND), Optional.of(member.name()), recorder);
  }

  /** Connections remember what was read over them: each reader has its own, so that it sends its own tokens. */
  private RecentReader reader(String name, BlockingQueue<Write> recent) {
    return new RecentReader(
        name, members.stream().map(member -> recorded(member, READ_ATTEMPTS)).toList(), recent);
  }

  /** As applications read: the client knows all servers, and leaves one that does not answer. */
  private RecentReader readerOfAny(String name, List<URI> servers, BlockingQueue<Write> recent) {
    RnsConnection client = opened(RnsClient.builder().servers(servers));
    return new RecentReader(name, List.of(new RecordedClient(client, Optional.empty(), recorder)), recent);
  }

  private static List<URI> startingAt(int first, List<URI> servers) {
    List<URI> order = new ArrayList<>(servers.subList(first, servers.size()));
    order.addAll(servers.subList(0, first));
    return order;
  }

  /** Creates the root, the directories of the {@link WriteLoop}, and others; returns the position of the change. */
  static Position createDirectories(NameService group, String root, List<String> others) {
    List<NewEntry> directories = new ArrayList<>(List.of(NewEntry.directory(Target.of(root))));
    for (int i = 0; i < WriteLoop.DIRECTORIES; i++) {
      directories.add(NewEntry.directory(Target.of(root + "/" + i)));
    }
    others.forEach(name -> directories.add(NewEntry.directory(Target.of(root + "/" + name))));
    Answer<List<Outcome<Entry>>> created =
        group.add(CallContext.ANONYMOUS.with(RequestId.random()), new AddRequest(directories, false, false));
    created.value().forEach(Outcome::orThrow);
    return created.position();
  }

  private void request(String name, Step step) {
    requests.add(start(name, () -> !stopping, step));
  }

  private static Thread start(String name, BooleanSupplier running, Step step) {
    return Thread.ofPlatform().daemon().name("drill " + name).start(() -> {
      try {
        while (running.getAsBoolean()) {
          step.run();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    });
  }

  /** Records once for each epoch that a server claims to be the primary, and how far a replica is behind. */
  private void observe(GroupOperator operator, Member member, Set<Integer> claimed) throws InterruptedException {
    Optional<Status> status = operator.status(member.url());
    status.filter(s -> s.is("primary")).map(Status::epoch).filter(claimed::add)
        .ifPresent(epoch -> recorder.add(new Claim(member.name(), epoch, recorder.now())));
    status.filter(s -> s.is("replica")).ifPresent(replica -> recorder.add(replica.lag()));
    Thread.sleep(OBSERVE_PAUSE);
  }

  /** Requires that a server takes a write itself, which only the primary may. */
  private void writeDirectly(RecordedClient client, Member member, long number) throws InterruptedException {
    String directory = root + "/" + member.name();
    Write unused = client.write(directory + "/d" + number, false, directory + "/n" + number, Change.Kind.ADDED);
    Thread.sleep(DIRECT_PAUSE);
  }

  /**
   * Ends all clients when their requests are answered, the watcher after the last change, and returns what they
   * observed.
   *
   * @param incomplete receives what keeps the history from proving anything
   */
  History finish(List<String> incomplete) throws InterruptedException {
    stopping = true;
    for (Thread thread : requests) {
      thread.join(WRITE_DEADLINE.toMillis());
    }
    writes.awaitChains();
    History.Ending ending = ending(incomplete);
    long end = System.nanoTime() + WATCH_BOUND.toNanos();
    while (recorder.watched() < ending.position().sequence() && System.nanoTime() < end) {
      Thread.sleep(OBSERVE_PAUSE);
    }
    if (recorder.watched() < ending.position().sequence()) {
      watcher.trouble().ifPresent(trouble -> incomplete.add("the watcher: " + trouble));
    }
    return recorder.history(watchedFrom, ending);
  }

  private History.Ending ending(List<String> incomplete) {
    Map<String, Map<String, Long>> trees = new HashMap<>();
    Position last;
    try {
      CallContext atPrimary = CallContext.ANONYMOUS.with(Consistency.PRIMARY);
      last = group.query(atPrimary, QueryRequest.of(Target.of(root))).position();
    } catch (RnsException e) {
      // What clients observed before is still worth checking.
      incomplete.add("cannot read the final state: " + e.getMessage());
      last = new Position(watchedFrom.group(), watchedFrom.epoch(), recorder.lastKnown());
      return new History.Ending(last, trees);
    }
    for (Member member : members) {
      try {
        RnsConnection server = alone(member, LIST_ATTEMPTS, LIST_DEADLINE);
        server.seen(Positions.of(last));
        trees.put(member.name(), tree(server, root));
      } catch (RnsException e) {
        incomplete.add(member.name() + " cannot be listed at the end: " + e.getMessage());
      }
    }
    return new History.Ending(last, trees);
  }

  /** The version of every junction that a server has, by path. */
  static Map<String, Long> tree(NameService server, String root) {
    Map<String, Long> versions = new HashMap<>();
    try (TreeWalk walk = TreeWalk.of(server, Target.of(root)).pagesOf(Limits.PAGE_ENTRIES).open()) {
      walk.forEachRemaining(visit -> {
        if (visit.entry() instanceof Entry.Junction junction) {
          versions.put(visit.path().toString(), junction.version());
        }
      });
    }
    return versions;
  }

  @Override
  public void close() {
    stopping = true;
    requests.forEach(Thread::interrupt);
    watching.interrupt();
    clients.forEach(NameService::close);
  }
}
