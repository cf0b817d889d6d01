package io.rns.loadtest.pool;

import io.rns.association.RegistrarServer;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.handlespace.Handlespace;
import io.rns.loadtest.contest.Contest;
import io.rns.loadtest.launcher.Poll;
import io.rns.loadtest.launcher.ServerProcess;
import io.rns.loadtest.measure.RequestArrivals;
import io.rns.loadtest.measure.Failure;
import io.rns.loadtest.measure.FailureKind;
import io.rns.loadtest.measure.LoadClient;
import io.rns.loadtest.measure.Measurement;
import io.rns.loadtest.measure.Observer;
import io.rns.loadtest.measure.Processors;
import io.rns.loadtest.measure.Row;
import io.rns.loadtest.measure.Schedule;
import io.rns.loadtest.measure.Workload;
import io.rns.registrar.Registrar;
import io.rns.registrar.RegistrarSettings;
import io.rns.rserpool.Octets;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Elements that register again and again at one registrar, with another one in sync: what the registrars use of the
 * processors.
 */
public record RenewalLoad(int elements, Duration interval, Duration warmUp, Duration measured) {
  private static final Octets HANDLE = Octets.utf8("/bench/renewal");
  private static final String HOME = "registrar";
  private static final String PEER = "the other registrar";
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  /** Runs both registrars, each in a process of its own, and all elements in this one. */
  public List<Row> run(Consumer<String> progress) throws InterruptedException {
    try (ServerProcess home = ServerProcess.start(RegistrarMain.class)) {
      String[] ports = home.readLine().split(" ", -1);
      try (ServerProcess peer = ServerProcess.start(RegistrarMain.class, ports[1])) {
        String unused = peer.readLine();
        Poll.until("the registrars serve",
            () -> home.ask("").startsWith("serving") && peer.ask("").startsWith("serving"));
        return run(home, peer, Integer.parseInt(ports[0]), progress);
      }
    }
  }

  private List<Row> run(ServerProcess home, ServerProcess peer, int port, Consumer<String> progress)
      throws InterruptedException {
    InetSocketAddress registrar = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    List<AsapElement> registered = new ArrayList<>();
    try {
      for (int id = 1; id <= elements; id++) {
        AsapElement element = new AsapElement(registrar, HANDLE, id, 1_024 + id % 60_000);
        registered.add(element);
        element.register();
      }
      progress.accept(elements + " elements registered");
      Poll.until("all elements are known to both", () -> size(home) == elements && size(peer) == elements);
      Histogram answers = new ConcurrentHistogram(TIMEOUT.toNanos(), 3);
      Measurement made = renew(registered, answers, home, peer, progress);
      // Connections stay open until then: a registrar removes an element whose connection is lost.
      Poll.until("the registrars agree", () -> home.ask("").equals(peer.ask("")) && size(home) == elements);
      return List.of(row(HOME, made, answers), row(PEER, made, answers));
    } catch (IOException e) {
      throw failed(String.valueOf(e.getMessage()));
    } finally {
      registered.forEach(AsapElement::close);
    }
  }

  private Measurement renew(List<AsapElement> registered, Histogram answers, ServerProcess home, ServerProcess peer,
      Consumer<String> progress) throws InterruptedException {
    Workload renewals = new Workload("renewals", 1, () -> clients(registered, answers), new RequestArrivals.OfClients(),
        TIMEOUT);
    Processors processors = new Processors(Map.of(HOME, List.of(home.pid()), PEER, List.of(peer.pid())));
    Measurement made = new Contest(1, Duration.ZERO, new Schedule(warmUp, measured))
        .run(List.of(renewals), new Observer(processors, second -> {}, () -> {}), progress).getFirst().together();
    if (made.failures().total() > 0) {
      throw failed(made.failures().toString());
    }
    return made;
  }

  private static RnsException failed(String why) {
    return new RnsException(RnsError.UNAVAILABLE, "an element failed: " + why);
  }

