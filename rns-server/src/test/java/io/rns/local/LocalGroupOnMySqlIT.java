package io.rns.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.CallContext;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.QueryRequest;
import io.rns.api.RequestId;
import io.rns.api.Target;
import io.rns.client.RnsClient;
import io.rns.client.http.TlsTrust;
import io.rns.error.RnsException;
import io.rns.replication.Topology;
import io.rns.server.store.TestMember;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three servers, as {@code ./rns up --replicas 2 --engine mysql --topology group} runs them. */
@Tag("slow")
class LocalGroupOnMySqlIT {
  private final List<String> progress = new CopyOnWriteArrayList<>();

  @TempDir private Path temporary;
  private LocalGroup group;

  @BeforeEach
  void start() {
    TestMember.assumeGroups();
    group = LocalGroup.start(settings(), progress::add);
  }

  @AfterEach
  void stop() {
    if (group != null) {
      group.close();
    }
  }

  private LocalGroup.Settings settings() {
    LocalDatabases databases = new LocalDatabases(LocalInstallation.mySql(Map.of()), Topology.GROUP);
    return new LocalGroup.Settings(
        temporary.resolve("data"), GroupPorts.ANY, 1, 2, "256m", "64M", LocalInstallation.find().war(), null,
        databases);
  }

  @Test
  void keepsWhatWasWrittenWhoeverDiesAndWithoutACommand() {
    assertThat(primary()).contains(0);
    add(2, "first");

    group.members().get(0).database().kill();
    Eventually.holds("another one leads", () -> primary().filter(number -> number != 0).isPresent());
    add(0, "second");
    Eventually.holds("all serve again", this::allServe);

    int second = primary().orElseThrow();
    group.members().get(second).glassFish().kill();
    Eventually.holds("a third one leads", () -> primary().filter(number -> number != second).isPresent());
    add(second == 1 ? 2 : 1, "third");
    Eventually.holds("all serve again", this::allServe);

    group.close();
    group = LocalGroup.start(settings(), progress::add);
    add(1, "fourth");
    for (String name : List.of("first", "second", "third", "fourth")) {
      Eventually.holds("server-1 has " + name, () -> has(0, name));
    }
  }

  private Optional<Integer> primary() {
    return numbers().filter(number -> look(number).filter(LocalGroupCalls.View::isPrimary).isPresent()).findFirst();
  }

  private boolean allServe() {
    return numbers()
        .allMatch(number -> look(number).filter(LocalGroupCalls.View::isServing).isPresent() && has(number, "first"));
  }

  private Stream<Integer> numbers() {
    return IntStream.range(0, group.members().size()).boxed();
  }

  private Optional<LocalGroupCalls.View> look(int number) {
    try (LocalGroupCalls calls = new LocalGroupCalls(group.secret(), TlsTrust.SYSTEM, line -> {})) {
      return calls.look(group.members().get(number).url());
    }
  }

  private void add(int number, String name) {
    NewEntry entry = NewEntry.junction(Target.of("/" + name), EndpointReference.ofAddress("urn:" + name));
    try (NameService names = names(number)) {
      names.add(CallContext.ANONYMOUS.with(RequestId.random()), AddRequest.of(entry)).value().forEach(Outcome::orThrow);
    }
  }

  private boolean has(int number, String name) {
    try (NameService names = names(number)) {
      Outcome<Entry> found =
          names.query(CallContext.ANONYMOUS, QueryRequest.of(Target.of("/" + name))).value().get(0);
      return found instanceof Outcome.Done<Entry>;
    } catch (RnsException e) {
      // The database beside it may just be on its way up.
      return false;
    }
  }

  private NameService names(int number) {
    return RnsClient.builder().server(URI.create(group.members().get(number).url())).build();
  }
}
