package io.rns.client;

import static io.rns.api.CallContext.ANONYMOUS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.Entry.Junction;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.EntryName;
import io.rns.api.ListRequest;
import io.rns.api.Metadata;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.Precondition;
import io.rns.api.QueryRequest;
import io.rns.api.Refusal;
import io.rns.api.RemoveRequest;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.client.PlainServer.Item;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The client against a server of another make, which knows the standards only. */
class PlainClientTest {
  private static final EndpointReference FILE = EndpointReference.ofAddress("http://files.example/1");

  private final PlainServer server = PlainServer.start();
  private final NameService client = client(Dialect.RNS_1_1_PLAIN);

  private NameService client(Dialect dialect) {
    return RnsClient.builder().root(server.root()).dialect(dialect).firstPause(Duration.ofMillis(1)).build();
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  private Outcome<Entry> add(NewEntry entry) {
    return client.add(ANONYMOUS, AddRequest.of(entry)).value().get(0);
  }

  private Outcome<Entry> query(String path) {
    return client.query(ANONYMOUS, QueryRequest.of(Target.of(path))).value().get(0);
  }

  private Outcome<Entry> update(EntryChange change) {
    return client.update(ANONYMOUS, UpdateRequest.of(change)).value().get(0);
  }

  private Outcome<Entry> remove(Removal removal) {
    return client.remove(ANONYMOUS, RemoveRequest.of(removal)).value().get(0);
  }

  private static RnsError error(Outcome<Entry> outcome) {
    return ((Outcome.Refused<Entry>) outcome).refusal().error();
  }

  private List<String> names(String path) {
    List<String> names = new ArrayList<>();
    Entries.of(client, Target.of(path)).forEach(entry -> names.add(entry.displayName()));
    return names;
  }

  @Test
  void entriesLiveAndEnd() {
    Entry directory = add(NewEntry.directory(Target.of("/d"))).orThrow();
    Metadata metadata = Metadata.of(Map.of("k", "<v>"));
    Entry link = add(NewEntry.junction(Target.of("/d/j"), FILE).with(metadata)).orThrow();
    assertThat(directory).isInstanceOf(VirtualDirectory.class);
    assertThat(((Junction) link).references()).containsExactly(FILE);
    assertThat(query("/d/j").orThrow()).isEqualTo(link);
    assertThat(query("/d/j").orThrow().metadata()).isEqualTo(metadata);
    assertThat(link.binding().parent()).isEqualTo(directory.id());
    assertThat(client.query(ANONYMOUS, QueryRequest.of(Target.of(link.id()), Target.of(directory.id()))).value())
        .extracting(outcome -> outcome.orThrow().displayName())
        .containsExactly("j", "d");

    Entry renamed = update(EntryChange.rename(Target.of("/d/j"), EntryName.of("k"))).orThrow();
    assertThat(((Junction) renamed).references()).containsExactly(FILE);
    assertThat(query("/d/j")).isEqualTo(Outcome.refused(new Refusal.NoSuchEntry(Target.of("/d/j"), 2)));
    assertThat(update(EntryChange.metadata(Target.of("/d/k"), Metadata.NONE)).orThrow().metadata().isEmpty()).isTrue();
    assertThat(names("/d")).containsExactly("k");

    assertThat(remove(Removal.of(Target.of("/d"))))
        .isEqualTo(Outcome.refused(new Refusal.NotEmpty(Target.of("/d"), 1)));
    assertThat(remove(Removal.of(Target.of("/d/k"))).orThrow().displayName()).isEqualTo("k");
    assertThat(remove(Removal.of(Target.of("/d"))).orThrow()).isEqualTo(directory);
    assertThat(server.entries("ROOT")).isEmpty();
    assertThat(server.has("d1")).as("the directory itself has ended").isFalse();
  }

  @Test
  void messagesAreAddressedAsTheStandardSays() {
    add(NewEntry.directory(Target.of("/d")));
    assertThat(server.messages().get(0))
        .contains("<_a:To xmlns:_a=\"" + PlainForms.WSA + "\">" + server.address() + "</_a:To>")
        .contains(">" + PlainForms.RNS + "/RNSPortType/addRequest</_a:Action>")
        .contains(">urn:uuid:")
        .contains(":IsReferenceParameter=\"true\" xmlns:k=\"urn:other:make\">ROOT</k:Key>");
    assertThat(server.messages()).noneMatch(message -> message.contains("urn:rns:ext:1"));
  }

  @Test
  void directoriesTellTheirTimesAndCounts() {
    String key = server.make("ROOT", "d");
    server.make(key, "e");
    VirtualDirectory directory =
        (VirtualDirectory) client.query(ANONYMOUS, QueryRequest.of(Target.of("/d")).withCounts()).value().get(0)
            .orThrow();
    assertThat(directory.entries()).isEqualTo(1);
    assertThat(directory.created()).isEqualTo(Instant.parse("2012-03-30T00:00:00Z"));
    assertThat(directory.modified()).as("not told").isEqualTo(Instant.EPOCH);
    server.script("GetMultipleResourceProperties", message -> PlainForms.fault("Server", "what?", ""));
    VirtualDirectory untold =
        (VirtualDirectory) client.query(ANONYMOUS, QueryRequest.of(Target.of("/d")).withCounts()).value().get(0)
            .orThrow();
    assertThat(untold.entries()).as("counted by a listing").isEqualTo(1);
    assertThat(query("/").orThrow().isRoot()).isTrue();
  }

  @Test
  void aRootThatDoesNotAnswerIsNotThere() {
    server.script("GetMultipleResourceProperties", message -> PlainForms.fault("Server", "out of order", ""));
    server.script("LookupRequest", message -> PlainForms.fault("Server", "out of order", ""));
    assertThatThrownBy(() -> query("/")).hasMessageContaining("out of order");
  }

  @Test
  void directoriesOnTheWayAreMade() {
    List<Outcome<Entry>> made =
        client
            .add(
                ANONYMOUS,
                AddRequest.of(NewEntry.directory(Target.of("/a/b/c")), NewEntry.junction(Target.of("/a/b/j"), FILE))
                    .withParents())
            .value();
    assertThat(made).allMatch(outcome -> outcome instanceof Outcome.Done);
    assertThat(names("/a/b")).containsExactly("c", "j");
    assertThat(add(NewEntry.directory(Target.of("/x/y"))))
        .isEqualTo(Outcome.refused(new Refusal.NoSuchEntry(Target.of("/x/y"), 1)));
    assertThat(add(NewEntry.directory(Target.of("/a/b/j/k"))))
        .isEqualTo(Outcome.refused(new Refusal.NotDirectory(Target.of("/a/b/j/k"), 3)));
    assertThat(add(NewEntry.directory(Target.of("/a"))))
        .isEqualTo(Outcome.refused(new Refusal.EntryExists(Target.of("/a"), Target.of("/a"))));
  }

  @ParameterizedTest
  @EnumSource(value = Dialect.class, names = {"RNS_1_1", "RNS_1_1_PLAIN"})
  void itIsTheSameInBothDialects(Dialect dialect) {
    try (PlainServer other = PlainServer.start();
        NameService names =
            RnsClient.builder().root(EndpointReference.ofAddress(other.address())).dialect(dialect).build()) {
      other.script("LookupRequest", message -> PlainForms.answerOf("<rns:LookupResponse/>"));
      other.script(
          "AddRequest",
          message -> PlainForms.answerOf(
              "<rns:AddResponse><rns:entry-response entry-name='a'><rns:endpoint>" + other.reference("x")
                  + "</rns:endpoint><rns:metadata><rns:supports-rns value='true'/></rns:metadata>"
                  + "</rns:entry-response></rns:AddResponse>"));
      AddRequest request = AddRequest.of(NewEntry.directory(Target.of("/a")));
      assertThat(names.add(ANONYMOUS, request).value().get(0).orThrow().displayName()).isEqualTo("a");
      assertThat(names.list(ANONYMOUS, ListRequest.of(Target.ROOT)).value().orThrow().entries()).isEmpty();
      List<String> expected = new ArrayList<>(List.of("AddRequest", "LookupRequest"));
      if (dialect == Dialect.RNS_1_1) {
        expected.add(0, "batch");
      }
      assertThat(other.operations()).as("what it is is asked once").isEqualTo(expected);
    }
  }

  @Test
  void whatTheStandardLacksIsRefusedBeforeAnythingIsDone() {
    server.make("ROOT", "d");
    server.put("ROOT", "j", new Item("", FILE.content(), "false", ""));
    Target j = Target.of("/j");
    List<Outcome<Entry>> refused =
        List.of(
            update(EntryChange.move(j, Target.of("/d"), EntryName.of("j"))),
            update(EntryChange.references(j, List.of(FILE))),
            update(EntryChange.rename(j, EntryName.of("k")).with(Precondition.ifVersion(1))),
            update(
                new EntryChange(
                    j,
                    java.util.Optional.of(EntryName.of("k")),
                    java.util.Optional.empty(),
                    java.util.Optional.empty(),
                    java.util.Optional.of(Metadata.NONE),
                    Precondition.NONE)),
            remove(Removal.of(j).with(Precondition.ifVersion(1))),
            add(NewEntry.junction(Target.of("/x"), FILE, EndpointReference.ofAddress("urn:2"))),
            add(NewEntry.junction(Target.of("/x"), FILE).with(Precondition.ifVersion(3))),
            add(NewEntry.junction(j, FILE).with(Precondition.NONE)));
    assertThat(refused).extracting(PlainClientTest::error).containsOnly(RnsError.UNKNOWN_OPERATION);
    assertThat(refused)
        .allMatch(
            outcome -> ((Outcome.Refused<Entry>) outcome).refusal().message().contains("plain RNS 1.1, which has no"));
    NewEntry[] two = {NewEntry.directory(Target.of("/p")), NewEntry.directory(Target.of("/q"))};
    assertThatThrownBy(() -> client.add(ANONYMOUS, new AddRequest(List.of(two), false, true)))
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.UNKNOWN_OPERATION))
        .hasMessageContaining("all-or-nothing");
    assertThat(server.entries("ROOT")).containsOnlyKeys("d", "j");
    assertThat(server.operations().stream().filter(operation -> !operation.equals("LookupRequest")))
        .as("only the addition that may find its name free is tried")
        .containsExactly("AddRequest");
  }

  @Test
  void theRootStays() {
    assertThat(error(remove(Removal.recursive(Target.ROOT)))).isEqualTo(RnsError.ROOT_IS_FIXED);
    assertThat(error(update(EntryChange.rename(Target.ROOT, EntryName.of("x"))))).isEqualTo(RnsError.ROOT_IS_FIXED);
    assertThat(server.operations()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {
      "<rns:fault xsi:type='rns:RNSEntryExistsFaultType'/>",
      "<rns:fault xmlns:q='http://schemas.ogf.org/rns/2009/12/rns' xsi:type='q:RNSEntryExistsFaultType'/>",
      "<rns:RNSEntryExistsFault><rns:entry-name>a</rns:entry-name></rns:RNSEntryExistsFault>"
  })
  void faultsOfItemsAreKnownByTypeOrElement(String fault) {
    server.script(
        "AddRequest",
        message -> PlainForms.answerOf(
            "<rns:AddResponse><rns:entry-response entry-name='a'>" + fault
                + "</rns:entry-response></rns:AddResponse>"));
    assertThat(add(NewEntry.directory(Target.of("/a"))))
        .isEqualTo(Outcome.refused(new Refusal.EntryExists(Target.of("/a"), Target.of("/a"))));
  }

  @Test
  void aDirectoryThatIsGoneIsToldInOneResponse() {
    String key = server.make("ROOT", "d");
    assertThat(names("/d")).isEmpty();
    server.script(
        "LookupRequest",
        message -> message.contains(">" + key + "<")
            ? PlainForms.answerOf(
                "<rns:LookupResponse><rns:entry-response entry-name='(parent directory)'>"
                    + "<rns:fault xsi:type='rns:RNSEntryDoesNotExistFaultType'/></rns:entry-response></rns:LookupResponse>")
            : PlainForms.answerOf(
                "<rns:LookupResponse><rns:entry-response entry-name='d'>"
                    + "<rns:fault xsi:type='rns:RNSEntryDoesNotExistFaultType'/></rns:entry-response></rns:LookupResponse>"));
    assertThat(query("/d/x")).isEqualTo(Outcome.refused(new Refusal.NoSuchEntry(Target.of("/d/x"), 1)));
  }

  @Test
  void permissionsAreTold() {
    String detail = "<rns:%sNotPermittedFault/>";
    server.script("LookupRequest", message -> PlainForms.fault("Client", "no", detail.formatted("Read")));
    assertThat(error(query("/a"))).isEqualTo(RnsError.NOT_PERMITTED);
    server.unscript("LookupRequest");
    server.script("AddRequest", message -> PlainForms.fault("Client", "no", detail.formatted("Write")));
    assertThat(error(add(NewEntry.directory(Target.of("/a"))))).isEqualTo(RnsError.NOT_PERMITTED);
  }

  @Test
  void aDirectoryMadeAnewUnderItsNameIsFound() {
    server.make("ROOT", "d");
    assertThat(names("/d")).isEmpty();
    try (NameService another = client(Dialect.RNS_1_1_PLAIN)) {
      another.remove(ANONYMOUS, RemoveRequest.of(Removal.of(Target.of("/d"))));
      another.add(ANONYMOUS, AddRequest.of(NewEntry.directory(Target.of("/d")), NewEntry.directory(Target.of("/d/e"))));
    }
    assertThat(names("/d")).containsExactly("e");
  }

  @Test
  void aWriteOfUnknownOutcomeIsNotRepeated() {
    server.script("AddRequest", message -> "not XML");
    assertThatThrownBy(() -> add(NewEntry.directory(Target.of("/a"))))
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.UNAVAILABLE))
        .hasMessageContaining("the write may or may not have been applied");
    assertThat(server.operations()).containsExactly("AddRequest");
  }

  @Test
  void aMetadataChangeKeepsWhatTheEntryIs() {
    server.make("ROOT", "d");
    server.put("ROOT", "j", new Item("", FILE.content(), "false", ""));
    assertThat(update(EntryChange.metadata(Target.of("/d"), Metadata.of(Map.of("k", "v")))).orThrow())
        .isInstanceOf(VirtualDirectory.class);
    Entry link = update(EntryChange.metadata(Target.of("/j"), Metadata.of(Map.of("k", "v")))).orThrow();
    assertThat(link.metadata().values()).isEqualTo(Map.of("k", "v"));
    assertThat(server.entries("ROOT").get("j").supportsRns()).isEqualTo("false");
  }
}
