package io.rns.server.audit;

import static io.rns.server.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.CallContext;
import io.rns.api.Caller;
import io.rns.api.ModelNameService;
import io.rns.api.Outcome;
import io.rns.api.QueryRequest;
import io.rns.api.Target;
import io.rns.audit.AuditFiles;
import io.rns.audit.AuditVerification;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An audit log on a small file system of its own that is filled; run where a file system may be mounted. */
@Tag("server")
@Timeout(120)
class AuditFullDiskTest {
  private static final Duration BOUND = Duration.ofSeconds(60);
  private static final String SECRET = "a secret";
  private static final Caller ALICE = new Caller("local:alice", Set.of());
  private static final CallContext CALL = new CallContext(ALICE, Optional.empty());
  /** A file that never ends here, and one that is full again and again. */
  private static final int LONG = 1 << 20;
  private static final int SHORT = 2_000;
  private static final long ROOM = 128 << 10;
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path disk;
  private boolean mounted;
  private final ModelNameService names = new ModelNameService();
  private final AuditedNames audited = new AuditedNames(names);
  private int added;

  @BeforeEach
  void mount() throws Exception {
    mounted = run("mount", "-t", "tmpfs", "-o", "size=1m", "rns-test", disk.toString()) == 0;
    assumeTrue(mounted, "skipped: no file system can be mounted here; run as root to have a full disk tested");
  }

  @AfterEach
  void unmount() throws Exception {
    if (mounted) {
      assertThat(run("umount", disk.toString())).isZero();
    }
  }

  private static int run(String... command) throws Exception {
    try {
      Process program =
          new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
      return program.waitFor(30, TimeUnit.SECONDS) ? program.exitValue() : -1;
    } catch (IOException e) {
      // There is no such program.
      return -1;
    }
  }

  private AuditLog start(int bytes, boolean refuses) throws IOException {
    AuditSettings settings = new AuditSettings(disk.resolve("audit"), true, bytes, 1_000, refuses, "s1");
    return AuditLog.start(settings, SECRET, InstantSource.system(), ROOM);
  }

  /** Takes all space; what the last page of a file has left stays its own. */
  private Path fill() throws IOException {
    Path filler = disk.resolve("filler");
    assertThatThrownBy(() -> {
      try (OutputStream out = Files.newOutputStream(filler)) {
        while (true) {
          out.write(new byte[4_096]);
        }
      }
    }).isInstanceOf(IOException.class);
    return filler;
  }

  /** Adds an entry as a request of its own, or throws why that was refused. */
  private void add(AuditLog log) {
    Target target = Target.of("/e" + added++);
    request(log, "add",
        () -> audited.add(CALL, AddRequest.of(NewEntry.directory(target))).value().getFirst().orThrow());
  }

  private static void request(AuditLog log, String tag, Runnable work) {
    RequestAudit audit = new RequestAudit(log, 0, "127.0.0.1", "soap", tag);
    audit.bind();
    try {
      RequestAudit.noteCaller(ALICE, "Basic x");
      work.run();
    } catch (RnsException e) {
      RequestAudit.noteError(e.error());
      throw e;
    } finally {
      RequestAudit.unbind();
      audit.end(200);
    }
  }

  private boolean isDone(int number) {
    return names.query(CallContext.SERVICE, QueryRequest.of(Target.of("/e" + number))).value()
        .getFirst() instanceof Outcome.Done<?>;
  }

  private AuditVerification verify() throws IOException {
    AuditVerification verification = new AuditVerification(List.of(SECRET), Optional.empty());
    verification.verify(AuditFiles.in(disk.resolve("audit")));
    assertThat(verification.problems()).isEmpty();
    return verification;
  }

  /** The lines of one event, as far as they are in files. */
  private List<JsonNode> lines(String event) throws IOException {
    List<JsonNode> found = new ArrayList<>();
    for (Path file : AuditFiles.in(disk.resolve("audit"))) {
      for (String line : Files.readAllLines(file)) {
        JsonNode node = JSON.readTree(line);
        if (node.path("event").asText().equals(event)) {
          found.add(node);
        }
      }
    }
    return found;
  }

