package io.rns.local;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The fronts of a local service. A crashed front is restarted; more than five crashes in ten minutes within 10 s of
 * serving end the service. Commands arrive on a Unix domain socket in the data directory. Thread-safe.
 */
final class LocalFronts {
  /** More are of no use on one machine. */
  static final int MOST = 8;

  private static final int RESTARTS = 5;
  private static final Duration RESTART_WINDOW = Duration.ofMinutes(10);
  private static final Duration SERVED_ENOUGH = Duration.ofSeconds(10);
  private static final int TAIL_LINES = 8;
  private static final Duration RETRY = Duration.ofSeconds(1);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path directory;
  private final Supervisor supervisor;
  private final Consumer<String> progress;
  private final List<Place> places = new CopyOnWriteArrayList<>();
  private @Nullable ServerSocketChannel control;

  LocalFronts(DataDirectory data, Supervisor supervisor, Consumer<String> progress) {
    this.directory = directory(data);
    this.supervisor = supervisor;
    this.progress = progress;
  }

  /** The directory of all fronts of a service. */
  static Path directory(DataDirectory data) {
    return data.root().resolve("fronts");
  }

  /** The socket on which a running service takes commands about its fronts. */
  static Path control(DataDirectory data) {
    return directory(data).resolve("control");
  }

  /**
   * Checks how many fronts there are to be.
   *
   * @param port of the first; 0 for any
   * @param servers number of servers, whose ports follow
   */
  static void check(int fronts, int port, int servers) {
    if (fronts < 0 || fronts > MOST) {
      throw new IllegalArgumentException("--fronts must be from 0 to " + MOST + ", not " + fronts);
    }
    int last = Ports.LARGEST - fronts - servers + 1;
    if (fronts > 0 && port > last) {
      throw new IllegalArgumentException(
          "--port must be at most " + last + " with " + fronts + " fronts and " + servers + " servers, not " + port);
    }
  }

  /** One front, whichever process it is. Its monitor excludes starts and stops from each other. */
  private static final class Place {
    final String name;
    final Path directory;
    final int port;
    volatile @Nullable FrontProcess process;
    volatile boolean drained;
    int generation;

    Place(String name, Path directory, int port) {
      this.name = name;
      this.directory = directory;
      this.port = port;
    }

    FrontProcess running() {
      FrontProcess own = process;
      if (own == null || !own.isAlive()) {
        throw new LocalServiceException(name + " does not run now");
      }
      return own;
    }
  }

  /**
   * Starts the fronts and waits until they serve.
   *
   * @param first port of the first; 0 for any free ports
   * @param servers all servers
   */
  void start(int fronts, int first, FrontProcess.Servers servers) {
    List<Integer> free = first == 0 ? Ports.free(fronts) : List.of();
    try {
      FileTrees.createPrivate(directory);
      for (int number = 1; number <= fronts; number++) {
        int port = first == 0 ? free.get(number - 1) : first + number - 1;
        Ports.requireFree(port);
        Path own = directory.resolve("front-" + number);
        FileTrees.createPrivate(own);
        places.add(new Place("front-" + number, own, port));
      }
      listen(servers);
    } catch (IOException e) {
      throw new LocalServiceException(directory + " cannot be used: " + e.getMessage(), e);
    }
    progress.accept("starting " + fronts + (fronts == 1 ? " front" : " fronts"));
    places.forEach(place -> startIn(place, servers));
    places.forEach(place -> place.running().awaitServing(supervisor::giveUpIfOver));
    places.forEach(place -> watch(place, servers));
    supervisor.record();
  }

  private void startIn(Place place, FrontProcess.Servers servers) {
    synchronized (place) {
      supervisor.giveUpIfOver();
      place.process = FrontProcess.start(plan(place, servers, null));
    }
    supervisor.record();
  }

  private FrontProcess.Plan plan(Place place, FrontProcess.Servers servers, @Nullable Path predecessor) {
    place.generation++;
    Path admin = directory.resolve(place.name + "." + place.generation % 100);
    if ((admin + ".fd").getBytes(StandardCharsets.UTF_8).length > UnixCalls.MOST_PATH_BYTES) {
      throw new LocalServiceException(
          "the path of the data directory is too long for the sockets of fronts: " + admin + " has more than "
              + UnixCalls.MOST_PATH_BYTES + " bytes; choose another directory with --data");
    }
    return new FrontProcess.Plan(place.name, place.directory, admin, place.port, servers, predecessor);
  }

  /** The processes, for {@code run.json}. */
  List<FrontProcess> running() {
    List<FrontProcess> running = new ArrayList<>();
    for (Place place : places) {
      FrontProcess process = place.process;
      if (process != null && !place.drained) {
        running.add(process);
      }
    }
    return running;
  }

  private void watch(Place place, FrontProcess.Servers servers) {
    Thread.ofVirtual().name("watch of " + place.name).start(() -> keepUp(place, servers));
  }

  private void keepUp(Place place, FrontProcess.Servers servers) {
    RestartBudget budget = new RestartBudget(RESTARTS, RESTART_WINDOW, SERVED_ENOUGH, InstantSource.system());
    budget.serves();
    while (true) {
      FrontProcess watched = place.process;
      if (watched == null) {
        return;
      }
      int code = watched.onExit().join();
      synchronized (place) {
        if (supervisor.isClosing() || place.drained) {
          return;
        }
        if (place.process != watched) {
          // Its successor has taken over.
          continue;
        }
      }
      String what = place.name + " ended with code " + code + ".";
      if (!budget.take()) {
        supervisor.giveUp(
            what + " Restarted " + RESTARTS + " times in " + RESTART_WINDOW.toMinutes() + " minutes; giving up."
                + watched.logTail(TAIL_LINES));
        return;
      }
      progress.accept(what + watched.logTail(TAIL_LINES) + "\nrestarting " + place.name);
      restart(place, servers, budget);
    }
  }

