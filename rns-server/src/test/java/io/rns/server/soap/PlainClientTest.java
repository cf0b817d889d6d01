package io.rns.server.soap;

import static io.rns.api.CallContext.ANONYMOUS;
import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.Entry.Junction;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.EntryName;
import io.rns.api.Metadata;
import io.rns.api.ModelNameService;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.QueryRequest;
import io.rns.api.Refusal;
import io.rns.api.RemoveRequest;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.client.Dialect;
import io.rns.client.Entries;
import io.rns.client.RnsClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Our endpoint as our own client sees it that knows nothing but the standards. */
class PlainClientTest {
  private static final String RNS_11 = "http://schemas.ogf.org/rns/2009/12/rns";
  private static final EndpointReference FILE = EndpointReference.ofAddress("http://files.example/1");

  private final ModelNameService tree = new ModelNameService();
  private final SoapHttpServer server = new SoapHttpServer(tree);
  private final NameService client =
      RnsClient.builder().server(server.address()).dialect(Dialect.RNS_1_1_PLAIN).build();

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  private static Entry query(NameService names, String path) {
    return names.query(ANONYMOUS, QueryRequest.of(Target.of(path))).value().get(0).orThrow();
  }

  private static Outcome<Entry> add(NameService names, NewEntry entry) {
    return names.add(ANONYMOUS, AddRequest.of(entry)).value().get(0);
  }

  private List<String> names(String path) {
    List<String> names = new ArrayList<>();
    Entries.of(client, Target.of(path)).forEach(entry -> names.add(entry.displayName()));
    return names;
  }

  @Test
  void whatOneDialectWritesTheOthersRead() {
    Metadata metadata = Metadata.of(Map.of("k", "v"));
    add(client, NewEntry.directory(Target.of("/d")).with(metadata)).orThrow();
    add(client, NewEntry.junction(Target.of("/d/j"), FILE).with(metadata)).orThrow();
    for (Dialect dialect : Dialect.values()) {
      try (NameService other = RnsClient.builder().server(server.address()).dialect(dialect).build()) {
        assertThat(query(other, "/d")).isInstanceOf(VirtualDirectory.class);
        assertThat(query(other, "/d").metadata()).isEqualTo(metadata);
        Junction link = (Junction) query(other, "/d/j");
        assertThat(link.references()).containsExactly(FILE);
        assertThat(link.metadata()).isEqualTo(metadata);
        add(other, NewEntry.directory(Target.of("/d/" + dialect))).orThrow();
      }
    }
    assertThat(names("/d")).containsExactly("RNS_1_0", "RNS_1_1", "RNS_1_1_PLAIN", "j");
  }

  @Test
  void timesAndCountsAreToldAsProperties() {
    Entry made = add(client, NewEntry.directory(Target.of("/d"))).orThrow();
    add(client, NewEntry.directory(Target.of("/d/e"))).orThrow();
    QueryRequest counted = QueryRequest.of(Target.of("/d")).withCounts();
    VirtualDirectory seen = (VirtualDirectory) client.query(ANONYMOUS, counted).value().get(0).orThrow();
    assertThat(seen.entries()).isEqualTo(1);
    assertThat(seen.created()).isEqualTo(query(tree, "/d").created());
    assertThat(seen.modified()).isEqualTo(query(tree, "/d").modified());
    assertThat(seen.id()).isEqualTo(made.id());
  }

  @Test
  void entriesAreRenamedDescribedAndRemoved() {
    add(client, NewEntry.directory(Target.of("/d"))).orThrow();
    add(client, NewEntry.junction(Target.of("/d/j"), FILE)).orThrow();
    UpdateRequest changes =
        UpdateRequest.of(
            EntryChange.metadata(Target.of("/d/j"), Metadata.of(Map.of("k", "v"))),
            EntryChange.rename(Target.of("/d/j"), EntryName.of("k")),
            EntryChange.rename(Target.of("/d/j"), EntryName.of("l")));
    List<Outcome<Entry>> changed = client.update(ANONYMOUS, changes).value();
    assertThat(changed.get(1).orThrow().metadata().values()).isEqualTo(Map.of("k", "v"));
    assertThat(changed.get(2)).isEqualTo(Outcome.refused(new Refusal.NoSuchEntry(Target.of("/d/j"), 2)));
    assertThat(client.remove(ANONYMOUS, RemoveRequest.of(Removal.of(Target.of("/d")))).value())
        .containsExactly(Outcome.refused(new Refusal.NotEmpty(Target.of("/d"), 1)));
    assertThat(client.remove(ANONYMOUS, RemoveRequest.of(Removal.recursive(Target.of("/d")))).value().get(0))
        .isInstanceOf(Outcome.Done.class);
    assertThat(names("/")).isEmpty();
  }

