package io.rns.server.local;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.CallContext;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.QueryRequest;
import io.rns.api.Target;
import io.rns.client.RnsClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three servers and their databases, as {@code ./rns up --replicas 2} runs them, and the commands about a group. */
class LocalGroupIT {
  private static final Path CLIENT = Path.of("../rns-client/target/cli/lib");

  private final List<String> progress = new CopyOnWriteArrayList<>();

  @TempDir private Path temporary;
  private LocalGroup group;

  @BeforeEach
  void start() {
    group = LocalGroup.start(settings(), progress::add);
  }

  @AfterEach
  void stop() {
    group.close();
  }

  private LocalGroup.Settings settings() {
    return new LocalGroup.Settings(
        temporary.resolve("data"), GroupPorts.ANY, 2, "256m", "64M", LocalInstallation.find().war(), null, LocalDatabases.EMBEDDED);
  }

  @Test
  void keepsWhatWasWrittenThroughChangesOfThePrimaryAndStops() throws Exception {
    assertThat(roles()).containsExactly("primary", "replica", "replica");
    add(2, "first");
    Eventually.holds("the other replica has it", () -> has(3, "first"));

    group.members().get(2).glassFish().kill();
    Eventually.holds("server-3 is back", () -> progress.contains("server-3: GlassFish is back"));
    Eventually.holds("server-3 serves", () -> has(3, "first"));

    JsonNode switched = command("switchover", "--to", "server-2");
    assertThat(switched.path("primary").asText()).isEqualTo(group.members().get(1).url());
    assertThat(switched.path("former").asText()).isEqualTo(group.url());
    assertThat(switched.path("epoch").asInt()).isEqualTo(2);
    add(1, "second");

    group.members().get(1).glassFish().kill();
    group.members().get(1).database().kill();
    JsonNode failed = command("failover", "--to", "server-1");
    assertThat(failed.path("primary").asText()).isEqualTo(group.url());
    add(3, "third");
    Eventually.holds("the old primary is a replica", () -> roles().equals(List.of("primary", "replica", "replica")));
    Eventually.holds("the old primary has what it missed", () -> has(2, "third"));

    group.members().get(0).glassFish().kill();
    group.members().get(0).database().kill();
    Eventually.holds("a primary is found without a command", () -> roles().contains("primary") && roles().size() == 3);
    add(2, "fourth");

    group.close();
    group = LocalGroup.start(settings(), progress::add);
    assertThat(roles()).containsOnlyOnce("primary").hasSize(3);
    add(3, "fifth");
    for (String name : List.of("first", "second", "third", "fourth", "fifth")) {
      Eventually.holds("server-1 has " + name, () -> has(1, name));
    }
  }

  private void add(int server, String name) {
    NewEntry entry = NewEntry.junction(Target.of("/" + name), EndpointReference.ofAddress("urn:" + name));
    try (NameService names = names(server)) {
      names.add(CallContext.ANONYMOUS, AddRequest.of(entry)).value().forEach(Outcome::orThrow);
    }
  }

  private boolean has(int server, String name) {
    try (NameService names = names(server)) {
      Outcome<Entry> found =
          names.query(CallContext.ANONYMOUS, QueryRequest.of(Target.of("/" + name))).value().get(0);
      return found instanceof Outcome.Done<Entry>;
    }
  }

  private NameService names(int server) {
    return RnsClient.builder().server(URI.create(group.members().get(server - 1).url())).build();
  }

  /** In the order of the names, as far as they answer. */
  private List<String> roles() {
    JsonNode servers = command("status").path("servers");
    return StreamSupport.stream(servers.spliterator(), false).map(server -> server.path("role").asText()).toList();
  }

  /** What {@code ./rns COMMAND --json} says: it finds the group by its data directory. */
  private JsonNode command(String... arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                CLIENT.toAbsolutePath() + "/*",
                "io.rns.client.cli.RnsCommand"));
    command.addAll(List.of(arguments));
    command.add("--json");
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().put("RNS_DATA", temporary.resolve("data").toString());
    builder.environment().put("RNS_SERVER", group.members().get(2).url());
    try {
      Process process = builder.start();
      String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      process.onExit().join();
      assertThat(process.exitValue() == 0 || arguments[0].equals("status")).as(out).isTrue();
      return new ObjectMapper().readTree(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
