package io.rns.server.group;

import static io.rns.server.Eventually.until;
import static io.rns.server.group.Writers.add;
import static io.rns.server.group.Writers.has;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.CallContext;
import io.rns.api.Position;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.replication.Handover;
import io.rns.replication.Role;
import io.rns.replication.Topology;
import io.rns.server.group.TestGroup.Server;
import io.rns.server.store.TestMember;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three servers over three MySQL databases that elect their primary automatically. */
@Tag("slow")
class DatabaseGroupIT {
  private static final Duration SOON = Duration.ofSeconds(90);

  @TempDir private Path directory;
  private TestGroup group;
  private Server first;
  private Server second;
  private Server third;

  @BeforeEach
  void start() throws Exception {
    TestMember.assumeGroups();
    group = new TestGroup(directory, 3, Topology.GROUP);
    first = group.servers.get(0);
    second = group.servers.get(1);
    third = group.servers.get(2);
    until("all databases are there", SOON,
        () -> group.servers.stream().allMatch(s -> s.member.report().database().isPresent()));
    Handover.Result result = group.handover().failover(Optional.of(first.member.url()), false);
    assertThat(result.primary()).isEqualTo(first.member.url());
    assertThat(result.position().epoch()).isEqualTo(1);
    until("all follow", SOON, () -> follows(second, first) && follows(third, first));
    until("they are heard", SOON, () -> first.member.report().database().orElseThrow().acknowledging().orElse(0) == 2);
  }

  @AfterEach
  void stop() {
    if (group != null) {
      // In the end they would wait for each other.
      group.servers.forEach(server -> server.process.kill());
      group.close();
    }
  }

  private static boolean follows(Server replica, Server primary) {
    return replica.standings.now().role() == Role.REPLICA
        && replica.standings.now().copy().isPresent()
        && replica.standings.now().primary().equals(Optional.of(primary.member.url()))
        && replica.member.report().database().filter(database -> database.receiving()).isPresent();
  }

  private Server primaryBut(Server former) throws Exception {
    until("another one leads", SOON, () -> group.servers.stream().anyMatch(each -> each != former && leads(each)));
    return group.servers.stream().filter(each -> each != former && leads(each)).findFirst().orElseThrow();
  }

  private static boolean leads(Server server) {
    return server.standings.now().role() == Role.PRIMARY;
  }

  @Test
  void plannedSwitchoverCostsNoRequest() throws Exception {
    Writers writers = new Writers(false, group.servers);
    try (writers) {
      writers.awaitMore(100);
      for (Server next : List.of(second, third, first)) {
        Handover.Result result = group.handover().switchover(next.member.url());
        assertThat(result.primary()).isEqualTo(next.member.url());
        report("switchover: write outage " + result.outageMillis() + " ms");
        writers.awaitMore(100);
      }
    }
    writers.assertAllThere(first);
    assertThat(first.copy().position().epoch()).isEqualTo(4);
  }

