package io.rns.server.group;

import static io.rns.server.Eventually.until;
import static io.rns.server.group.Writers.add;
import static io.rns.server.group.Writers.has;
import static io.rns.server.group.Writers.remove;
import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.CallContext;
import io.rns.api.Consistency;
import io.rns.api.Routing;
import io.rns.error.RnsException;
import io.rns.replication.Handover;
import io.rns.replication.Role;
import io.rns.replication.Topology;
import io.rns.replication.member.DatabaseMember;
import io.rns.server.group.TestGroup.Server;
import io.rns.server.namespace.WriterSettings;
import io.rns.server.store.TestMember;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Reads of consistency {@code primary} when the MySQL databases elect another one without a failure, so at once, and
 * the server of the former primary is not aware of it, as if its thread were stuck.
 */
@Tag("slow")
class DatabaseGroupReadsIT {
  private static final Duration SOON = Duration.ofSeconds(90);

  /** Its lease, of 12 s, is longer than an election takes on a busy machine. */
  private static final WriterSettings WRITER =
      new WriterSettings(
          4_096, 256, Duration.ofSeconds(15), Duration.ofHours(24), Duration.ofHours(72), Duration.ofSeconds(2), true);

  private static final CallContext LATEST =
      CallContext.ANONYMOUS.with(new Consistency.Primary()).with(Routing.HERE);

  @TempDir private Path directory;
  private TestGroup group;
  private Server first;
  private Server second;

  @BeforeEach
  void start() throws Exception {
    TestMember.assumeGroups();
    group = new TestGroup(directory, 3, Topology.GROUP, false, WRITER);
    first = group.servers.get(0);
    second = group.servers.get(1);
    until("all databases are there", SOON,
        () -> group.servers.stream().allMatch(each -> each.member.report().database().isPresent()));
    Handover.Result result = group.handover().failover(Optional.of(first.member.url()), false);
    assertThat(result.primary()).isEqualTo(first.member.url());
    until("all others take part", SOON,
        () -> first.member.report().database().orElseThrow().acknowledging().orElse(0) == 2);
    add(first, "/removed");
    assertThat(has(first, LATEST, "/removed")).isTrue();
  }

  @AfterEach
  void stop() {
    if (group != null) {
      group.close();
    }
  }

  @Test
  void readsDoNotGoBackWhenTheDatabaseOfThePrimaryLeavesTheGroup() throws Exception {
    TestGroup.freeze(first);
    assertReadsDoNotGoBack(() -> {
      try (DatabaseMember database = first.process.member()) {
        database.stopReceiving();
      }
    });
  }

  @Test
  void readsDoNotGoBackWhenTheDatabaseOfThePrimaryIsShutDown() throws Exception {
    TestGroup.freeze(first);
    assertReadsDoNotGoBack(first.process::close);
  }

  @Test
  void readsDoNotGoBackWhenAnOperatorHasAnotherDatabaseElected() throws Exception {
    TestGroup.freeze(first);
    assertReadsDoNotGoBack(this::electSecond);
  }

  /** The next primary need not wait for the lease then. */
  @Test
  void aFormerPrimaryThatSaysThatItHasStoppedIsNotAwaited() throws Exception {
    long began = System.nanoTime();
    assertReadsDoNotGoBack(this::electSecond);
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(WRITER.lease());
  }

  private void electSecond() {
    try (DatabaseMember database = second.process.member()) {
      database.makeWritable(1);
    }
  }

  private void assertReadsDoNotGoBack(Runnable loss) throws Exception {
    AtomicBoolean stop = new AtomicBoolean();
    AtomicLong lastSeen = new AtomicLong();
    AtomicInteger refused = new AtomicInteger();
    long removed;
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      Future<?> lost = threads.submit(loss);
      Future<?> reader = threads.submit(() -> readOften(stop, lastSeen, refused));
      try {
        until("another one leads", SOON, () -> group.servers.stream().anyMatch(this::leadsInstead));
        remove(group.servers.stream().filter(this::leadsInstead).findFirst().orElseThrow(), "/removed");
        removed = System.nanoTime();
        until("the former primary answers no more", SOON, () -> refused.get() > 0 || reader.isDone());
      } finally {
        stop.set(true);
      }
      reader.get();
      lost.get();
    }
    assertThat(lastSeen.get()).as("when the last read began that saw what was removed").isLessThan(removed);
  }

  private boolean leadsInstead(Server server) {
    return server != first && server.standings.now().role() == Role.PRIMARY;
  }

  private void readOften(AtomicBoolean stop, AtomicLong lastSeen, AtomicInteger refused) {
    while (!stop.get()) {
      long began = System.nanoTime();
      try {
        if (has(first, LATEST, "/removed")) {
          lastSeen.set(began);
        }
      } catch (RnsException e) {
        refused.incrementAndGet();
      }
    }
  }
}
