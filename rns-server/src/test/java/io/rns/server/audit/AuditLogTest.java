package io.rns.server.audit;

import static io.rns.server.Eventually.until;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonView;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.rns.api.Caller;
import io.rns.api.Position;
import io.rns.audit.AuditFiles;
import io.rns.audit.AuditHead;
import io.rns.audit.AuditVerification;
import io.rns.audit.AuditVerification.Finding;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.permission.AccessDecisions;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** The files of an audit log: what is in them, and what shows when they are touched. */
@Timeout(120)
class AuditLogTest {
  private static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-01-02T03:04:05Z"));
  private static final String SECRET = "a secret";
  private static final Duration WAIT = Duration.ofSeconds(60);
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path temporary;

  private Path directory() {
    return temporary.resolve("audit");
  }

  private AuditSettings settings(long bytes, int files, boolean refuses) {
    return new AuditSettings(directory(), true, bytes, files, refuses, "s1");
  }

  private AuditLog start(long bytes, int files) throws IOException {
    return AuditLog.start(settings(bytes, files, false), SECRET, CLOCK);
  }

  private static AuditEvent event(String path) {
    return new AuditEvent(
        CLOCK.millis(), "local:alice", "local", "", "10.0.0.1", "", "soap", "add", "",
        List.of(new AuditItem(path, "", null)), 1, 0, "r1", "done", null, List.of(), "0-1-7");
  }

  private void write(int events) throws IOException {
    try (AuditLog log = start(1 << 20, 4)) {
      for (int i = 0; i < events; i++) {
        log.take(event("/e" + i), true);
      }
    }
  }

  private List<Path> files() throws IOException {
    return AuditFiles.in(directory());
  }

  private Path newest() throws IOException {
    return files().getLast();
  }

  private AuditVerification verify(String secret, Optional<AuditHead> expected) throws IOException {
    AuditVerification verification = new AuditVerification(List.of(secret), expected);
    verification.verify(files());
    return verification;
  }

  private AuditVerification verify() throws IOException {
    return verify(SECRET, Optional.empty());
  }

  private List<String> problems() throws IOException {
    return verify().problems().stream().map(Finding::message).toList();
  }

  private void rewrite(UnaryOperator<List<String>> change) throws IOException {
    List<String> lines = change.apply(new ArrayList<>(Files.readAllLines(newest())));
    Files.writeString(newest(), String.join("\n", lines) + "\n");
  }

