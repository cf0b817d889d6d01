package io.rns.server.adversary;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.CallContext;
import io.rns.api.EndpointReference;
import io.rns.api.EntryName;
import io.rns.api.Metadata;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.Precondition;
import io.rns.api.RemoveRequest;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.client.RnsClient;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Attacks by trees that are large or deep. Each ends some time after the given moment. */
final class TreeAttacks {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int ENTRY_CHARS = 200_000;

  private final URI server;

  TreeAttacks(URI server) {
    this.server = server;
  }

  private NameService names() {
    return RnsClient.builder().server(server).deadline(PATIENCE).build();
  }

  /** Makes a directory of entries of {@value #ENTRY_CHARS} bytes each. */
  void addBig(String directory, int entries) {
    try (NameService names = names()) {
      add(names, AddRequest.of(NewEntry.directory(Target.of(directory))));
      Metadata big = Metadata.of(Map.of("k", "v".repeat(ENTRY_CHARS)));
      for (int i = 0; i < entries; i++) {
        Target target = Target.of(directory + "/e" + i);
        List<EndpointReference> references = List.of(EndpointReference.ofAddress("http://h/"));
        add(names, AddRequest.of(new NewEntry(target, references, big, Precondition.IF_ABSENT)));
      }
    }
  }

  private static void add(NameService names, AddRequest request) {
    names.add(CallContext.ANONYMOUS, request).value().get(0).orThrow();
  }

  /** Makes large directories, lists each by many clients at once and removes it. */
  void bigEntries(int entries, int clients, long until) throws Exception {
    int round = 0;
    do {
      String directory = "/big" + round++;
      addBig(directory, entries);
      list(directory, clients);
      try (NameService names = names()) {
        Removal removal = new Removal(Target.of(directory), true, Precondition.NONE);
        names.remove(CallContext.ANONYMOUS, new RemoveRequest(List.of(removal), false)).value().get(0).orThrow();
      }
    } while (System.nanoTime() - until < 0);
  }

  /** Clients that find no place are told so. */
  private void list(String directory, int clients) throws Exception {
    String request =
        ConnectionAttacks.head("GET", "/names" + directory + "?list&size=10000", "Connection: close\r\n\r\n");
    try (ExecutorService all = Executors.newFixedThreadPool(clients)) {
      List<Future<Integer>> statuses = new ArrayList<>();
      for (int i = 0; i < clients; i++) {
        statuses.add(all.submit(() -> {
          try (RawConnection connection = RawConnection.to(server).send(request)) {
            int status = connection.readStatus();
            connection.readToEnd();
            return status;
          }
        }));
      }
      for (Future<Integer> status : statuses) {
        assertThat(status.get()).isIn(200, 503);
      }
    }
  }

  /** Puts deep directories below one another, as long as that is allowed. */
  void deepTrees(int depth, long until) {
    String levels = "/x".repeat(depth);
    try (NameService names = names()) {
      add(names, AddRequest.of(NewEntry.directory(Target.of("/deep" + levels))).withParents());
      boolean allowed;
      do {
        add(names, AddRequest.of(NewEntry.directory(Target.of("/above" + levels))).withParents());
        allowed = move(names, "/deep", "/above" + levels) && move(names, "/above", "/");
      } while (allowed && System.nanoTime() - until < 0);
    }
  }

  private static boolean move(NameService names, String path, String parent) {
    EntryChange change =
        new EntryChange(
            Target.of(path),
            Optional.of(EntryName.of("deep")),
            Optional.of(Target.of(parent)),
            Optional.empty(),
            Optional.empty(),
            Precondition.NONE);
    return names.update(CallContext.ANONYMOUS, UpdateRequest.of(change)).value().get(0) instanceof Outcome.Done;
  }
}
