package io.rns.server.namespace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.CallContext;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.Outcome;
import io.rns.api.QueryRequest;
import io.rns.api.Target;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.local.DatabaseProcess;
import io.rns.server.Eventually;
import io.rns.server.TestDatabase;
import io.rns.server.store.Database;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A database on a small file system of its own that somebody fills; run where a file system may be mounted. */
@Tag("server")
class FullDiskTest {
  private static final Duration BOUND = Duration.ofSeconds(60);
  private static final CallContext CALL = CallContext.ANONYMOUS;

  @TempDir private Path directory;
  private boolean mounted;
  private DatabaseProcess process;
  private Database database;
  private LocalNameService service;

  @BeforeEach
  void mount() throws Exception {
    mounted = run("mount", "-t", "tmpfs", "-o", "size=400m", "rns-test", directory.toString()) == 0;
    assumeTrue(mounted, "skipped: no file system can be mounted here; run as root to have a full disk tested");
    process = TestDatabase.own(directory.resolve("database"), "--innodb-log-file-size=8M");
    database = new Database(TestDatabase.impatient(TestDatabase.withAccount(process)));
    service = TestServices.start(database);
  }

  @AfterEach
  void unmount() throws Exception {
    if (mounted) {
      service.close();
      database.close();
      process.close();
      assertThat(run("umount", directory.toString())).isZero();
    }
  }

  private static int run(String... command) throws Exception {
    try {
      Process program =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return program.waitFor(30, TimeUnit.SECONDS) ? program.exitValue() : -1;
    } catch (IOException e) {
      // There is no such program.
      return -1;
    }
  }

  private Entry add(String path) {
    NewEntry entry = NewEntry.junction(Target.of(path), EndpointReference.ofAddress("urn:x"));
    return service.add(CALL, AddRequest.of(entry)).value().get(0).orThrow();
  }

  /** Takes all space but for so much. */
  private Path fill(long left) throws IOException {
    Path filler = directory.resolve("filler");
    byte[] block = new byte[1 << 20];
    try (OutputStream out = Files.newOutputStream(filler)) {
      while (directory.toFile().getUsableSpace() > left + block.length) {
        out.write(block);
      }
    }
    return filler;
  }

  @Test
  void writesAreRefusedAtOnceReadsGoOnAndSpaceIsUsedAtOnce() throws Exception {
    Entry before = add("/before");
    assertThat(service.writeTrouble()).isEmpty();
    for (long left : new long[]{32 << 20, 0}) {
      Path filler = fill(left);
      long began = System.nanoTime();
      assertThatThrownBy(() -> add("/refused-" + left))
          .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.STORAGE_FULL))
          .hasMessageContaining("no space left");
      assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(2));
      assertThat(service.writeTrouble().orElseThrow()).contains("no space left");
      QueryRequest query = QueryRequest.of(Target.of("/before"), Target.of("/refused-" + left));
      assertThat(service.query(CALL, query).value().get(0)).isEqualTo(Outcome.done(before));
      assertThat(service.query(CALL, query).value().get(1)).isInstanceOf(Outcome.Refused.class);

      Files.delete(filler);
      long freed = System.nanoTime();
      Eventually.until("writes go on", BOUND, () -> isAdded("/after-" + left));
      assertThat(Duration.ofNanos(System.nanoTime() - freed)).isLessThan(Duration.ofSeconds(5));
      assertThat(service.writeTrouble()).isEmpty();
    }
  }

  private boolean isAdded(String path) {
    try {
      add(path);
      return true;
    } catch (RnsException e) {
      assertThat(e.error()).isEqualTo(RnsError.STORAGE_FULL);
      return false;
    }
  }
}
