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
import java.util.LinkedHashMap;
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
 * Elements that register again and again at one registrar, with others in sync, and users that resolve their pool: what
 * the registrars use of the processors.
 *
 * @param registrars how many
 * @param interval after which an element registers again
 * @param users how many resolve
 * @param userInterval after which a user resolves again
 * @param resolveAt the number of the registrar that they ask, from 1
 */
public record RenewalLoad(
    int elements, Duration interval, int registrars, int users, Duration userInterval, int resolveAt, Duration warmUp,
    Duration measured) {
  private static final String HANDLE_TEXT = "/bench/renewal";
  private static final Octets HANDLE = Octets.utf8(HANDLE_TEXT);
  private static final String HOME = "registrar";
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  /** A registrar in a process of its own, and its name in the report. */
  private record Running(ServerProcess process, String name, InetSocketAddress elements, String peersPort)
      implements
        AutoCloseable {
    static Running start(int number, int of, List<Running> others) {
      ServerProcess process = ServerProcess.start(RegistrarMain.class,
          others.stream().map(Running::peersPort).toArray(String[]::new));
      try {
        String[] ports = process.readLine().split(" ", -1);
        String other = of == 2 ? "the other registrar" : "registrar " + number;
        return new Running(process, number == 1 ? HOME : other,
            new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(ports[0])), ports[1]);
      } catch (RuntimeException e) {
        process.close();
        throw e;
      }
    }

    String state() {
      return process.ask("");
    }

    int size() {
      return Integer.parseInt(state().split(" ", -1)[1]);
    }

    @Override
    public void close() {
      process.close();
    }
  }

  /** Runs all registrars, each in a process of its own, and all elements and users in this one. */
  public List<Row> run(Consumer<String> progress) throws InterruptedException {
    List<Running> running = new ArrayList<>();
    try {
      for (int number = 1; number <= registrars; number++) {
        running.add(Running.start(number, registrars, running));
      }
      Poll.until("the registrars serve", () -> running.stream().allMatch(each -> each.state().startsWith("serving")));
      return run(running, progress);
    } finally {
      running.forEach(Running::close);
    }
  }

  private List<Row> run(List<Running> running, Consumer<String> progress) throws InterruptedException {
    Running home = running.getFirst();
    List<AsapElement> registered = new ArrayList<>();
    try {
      for (int id = 1; id <= elements; id++) {
        AsapElement element = new AsapElement(home.elements(), HANDLE, id, 1_024 + id % 60_000);
        registered.add(element);
        element.register();
      }
      progress.accept(elements + " elements registered");
      Poll.until("all registrars know all elements", () -> running.stream().allMatch(each -> each.size() == elements));
      Histogram answers = new ConcurrentHistogram(TIMEOUT.toNanos(), 3);
      Histogram resolved = new ConcurrentHistogram(TIMEOUT.toNanos(), 3);
      Measurement made = renew(registered, answers, resolved, running, progress);
      // Connections stay open until then: a registrar removes an element whose connection is lost.
      Poll.until("the registrars agree",
          () -> running.stream().map(Running::state).distinct().count() == 1 && home.size() == elements);
      List<Row> rows = new ArrayList<>();
      for (Running each : running) {
        rows.add(row(each.name(), made, answers));
      }
      if (users > 0) {
        rows.add(Row.of("resolutions, " + users + " users")
            .with("perSecond", perSecond(made, resolved))
            .with("p50Micros", Measurement.micros(resolved, 50))
            .with("p99Micros", Measurement.micros(resolved, 99)));
      }
      return rows;
    } catch (IOException e) {
      throw failed(String.valueOf(e.getMessage()));
    } finally {
      registered.forEach(AsapElement::close);
    }
  }

  private Measurement renew(List<AsapElement> registered, Histogram answers, Histogram resolved,
      List<Running> running, Consumer<String> progress) throws InterruptedException {
    InetSocketAddress asked = running.get(resolveAt - 1).elements();
    Workload renewals = new Workload("renewals", 1, () -> clients(registered, answers, asked, resolved),
        new RequestArrivals.OfClients(), TIMEOUT);
    Map<String, List<Long>> pids = new LinkedHashMap<>();
    running.forEach(each -> pids.put(each.name(), List.of(each.process().pid())));
    Measurement made = new Contest(1, Duration.ZERO, new Schedule(warmUp, measured))
        .run(List.of(renewals), new Observer(new Processors(pids), second -> {}, () -> {}), progress).getFirst()
        .together();
    if (made.failures().total() > 0) {
      throw failed(made.failures().toString());
    }
    return made;
  }

  private static RnsException failed(String why) {
    return new RnsException(RnsError.UNAVAILABLE, "an element or a user failed: " + why);
  }

  private List<LoadClient> clients(
      List<AsapElement> registered, Histogram answers, InetSocketAddress asked, Histogram resolved) {
    List<LoadClient> clients = new ArrayList<>();
    for (int i = 0; i < elements; i++) {
      clients.add(new Timed(new Renewal(registered.get(i)), answers, interval, (double) i / elements));
    }
    for (int i = 0; i < users; i++) {
      clients.add(new Timed(AsapUser.of(asked, HANDLE_TEXT), resolved, userInterval, (double) i / users));
    }
    return clients;
  }

  private static double perSecond(Measurement made, Histogram answers) {
    return answers.getTotalCount() * 1e9 / made.measured().toNanos();
  }

  private Row row(String registrar, Measurement made, Histogram answers) {
    double seconds = made.measured().toNanos() / 1e9;
    double perSecond = perSecond(made, answers);
    double cores = made.used().getOrDefault(registrar, Duration.ZERO).toNanos() / 1e9 / seconds;
    return Row.of(registrar + ", " + elements + " elements, every " + interval.toMillis() + " ms")
        .with("perSecond", perSecond)
        .with("cores", cores)
        .with("microsEach", perSecond == 0 ? 0 : cores * 1e6 / perSecond)
        .with("p50Micros", Measurement.micros(answers, 50))
        .with("p99Micros", Measurement.micros(answers, 99));
  }

  /** Keeps to its times. */
  private final class Timed implements LoadClient {
    private final LoadClient client;
    private final Histogram answers;
    private final long every;
    private long begin;
    private long due;

    /** Keeps to an interval; its first request is due after a part of it, from 0 to below 1. */
    Timed(LoadClient client, Histogram answers, Duration interval, double part) {
      this.client = client;
      this.answers = answers;
      this.every = interval.toNanos();
      this.due = Math.round((part - 1) * every);
    }

    @Override
    public boolean prepare() {
      if (due < 0) {
        begin = System.nanoTime();
      }
      // One that is late by more than an interval leaves turns out.
      due = Math.max(due + every, System.nanoTime() - begin - every);
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
      Failure failure = client.perform();
      if (failure == null && due >= warmUp.toNanos()) {
        answers.recordValue(Math.min(System.nanoTime() - sent, answers.getHighestTrackableValue()));
      }
      return failure;
    }

    @Override
    public void cut() {
      client.cut();
    }

    @Override
    public void close() {
      client.close();
    }
  }

  /** Renews one element. */
  private record Renewal(AsapElement element) implements LoadClient {
    @Override
    public boolean prepare() {
      return true;
    }

    @Override
    public @Nullable Failure perform() {
      try {
        element.register();
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
