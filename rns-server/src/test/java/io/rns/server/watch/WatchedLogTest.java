package io.rns.server.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.AccessRule;
import io.rns.api.AccessRules;
import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.CallContext;
import io.rns.api.Caller;
import io.rns.api.EntryName;
import io.rns.api.Metadata;
import io.rns.api.Position;
import io.rns.api.Precondition;
import io.rns.api.RemoveRequest;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.identity.AccessMode;
import io.rns.identity.AccessPolicy;
import io.rns.permission.AccessControl;
import io.rns.permission.AccessReader;
import io.rns.server.TestDatabase;
import io.rns.server.namespace.LocalNameService;
import io.rns.server.namespace.TestServices;
import io.rns.server.store.Database;
import io.rns.server.store.PlacedChange;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What callers see of the log of a closed server, whose directories are renamed, exchanged and removed. */
@Tag("server")
class WatchedLogTest {
  private static final Caller BOB = new Caller("local:bob", Set.of());

  private static Database database;
  private static LocalNameService names;
  private static AccessReader reader;

  private final String top = "/log-" + System.nanoTime();
  private Position start;

  @BeforeAll
  static void open() {
    database = new Database(TestDatabase.settings(TestDatabase.sharedUrl()));
    database.migrate();
    AccessControl control = new AccessControl(new AccessPolicy(AccessMode.CLOSED, Set.of()), false);
    names = LocalNameService.start(database, 16 << 20, TestServices.WRITER, InstantSource.system(), control);
    reader = new AccessReader(control, () -> names);
    set("/", "anyone=read");
  }

  @AfterAll
  static void close() {
    update(EntryChange.metadata(Target.ROOT, Metadata.parse("<access xmlns=\"urn:rns:ext:1\"/>")));
    names.close();
    database.close();
  }

  @BeforeEach
  void begin() {
    start = names.changes().last();
    directory("", "anyone=list,read");
  }

  private static Metadata rules(String... rules) {
    return Metadata.NONE.with(
        new AccessRules(Optional.empty(), Optional.of(Stream.of(rules).map(AccessRule::parse).toList())));
  }

  private static void set(String path, String... rules) {
    update(EntryChange.metadata(Target.of(path), rules(rules)));
  }

  private static void update(EntryChange change) {
    var unused = names.update(CallContext.SERVICE, UpdateRequest.of(change)).value().getFirst().orThrow();
  }

  private void directory(String path, String... rules) {
    NewEntry entry = new NewEntry(Target.of(top + path), List.of(), rules(rules), Precondition.IF_ABSENT);
    var unused = names.add(CallContext.SERVICE, AddRequest.of(entry)).value().getFirst().orThrow();
  }

  private void rename(String path, String name) {
    update(EntryChange.rename(Target.of(top + path), EntryName.of(name)));
  }

  private void remove(String path) {
    var unused = names.remove(CallContext.SERVICE, RemoveRequest.of(Removal.recursive(Target.of(top + path)))).value()
        .getFirst().orThrow();
  }

  /** The paths of what a caller sees, without the directory of the test. */
  private List<String> seen() throws InterruptedException {
    VisibleChanges visible = new VisibleChanges(reader, BOB, names::place);
    List<String> paths = new ArrayList<>();
    Position known = start;
    while (known.sequence() < names.changes().last().sequence()) {
      var step = names.changes().after(known, RnsPath.parse(top), Duration.ZERO);
      for (PlacedChange change : step.changes()) {
        visible.of(change)
            .ifPresent(shown -> paths.add(shown.kind() + " " + shown.path().toString().substring(top.length())));
      }
      known = step.known();
    }
    return paths;
  }

  @Test
  void aClosedDirectoryIsNotOpenedByAnotherInItsFormerPlace() throws InterruptedException {
    directory("/closed");
    directory("/closed/secret");
    directory("/closed/secret/deeper");
    rename("/closed", "renamed");
    directory("/closed", "anyone=list,read");
    directory("/closed/secret", "anyone=list,read");
    assertThat(seen())
        .containsExactly("ADDED ", "ADDED /closed", "MOVED /renamed", "ADDED /closed", "ADDED /closed/secret");
  }

  @Test
  void exchangedDirectoriesKeepTheirRules() throws InterruptedException {
    directory("/open", "anyone=list,read");
    directory("/closed");
    directory("/open/a");
    directory("/closed/secret");
    rename("/open", "between");
    rename("/closed", "open");
    rename("/between", "closed");
    directory("/closed/b");
    directory("/open/secret2");
    assertThat(seen())
        .containsExactly(
            "ADDED ", "ADDED /open", "ADDED /closed", "ADDED /open/a", "MOVED /between", "MOVED /open", "MOVED /closed",
            "ADDED /closed/b");
  }

  @Test
  void whatWasInARemovedDirectoryIsForAdministratorsOfTheRoot() throws InterruptedException {
    directory("/gone", "anyone=list,read");
    directory("/gone/below", "anyone=list,read");
    directory("/gone/below/x");
    remove("/gone");
    directory("/gone", "anyone=list,read");
    assertThat(seen()).containsExactly("ADDED ", "ADDED /gone", "REMOVED /gone", "ADDED /gone");
    set("/", "anyone=read", "local:bob=admin");
    assertThat(seen())
        .containsExactly(
            "ADDED ", "ADDED /gone", "ADDED /gone/below", "ADDED /gone/below/x", "REMOVED /gone", "ADDED /gone");
    set("/", "anyone=read");
  }
}