  private List<String> recorded(String outcome) throws IOException {
    return lines("request").stream().filter(line -> line.path("outcome").asText().equals(outcome))
        .map(line -> line.path("items").path(0).path("path").asText()).toList();
  }

  @ParameterizedTest
  @ValueSource(ints = {LONG, SHORT})
  void changesGoOnAndWhatIsNotWrittenIsSaid(int bytes) throws Exception {
    long lost;
    try (AuditLog log = start(bytes, false)) {
      for (int i = 0; i < 30; i++) {
        add(log);
      }
      until("what came before is written", BOUND, () -> log.head().sequence() > 30);
      Path filler = fill();
      for (int i = 0; i < 1_000 && (int) log.statistics().get("auditFailing") == 0; i++) {
        add(log);
      }
      until("the disk is full", BOUND, () -> log.trouble().isPresent());
      assertThat(log.trouble().orElseThrow()).contains("No space left");
      while ((long) log.statistics().get("auditLost") < 10) {
        add(log);
      }
      // No line is half written, and what is there is whole.
      verify();
      lost = (long) log.statistics().get("auditLost");
      Files.delete(filler);
      until("the log goes on", BOUND, () -> log.trouble().isEmpty());
      add(log);
    }
    for (int i = 0; i < added; i++) {
      assertThat(isDone(i)).isTrue();
    }
    verify();
    assertThat(lines("lost").stream().mapToLong(line -> line.path("lost").asLong()).sum()).isEqualTo(lost);
    List<String> recorded = recorded("done");
    assertThat(recorded).hasSize((int) (added - lost)).doesNotHaveDuplicates().startsWith("/e0")
        .endsWith("/e" + (added - 1));
    assertThat(lines("stop")).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {LONG, SHORT})
  void changesAreRefusedUntilThereIsSpaceAndEachThatWasDoneIsRecorded(int bytes) throws Exception {
    int refused = 0;
    try (AuditLog log = start(bytes, true)) {
      Path filler = fill();
      until("changes are refused", BOUND, () -> isRefused(log));
      for (int i = 0; i < 10; i++) {
        assertThat(isRefused(log)).isTrue();
      }
      // Reads go on.
      request(log, "query", () -> audited.query(CALL, QueryRequest.of(Target.of("/"))).value().getFirst().orThrow());
      Files.delete(filler);
      until("the log goes on", BOUND, () -> log.trouble().isEmpty());
      add(log);
      assertThat(log.statistics()).containsEntry("auditLost", 0L);
    }
    List<String> done = new ArrayList<>();
    for (int i = 0; i < added; i++) {
      if (isDone(i)) {
        done.add("/e" + i);
      } else {
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(10);
    verify();
    assertThat(recorded("done")).filteredOn(path -> !path.equals("/")).isEqualTo(done);
    assertThat(lines("lost")).isEmpty();
  }

  private boolean isRefused(AuditLog log) {
    try {
      add(log);
      return false;
    } catch (RnsException e) {
      assertThat(e.error()).isEqualTo(RnsError.UNAVAILABLE);
      return true;
    }
  }

  /** A server that stops while the disk is full has nothing stand as if it had stopped in good order. */
  @ParameterizedTest
  @ValueSource(ints = {LONG, SHORT})
  void aServerThatStopsOnAFullDiskLeavesALogThatGoesOn(int bytes) throws Exception {
    Path filler;
    try (AuditLog log = start(bytes, false)) {
      filler = fill();
      until("the disk is full", BOUND, () -> {
        add(log);
        return log.trouble().isPresent();
      });
    }
    verify();
    // There may be room for a short line where there is none for an event.
    int missing = added - recorded("done").size();
    assertThat(missing).isPositive();
    assertThat(lines("lost")).hasSizeGreaterThanOrEqualTo(lines("stop").size())
        .allMatch(line -> line.path("lost").asInt() == missing);
    Files.delete(filler);
    try (AuditLog log = start(bytes, false)) {
      add(log);
    }
    verify();
    assertThat(lines("start")).hasSize(2);
    assertThat(recorded("done")).endsWith("/e" + (added - 1));
  }
}
