package io.rns.loadtest.drill;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.AddRequest;
import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Change.Kind;
import io.rns.api.Entry;
import io.rns.api.ModelNameService;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.Position;
import io.rns.api.QueryRequest;
import io.rns.api.RemoveRequest;
import io.rns.api.RequestId;
import io.rns.api.Target;
import io.rns.client.RnsClient;
import io.rns.client.TestServer;
import io.rns.loadtest.history.DrillEvent.Unknown;
import io.rns.loadtest.history.DrillEvent.Acknowledged;
import io.rns.loadtest.history.DrillEvent;
import io.rns.loadtest.history.DrillEvent.Read;
import io.rns.loadtest.history.DrillEvent.WatchedChange;
import io.rns.loadtest.history.DrillEvent.Write;
import io.rns.loadtest.history.History;
import io.rns.loadtest.history.History.Ending;
import io.rns.loadtest.history.HistoryChecker;
import io.rns.loadtest.history.Promise;
import io.rns.loadtest.history.Violation;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The clients of a drill against one server over a socket: what they record is what happened. */
@Timeout(60)
@Tag("server")
class DrillClientsTest {
  private static final String ROOT = "/drill";
  private static final int WRITES = 400;
  private static final int READS = 50;

  /** What happens to one call; the rest goes on to the server as it is. */
  private interface Meddler {
    Object call(NameService service, String method, Object[] arguments) throws ReflectiveOperationException;
  }

  private static List<Violation> found(Meddler meddler) throws InterruptedException {
    NameService model = new ModelNameService();
    Position made = DrillLoad.createDirectories(model, ROOT, List.of());
    assertThat(made.sequence()).isPositive();
    NameService service =
        (NameService) Proxy.newProxyInstance(
            DrillClientsTest.class.getClassLoader(),
            new Class<?>[]{NameService.class},
            (proxy, method, arguments) -> arguments == null || arguments.length == 0
                ? method.invoke(model)
                : meddler.call(model, method.getName(), arguments));
    Recorder recorder = new Recorder();
    try (TestServer server = TestServer.start(service);
        NameService client = RnsClient.builder().server(server.address()).connections(64).attempts(1).build()) {
      BlockingQueue<Write> recent = new ArrayBlockingQueue<>(64);
      WriteLoop load = new WriteLoop(new RecordedClient(client, Optional.empty(), recorder), recent, ROOT, 2_000);
      RecentReader session =
          new RecentReader("session", List.of(new RecordedClient(client, Optional.of("server-1"), recorder)), recent);
      AtomicBoolean running = new AtomicBoolean(true);
      List<Thread> threads = List.of(start(running, load::next), start(running, session::readInSession));
      long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
      while (recorder.acknowledged() < WRITES || reads(recorder) < READS) {
        assertThat(System.nanoTime()).as("%d writes", recorder.acknowledged()).isLessThan(end);
        LockSupport.parkNanos(1_000_000);
      }
      running.set(false);
      for (Thread thread : threads) {
        thread.join();
      }
      load.awaitChains();
    }
    History history = history(model, recorder);
    return HistoryChecker.check(history);
  }

  private static int reads(Recorder recorder) {
    Position start = new Position(0, 0, 0);
    return recorder.history(start, new Ending(start, Map.of())).all(Read.class).size();
  }

  private interface Step {
    void run() throws InterruptedException;
  }

