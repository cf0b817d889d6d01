package io.rns.local;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rns.api.AccessRule;
import io.rns.api.AccessRules;
import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.CallContext;
import io.rns.api.Change;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.EntryId;
import io.rns.api.Metadata;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.Position;
import io.rns.api.Precondition;
import io.rns.api.QueryRequest;
import io.rns.api.Right;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.client.CredentialFile;
import io.rns.client.RnsClient;
import io.rns.client.watch.ChangeStream;
import io.rns.identity.AccountFile;
import io.rns.server.RightSets;
import io.rns.wire.HostileMessages;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two closed groups of two servers each, as {@code ./rns up --secure --groups 2 --replicas 1} runs them: every REST
 * request about names and pools against sets of rights, at each server, for directories of either group.
 */
@Tag("slow")
class ClosedGroupsIT {
  private static final Duration BOUND = Duration.ofSeconds(60);
  private static final String PASSWORD = "the-password-of-alice";
  private static final String ALICE = "local:alice";
  private static final String ALICES = basic("alice:" + PASSWORD);
  private static final int SETS = RightSets.COUNT;
  private static final int BATCH = 500;
  /** Requests without a credential are sent beside every so many sets of rights, on which they do not depend. */
  private static final int ANONYMOUS = 7;
  /** Besides the sets that just suffice and those that just do not, every so many. */
  private static final int OTHER_SETS = 9;
  private static final int REDIRECTED = 307;
  private static final int UNAVAILABLE = 503;
  private static final EndpointReference REFERENCE = EndpointReference.ofAddress("urn:e");
  private static final String ELEMENT =
      "{\"policy\": \"rr\", \"endpoints\": [\"http://element/\"], \"lifetimeMillis\": 600000}";
  private static final String RULES =
      "{\"metadataXml\": \"<access xmlns='urn:rns:ext:1'><rules><rule subject='anyone' rights='list'/></rules></access>\"}";

  /** The two parts of the tree: the root's group has the one, the other group has the other. */
  private static final List<String> PARTS = List.of("/own", "/cut");

  /**
   * A request.
   *
   * @param resource as the API's description names it
   * @param target {@code DIR} is a directory with the junction {@code e}, the directory {@code s}, the directory
   *        {@code r} with rules of its own, and the pool {@code p}
   * @param needs the rights in {@code DIR}
   */
  private record Row(String name, String method, String resource, String target, String body, Set<Right> needs) {}

  private static final List<Row> TABLE = List.of(
      row("get", "GET", "/names/{path}", "/namesDIR/e", "", Right.READ),
      row("head", "HEAD", "/names/{path}", "/namesDIR/e", "", Right.READ),
      row("directory", "GET", "/names/{path}", "/namesDIR/s", "", Right.READ),
      row("list", "GET", "/names/{path}", "/namesDIR?list", "", Right.LIST),
      row("subtree", "GET", "/names/{path}", "/namesDIR?subtree", "", Right.LIST),
      row("access", "GET", "/names/{path}", "/namesDIR/s?access", "", Right.READ),
      row("add", "PUT", "/names/{path}", "/namesDIR/new", "{}", Right.ADD),
      row("parents", "PUT", "/names/{path}", "/namesDIR/n/n?parents", "{}", Right.READ, Right.ADD),
      row("replace", "PUT", "/names/{path}", "/namesDIR/e", "{\"references\": [\"urn:f\"]}", Right.READ, Right.CHANGE),
      row("change", "PATCH", "/names/{path}", "/namesDIR/e", "{\"references\": [\"urn:f\"]}", Right.READ,
          Right.CHANGE),
      row("rename", "PATCH", "/names/{path}", "/namesDIR/e", "{\"path\": \"DIR/f\"}", Right.READ, Right.CHANGE),
      row("move", "PATCH", "/names/{path}", "/namesDIR/e", "{\"path\": \"MOVED\"}", Right.READ, Right.REMOVE),
      row("rules", "PATCH", "/names/{path}", "/namesDIR", RULES, Right.ADMIN),
      row("remove", "DELETE", "/names/{path}", "/namesDIR/e", "", Right.READ, Right.REMOVE),
      row("recursive", "DELETE", "/names/{path}", "/namesDIR/s?recursive", "", Right.READ, Right.REMOVE),
      row("renameRuled", "PATCH", "/names/{path}", "/namesDIR/r", "{\"path\": \"DIR/f\"}", Right.ADMIN),
      row("removeRuled", "DELETE", "/names/{path}", "/namesDIR/r", "", Right.ADMIN),
      row("register", "PUT", "/pools/{path}", "/poolsDIR/p?element=1", ELEMENT, Right.CHANGE),
      row("unregister", "DELETE", "/pools/{path}", "/poolsDIR/p?element=1", "", Right.CHANGE),
      row("unreachable", "POST", "/pools/{path}", "/poolsDIR/p?unreachable=1", "", Right.READ),
      row("elements", "GET", "/pools/{path}", "/poolsDIR/p", "", Right.READ),
      row("resolve", "GET", "/pools/{path}", "/poolsDIR/p?resolve", "", Right.READ),
      row("pools", "GET", "/pools", "/pools?size=1", ""),
      row("watch", "GET", "/watch", "/watch?path=DIR/s", "", Right.READ));

