package io.rns.loadtest.contest;

import io.rns.client.RnsClient;
import io.rns.client.RnsConnection;
import io.rns.loadtest.group.TemporaryService;
import io.rns.loadtest.http.RawConnection;
import io.rns.loadtest.measure.Workload;
import io.rns.loadtest.service.Answers;
import io.rns.loadtest.service.HttpTarget;
import io.rns.loadtest.service.LoadDirectory;
import io.rns.loadtest.service.Messages;
import io.rns.loadtest.work.Call;
import io.rns.loadtest.work.Kind;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A service with a front, and entries to ask for.
 *
 * @param directories have {@link #MEDIUM} junctions each
 * @param others have other numbers of them
 */
record FrontedService(TemporaryService service, List<String> directories, Map<Integer, String> others)
    implements
      AutoCloseable {
  /** Entries of a page of 4 KB. */
  static final int SMALL = 16;
  /** Of one of 64 KB. */
  static final int MEDIUM = 250;
  /** Of one of 128 KB. */
  static final int LARGE = 500;

  private static final int DIRECTORIES = 4;
  private static final int PERCENT = 100;

  static FrontedService start(Path launcher, List<String> options) throws InterruptedException {
    TemporaryService service = TemporaryService.start(launcher,
        Stream.concat(Stream.of("--port=0", "--fronts=1"), options.stream()).toList(), data -> Map.of());
    try (RnsConnection names = RnsClient.builder().server(service.url()).build()) {
      LoadDirectory directory = LoadDirectory.create(names);
      directory.keep();
      List<String> below = IntStream.range(0, DIRECTORIES).mapToObj(number -> "/d" + number).toList();
      directory.make(below, below.stream().flatMap(name -> junctions(name, MEDIUM)).toList());
      directory.make(List.of("/small", "/large"),
          Stream.concat(junctions("/small", SMALL), junctions("/large", LARGE)).toList());
      return new FrontedService(service, below.stream().map(name -> directory.path() + name).toList(),
          Map.of(SMALL, directory.path() + "/small", LARGE, directory.path() + "/large"));
    } catch (RuntimeException e) {
      try (service) {
        throw e;
      }
    }
  }

  private static Stream<String> junctions(String directory, int count) {
    return IntStream.range(0, count).mapToObj(number -> directory + "/n" + number);
  }

  URI server() {
    return service.url();
  }

  URI front() {
    return service.front().url();
  }

  List<Long> serverPids() {
    return service.pids();
  }

  List<Long> frontPids() {
    return List.of(service.front().pid());
  }

  List<Long> allPids() {
    return Stream.concat(serverPids().stream(), frontPids().stream()).toList();
  }

  @Override
  public void close() {
    service.close();
  }

  /** Requests to a server or a front, of which so many of 100 are for a page of 64 KB. */
  Workload load(String name, URI where, Messages messages, int pages, int clients) {
    return load(name, where, messages, pages, MEDIUM, clients);
  }

  /** The same for pages of so many entries. */
  Workload load(String name, URI where, Messages messages, int pages, int entries, int clients) {
    HttpTarget target = HttpTarget.of(RnsClient.soapEndpoint(where).toString());
    List<String> listed = entries == MEDIUM ? directories : List.of(others.get(entries));
    List<byte[]> lists = listed.stream().map(path -> post(target, messages, Kind.LIST, path)).toList();
    List<byte[]> queries = directories.stream().flatMap(directory -> junctions(directory, MEDIUM))
        .map(path -> post(target, messages, Kind.QUERY, path)).toList();
    return new Workload(name, 1, () -> RawConnection.clients(target.address(), clients, client -> {
      SplittableRandom random = new SplittableRandom(client);
      return () -> {
        List<byte[]> some = random.nextInt(PERCENT) < pages ? lists : queries;
        return some.get(random.nextInt(some.size()));
      };
    }, Answers::soap), GroupClients.TIMEOUT);
  }

  private static byte[] post(HttpTarget target, Messages messages, Kind kind, String path) {
    return target.post(messages.of(Call.of(kind, path)));
  }
}