  private static Thread start(AtomicBoolean running, Step step) {
    return Thread.ofVirtual().start(() -> {
      try {
        while (running.get()) {
          step.run();
        }
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    });
  }

  /** The model has no log: one is made of what was acknowledged, without gaps. */
  private static History history(NameService model, Recorder recorder) {
    Position end = model.query(CallContext.ANONYMOUS, QueryRequest.of(Target.ROOT)).position();
    Ending ending = new Ending(end, Map.of("server-1", DrillLoad.tree(model, ROOT)));
    History recorded = recorder.history(new Position(end.group(), end.epoch(), 0), ending);
    Map<Long, WatchedChange> log = new TreeMap<>();
    for (long i = 1; i <= end.sequence(); i++) {
      log.put(i,
          new WatchedChange(new Position(end.group(), end.epoch(), i), Kind.CHANGED, "/of-somebody-else-" + i, 0, 0));
    }
    recorded.all(Write.class).stream()
        .filter(Write::isAcknowledged)
        .sorted(Comparator.comparing(Write::repetition))
        .forEach(w -> log.put(w.position().sequence(), new WatchedChange(w.position(), w.kind(), w.path(), 0, 0)));
    List<DrillEvent> events = new ArrayList<>(recorded.events());
    events.addAll(log.values());
    return new History(events, recorded.watchedFrom(), ending);
  }

  private static Object on(NameService service, String method, Object[] arguments) throws ReflectiveOperationException {
    for (var candidate : NameService.class.getMethods()) {
      if (candidate.getName().equals(method)) {
        return candidate.invoke(service, arguments);
      }
    }
    throw new NoSuchMethodException(method);
  }

  @Test
  void aServerThatKeepsItsPromisesBreaksNone() throws InterruptedException {
    assertThat(found(DrillClientsTest::on)).isEmpty();
  }

  @Test
  void aServerThatForgetsRequestIdsIsFound() throws InterruptedException {
    assertThat(
        found(
            (service, method, arguments) -> {
              CallContext call = (CallContext) arguments[0];
              arguments[0] = method.equals("add") ? call.with(RequestId.random()) : call;
              return on(service, method, arguments);
            }))
        .extracting(Violation::promise)
        // What was removed meanwhile can be added once more.
        .contains(Promise.HONEST_REFUSALS)
        .isSubsetOf(Promise.HONEST_REFUSALS, Promise.APPLIED_ONCE);
  }

  @Test
  void aServerThatDoesNotApplyWhatItAcknowledgesIsFound() throws InterruptedException {
    AtomicInteger adds = new AtomicInteger();
    List<Promise> broken =
        found(
            (service, method, arguments) -> {
              Object answer = on(service, method, arguments);
              if (method.equals("add") && adds.incrementAndGet() % 50 == 0) {
                undo(service, (AddRequest) arguments[1]);
              }
              return answer;
            })
            .stream()
            .map(Violation::promise)
            .toList();
    assertThat(broken).contains(Promise.NOTHING_LOST);
  }

  private static void undo(NameService service, AddRequest request) {
    Target target = request.entries().get(0).target();
    var unused =
        service.remove(
            CallContext.ANONYMOUS, RemoveRequest.of(RemoveRequest.Removal.of(target)));
  }

  @Test
  void aServerThatAnswersWithoutLookingIsFound() throws InterruptedException {
    AtomicInteger queries = new AtomicInteger();
    assertThat(
        found(
            (service, method, arguments) -> {
              if (method.equals("query") && queries.incrementAndGet() % 7 == 0) {
                Answer<List<Outcome<Entry>>> nothing =
                    service.query(CallContext.ANONYMOUS, QueryRequest.of(Target.of("/drill/0/nobody")));
                return nothing;
              }
              return on(service, method, arguments);
            }))
        .extracting(Violation::promise)
        .contains(Promise.READ_YOUR_WRITES);
  }

  @Test
  void anOutageIsTheLongestTimeWithoutAnAnswer() {
    Recorder recorder = new Recorder();
    for (long second : List.of(1L, 2L, 5L, 6L)) {
      recorder.add(written("r" + second, Duration.ofSeconds(second).toNanos(),
          new Acknowledged(new Position(0, 1, second))));
    }
    recorder.add(written("r9", Duration.ofSeconds(4).toNanos(), new Unknown("no answer")));
    assertThat(recorder.writeOutage(0, Duration.ofSeconds(7).toNanos())).contains(Duration.ofSeconds(3).toNanos());
    assertThat(recorder.writeOutage(0, Duration.ofSeconds(10).toNanos())).contains(Duration.ofSeconds(4).toNanos());
    assertThat(recorder.writeOutage(Duration.ofSeconds(7).toNanos(), Duration.ofSeconds(9).toNanos())).isEmpty();
    assertThat(recorder.readOutage(0, 1)).isEmpty();
    for (long second : List.of(1L, 2L, 5L, 6L)) {
      recorder.add(read("one", RecordedClient.ANY, second));
      recorder.add(read("two", RecordedClient.ANY, second + 1));
      recorder.add(read("three", "server-1", second));
    }
    recorder.add(read("one", RecordedClient.ANY, 3));
    assertThat(recorder.readOutage(0, Duration.ofSeconds(7).toNanos())).as("of the session that waited longest")
        .contains(Duration.ofSeconds(3).toNanos());
  }

  private static Read read(String session, String server, long second) {
    long at = Duration.ofSeconds(second).toNanos();
    return new Read(session, server, Optional.empty(), Optional.empty(), "/a", at, at, OptionalLong.of(1),
        new Position(0, 1, second));
  }

  private static Write written(String id, long answered, DrillEvent.Outcome told) {
    return new Write(id, false, "/" + id, Kind.ADDED, Optional.empty(), answered, answered, told);
  }
}
