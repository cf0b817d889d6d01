package io.rns.client;

import static io.rns.api.CallContext.ANONYMOUS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.Cursor;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.ListRequest;
import io.rns.api.Metadata;
import io.rns.api.ModelNameService;
import io.rns.api.NamePattern;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.QueryRequest;
import io.rns.api.Refusal;
import io.rns.api.RemoveRequest;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the client says to a server of ours in RNS 1.1, and what it still says as before. */
class DialectTest {
  private static NameService client(TestServer server) {
    return RnsClient.builder().server(server.address()).firstPause(Duration.ofMillis(1)).build();
  }

  private static NewEntry directory(String path) {
    return NewEntry.directory(Target.of(path));
  }

  private static NewEntry junction(String path) {
    return NewEntry.junction(Target.of(path), EndpointReference.ofAddress("urn:x"));
  }

  @Test
  void theFirstMessageOfAConnectionMeansNothingToOthers() {
    try (TestServer server = TestServer.start();
        NameService client = client(server)) {
      client.add(ANONYMOUS, AddRequest.of(directory("/a")));
      assertThat(server.payloads()).isEqualTo(Map.of("batch", 1));
      client.add(ANONYMOUS, AddRequest.of(directory("/b")));
      assertThat(server.payloads()).as("and there is no other").isEqualTo(Map.of("batch", 1, "AddRequest", 1));
    }
  }

  @Test
  void aNewConnectionMayLeadToAnotherServer() {
    NameService tree = new ModelNameService();
    TestServer server = TestServer.start(tree);
    try (NameService client = client(server)) {
      client.add(ANONYMOUS, AddRequest.of(directory("/a")));
      server.close();
      try (TestServer again = TestServer.start(tree, server.port())) {
        client.add(ANONYMOUS, AddRequest.of(directory("/b")));
        assertThat(again.payloads()).isEqualTo(Map.of("batch", 1));
      }
    }
  }

  @Test
  void whatRns11CanSayIsSaidInIt() {
    try (TestServer server = TestServer.start();
        NameService client = client(server)) {
      client.query(ANONYMOUS, QueryRequest.of(Target.ROOT));
      client.add(ANONYMOUS, AddRequest.of(directory("/a"), junction("/j")));
      client.query(ANONYMOUS, QueryRequest.of(Target.of("/a"), Target.of("/j")));
      client.list(ANONYMOUS, ListRequest.of(Target.ROOT));
      client.update(ANONYMOUS, UpdateRequest.of(EntryChange.rename(Target.of("/j"), EntryName.of("k"))));
      client.update(ANONYMOUS, UpdateRequest.of(EntryChange.metadata(Target.of("/k"), Metadata.of(Map.of("k", "v")))));
      client.remove(ANONYMOUS, RemoveRequest.of(Removal.of(Target.of("/k"))));
      assertThat(server.payloads())
          .isEqualTo(
              Map.of(
                  "query", 1,
                  "AddRequest", 1,
                  "LookupRequest", 2,
                  "RenameRequest", 1,
                  "SetMetadataRequest", 1,
                  "RemoveRequest", 1));
    }
  }

  @Test
  void whatItCannotSayIsSaidAsBefore() {
    try (TestServer server = TestServer.start();
        NameService client = client(server)) {
      client.query(ANONYMOUS, QueryRequest.of(Target.ROOT));
      client.query(ANONYMOUS, QueryRequest.of(Target.ROOT));
      client.add(ANONYMOUS, AddRequest.of(junction("/a/b")).withParents());
      client.add(ANONYMOUS, AddRequest.of(directory("/c"), directory("/a/d")));
      client.query(ANONYMOUS, QueryRequest.of(Target.of("/a")).withCounts());
      client.list(ANONYMOUS, ListRequest.of(Target.ROOT).matching(NamePattern.glob("*")));
      client.update(ANONYMOUS, UpdateRequest.of(EntryChange.move(Target.of("/a/b"), Target.ROOT, EntryName.of("b"))));
      assertThat(server.payloads()).isEqualTo(Map.of("query", 2, "batch", 3, "list", 1, "update", 1));
    }
  }

  @Test
  void anErrorShowsWhoseItIsToo() {
    Cursor ofAnother = new Cursor(new EntryId(99), EntryName.of("x"));
    try (TestServer server = TestServer.start();
        NameService client = client(server)) {
      assertThatThrownBy(() -> client.list(ANONYMOUS, ListRequest.of(Target.ROOT).from(ofAnother)))
          .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.INVALID_CURSOR));
      assertThat(server.payloads()).isEqualTo(Map.of("list", 1));
    }
  }

  @Test
  void metadataThatRns11WouldTakeForSomethingElseSurvive() {
    String[] odd = {
        "<n:supports-rns xmlns:n='http://schemas.ogf.org/rns/2009/12/rns' value='false'/>",
        "<m/><n:supports-rns xmlns:n='http://schemas.ogf.org/rns/2009/12/rns' value='true'/>",
        "<x:reference xmlns:x='urn:rns:ext:1'><a:Address xmlns:a='http://www.w3.org/2005/08/addressing'>urn:y</a:Address>"
            + "</x:reference>"
    };
    try (TestServer server = TestServer.start();
        NameService client = client(server)) {
      client.query(ANONYMOUS, QueryRequest.of(Target.ROOT));
      for (int i = 0; i < odd.length; i++) {
        Metadata metadata = Metadata.parse(odd[i]);
        client.add(ANONYMOUS, AddRequest.of(directory("/d" + i).with(metadata), junction("/j" + i)));
        client.update(ANONYMOUS, UpdateRequest.of(EntryChange.metadata(Target.of("/j" + i), metadata)));
        for (String path : List.of("/d" + i, "/j" + i)) {
          Entry entry = client.query(ANONYMOUS, QueryRequest.of(Target.of(path))).value().get(0).orThrow();
          assertThat(entry.metadata()).isEqualTo(metadata);
        }
      }
    }
  }

  @Test
  void everyItemOfADirectoryThatIsNotThereIsRefusedByItself() {
    try (TestServer server = TestServer.start();
        NameService client = client(server)) {
      client.query(ANONYMOUS, QueryRequest.of(Target.ROOT));
      assertThat(client.add(ANONYMOUS, AddRequest.of(directory("/x/a"), directory("/x/b"))).value())
          .containsExactly(
              Outcome.refused(new Refusal.NoSuchEntry(Target.of("/x/a"), 1)),
              Outcome.refused(new Refusal.NoSuchEntry(Target.of("/x/b"), 1)));
      assertThat(server.payloads()).containsEntry("AddRequest", 1);
    }
  }
}