  /** Resources that are the same for all callers, or whose rows are those of what they are a part of. */
  private static final Set<String> OTHERS =
      Set.of("/", "/openapi.json", "/health", "/status", "/metrics", "/servers", "/names");

  @TempDir private static Path temporary;
  private static LocalGroup groups;
  private static String administrator;
  private static HttpClient http;

  private static Row row(String name, String method, String resource, String target, String body, Right... needs) {
    return new Row(name, method, resource, target, body, Set.of(needs));
  }

  private static String basic(String pair) {
    return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
  }

  @BeforeAll
  static void start() throws IOException {
    Path data = temporary.resolve("data");
    DataDirectory directory = DataDirectory.create(data);
    directory.secure();
    AccountFile.put(data.resolve("accounts"), "alice", Set.of(), PASSWORD);
    administrator = CredentialFile.basic(Files.readString(data.resolve("administrator")).strip());
    http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    groups =
        LocalGroup.start(
            new LocalGroup.Settings(
                data, GroupPorts.ANY, 2, 1, "256m", "64M", LocalInstallation.find().war(), null,
                LocalDatabases.EMBEDDED),
            line -> {});
    rules("/", Set.of(Right.READ));
    for (String part : PARTS) {
      add(List.of(directory(part, Set.of(Right.READ, Right.ADD))));
    }
    assertThat(command("partition", "assign", "/cut", "--to", "1").path("group").asInt()).isEqualTo(1);
  }

  @AfterAll
  static void stop() {
    groups.close();
    http.close();
  }

  private static JsonNode command(String... arguments) {
    return LocalCommand.json(temporary.resolve("data"), groups.url(), arguments);
  }

  private static NameService names() {
    return RnsClient.builder().server(URI.create(groups.url())).credentials(refused -> Optional.of(administrator))
        .build();
  }

  private static Metadata metadata(Set<Right> rights) {
    List<AccessRule> rules = rights.isEmpty() ? List.of() : List.of(new AccessRule(ALICE, rights));
    return Metadata.NONE.with(new AccessRules(Optional.empty(), Optional.of(rules)));
  }

  private static void rules(String path, Set<Right> rights) {
    try (NameService names = names()) {
      Entry unused = names.update(
          CallContext.ANONYMOUS, UpdateRequest.of(EntryChange.metadata(Target.of(path), metadata(rights)))).value()
          .getFirst().orThrow();
    }
  }

  private static NewEntry directory(String path, Set<Right> rights) {
    return new NewEntry(Target.of(path), List.of(), metadata(rights), Precondition.IF_ABSENT);
  }

