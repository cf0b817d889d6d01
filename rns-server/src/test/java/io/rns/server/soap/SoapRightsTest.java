package io.rns.server.soap;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.AccessRule;
import io.rns.api.AccessRules;
import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.CallContext;
import io.rns.api.Caller;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.EntryId;
import io.rns.api.Metadata;
import io.rns.api.Outcome;
import io.rns.api.Precondition;
import io.rns.api.RemoveRequest;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.Right;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.association.RegistrarPools;
import io.rns.association.RegistrarServer;
import io.rns.identity.AccessMode;
import io.rns.identity.AccessPolicy;
import io.rns.permission.AccessControl;
import io.rns.permission.AccessReader;
import io.rns.registrar.RegistrarSettings;
import io.rns.server.RightSets;
import io.rns.server.TestDatabase;
import io.rns.server.namespace.LocalNameService;
import io.rns.server.namespace.TestServices;
import io.rns.server.overload.OverloadSettings;
import io.rns.server.overload.RequestAdmission;
import io.rns.server.pool.PermittedPools;
import io.rns.server.pool.PoolQueries;
import io.rns.server.store.Database;
import io.rns.wire.HostileMessages;
import io.rns.wire.OperationCodec;
import io.rns.wire.pool.PoolOperations;
import io.rns.wire.resource.ResourceOperations;
import io.rns.wire.rns.EntryOperations;
import com.fasterxml.jackson.databind.JsonNode;
import io.rns.server.audit.AuditedNames;
import io.rns.server.audit.RecordedAudit;
import java.io.IOException;
import java.lang.reflect.Field;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every SOAP operation against every set of rights in a directory: permitted exactly with those of a table. */
@Tag("server")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SoapRightsTest {
  private static final Caller ALICE = new Caller("local:alice", Set.of());
  private static final String ROOT = "/faces-" + System.nanoTime();
  private static final String MOVED = "moved" + System.nanoTime() + "-";
  private static final int SETS = RightSets.COUNT;
  private static final int MANY = 1_001;
  private static final EndpointReference REFERENCE = EndpointReference.ofAddress("https://data.example.org/");

  private static final Map<String, Operation> TABLE = new LinkedHashMap<>();

  /**
   * An operation.
   *
   * @param headers with {@code DIR} for the directory and {@code ID} for the identity of its directory {@code s}
   * @param needs the rights in the directory
   */
  private record Operation(String headers, String body, Set<Right> needs) {}

  private static final String IN = "<x:Path>DIR</x:Path>";
  private static final String E = "<x:Path>DIR/e</x:Path>";
  private static final String S = "<x:Path>DIR/s</x:Path>";
  private static final String R = "<x:Path>DIR/r</x:Path>";

  private static void row(String element, String headers, String body, Right... needs) {
    TABLE.put(element, new Operation(headers, body, Set.of(needs)));
  }

  static {
    row("query", "", "<r:query><r:entry-pattern>DIR/e</r:entry-pattern></r:query>", Right.READ);
    row("list", IN, "<r:list/>", Right.LIST);
    row("subtree", IN, "<x:subtree/>", Right.LIST);
    row("add", IN, "<r:add><r:entry_name>new</r:entry_name></r:add>", Right.ADD);
    row("update", E, "<r:update><r:entry_name>new</r:entry_name></r:update>", Right.READ, Right.CHANGE);
    row("move", E, "<r:move><r:entry_parent><a:Address>" + Entrances.URL + "</a:Address></r:entry_parent><r:entry_name>"
        + MOVED + "NUMBER</r:entry_name></r:move>", Right.READ, Right.REMOVE);
    row("remove", IN, "<r:remove><r:entry_name>e</r:entry_name></r:remove>", Right.READ, Right.REMOVE);
    row("AddRequest", IN, "<n:AddRequest><n:entry entry-name='new'/></n:AddRequest>", Right.ADD);
    row("LookupRequest", IN, "<n:LookupRequest><n:entry-name>e</n:entry-name></n:LookupRequest>", Right.READ);
    row("RenameRequest", IN,
        "<n:RenameRequest><n:rename-request source-name='e' target-name='new'/></n:RenameRequest>", Right.READ,
        Right.CHANGE);
    row("RemoveRequest", IN, "<n:RemoveRequest><n:entry-name>e</n:entry-name></n:RemoveRequest>", Right.READ,
        Right.REMOVE);
    row("SetMetadataRequest", IN, "<n:SetMetadataRequest><n:set-metadata-request entry-name='e'>"
        + "<n:supports-rns value='false'/></n:set-metadata-request></n:SetMetadataRequest>", Right.READ, Right.CHANGE);
    row("SearchRequest", IN, "<q:SearchRequest xmlns:q='http://schemas.ogf.org/rns/2010/11/metadata-search'><q:query>"
        + "/*[local-name() = 'RNSEntryResponseType']</q:query></q:SearchRequest>", Right.LIST);
    row("SearchRequest of names", IN, "<q:SearchRequest xmlns:q='http://schemas.ogf.org/rns/2010/11/metadata-search'>"
        + "<q:entry-name>e</q:entry-name><q:query>/*[local-name() = 'RNSEntryResponseType']</q:query>"
        + "</q:SearchRequest>", Right.READ);
    row("LookupRequest of all", IN, "<n:LookupRequest/>", Right.LIST);
    row("query of directory", "", "<r:query><r:entry-pattern>DIR/s</r:entry-pattern></r:query>", Right.READ);
    row("remove with content", IN, "<r:remove x:recursive='true'><r:entry_name>s</r:entry_name></r:remove>", Right.READ,
        Right.REMOVE);
    row("update of directory with rules", R, "<r:update><r:entry_name>new</r:entry_name></r:update>", Right.ADMIN);
    row("move of directory with rules", R, "<r:move><r:entry_parent><a:Address>" + Entrances.URL
        + "</a:Address></r:entry_parent><r:entry_name>" + MOVED + "ruled-NUMBER</r:entry_name></r:move>", Right.ADMIN);
    row("remove of directory with rules", IN, "<r:remove><r:entry_name>r</r:entry_name></r:remove>", Right.ADMIN);
    row("RenameRequest of directory with rules", IN,
        "<n:RenameRequest><n:rename-request source-name='r' target-name='new'/></n:RenameRequest>", Right.ADMIN);
    row("RemoveRequest of directory with rules", IN,
        "<n:RemoveRequest><n:entry-name>r</n:entry-name></n:RemoveRequest>",
        Right.ADMIN);
    row("GetResourceProperty", S, "<p:GetResourceProperty>n:createTime</p:GetResourceProperty>", Right.READ);
    row("GetMultipleResourceProperties", S, "<p:GetMultipleResourceProperties><p:ResourceProperty>n:elementCount"
        + "</p:ResourceProperty></p:GetMultipleResourceProperties>", Right.READ);
    row("GetResourcePropertyDocument", S, "<p:GetResourcePropertyDocument/>", Right.READ);
    row("QueryResourceProperties", S, "<p:QueryResourceProperties><p:QueryExpression "
        + "Dialect='http://www.w3.org/TR/1999/REC-xpath-19991116'>1</p:QueryExpression></p:QueryResourceProperties>",
        Right.READ);
    row("SetTerminationTime", S, "<l:SetTerminationTime><l:RequestedTerminationTime i:nil='true'/>"
        + "</l:SetTerminationTime>", Right.READ);
    row("Destroy", S, "<l:Destroy/>", Right.READ, Right.REMOVE);
    row("resolve", "<x:EntryId>ID</x:EntryId>", "<v:resolve/>", Right.READ);
    row("EndpointIdentifier", "", "<w:EndpointIdentifier>EPI</w:EndpointIdentifier>", Right.READ);
    row("poolRegister", "", "<x:poolRegister handle='DIR/p' policy='rr' element='1' lifetime-millis='60000'>"
        + "<x:endpoint><a:Address>http://p.example/</a:Address></x:endpoint><x:parameters weight='1'/>"
        + "</x:poolRegister>", Right.CHANGE);
    row("poolDeregister", "", "<x:poolDeregister handle='DIR/p' element='1'/>", Right.CHANGE);
    row("poolResolve", "", "<x:poolResolve handle='DIR/p'/>", Right.READ);
    row("poolUnreachable", "", "<x:poolUnreachable handle='DIR/p' element='1'/>", Right.READ);
    row("poolExperience", "", "<x:poolExperience handle='DIR/p'><x:element id='1' millis='5'/></x:poolExperience>",
        Right.READ);
    row("poolElements", "", "<x:poolElements handle='DIR/p'/>", Right.READ);
    row("poolList", "", "<x:poolList below='DIR'/>");
  }

  /** Tested by itself: it goes on with what another request began. */
  private static final String ITERATE = "IterateRequestType";

  private static Database database;
  private static LocalNameService names;
  private static RegistrarServer registrar;
  private static SoapEndpoint endpoint;

  @BeforeAll
  static void start() {
    database = new Database(TestDatabase.settings(TestDatabase.sharedUrl()));
    database.migrate();
    AccessControl control = new AccessControl(new AccessPolicy(AccessMode.CLOSED, Set.of()), false);
    names = LocalNameService.start(database, 16 << 20, TestServices.WRITER, InstantSource.system(), control);
    registrar = RegistrarServer.withoutPorts();
    registrar.start(List.of(), RegistrarSettings.DEFAULTS, new SplittableRandom(1), () -> 1_000);
    RegistrarPools pools = new RegistrarPools(registrar, Duration.ofSeconds(5), Duration.ofSeconds(60));
    AccessReader reader = new AccessReader(control, () -> names);
    endpoint = new SoapEndpoint(
        new SoapEndpoint.Parts(
            new AuditedNames(new PoolQueries(() -> names, pools, reader)), new PermittedPools(pools, reader),
            SoapSettings.DEFAULT,
            Waits.NEVER, new RequestAdmission(OverloadSettings.OFF, System::nanoTime), () -> SoapEndpoint.NO_SERVERS,
            () -> SoapEndpoint.NOBODY, null, new WrittenPages(0)));
    // Entries that move go there.
    set("/", AccessRule.parse("anyone=read,add"));
    List<Entry> unused = add(List.of(directory(ROOT, Set.of(Right.READ))));
  }

  @AfterAll
  static void stop() {
    for (int i = 0; i < SETS; i++) {
      for (String name : List.of(MOVED + i, MOVED + "ruled-" + i)) {
        var unused = names.remove(CallContext.SERVICE, RemoveRequest.of(Removal.of(Target.of("/" + name))));
      }
    }
    change("/", Metadata.parse("<access xmlns=\"urn:rns:ext:1\"/>"));
    registrar.close();
    names.close();
    database.close();
  }

  private static void set(String path, AccessRule... rules) {
    change(path, Metadata.NONE.with(new AccessRules(Optional.empty(), Optional.of(List.of(rules)))));
  }

  private static void change(String path, Metadata metadata) {
    Entry unused = names.update(
        CallContext.SERVICE, UpdateRequest.of(EntryChange.metadata(Target.of(path), metadata))).value().getFirst()
        .orThrow();
  }

  private static NewEntry directory(String path, Set<Right> rights) {
    List<AccessRule> rules = rights.isEmpty() ? List.of() : List.of(new AccessRule(ALICE.name(), rights));
    return new NewEntry(
        Target.of(path), List.of(), Metadata.NONE.with(new AccessRules(Optional.empty(), Optional.of(rules))),
        Precondition.IF_ABSENT);
  }

  private static List<Entry> add(List<NewEntry> entries) {
    return names.add(CallContext.SERVICE, new AddRequest(entries, false, true)).value().stream()
        .map(Outcome::orThrow).toList();
  }

  static Stream<String> operations() {
    return TABLE.keySet().stream();
  }

  /** An operation without a row has no test of its rights. */
  @Test
  void theTableHasEveryOperation() throws IllegalAccessException {
    Set<String> elements = new TreeSet<>();
    for (Class<?> holder : List.of(EntryOperations.class, ResourceOperations.class, PoolOperations.class)) {
      for (Field field : holder.getDeclaredFields()) {
        field.setAccessible(true);
        if (field.get(null) instanceof OperationCodec<?, ?> codec) {
          elements.add(codec.element());
        }
      }
    }
    assertThat(elements).hasSizeGreaterThan(25);
    Set<String> known = new TreeSet<>();
    TABLE.keySet().forEach(row -> known.add(row.replaceFirst(" .*", "")));
    known.add(ITERATE);
    assertThat(known).isEqualTo(elements);
  }

  @ParameterizedTest
  @MethodSource("operations")
  void anOperationIsPermittedExactlyWithItsRights(String element) throws IOException {
    try (RecordedAudit all = new RecordedAudit(true); RecordedAudit changes = new RecordedAudit(false)) {
      permittedExactlyWithItsRights(element, all, changes);
    }
  }

  private static void permittedExactlyWithItsRights(String element, RecordedAudit all, RecordedAudit changes) {
    Operation operation = Objects.requireNonNull(TABLE.get(element));
    List<NewEntry> entries = new ArrayList<>();
    for (int bits = 0; bits < SETS; bits++) {
      String path = ROOT + "/" + element + bits;
      entries.add(directory(path, RightSets.of(bits)));
      entries.add(NewEntry.directory(Target.of(path + "/s")));
      entries.add(NewEntry.junction(Target.of(path + "/e"), REFERENCE));
      entries.add(directory(path + "/r", Set.of(Right.READ)));
    }
    List<Entry> added = add(entries);
    Map<Set<Right>, Boolean> permitted = new HashMap<>();
    for (int bits = 0; bits < SETS; bits++) {
      EntryId id = added.get(4 * bits + 1).id();
      String path = ROOT + "/" + element + bits;
      String body = operation.body().replace("DIR", path).replace("ID", id.toString())
          .replace("NUMBER", Integer.toString(bits));
      if (body.contains("EPI")) {
        body = body.replace("EPI", epi(path));
      }
      String headers = operation.headers().replace("DIR", path).replace("ID", id.toString());
      RecordedAudit audit = isOfAll(bits) ? all : changes;
      String text = body;
      boolean is = audit.during(Integer.toString(bits), ALICE, () -> permitted(ask(ALICE, headers, text)));
      Set<Right> rights = RightSets.of(bits);
      assertThat(is).as("%s with %s", element, rights)
          .isEqualTo(rights.contains(Right.ADMIN) || rights.containsAll(operation.needs()));
      permitted.put(rights, is);
    }
    assertThat(permitted).hasSize(SETS);
    audited(element, operation, permitted, all.lines(), changes.lines());
  }

  /** Which of two logs has a request: one that has all, or one that has changes and refusals only. */
  private static boolean isOfAll(int bits) {
    return Integer.bitCount(bits) % 2 == 0;
  }

  /** Each request is one line of the audit log, with the rule that decided. */
  private static void audited(
      String element, Operation operation, Map<Set<Right>, Boolean> permitted, Map<String, List<JsonNode>> all,
      Map<String, List<JsonNode>> changes) {
    boolean isChange = operation.needs().stream().anyMatch(right -> right != Right.LIST && right != Right.READ)
        || element.equals("SetTerminationTime");
    for (int bits = 0; bits < SETS; bits++) {
      Set<Right> rights = RightSets.of(bits);
      boolean is = Objects.requireNonNull(permitted.get(rights));
      List<JsonNode> lines =
          (isOfAll(bits) ? all : changes).getOrDefault(Integer.toString(bits), List.of());
      // It removes the directory, and adds a link in its place.
      int changesDone = element.equals("Destroy") && is ? 2 : 1;
      assertThat(lines).as("%s with %s", element, rights).hasSize(isOfAll(bits) || isChange || !is ? changesDone : 0);
      if (changesDone == 2) {
        assertThat(lines.removeLast().path("operation").asText()).isEqualTo("add");
      }
      for (JsonNode line : lines) {
        assertThat(line.path("caller").asText()).isEqualTo(ALICE.name());
        assertThat(line.path("outcome").asText()).as("%s with %s: %s", element, rights, line)
            .isEqualTo(isNoPool(line) ? "refused" : is ? "done" : "refused");
        assertThat(line.path("error").asText()).isEqualTo(isNoPool(line) ? "NO_SUCH_POOL" : is ? "" : "NOT_PERMITTED");
        assertThat(line.path("position").asText().isEmpty()).as("%s", line)
            .isNotEqualTo(is && isChange && !element.startsWith("pool") && !element.equals("SetTerminationTime"));
        assertThat(line.path("items").isEmpty()).as("%s", line).isFalse();
        JsonNode rules = line.path("rules");
        if (!operation.needs().isEmpty()) {
          assertThat(rules.isEmpty()).as("%s", line).isFalse();
          assertThat(rules).allSatisfy(rule -> assertThat(rule.path("by").asText())
              .isIn(is ? List.of(ALICE.name(), "anyone") : List.of("none")));
        }
      }
    }
  }

  private static boolean isNoPool(JsonNode line) {
    return line.path("error").asText().equals("NO_SUCH_POOL")
        && Set.of("resolve", "elements").contains(line.path("operation").asText());
  }

  private static String ask(Caller caller, String headers, String body) {
    byte[] answer = Entrances.fast(endpoint, HostileMessages.message(headers, body).getBytes(UTF_8), caller);
    assertThat(answer).as(body).isNotNull();
    return new String(answer, UTF_8);
  }

  private static String epi(String directory) {
    String answer = ask(Caller.SERVICE, "<x:Path>" + directory + "</x:Path>",
        "<n:LookupRequest><n:entry-name>s</n:entry-name></n:LookupRequest>");
    int at = answer.indexOf("urn:ws-naming:epi:");
    return answer.substring(at, answer.indexOf('<', at));
  }

  private static boolean permitted(String answer) {
    boolean not = answer.contains(">NOT_PERMITTED<") || answer.contains(">NOT_AUTHENTICATED<");
    boolean wrong = answer.contains(">INVALID_REQUEST<") || answer.contains(">MALFORMED_MESSAGE<")
        || answer.contains(">INTERNAL<") || answer.contains(">UNKNOWN_OPERATION<")
        || answer.contains(">NO_SUCH_ENTRY<");
    assertThat(wrong).as(answer).isFalse();
    return !not;
  }

  @Test
  void anIteratorIsOfUseToThoseWhoMayList() {
    String path = ROOT + "/iterate";
    List<NewEntry> entries = new ArrayList<>(List.of(directory(path, Set.of())));
    for (int i = 0; i < MANY; i++) {
      entries.add(NewEntry.junction(Target.of(RnsPath.parse(path + "/" + i)), REFERENCE));
    }
    List<Entry> unused = add(entries);
    String in = "<x:Path>" + path + "</x:Path>";
    String header = Conversation.header(Conversation.iterator(ask(Caller.SERVICE, in, "<n:LookupRequest/>")));
    for (int bits = 0; bits < SETS; bits++) {
      Set<Right> rights = RightSets.of(bits);
      set(path, rights.isEmpty() ? new AccessRule[0] : new AccessRule[]{new AccessRule(ALICE.name(), rights)});
      assertThat(permitted(ask(ALICE, header, Conversation.iterateBody(1_000, 1)))).as("%s", rights)
          .isEqualTo(rights.contains(Right.LIST) || rights.contains(Right.ADMIN));
    }
  }
}