  private List<LoadClient> clients(List<AsapElement> registered, Histogram answers) {
    List<LoadClient> clients = new ArrayList<>();
    long begin = System.nanoTime();
    for (int i = 0; i < elements; i++) {
      long offset = interval.toNanos() * (i + 1) / elements;
      clients.add(new Renewal(registered.get(i), answers, begin, offset - interval.toNanos()));
    }
    return clients;
  }

  private Row row(String registrar, Measurement made, Histogram answers) {
    double seconds = made.measured().toNanos() / 1e9;
    double perSecond = answers.getTotalCount() / seconds;
    double cores = made.used().getOrDefault(registrar, Duration.ZERO).toNanos() / 1e9 / seconds;
    return Row.of(registrar + ", " + elements + " elements, every " + interval.toMillis() + " ms")
        .with("perSecond", perSecond)
        .with("cores", cores)
        .with("microsEach", perSecond == 0 ? 0 : cores * 1e6 / perSecond)
        .with("p50Micros", Measurement.micros(answers, 50))
        .with("p99Micros", Measurement.micros(answers, 99));
  }

  private static int size(ServerProcess registrar) {
    return Integer.parseInt(registrar.ask("").split(" ", -1)[1]);
  }

  /** Renews one element. Elements begin spread over the interval, and keep to their times. */
  private final class Renewal implements LoadClient {
    private final AsapElement element;
    private final Histogram answers;
    private final long begin;
    private long due;

    Renewal(AsapElement element, Histogram answers, long begin, long due) {
      this.element = element;
      this.answers = answers;
      this.begin = begin;
      this.due = due;
    }

    @Override
    public boolean prepare() {
      // One that is late by more than an interval leaves renewals out.
      due = Math.max(due + interval.toNanos(), System.nanoTime() - begin - interval.toNanos());
      return due < warmUp.plus(measured).toNanos();
    }

    @Override
    public long dueNanos() {
      return due;
    }

    /** Its answer counts from when the request was sent: that a thread of this process was late is no matter. */
    @Override
    public @Nullable Failure perform() {
      long sent = System.nanoTime();
      try {
        element.register();
        if (due >= warmUp.toNanos()) {
          answers.recordValue(Math.min(System.nanoTime() - sent, answers.getHighestTrackableValue()));
        }
        return null;
      } catch (IOException e) {
        return new Failure(FailureKind.CONNECTION, String.valueOf(e.getMessage()));
      }
    }

    @Override
    public void cut() {
      element.close();
    }

    @Override
    public void close() {
      // The registrars are compared while all elements are connected.
    }
  }

  /**
   * A registrar of production in a process of its own. It prints its ports, and answers each line with what it knows:
   * {@code serving} or {@code starting}, how many elements, and the checksums of all registrars' elements.
   */
  static final class RegistrarMain {
    private RegistrarMain() {}

    /** Runs until its input ends; the arguments are ports of other registrars on this machine. */
    public static void main(String[] arguments) throws IOException {
      InetAddress here = InetAddress.getLoopbackAddress();
      List<InetSocketAddress> others =
          Arrays.stream(arguments).map(port -> new InetSocketAddress(here, Integer.parseInt(port))).toList();
      try (RegistrarServer server = RegistrarServer.bind(here, 0, 0);
          BufferedReader questions = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
        server.start(others, RegistrarSettings.DEFAULTS, new SplittableRandom(),
            () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
        System.out.println(server.elementsAddress().getPort() + " " + server.peersAddress().getPort());
        for (String line = questions.readLine(); line != null; line = questions.readLine()) {
          System.out.println(server.ask(RegistrarMain::state));
        }
      }
    }

    private static String state(Registrar registrar) {
      Handlespace known = registrar.handlespace();
      TreeMap<Integer, Long> sums = new TreeMap<>();
      known.synchronisation().homes()
          .forEach(home -> sums.put(home, known.synchronisation().checksum(home).versions()));
      return (registrar.isServing() ? "serving " : "starting ") + known.size() + " " + sums;
    }
  }
}