  private static void add(List<NewEntry> entries) {
    try (NameService names = names()) {
      for (int from = 0; from < entries.size(); from += BATCH) {
        names.add(
            CallContext.ANONYMOUS,
            new AddRequest(entries.subList(from, Math.min(entries.size(), from + BATCH)), false, false)).value()
            .forEach(Outcome::orThrow);
      }
    }
  }

  private static String path(String part, Row row, int bits) {
    return part + "/" + row.name() + bits;
  }

  private static boolean may(Row row, int bits) {
    Set<Right> rights = RightSets.of(bits);
    return rights.contains(Right.ADMIN) || rights.containsAll(row.needs());
  }

  /**
   * Sets of rights that one right more or less makes insufficient or sufficient, all rights, and some of the others.
   */
  private static List<Integer> sets(Row row) {
    int offset = TABLE.indexOf(row);
    return IntStream.range(0, SETS)
        .filter(bits -> bits == SETS - 1 || (bits + offset) % OTHER_SETS == 0 || isLimit(row, bits)).boxed().toList();
  }

  private static boolean isLimit(Row row, int bits) {
    boolean may = may(row, bits);
    return IntStream.range(0, Right.values().length)
        .filter(right -> (bits & 1 << right) == 0 != may).allMatch(right -> may(row, bits ^ 1 << right) != may);
  }

  private static int status(int server, String method, String target, String body, String... authorization) {
    URI address = URI.create(groups.members().get(server).url() + target);
    AtomicInteger status = new AtomicInteger();
    // A busy server may not have heard of the other group for a moment.
    Eventually.holds("servers have heard of each other", () -> {
      status.set(status(address, method, body, authorization));
      return status.get() != UNAVAILABLE;
    });
    return status.get();
  }