  private void restart(Place place, FrontProcess.Servers servers, RestartBudget budget) {
    try {
      startIn(place, servers);
      place.running().awaitServing(supervisor::giveUpIfOver);
      supervisor.record();
      budget.serves();
      progress.accept(place.name + " is back");
    } catch (LocalServiceException e) {
      if (!supervisor.isClosing()) {
        progress.accept(place.name + " does not start: " + e.getMessage());
      }
    }
  }

  /** Replaces the process of a front by a new one that takes over its sockets. */
  private Map<String, Object> migrate(Place place, FrontProcess.Servers servers) {
    long begun = System.nanoTime();
    synchronized (place) {
      FrontProcess old = place.running();
      FrontProcess successor = FrontProcess.start(plan(place, servers, old.admin()));
      try {
        successor.awaitServing(supervisor::giveUpIfOver);
      } catch (LocalServiceException e) {
        successor.kill();
        throw new LocalServiceException(place.name + " stays where it is: " + e.getMessage(), e);
      }
      // From here on the successor accepts clients.
      place.process = successor;
      supervisor.record();
      awaitEnd(place, old, successor);
      Map<String, Object> result = new LinkedHashMap<>();
      result.put("name", place.name);
      result.put("url", successor.url());
      result.put("pid", successor.identity().pid());
      result.putAll(successor.takenOver());
      result.put("millis", Duration.ofNanos(System.nanoTime() - begun).toMillis());
      progress.accept(place.name + " is now process " + successor.identity().pid());
      return result;
    }
  }

  /** Waits until all is handed over. If that fails, one of the two processes goes on, and the other one is killed. */
  private void awaitEnd(Place place, FrontProcess old, FrontProcess successor) {
    try {
      successor.awaitComplete(() -> !old.isAlive());
    } catch (LocalServiceException e) {
      if (successor.isServing()) {
        // The predecessor would keep connections that it does not serve.
        old.kill();
        throw e;
      }
      // The predecessor serves what it has not handed over, and accepts clients again.
      successor.kill();
      place.process = old;
      supervisor.record();
      throw new LocalServiceException(place.name + " stays where it is: " + e.getMessage(), e);
    }
  }

  private Map<String, Object> drain(Place place, Duration bound) {
    FrontProcess process;
    synchronized (place) {
      process = place.running();
      place.drained = true;
      process.drain(bound, () -> place.name + " does not drain");
      process.stop();
    }
    supervisor.record();
    progress.accept(place.name + " is drained");
    return Map.of("name", place.name, "url", process.url());
  }

  private void listen(FrontProcess.Servers servers) throws IOException {
    Path path = directory.resolve("control");
    Files.deleteIfExists(path);
    ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    socket.bind(UnixDomainSocketAddress.of(path));
    control = socket;
    Thread.ofVirtual().name("commands of fronts").start(() -> {
      while (socket.isOpen()) {
        try {
          SocketChannel caller = socket.accept();
          Thread.ofVirtual().name("command of a front").start(() -> serve(caller, servers));
        } catch (ClosedChannelException e) {
          return;
        } catch (IOException e) {
          // Usually too many open files: the command is taken when others have been closed.
          progress.accept("a command about fronts could not be taken: " + e.getMessage());
          LockSupport.parkNanos(RETRY.toNanos());
        }
      }
    });
  }

  private void serve(SocketChannel caller, FrontProcess.Servers servers) {
    try (caller) {
      String[] words = UnixCalls.line(caller).split(" ", -1);
      ByteBuffer answer =
          ByteBuffer.wrap((JSON.writeValueAsString(obey(words, servers)) + "\n").getBytes(StandardCharsets.UTF_8));
      while (answer.hasRemaining()) {
        int unused = caller.write(answer);
      }
    } catch (IOException e) {
      progress.accept("a command about fronts could not be answered: " + e.getMessage());
    }
  }

  /**
   * The result of a command: {@code ls}, {@code migrate NAME} or {@code drain NAME SECONDS}; an error as {@code error}.
   */
  private Map<String, Object> obey(String[] words, FrontProcess.Servers servers) {
    if (words[0].equals("ls")) {
      return Map.of("fronts", running().stream().map(FrontProcess::report).toList());
    }
    try {
      Place place = place(words.length > 1 ? words[1] : "");
      return switch (words[0]) {
        case "migrate" -> migrate(place, servers);
        case "drain" -> drain(place, Duration.ofSeconds(Long.parseLong(words[2])));
        default -> throw new LocalServiceException("unknown command");
      };
    } catch (LocalServiceException | NumberFormatException e) {
      return Map.of("error", String.valueOf(e.getMessage()));
    }
  }

  private Place place(String name) {
    Optional<Place> named = places.stream().filter(place -> place.name.equals(name)).findFirst();
    return named.orElseThrow(() -> new LocalServiceException("no front has the name '" + name + "'"));
  }

  /** Stops the fronts; they answer what is pending. */
  void close() {
    ServerSocketChannel open = control;
    if (open != null) {
      try {
        open.close();
        Files.deleteIfExists(directory.resolve("control"));
      } catch (IOException e) {
        progress.accept("the socket for commands could not be closed: " + e.getMessage());
      }
    }
    List<Thread> stops = new ArrayList<>();
    for (Place place : places) {
      stops.add(Thread.ofVirtual().start(() -> {
        synchronized (place) {
          FrontProcess process = place.process;
          if (process != null && process.isAlive()) {
            process.stop();
          }
        }
      }));
    }
    stops.forEach(LocalFronts::join);
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