  @Test
  void aDirectoryWhoseAddressDiedIsFoundByItsResolvers() {
    add(client, NewEntry.directory(Target.of("/d"))).orThrow();
    add(client, NewEntry.directory(Target.of("/d/e"))).orThrow();
    EndpointReference ours = referenceOf("/d");
    int metadata = ours.content().indexOf(":Metadata");
    String moved =
        ours.content().substring(0, metadata).replace(server.url(), deadAddress()) + ours.content().substring(metadata);
    EndpointReference old = EndpointReference.parse("<r>" + moved + "</r>");
    Metadata isDirectory = Metadata.parse("<n:supports-rns xmlns:n='" + RNS_11 + "' value='true'/>");
    add(tree, NewEntry.junction(Target.of("/old"), old).with(isDirectory)).orThrow();
    assertThat(names("/old")).containsExactly("e");
    add(client, NewEntry.directory(Target.of("/old/f"))).orThrow();
    assertThat(names("/d")).containsExactly("e", "f");
  }

  /** The reference of a directory as lookups tell it: kept in a link by whoever destroys the directory. */
  private EndpointReference referenceOf(String path) {
    String message =
        "<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/'><s:Body><n:LookupRequest xmlns:n='" + RNS_11
            + "'><n:entry-name>" + path.substring(1) + "</n:entry-name></n:LookupRequest></s:Body></s:Envelope>";
    SoapEndpoint endpoint =
        new SoapEndpoint(SoapEndpoint.Parts.of(
            tree,
            new SoapSettings(
                java.util.Optional.of(server.url()),
                SoapSettings.DEFAULT.bodyTimeout(),
                1,
                SoapSettings.DEFAULT.clock())));
    byte[] answer =
        java.util.Objects.requireNonNull(
            Entrances.fast(endpoint, message.getBytes(java.nio.charset.StandardCharsets.UTF_8)));
    String text = new String(answer, java.nio.charset.StandardCharsets.UTF_8);
    String reference = text.substring(text.indexOf("<_n:endpoint>"), text.indexOf("</_n:endpoint>") + 14);
    return EndpointReference.parse(
        reference.replace(
            "<_n:endpoint>",
            "<_n:endpoint xmlns:_n='" + RNS_11 + "' xmlns:_x='urn:rns:ext:1' xmlns:_a='" + EndpointReference.WSA
                + "'>"));
  }

  /** Of a port that was in use a moment ago and is closed. */
  private static String deadAddress() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return "http://127.0.0.1:" + socket.getLocalPort() + "/rns/services/rns";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aDirectoryWithMoreEntriesThanAreKnownByIdentityIsListedToItsEnd() {
    add(client, NewEntry.directory(Target.of("/d"))).orThrow();
    List<String> expected = new ArrayList<>();
    for (int batch = 0; batch < 3; batch++) {
      List<NewEntry> entries = new ArrayList<>();
      for (int i = 0; i < 4_000; i++) {
        expected.add("n" + batch + (10_000 + i));
        entries.add(NewEntry.junction(Target.of("/d/" + expected.get(expected.size() - 1)), FILE));
      }
      assertThat(client.add(ANONYMOUS, new AddRequest(entries, false, false)).value())
          .allMatch(outcome -> outcome instanceof Outcome.Done);
    }
    assertThat(names("/d")).isEqualTo(expected);
  }

  @Test
  void aDirectoryOfOneBlockIsListed() {
    fill(2_500);
  }

  private void fill(int count) {
    List<NewEntry> entries = new ArrayList<>();
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      expected.add("n" + (10_000 + i));
      entries.add(NewEntry.junction(Target.of("/d/" + expected.get(i)), FILE));
    }
    add(client, NewEntry.directory(Target.of("/d"))).orThrow();
    List<Outcome<Entry>> added = client.add(ANONYMOUS, new AddRequest(entries, false, false)).value();
    assertThat(added).hasSize(count).allMatch(outcome -> outcome instanceof Outcome.Done);
    assertThat(names("/d")).isEqualTo(expected);
    List<Target> targets = expected.stream().map(name -> Target.of("/d/" + name)).toList();
    assertThat(client.query(ANONYMOUS, new QueryRequest(targets, false)).value())
        .extracting(outcome -> outcome.orThrow().displayName())
        .isEqualTo(expected);
  }
}