  private static int status(URI address, String method, String body, String... authorization) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(address).timeout(BOUND)
            .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    for (String each : authorization) {
      request.header("Authorization", each);
    }
    try {
      HttpResponse<InputStream> answer = http.send(request.build(), BodyHandlers.ofInputStream());
      try (InputStream content = answer.body()) {
        if (answer.statusCode() == REDIRECTED) {
          // HTTP clients leave the credential out when they follow by themselves.
          return status(
              URI.create(answer.headers().firstValue("Location").orElseThrow()), method, body, authorization);
        }
        if (answer.statusCode() >= 400 && !method.equals("HEAD")) {
          JsonNode problem = new ObjectMapper().readTree(content);
          if (problem.path("message").asText().contains("reported lately")) {
            return UNAVAILABLE;
          }
          assertThat(problem.path("code").asText()).as("%s %s: %s", method, address, problem)
              .isIn("NOT_PERMITTED", "NOT_AUTHENTICATED", "NO_SUCH_ENTRY", "NO_SUCH_POOL", "INVALID_REQUEST");
        } else if (!address.getPath().endsWith("/watch")) {
          content.readAllBytes();
        }
      }
      return answer.statusCode();
    } catch (IOException e) {
      throw new UncheckedIOException(method + " " + address, e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A resource or method without a row has no test of its rights. */
  @Test
  void theTableHasEveryResource() throws IOException {
    Set<String> described = new TreeSet<>();
    JsonNode paths =
        new ObjectMapper().readTree(Path.of("src/main/webapp/WEB-INF/openapi.json").toFile()).path("paths");
    paths.properties().forEach(resource -> {
      if (!OTHERS.contains(resource.getKey())) {
        resource.getValue().fieldNames().forEachRemaining(method -> {
          if (!Set.of("options", "head", "parameters").contains(method)) {
            described.add(method.toUpperCase(Locale.ROOT) + " " + resource.getKey());
          }
        });
      }
    });
    Set<String> known = new TreeSet<>();
    TABLE.forEach(row -> known.add(row.method() + " " + row.resource()));
    known.remove("HEAD /names/{path}");
    assertThat(known).isEqualTo(described);
  }

  @Test
  void everyRequestIsPermittedExactlyWithItsRightsAtEveryServer() {
    List<NewEntry> entries = new ArrayList<>();
    for (String part : PARTS) {
      for (Row row : TABLE) {
        for (int bits : sets(row)) {
          String path = path(part, row, bits);
          entries.add(directory(path, RightSets.of(bits)));
          entries.add(NewEntry.directory(Target.of(path + "/s")));
          entries.add(NewEntry.junction(Target.of(path + "/e"), REFERENCE));
          if (row.target().endsWith("/r")) {
            entries.add(directory(path + "/r", Set.of(Right.READ)));
          }
        }
      }
    }
    add(entries);
    int servers = groups.members().size();
    for (int server = 0; server < servers; server++) {
      int asked = server;
      for (String part : PARTS) {
        String last = path(part, TABLE.getLast(), SETS - 1);
        Eventually.holds("server-" + (server + 1) + " has " + last,
            () -> status(asked, "GET", "/names" + last + "/e", "", ALICES) == 200);
      }
    }
    for (String part : PARTS) {
      for (int i = 0; i < TABLE.size(); i++) {
        Row row = TABLE.get(i);
        for (int bits : sets(row)) {
          check(part, row, bits, (i + bits) % servers);
        }
      }
    }
    // What may not be done stays so at the next primary.
    JsonNode unused = command("switchover", "--to", nameInRootGroup("replica"));
    for (String part : PARTS) {
      for (Row row : TABLE) {
        for (int bits : sets(row)) {
          if (!may(row, bits)) {
            check(part, row, bits, bits % servers);
          }
        }
      }
    }
  }

  private static void check(String part, Row row, int bits, int server) {
    String path = path(part, row, bits);
    String target = row.target().replace("DIR", path);
    String body = row.body().replace("DIR", path).replace("MOVED", path.replaceFirst("/(\\w+)$", "/moved-$1"));
    if (row.resource().equals("/pools/{path}") && !row.name().equals("register")) {
      assertThat(status(server, "PUT", "/pools" + path + "/p?element=1", ELEMENT, administrator)).isEqualTo(200);
    }
    boolean may = may(row, bits);
    if (bits % ANONYMOUS == 0) {
      assertThat(status(server, row.method(), target, body)).as("%s %s without a credential", row.name(), target)
          .isEqualTo(row.needs().isEmpty() ? 200 : 401);
    }
    assertThat(status(server, row.method(), target, body, ALICES))
        .as("%s %s at server-%d with %s", row.method(), target, server + 1, RightSets.of(bits))
        .matches(status -> may ? status / 100 == 2 : status == 403, may ? "permitted" : "refused");
  }

  /**
   * A request of operators, or between servers.
   *
   * @param forOperators whether the right {@code admin} at the root will do; otherwise only the servers' secret does
   * @param harmless whether it may be sent by one who may: it asks, or lacks what it needs
   */
  private record Administration(String method, String target, boolean forOperators, boolean harmless) {}

  private static final List<Administration> ADMINISTRATION = List.of(
      new Administration("GET", "/partitions", true, true),
      new Administration("GET", "/partitions/heat", true, true),
      new Administration("GET", "/partitions/loads", true, true),
      new Administration("GET", "/partitions/decisions", true, true),
      new Administration("GET", "/partitions/replay", true, true),
      new Administration("POST", "/partitions/replay", true, true),
      new Administration("GET", "/partitions/plan", true, true),
      new Administration("POST", "/partitions/assign", true, true),
      new Administration("GET", "/partitions/tickets", false, false),
      new Administration("POST", "/partitions/tickets", false, false),
      new Administration("POST", "/partitions/report", false, false),
      new Administration("POST", "/partitions/move", false, false),
      new Administration("POST", "/partitions/take", false, false),
      new Administration("POST", "/partitions/give", false, false),
      new Administration("POST", "/partitions/keep", false, false),
      new Administration("POST", "/partitions/owner", false, false),
      new Administration("POST", "/partitions/content", false, false),
      new Administration("GET", "/group/members", true, true),
      new Administration("POST", "/group/join", true, false),
      new Administration("POST", "/group/add-member", true, true),
      new Administration("POST", "/group/forget-member", true, true),
      new Administration("POST", "/group/switchover", true, false),
      new Administration("POST", "/group/failover", true, false),
      new Administration("POST", "/group/drain", true, false),
      new Administration("GET", "/group/member", false, false),
      new Administration("GET", "/group/reaches", false, false),
      new Administration("GET", "/group/contains", false, false),
      new Administration("POST", "/group/promise", false, false),
      new Administration("POST", "/group/step-down", false, false),
      new Administration("POST", "/group/stop-receiving", false, false),
      new Administration("POST", "/group/follow", false, false),
      new Administration("POST", "/group/lead", false, false),
      new Administration("GET", "/backup", true, true),
      new Administration("PUT", "/backup", true, true));

  /** A request of operators without a row has no test of its rights. */
  @Test
  void theTableHasAllOfAdministration() throws IOException {
    Set<String> handled = new TreeSet<>();
    for (String servlet : List.of("group/GroupServlet", "partition/PartitionServlet")) {
      String source = Files.readString(Path.of("src/main/java/io/rns/server/" + servlet + ".java"));
      String context = servlet.startsWith("group") ? "/group" : "/partitions";
      Matcher cases = Pattern.compile("case \"(/[a-z-]+)\"").matcher(source);
      while (cases.find()) {
        handled.add(context + cases.group(1));
      }
    }
    Set<String> known = new TreeSet<>();
    ADMINISTRATION.forEach(row -> known.add(row.target()));
    known.removeAll(Set.of("/partitions", "/backup"));
    assertThat(known).isEqualTo(handled).hasSizeGreaterThan(20);
  }

  /** Operating a service takes {@code admin} at the root, for whichever server is asked. */
  @Test
  void onlyAdministratorsOperateTheService() {
    int all = SETS - 1;
    int admin = 1 << List.of(Right.values()).indexOf(Right.ADMIN);
    try {
      int primary = IntStream.range(0, groups.members().size())
          .filter(server -> groups.members().get(server).name().equals(nameInRootGroup("primary"))).findFirst()
          .orElseThrow();
      for (int bits = 0; bits < SETS; bits += OTHER_SETS) {
        rules("/", RightSets.of(bits));
        checkAdministration(primary, RightSets.of(bits));
      }
      for (int bits : new int[]{all & ~admin, admin}) {
        rules("/", RightSets.of(bits));
        for (int server = 0; server < groups.members().size(); server++) {
          int asked = server;
          boolean may = bits == admin;
          Eventually.holds(
              "the rules are known at server-" + (server + 1),
              () -> status(asked, "GET", "/group/members", "", ALICES) == (may ? 200 : 403));
          checkAdministration(server, RightSets.of(bits));
          checkOthersInAdministration(server);
        }
      }
    } finally {
      rules("/", Set.of(Right.READ));
    }
  }

  private static void checkAdministration(int server, Set<Right> rights) {
    for (Administration row : ADMINISTRATION) {
      String what = row.method() + " " + row.target() + " at server-" + (server + 1);
      boolean may = row.forOperators() && rights.contains(Right.ADMIN);
      if (!may) {
        assertThat(status(server, row.method(), row.target(), "", ALICES)).as("%s with %s", what, rights)
            .isEqualTo(403);
      } else if (row.harmless()) {
        int status = status(server, row.method(), row.target(), "", ALICES);
        assertThat(status).as("%s with %s", what, rights).isIn(200, 400);
      }
    }
  }

  /** Nobody without a credential, and what is between servers not even for the administrator. */
  private static void checkOthersInAdministration(int server) {
    for (Administration row : ADMINISTRATION) {
      String what = row.method() + " " + row.target() + " at server-" + (server + 1);
      int refused = row.forOperators() ? 401 : 403;
      assertThat(status(server, row.method(), row.target(), "")).as(what).isEqualTo(refused);
      if (!row.forOperators()) {
        assertThat(status(server, row.method(), row.target(), "", administrator)).as(what).isEqualTo(403);
      }
    }
  }

  /** The caller of a write is whoever sent it, not the server that passes it on; so is the owner of what is made. */
  @Test
  void whoSendsAWriteToAnyServerOwnsWhatItMakes() {
    for (String part : PARTS) {
      Eventually.holds("the rules are known everywhere", () -> status(0, "GET", "/names" + part, "", ALICES) == 200
          && status(3, "GET", "/names" + part, "", ALICES) == 200);
      for (int server = 0; server < groups.members().size(); server++) {
        String made = part + "/by-" + server;
        assertThat(status(server, "PUT", "/names" + made, "{}", ALICES)).isEqualTo(201);
        assertThat(command("acl", "get", made).path("owner").asText()).isEqualTo(ALICE);
      }
    }
  }

  // ---- identities

  /** Operations on a directory {@code s} with the junction {@code e} and the directory {@code t}. */
  private static final List<String> OPERATIONS = List.of(
      "<r:query><r:entry-pattern>NAME</r:entry-pattern></r:query>",
      "<r:list/>",
      "<x:subtree/>",
      "<r:add><r:entry_name>NAME</r:entry_name></r:add>",
      "<r:remove><r:entry_name>NAME</r:entry_name></r:remove>",
      "<n:LookupRequest><n:entry-name>NAME</n:entry-name></n:LookupRequest>",
      "<n:SetMetadataRequest><n:set-metadata-request entry-name='NAME'><n:supports-rns value='false'/>"
          + "</n:set-metadata-request></n:SetMetadataRequest>");

  /** Operations on an entry. */
  private static final List<String> ENTRY_OPERATIONS = List.of(
      "<r:query/>",
      "<r:update><r:entry_name>new</r:entry_name></r:update>",
      "<p:GetResourcePropertyDocument/>",
      "<l:Destroy/>");

  private static final Pattern CODE = Pattern.compile(">([A-Z]+_[A-Z_]+)<");

  /** The status and the code of a SOAP fault. */
  private static String fault(int server, String query, String headers, String body, String... authorization) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(groups.members().get(server).url() + "/services/rns" + query)).timeout(BOUND)
            .header("Content-Type", "text/xml; charset=utf-8").header("SOAPAction", "\"\"")
            .POST(BodyPublishers.ofString(HostileMessages.message(headers, body)));
    for (String each : authorization) {
      request.header("Authorization", each);
    }
    try {
      HttpResponse<String> answer = http.send(request.build(), BodyHandlers.ofString());
      assertThat(answer.body()).as(body).contains("Fault>").doesNotContain("urn:ws-naming", REFERENCE.address());
      Matcher code = CODE.matcher(answer.body());
      return answer.statusCode() + (code.find() ? " " + code.group(1) : answer.body());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A request and the headers, or the part of the address, that name what it is about. */
  private record Asked(String at, String operation) {}

  private static List<Asked> allOf(String closed) {
    EntryId above = id(closed);
    EntryId directory = id(closed + "/s");
    List<Asked> all = new ArrayList<>();
    List<String> directories = List.of(
        path(closed + "/s"), identity(directory), identity(above) + path("/s"), "?id=" + directory, "/s?id=" + above);
    for (String at : directories) {
      for (String operation : OPERATIONS) {
        for (String name : List.of("e", "t", "none")) {
          all.add(new Asked(at, operation.replace("NAME", name)));
        }
      }
      ENTRY_OPERATIONS.forEach(operation -> all.add(new Asked(at, operation)));
    }
    List<String> entries = new ArrayList<>(List.of(identity(id(closed + "/s/t"))));
    for (String name : List.of("/e", "/t", "/none")) {
      entries.add(identity(directory) + path(name));
      entries.add(path(closed + "/s" + name));
    }
    for (String at : entries) {
      ENTRY_OPERATIONS.forEach(operation -> all.add(new Asked(at, operation)));
    }
    all.add(new Asked(identity(directory), "<v:resolve/>"));
    return all;
  }

  /** Also at servers of the other group, and whether there is such an entry or not. */
  @Test
  void whatIsNamedByItsIdentityIsRefusedAsByItsPathAtEveryServer() {
    for (String part : PARTS) {
      String closed = part + "/closed";
      add(List.of(
          directory(closed, Set.of()), NewEntry.directory(Target.of(closed + "/s")),
          NewEntry.junction(Target.of(closed + "/s/e"), REFERENCE), NewEntry.directory(Target.of(closed + "/s/t"))));
      int servers = groups.members().size();
      for (int server = 0; server < servers; server++) {
        int asked = server;
        Eventually.holds(closed + " is known at server-" + (server + 1),
            () -> status(asked, "GET", "/names" + closed + "/s/t", "", administrator) == 200
                && status(asked, "GET", "/names" + closed + "/s/t", "", ALICES) == 403);
      }
      List<Asked> all = allOf(closed);
      for (int i = 0; i < all.size(); i++) {
        assertRefused(i % servers, all.get(i).at(), all.get(i).operation());
      }
    }
  }

  private static void assertRefused(int server, String at, String operation) {
    boolean inUrl = !at.startsWith("<");
    String query = inUrl ? at : "";
    String headers = inUrl ? "" : at;
    String what = operation + " of " + at + " at server-" + (server + 1);
    assertThat(fault(server, query, headers, operation)).as(what).isEqualTo("401 NOT_AUTHENTICATED");
    assertThat(fault(server, query, headers, operation, ALICES)).as(what).isEqualTo("500 NOT_PERMITTED");
  }

  private static EntryId id(String path) {
    try (NameService names = names()) {
      return names.query(CallContext.ANONYMOUS, QueryRequest.of(Target.of(path))).value().getFirst().orThrow().id();
    }
  }

  private static String identity(EntryId id) {
    return "<x:EntryId>" + id + "</x:EntryId>";
  }

  private static String path(String path) {
    return "<x:Path>" + path + "</x:Path>";
  }

  // ---- watches

  private static ChangeStream.Builder watch(String path, String authorization) {
    return ChangeStream.of(URI.create(groups.url())).path(RnsPath.parse(path))
        .credentials(refused -> Optional.of(authorization));
  }

  /** Names of a closed directory stay closed when it has another name, and another directory has its former one. */
  @Test
  void thePastOfAClosedDirectoryIsNotShownUnderTheRulesOfAnother() throws InterruptedException {
    for (String part : PARTS) {
      Eventually.holds("the rules are known", () -> status(0, "GET", "/names" + part, "", ALICES) == 200);
      String path = part + "/log";
      Position from;
      try (ChangeStream begun = watch(part, administrator).open()) {
        from = begun.position();
      }
      add(List.of(directory(path, Set.of()), directory(path + "/secret", Set.of())));
      assertThat(status(0, "PATCH", "/names" + path, "{\"path\": \"" + path + "2\"}", administrator)).isEqualTo(200);
      add(List.of(directory(path, Set.of(Right.READ)), directory(path + "/last", Set.of())));
      List<String> seen = new ArrayList<>();
      try (ChangeStream alices = watch(part, ALICES).from(from).open();
          ChangeStream all = watch(part, administrator).from(from).open()) {
        for (int i = 0; i < 4; i++) {
          Change change = alices.next(BOUND).orElseThrow();
          seen.add(change.kind() + " " + change.path());
        }
        for (int i = 0; i < 2; i++) {
          assertThat(all.next(BOUND).orElseThrow().path().toString()).isEqualTo(i == 0 ? path : path + "/secret");
        }
      }
      assertThat(seen)
          .containsExactly("ADDED " + path, "MOVED " + path + "2", "ADDED " + path, "ADDED " + path + "/last");
    }
  }

  // ---- tickets

  /** The name of a server of the root's group in a role; empty if there is none now. */
  private static String nameInRootGroup(String role) {
    for (JsonNode server : command("status").path("servers")) {
      if (server.path("group").asInt() == 0 && server.path("role").asText().equals(role)) {
        return server.path("name").asText();
      }
    }
    return "";
  }

  private static MemberProcesses member(String name) {
    return groups.members().stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
  }

  private static JsonNode ticket() {
    return command("ticket", "make", "/cut", "--rights", "list,read", "--for", "1h");
  }

  /** The status with which a server answers the holder of a ticket; 0 without an answer. */
  private static int statusWith(JsonNode ticket, MemberProcesses server) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(server.url() + "/names/cut")).timeout(BOUND)
            .header("Authorization", "Bearer " + ticket.path("token").asText()).build();
    try {
      return http.send(request, BodyHandlers.discarding()).statusCode();
    } catch (IOException e) {
      return 0;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void awaitEverywhere(JsonNode ticket, int status) {
    for (MemberProcesses server : groups.members()) {
      Eventually.holds(
          server.name() + " answers " + status + " to ticket " + ticket.path("id").asText(),
          () -> statusWith(ticket, server) == status);
    }
  }

  /** Asks all servers with a revoked ticket, again and again. */
  private static final class Holder implements AutoCloseable {
    private final JsonNode ticket;
    private final Set<String> accepted = ConcurrentHashMap.newKeySet();
    private final Map<String, Integer> refused = new ConcurrentHashMap<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean isClosed;

    Holder(JsonNode ticket) {
      this.ticket = ticket;
      for (MemberProcesses server : groups.members()) {
        threads.add(Thread.ofVirtual().start(() -> ask(server)));
      }
    }

    private void ask(MemberProcesses server) {
      while (!isClosed) {
        int status = statusWith(ticket, server);
        if (status / 100 == 2) {
          accepted.add(server.name());
        } else if (status == 401) {
          refused.merge(server.name(), 1, Integer::sum);
        }
        LockSupport.parkNanos(5_000_000);
      }
    }

    /** Waits until every server has refused it once more. */
    void awaitRefusals() {
      Map<String, Integer> before = Map.copyOf(refused);
      for (MemberProcesses server : groups.members()) {
        Eventually.holds(
            server.name() + " has refused the ticket",
            () -> refused.getOrDefault(server.name(), 0) > before.getOrDefault(server.name(), 0) + 1);
      }
    }

    @Override
    public void close() {
      isClosed = true;
      threads.forEach(thread -> {
        try {
          thread.join();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      });
      assertThat(accepted).as("servers that took a revoked ticket").isEmpty();
    }
  }

  @Test
  void aRevokedTicketStaysRevokedWhoeverIsThePrimaryOfTheRootsGroup() {
    JsonNode good = ticket();
    JsonNode revoked = ticket();
    awaitEverywhere(revoked, 200);
    JsonNode unused = command("ticket", "revoke", revoked.path("id").asText());
    awaitEverywhere(revoked, 401);
    try (Holder holder = new Holder(revoked)) {
      JsonNode switched = command("switchover", "--to", nameInRootGroup("replica"));
      holder.awaitRefusals();
      awaitEverywhere(good, 200);
      String killed = nameInRootGroup("primary");
      assertThat(switched.path("primary").asText()).isEqualTo(member(killed).url());
      String next = nameInRootGroup("replica");
      // What the last primary has revoked is known to the next one, too.
      JsonNode last = ticket();
      awaitEverywhere(last, 200);
      JsonNode unused2 = command("ticket", "revoke", last.path("id").asText());
      member(killed).glassFish().kill();
      Eventually.holds(
          "another primary",
          () -> LocalCommand.run(temporary.resolve("data"), member(next).url(), "failover", "--to", next, "--yes")
              .exitCode() == 0);
      awaitEverywhere(last, 401);
      try (Holder another = new Holder(last)) {
        another.awaitRefusals();
        holder.awaitRefusals();
      }
      assertThat(nameInRootGroup("primary")).isEqualTo(next);
      awaitEverywhere(good, 200);
    }
    Eventually.holds("the group has its replica again", () -> !nameInRootGroup("replica").isEmpty());
  }
}
