package io.rns.client;

import static io.rns.api.CallContext.ANONYMOUS;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.Entry.Junction;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.QueryRequest;
import io.rns.api.Target;
import java.net.URI;

/** The example that docs/client.md shows: what stands between the two marks. */
final class ReadmeExample {
  private ReadmeExample() {}

  static void run(URI server) {
    // example
    try (NameService names = RnsClient.builder().server(server).build()) {
      NewEntry docs = NewEntry.directory(Target.of("/docs"));
      NewEntry home = NewEntry.junction(Target.of("/docs/home"), EndpointReference.ofAddress("https://example.org/"));
      names.add(ANONYMOUS, AddRequest.of(docs, home)).value().forEach(Outcome::orThrow);

      Entry found = names.query(ANONYMOUS, QueryRequest.of(Target.of("/docs/home"))).value().get(0).orThrow();
      System.out.println(((Junction) found).references().get(0).address());

      for (Entry entry : Entries.of(names, Target.of("/docs"))) {
        System.out.println(entry.displayName());
      }
    }
    // end
  }
}