  /** The database that was the primary refuses every statement for a moment. */
  @Test
  void plannedSwitchoverCostsNoReadOfTheDatabase() throws Exception {
    AtomicBoolean stop = new AtomicBoolean();
    AtomicInteger reads = new AtomicInteger();
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      List<Future<?>> readers = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        Server each = group.servers.get(i % 3);
        readers.add(
            threads.submit(
                () -> {
                  while (!stop.get()) {
                    String notCached = "/absent-" + reads.incrementAndGet();
                    assertThat(has(each, CallContext.ANONYMOUS, notCached)).isFalse();
                  }
                  return null;
                }));
      }
      try {
        for (Server next : List.of(second, third, first)) {
          int before = reads.get();
          group.handover().switchover(next.member.url());
          until("reads go on", SOON, () -> reads.get() > before + 1_000 || readers.stream().anyMatch(Future::isDone));
        }
      } finally {
        stop.set(true);
      }
      for (Future<?> reader : readers) {
        reader.get();
      }
    }
  }

  @Test
  void anotherServerLeadsByItselfWhenTheDatabaseOfThePrimaryDies() throws Exception {
    Writers writers = new Writers(true, group.servers);
    Server next;
    try (writers) {
      writers.awaitMore(200);
      first.process.kill();
      next = primaryBut(first);
      writers.awaitMore(200);
      report("database killed: write outage " + writers.longestGapMillis() + " ms");
      until("the old one knows it", SOON, () -> first.standings.now().role() == Role.REPLICA);
      first.process.restart();
      until("the old one follows", SOON, () -> follows(first, next));
    }
    writers.assertAllThere(next);
    assertThat(next.copy().position().epoch()).isEqualTo(2);
    Position last = add(first, "/last");
    assertThat(has(first, CallContext.ANONYMOUS.withSeen(last), "/last")).isTrue();
  }

  @Test
  void primaryWhoseDatabaseWasPausedCannotCommitAnyMore() throws Exception {
    Writers writers = new Writers(true, group.servers);
    Server next;
    try (writers) {
      writers.awaitMore(200);
      first.process.pause();
      try {
        next = primaryBut(first);
        writers.awaitMore(200);
        report("database paused: write outage " + writers.longestGapMillis() + " ms");
      } finally {
        first.process.resume();
      }
      until("the old one follows", SOON, () -> follows(first, next));
      writers.awaitMore(100);
    }
    writers.assertAllThere(next);
  }

  @Test
  void anotherServerHasItsDatabaseChosenWhenTheServerOfThePrimaryIsGone() throws Exception {
    Writers writers = new Writers(true, List.of(second, third));
    Server next;
    try (writers) {
      writers.awaitMore(200);
      first.silence();
      next = primaryBut(first);
      writers.awaitMore(200);
      report("server gone: write outage " + writers.longestGapMillis() + " ms");
    }
    writers.assertAllThere(next);
    assertThat(next).isIn(second, third);
    assertThat(next.copy().position().epoch()).isEqualTo(2);
  }

  @Test
  void theGroupIsFormedAnewWhenAllWereLostAndOnlyWithAllOfThem() throws Exception {
    assertThatThrownBy(() -> group.handover().failover(Optional.of(second.member.url()), true))
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.INVALID_REQUEST))
        .hasMessageContaining("elect a new primary automatically");
    Position before = add(second, "/before");
    group.servers.forEach(server -> server.process.kill());
    second.process.restart();
    third.process.restart();
    until("two databases are there", SOON,
        () -> third.member.report().database().isPresent() && second.member.report().database().isPresent());
    assertThatThrownBy(() -> group.failover())
        .isInstanceOf(RnsException.class)
        .hasMessageContaining("cannot be reached")
        .hasMessageContaining(first.member.url());
    first.process.restart();
    until("the third is there", SOON, () -> first.member.report().database().isPresent());
    Server next = group.server(group.failover().primary());
    until("all are back", SOON, () -> group.servers.stream().allMatch(each -> each == next || follows(each, next)));
    Position after = add(third, "/after");
    assertThat(after.epoch()).isGreaterThan(before.epoch());
    for (Server each : group.servers) {
      assertThat(has(each, CallContext.ANONYMOUS.withSeen(after), "/before")).isTrue();
    }
  }

  @Test
  void newMemberGetsItsCopyWhileWritesGoOn() throws Exception {
    Writers writers = new Writers(false, List.of(first, second));
    Server fourth;
    try (writers) {
      writers.awaitMore(300);
      fourth = group.addServer();
      until("the new one serves", SOON, () -> follows(fourth, first));
      writers.awaitMore(100);
    }
    writers.assertAllThere(first);
    Position last = add(fourth, "/last");
    assertThat(has(fourth, CallContext.ANONYMOUS.withSeen(last), "/last")).isTrue();
    for (String path : writers.acknowledged.keySet()) {
      assertThat(has(fourth, CallContext.ANONYMOUS, path)).as(path).isTrue();
    }
  }

  private static void report(String line) {
    System.out.println(line);
  }
}