  @Test
  void aLogIsLinesOfJsonThatVerifyAlsoAfterARestart() throws IOException {
    write(2);
    write(1);
    AuditVerification known = verify();
    assertThat(known.problems()).isEmpty();
    assertThat(known.notices()).isEmpty();
    List<JsonNode> lines = new ArrayList<>();
    for (String line : Files.readAllLines(newest())) {
      lines.add(JSON.readTree(line));
    }
    assertThat(lines).extracting(line -> line.path("event").asText())
        .containsExactly("file", "start", "request", "request", "stop", "start", "request", "stop");
    assertThat(lines).extracting(line -> line.path("seq").asLong()).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L);
    JsonNode request = lines.get(2);
    assertThat(request.path("time").asText()).isEqualTo("2026-01-02T03:04:05.000Z");
    assertThat(request.path("caller").asText()).isEqualTo("local:alice");
    assertThat(request.path("items").path(0).path("path").asText()).isEqualTo("/e0");
    assertThat(request.path("position").asText()).isEqualTo("0-1-7");
    assertThat(request.has("through")).isFalse();
    if (FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(newest()))).isEqualTo("rw-------");
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory()))).isEqualTo("rwx------");
    }
  }

  @Test
  void aLineThatWasTouchedShows() throws IOException {
    write(6);
    List<String> whole = Files.readAllLines(newest());
    rewrite(lines -> {
      lines.set(3, lines.get(3).replace("alice", "carol"));
      return lines;
    });
    assertThat(problems()).containsExactly("line 4 was changed, or the one before it");
    Files.write(newest(), whole);
    rewrite(lines -> {
      lines.remove(3);
      return lines;
    });
    assertThat(problems()).containsExactly("line 4 is missing before it");
    Files.write(newest(), whole);
    rewrite(lines -> {
      lines.subList(3, 6).clear();
      return lines;
    });
    assertThat(problems()).containsExactly("lines 4 to 6 are missing before it");
    Files.write(newest(), whole);
    rewrite(lines -> {
      Collections.swap(lines, 3, 4);
      return lines;
    });
    assertThat(problems()).isNotEmpty();
    Files.write(newest(), whole);
    rewrite(lines -> {
      lines.add(4, lines.get(3));
      return lines;
    });
    assertThat(problems()).containsExactly("line 4 was added or moved here: it comes behind line 4");
    Files.write(newest(), whole);
    rewrite(lines -> {
      lines.add(5, "anything");
      return lines;
    });
    assertThat(problems()).containsExactly("no line of an audit log");
    Files.write(newest(), whole);
    assertThat(problems()).isEmpty();
  }

  @Test
  void whoHasNotTheSecretCannotMakeALine() throws IOException {
    write(3);
    assertThat(verify("another", Optional.empty()).problems()).extracting(Finding::message)
        .containsExactly("the file was changed, or not written with this secret");
    // With the well-known key of servers without a secret neither.
    assertThat(verify("", Optional.empty()).problemCount()).isEqualTo(1);
    AuditVerification both = new AuditVerification(List.of("another", SECRET), Optional.empty());
    both.verify(files());
    assertThat(both.problems()).isEmpty();
  }

  @Test
  void aNewSecretBeginsANewFileThatFollowsTheOld() throws IOException {
    write(3);
    try (AuditLog log = AuditLog.start(settings(1 << 20, 4, false), "another", CLOCK)) {
      log.take(event("/later"), true);
    }
    AuditVerification both = new AuditVerification(List.of("another", SECRET), Optional.empty());
    both.verify(files());
    assertThat(both.problems()).isEmpty();
    assertThat(both.files()).isEqualTo(2);
    assertThat(both.last().orElseThrow().sequence()).isEqualTo(10);
  }

  @Test
  void aCutEndShowsIfItsHeadIsExpected() throws IOException {
    write(3);
    AuditHead head = verify().last().map(last -> new AuditHead(last.sequence(), last.hash())).orElseThrow();
    assertThat(AuditHead.parse(head.toString())).isEqualTo(head);
    assertThat(verify(SECRET, Optional.of(head)).problems()).isEmpty();
    rewrite(lines -> lines.subList(0, lines.size() - 1));
    assertThat(problems()).isEmpty();
    assertThat(verify(SECRET, Optional.of(head)).problems()).extracting(Finding::message)
        .containsExactly("the log ends with line 5, before line 6, which is expected");
    write(0);
    assertThat(verify(SECRET, Optional.of(head)).problems()).extracting(Finding::message)
        .containsExactly("line 6 is another one than expected");
  }

  @Test
  void fullFilesAreFollowedByOthersAndTheOldestGo() throws IOException {
    AuditVerification known;
    try (AuditLog log = start(3_000, 3)) {
      for (int i = 0; i < 100; i++) {
        log.take(event("/e" + i), true);
      }
    }
    known = verify();
    assertThat(known.problems()).isEmpty();
    assertThat(known.files()).isEqualTo(3);
    assertThat(known.first().orElseThrow().sequence()).isGreaterThan(50);
    assertThat(files()).allSatisfy(file -> assertThat(Files.size(file)).isLessThanOrEqualTo(3_000));
    Files.delete(files().get(1));
    assertThat(problems()).singleElement().asString().endsWith("are missing");
  }

  @Test
  void aTornLineIsSaidToBeTornAndNothingElseIsWrong() throws IOException {
    write(3);
    Files.writeString(newest(), "{\"seq\":7,\"time\":\"20", StandardOpenOption.APPEND);
    assertThat(problems()).isEmpty();
    assertThat(verify().notices()).extracting(Finding::message).singleElement().asString().contains("not complete");
    write(1);
    AuditVerification known = verify();
    assertThat(known.problems()).isEmpty();
    assertThat(known.notices()).extracting(Finding::message)
        .containsExactly("20 bytes before it are torn, as the server found when it started");
    // Nobody may put something else there.
    rewrite(lines -> {
      lines.set(6, lines.get(6).replace("20", "19"));
      return lines;
    });
    assertThat(problems()).isNotEmpty();
  }

  @Test
  void whatALossOfPowerLeftIsSaidToBeMoreThanALine() throws IOException {
    write(3);
    Files.writeString(newest(), "\0\0\0\nlost\nand", StandardOpenOption.APPEND);
    write(1);
    assertThat(problems()).singleElement().asString().contains("there were whole lines among them");
  }

  @Test
  void aFileThatWasOnlyBegunIsBegunAgain() throws IOException {
    write(3);
    Files.writeString(directory().resolve(AuditFiles.name(7)), "{\"seq\":7,");
    write(1);
    assertThat(problems()).isEmpty();
    assertThat(files()).hasSize(1);
  }

  @Test
  void oneProcessWrites() throws IOException {
    try (AuditLog log = start(1 << 20, 4)) {
      assertThatThrownBy(() -> start(1 << 20, 4)).isInstanceOf(IOException.class)
          .hasMessageContaining("another server writes the audit log in " + directory());
      log.take(event("/a"), true);
    }
    assertThat(problems()).isEmpty();
  }

  @Test
  void noTextMakesALineOrObeysATerminal() throws IOException {
    String evil = "/a\n{\"seq\":4}\r\u001b[2J\u007f\u0085\u202e\"\\\u00e4";
    try (AuditLog log = start(1 << 20, 4)) {
      log.take(event(evil), true);
    }
    assertThat(problems()).isEmpty();
    byte[] bytes = Files.readAllBytes(newest());
    for (byte each : bytes) {
      assertThat(each == '\n' || (each >= ' ' && each < 127)).isTrue();
    }
    assertThat(JSON.readTree(Files.readAllLines(newest()).get(2)).path("items").path(0).path("path").asText())
        .isEqualTo(evil);
  }

  @Test
  void longTextsAreCutAndManyItemsCounted() throws IOException {
    RequestAudit audit;
    try (AuditLog log = start(1 << 20, 4)) {
      audit = new RequestAudit(log, 0, "c", "soap", "x");
      List<AuditItem> items = new ArrayList<>();
      for (int i = 0; i < 10_000; i++) {
        items.add(new AuditItem("/" + "\u00e4".repeat(i == 0 ? 30_000 : 500), "", null));
      }
      assertThat(audit.note("add", true, items.size(), () -> items)).isTrue();
      audit.noteOutcome(0, null, null);
    }
    String line = Files.readAllLines(newest()).get(2);
    assertThat(line.length()).isLessThan(io.rns.audit.AuditLine.BYTES);
    JsonNode node = JSON.readTree(line);
    assertThat(node.path("count").asInt()).isEqualTo(10_000);
    assertThat(node.path("items").path(0).path("path").asText()).hasSize(4_096 + "... (30001 characters)".length())
        .endsWith("... (30001 characters)");
    assertThat(node.path("items").size()).isBetween(100, 130);
    assertThat(problems()).isEmpty();
  }

  /** The directory is taken away, so that no file can be begun: what cannot be written waits. */
  @Test
  void whatCannotBeWrittenIsWrittenLater() throws Exception {
    Path away = temporary.resolve("away");
    try (AuditLog log = start(1_000, 100)) {
      Files.move(directory(), away);
      for (int i = 0; i < 20; i++) {
        log.take(event("/e" + i), true);
      }
      until("the state of the log", WAIT, () -> log.trouble().isPresent());
      assertThat(log.statistics()).containsEntry("auditFailing", 1);
      Files.move(away, directory());
      until("the state of the log", WAIT, () -> log.trouble().isEmpty());
      assertThat(log.statistics()).containsEntry("auditLost", 0L);
    }
    assertThat(problems()).isEmpty();
    assertThat(verify().notices()).isEmpty();
    List<String> paths = new ArrayList<>();
    for (Path file : files()) {
      for (String line : Files.readAllLines(file)) {
        if (line.contains("\"event\":\"request\"")) {
          paths.add(JSON.readTree(line).path("items").path(0).path("path").asText());
        }
      }
    }
    assertThat(paths).hasSize(20).startsWith("/e0").endsWith("/e19");
  }

  @Test
  void whatIsLostIsCountedAndSaid() throws Exception {
    Path away = temporary.resolve("away");
    long room = 5 * event("/e").bytes();
    try (AuditLog log = AuditLog.start(settings(700, 100, false), SECRET, CLOCK, room)) {
      Files.move(directory(), away);
      log.take(event("/e0"), true);
      log.take(event("/e1"), true);
      until("the state of the log", WAIT, () -> log.trouble().isPresent());
      for (int i = 2; i < 30; i++) {
        log.take(event("/e" + i), true);
      }
      assertThat((long) log.statistics().get("auditLost")).isGreaterThan(20);
      log.checkTakesChanges();
      Files.move(away, directory());
      until("the state of the log", WAIT, () -> log.trouble().isEmpty());
    }
    AuditVerification known = verify();
    assertThat(known.problems()).isEmpty();
    assertThat(known.notices()).extracting(Finding::message).singleElement().asString()
        .matches("2[0-9] events before it were lost");
  }

  @Test
  void changesAreRefusedIfThatIsWanted() throws Exception {
    Path away = temporary.resolve("away");
    try (AuditLog log = AuditLog.start(settings(700, 100, true), SECRET, CLOCK)) {
      log.checkTakesChanges();
      Files.move(directory(), away);
      log.take(event("/e0"), true);
      log.take(event("/e1"), true);
      until("the state of the log", WAIT, () -> log.trouble().isPresent());
      assertThatThrownBy(log::checkTakesChanges).isInstanceOf(RnsException.class)
          .extracting(e -> ((RnsException) e).error()).isEqualTo(RnsError.UNAVAILABLE);
      Files.move(away, directory());
      until("the state of the log", WAIT, () -> log.trouble().isEmpty());
      log.checkTakesChanges();
    }
    assertThat(problems()).isEmpty();
  }

  private static final List<AuditItem> BATCH =
      IntStream.range(0, 1_000).mapToObj(i -> new AuditItem("/" + "x".repeat(400), "", RnsError.NOT_AUTHENTICATED))
          .toList();

  /** A batch of a client, which is refused unless something else is noted. */
  private static void batch(AuditLog log, Caller caller, String client, Consumer<RequestAudit> note) {
    RequestAudit audit = new RequestAudit(log, CLOCK.millis(), client, "soap", "POST /services/rns");
    audit.bind();
    RequestAudit.noteCaller(caller, caller.name().isEmpty() ? null : "Basic x");
    assertThat(audit.note("add", true, BATCH.size(), () -> BATCH)).isTrue();
    note.accept(audit);
    RequestAudit.unbind();
    audit.end(0);
  }

  private static void refused(RequestAudit audit) {
    audit.noteItems(BATCH);
    audit.noteOutcome(BATCH.size(), RnsError.NOT_AUTHENTICATED, null);
  }

  private List<JsonNode> lines(String event) throws IOException {
    List<JsonNode> found = new ArrayList<>();
    for (Path file : files()) {
      for (String line : Files.readAllLines(file)) {
        JsonNode node = JSON.readTree(line);
        if (node.path("event").asText().equals(event)) {
          found.add(node);
        }
      }
    }
    return found;
  }

  @Test
  void refusedAnonymousRequestsDoNotUseUpTheLog() throws IOException {
    int requests = 3_000;
    try (AuditLog log = start(1 << 20, 3)) {
      log.take(event("/evidence"), true);
      for (int i = 0; i < requests; i++) {
        batch(log, Caller.ANONYMOUS, i % 3 == 0 ? "10.0.0.7" : "2001:db8::" + Integer.toHexString(i),
            AuditLogTest::refused);
      }
      assertThat((long) log.statistics().get("auditUnlisted")).isGreaterThan(requests / 2);
    }
    assertThat(problems()).isEmpty();
    List<JsonNode> requested = lines("request");
    assertThat(requested.getFirst().path("items").path(0).path("path").asText()).isEqualTo("/evidence");
    JsonNode listed = requested.get(1);
    assertThat(listed.path("items").size()).isEqualTo(AuditEvent.BRIEF_ITEMS);
    assertThat(listed.path("count").asInt()).isEqualTo(1_000);
    assertThat(listed.path("items").path(0).path("path").asText()).hasSize(256 + "... (401 characters)".length())
        .endsWith("... (401 characters)");
    List<JsonNode> unlisted = lines("unlisted");
    assertThat(requested.size() - 1 + unlisted.stream().mapToInt(line -> line.path("count").asInt()).sum())
        .isEqualTo(requests);
    assertThat(unlisted.getFirst().path("clients")).extracting(each -> each.path("client").asText())
        .containsExactly("20010db800000000/64", "10.0.0.7");
  }

  @Test
  void whatAnonymousRequestsMayHaveChangedAndWhatCallersWithANameDoIsListedInFull() throws IOException {
    Caller alice = new Caller("local:alice", Set.of());
    try (AuditLog log = start(1 << 24, 3)) {
      for (int i = 0; i < 20; i++) {
        batch(log, alice, "10.0.0.1", AuditLogTest::refused);
        batch(log, Caller.ANONYMOUS, "10.0.0.2", audit -> audit.noteOutcome(0, null, new Position(0, 1, 7)));
        batch(log, Caller.ANONYMOUS, "10.0.0.3",
            audit -> audit.noteOutcome(999, RnsError.NOT_AUTHENTICATED, new Position(0, 1, 7)));
        batch(log, Caller.ANONYMOUS, "10.0.0.4", audit -> audit.noteFailure(RnsError.TIMEOUT));
        batch(log, Caller.ANONYMOUS, "10.0.0.5", audit -> {
          RequestAudit.noteSigned();
          refused(audit);
        });
        batch(log, Caller.ANONYMOUS, "10.0.0.6", RequestAudit::noteReferred);
        batch(log, Caller.ANONYMOUS, "10.0.0.7", audit -> audit.noteFailure(RnsError.BUSY));
      }
    }
    Map<String, List<Integer>> items = new TreeMap<>();
    for (JsonNode line : lines("request")) {
      items.computeIfAbsent(line.path("client").asText(), client -> new ArrayList<>()).add(line.path("items").size());
    }
    for (int i = 1; i <= 5; i++) {
      assertThat(items.get("10.0.0." + i)).as("client %d", i).hasSize(20).allMatch(size -> size > 100);
    }
    for (int i = 6; i <= 7; i++) {
      assertThat(items.get("10.0.0." + i)).as("client %d", i).hasSizeLessThan(20).containsOnly(10);
    }
  }

  /** What waits of them takes no place of others, and stops no changes. */
  @Test
  void refusedAnonymousRequestsLoseNoEventsAndStopNoChanges() throws Exception {
    Path away = temporary.resolve("away");
    AuditEvent one = event("/e");
    try (AuditLog log = AuditLog.start(settings(700, 1_000, false), SECRET, CLOCK, 50 * one.bytes())) {
      Files.move(directory(), away);
      log.take(event("/e0"), true);
      log.take(event("/e1"), true);
      until("the state of the log", WAIT, () -> log.trouble().isPresent());
      for (int i = 0; i < 500; i++) {
        batch(log, Caller.ANONYMOUS, "10.0.0." + i % 100, AuditLogTest::refused);
      }
      for (int i = 2; i < 45; i++) {
        log.take(event("/e" + i), true);
      }
      assertThat(log.statistics()).containsEntry("auditLost", 0L);
      Files.move(away, directory());
      until("the state of the log", WAIT, () -> log.trouble().isEmpty());
    }
    assertThat(problems()).isEmpty();
    assertThat(lines("lost")).isEmpty();
    assertThat(lines("request")).filteredOn(line -> !line.path("caller").asText().isEmpty()).hasSize(45);
    try (AuditLog log = AuditLog.start(settings(1 << 20, 3, true), SECRET, CLOCK, 20 * one.bytes())) {
      for (int i = 0; i < 100; i++) {
        batch(log, Caller.ANONYMOUS, "10.0.0." + i, AuditLogTest::refused);
        log.checkTakesChanges();
      }
    }
  }

  @Test
  void readsDoNotStopChanges() throws IOException {
    AuditEvent one = event("/e");
    try (AuditLog log = AuditLog.start(settings(1 << 20, 3, true), SECRET, CLOCK, 40 * one.bytes())) {
      for (int i = 0; i < 1_000; i++) {
        log.take(one, false);
        if (i % 10 == 0) {
          log.checkTakesChanges();
        }
      }
      log.take(one, true);
      log.checkTakesChanges();
    }
  }

  @Test
  void everyTextOfAnEventCounts() {
    String text = "x".repeat(1_000);
    long bytes = new AuditEvent(
        0, text, "local", text, text, text, text, text, text, List.of(new AuditItem(text, text, null)), 1, 0, text,
        "done", null, List.of(new AccessDecisions.Decision(text, "add", text, "")), "").bytes();
    assertThat(bytes).isGreaterThan(12_000);
  }

  /** Writes without an end, in a process of its own. */
  static final class EndlessWriter {
    private EndlessWriter() {}

    /** Writes to the directory that is named. */
    public static void main(String[] arguments) throws IOException {
      AuditSettings settings = new AuditSettings(Path.of(arguments[0]), true, 20_000, 1_000, false, "s1");
      AuditLog log = AuditLog.start(settings, SECRET, InstantSource.system());
      for (long i = 0; true; i++) {
        log.take(event("/e" + i), true);
        if (log.head().sequence() > 200) {
          System.out.println("many");
        }
        Thread.onSpinWait();
      }
    }
  }

  private static String classPath() {
    return Stream.of(
        AuditLogTest.class, AuditLog.class, AuditFiles.class, AccessDecisions.class, LoggerFactory.class,
        JsonFactory.class, ObjectMapper.class, JsonView.class, Caffeine.class, Assertions.class, Test.class,
        Nullable.class)
        .map(
            type -> Path.of(URI.create(type.getProtectionDomain().getCodeSource().getLocation().toString())).toString())
        .distinct().collect(Collectors.joining(File.pathSeparator));
  }

  @Test
  void aKilledProcessLeavesALogThatGoesOn() throws Exception {
    Process process = new ProcessBuilder(
        ProcessHandle.current().info().command().orElseThrow(), "-XX:TieredStopAtLevel=1", "-cp",
        classPath(), EndlessWriter.class.getName(), directory().toString())
        .redirectErrorStream(true).start();
    try (BufferedReader out = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
      String line = out.readLine();
      while (line != null && !line.equals("many")) {
        line = out.readLine();
      }
      assertThat(line).isEqualTo("many");
    } finally {
      process.destroyForcibly().waitFor();
    }
    long before = verify().last().orElseThrow().sequence();
    assertThat(before).isGreaterThan(100);
    write(1);
    AuditVerification known = verify();
    assertThat(known.problems()).isEmpty();
    assertThat(known.first().orElseThrow().sequence()).isEqualTo(1);
    assertThat(known.last().orElseThrow().sequence()).isBetween(before + 3, before + 5);
  }
}
