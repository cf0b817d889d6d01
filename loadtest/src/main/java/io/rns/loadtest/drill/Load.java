package io.rns.loadtest.drill;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.CallContext;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.Position;
import io.rns.api.RequestId;
import io.rns.api.Target;
import io.rns.client.RnsClient;
import io.rns.loadtest.group.ServerGroup.Member;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** All clients of a drill. */
final class Load implements AutoCloseable {
  private static final int SESSIONS = 4;
  private static final int BOUNDED = 2;
  private static final int READ_ATTEMPTS = 3;
  private static final Duration READ_BOUND = Duration.ofSeconds(5);
  private static final Duration WRITE_BOUND = Duration.ofSeconds(5);
  private static final Duration WRITE_DEADLINE = Duration.ofSeconds(30);

  private final List<NameService> clients = new ArrayList<>();
  private final NameService groupClient;
  private final Map<String, NameService> servers;
  private final List<Runnable> stops = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final Watcher watcher;
  private final WriteLoad writeLoad;
  private final Position watchedFrom;

  /** Starts them: directories are made, then everybody begins. */
  Load(List<Member> members, GroupCalls calls, Recorder recorder, Lags lags, String root, int rate) {
    List<URI> addresses = members.stream().map(Member::url).toList();
    groupClient =
        RnsClient.builder()
            .servers(addresses)
            .connections(WriteLoad.MOST_OPEN)
            .requestTimeout(WRITE_BOUND)
            .deadline(WRITE_DEADLINE)
            .closeWait(Duration.ZERO)
            .build();
    clients.add(groupClient);
    servers = eachAlone(members, 1);
    watchedFrom = makeDirectories(root, members);
    Recent recent = new Recent();
    watcher = new Watcher(addresses, recorder, watchedFrom);
    begin("watch", watcher, watcher::stop);
    for (Member member : members) {
      Observer observer = new Observer(member.url(), calls, recorder, lags);
      begin("observe " + member.name(), observer, observer::stop);
      Writers direct = new Writers(alone(member, 1), recorder, Optional.of(member.name()));
      DirectWrites writes = new DirectWrites(direct, root + "/" + member.name());
      begin("write to " + member.name(), writes, writes::stop);
    }
    for (int i = 0; i < SESSIONS; i++) {
      SessionReads session =
          new SessionReads("session-" + i, new Readers(eachAlone(members, READ_ATTEMPTS), recorder), recent);
      begin("session " + i, session, session::stop);
    }
    for (int i = 0; i < BOUNDED; i++) {
      BoundedReads bounded = new BoundedReads(new Readers(eachAlone(members, READ_ATTEMPTS), recorder), recent);
      begin("bounded " + i, bounded, bounded::stop);
    }
    writeLoad = new WriteLoad(new Writers(groupClient, recorder, Optional.empty()), recent, recorder, root, rate);
    begin("write", writeLoad, () -> {});
  }

  /** Connections remember what was read over them: each reader has its own, so that its tokens are what it sends. */
  private Map<String, NameService> eachAlone(List<Member> members, int attempts) {
    Map<String, NameService> each = new HashMap<>();
    members.forEach(member -> each.put(member.name(), alone(member, attempts)));
    return each;
  }

  /** A client that asks one server, which sends on what it cannot answer. */
  private NameService alone(Member member, int attempts) {
    NameService client =
        RnsClient.builder()
            .server(member.url())
            .followReferrals(false)
            .attempts(attempts)
            .requestTimeout(READ_BOUND)
            .deadline(READ_BOUND)
            .closeWait(Duration.ZERO)
            .build();
    clients.add(client);
    return client;
  }

  private void begin(String name, Runnable work, Runnable stop) {
    stops.add(stop);
    threads.add(Thread.ofPlatform().daemon().name("drill " + name).start(work));
  }

  private Position makeDirectories(String root, List<Member> members) {
    List<NewEntry> directories = new ArrayList<>(List.of(NewEntry.directory(Target.of(root))));
    for (int i = 0; i < WriteLoad.directories(); i++) {
      directories.add(NewEntry.directory(Target.of(root + "/" + i)));
    }
    members.forEach(member -> directories.add(NewEntry.directory(Target.of(root + "/" + member.name()))));
    var made =
        groupClient.add(CallContext.ANONYMOUS.with(RequestId.random()), new AddRequest(directories, false, false));
    made.value().forEach(Outcome::orThrow);
    return made.position();
  }

  /** Where the watcher began. */
  Position watchedFrom() {
    return watchedFrom;
  }

  /** What the watcher complained of last; empty if of nothing. */
  String watchTrouble() {
    return watcher.trouble();
  }

  NameService group() {
    return groupClient;
  }

  Map<String, NameService> servers() {
    return Map.copyOf(servers);
  }

  /** Ends all but the watcher, when their requests are answered. */
  void stopRequests() throws InterruptedException {
    writeLoad.stop();
    for (int i = 1; i < stops.size(); i++) { // the first is the watcher
      stops.get(i).run();
    }
    for (Thread thread : threads.subList(1, threads.size())) {
      thread.join(WRITE_DEADLINE.toMillis());
    }
  }

  /** Breaks off all that runs. */
  @Override
  public void close() {
    stops.forEach(Runnable::run);
    threads.forEach(Thread::interrupt);
    clients.forEach(NameService::close);
  }
}
