package io.rns.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.rns.api.AddRequest;
import io.rns.api.ListRequest;
import io.rns.api.ModelNameService;
import io.rns.cli.CommandLineFixture.Result;
import io.rns.client.Interposed;
import io.rns.client.TestServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Commands in separate processes that receive SIGINT while the server holds an answer back. */
@EnabledOnOs(OS.LINUX)
@Timeout(120)
@Tag("server")
class InterruptedCommandsTest {
  /** The exit code after Ctrl-C: 128 and SIGINT. */
  private static final int INTERRUPTED = 130;

  private final AtomicInteger additions = new AtomicInteger();
  private final AtomicInteger listings = new AtomicInteger();
  private final CountDownLatch stuck = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);
  private volatile int additionsAnswered = Integer.MAX_VALUE;
  private volatile int listingsAnswered = Integer.MAX_VALUE;
  private final CommandLineFixture rns =
      new CommandLineFixture(TestServer.start(new Interposed(new ModelNameService(), this::answerOrKeep)));

  @TempDir private Path files;

  @AfterEach
  void stop() {
    released.countDown();
    rns.close();
  }

  private void answerOrKeep(Object request) {
    if ((request instanceof AddRequest && additions.getAndIncrement() >= additionsAnswered)
        || (request instanceof ListRequest && listings.getAndIncrement() >= listingsAnswered)) {
      stuck.countDown();
      try {
        released.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Test
  void anInterruptedImportReportsItsProgressAndCanBeRepeated() throws Exception {
    Path file = Files.writeString(files.resolve("in.tsv"), "bad\n" + lines(3_000));
    additionsAnswered = 3;
    Result first = interrupted("import", file.toString());
    assertThat(first.code()).isEqualTo(INTERRUPTED);
    assertThat(first.out()).isEmpty();
    String howToContinue =
        "some later lines may be imported too. Repeat the same import to complete it: repeating is safe";
    assertThat(first.err().lines())
        .satisfiesExactly(
            line -> assertThat(line).isEqualTo("rns: " + file + ":1: path 'bad' does not start with '/'"),
            line -> assertThat(line)
                .matches(
                    "rns: interrupted (before any line was acknowledged: 0|after line (501: 500|1001: 1000|1501: 1500)) entries: .*"
                        + " already there, 0 changed; 1 bad lines; " + howToContinue));
    additionsAnswered = Integer.MAX_VALUE;
    released.countDown();
    assertThat(rns.run("import", file.toString()).out()).startsWith("3000 entries: ");
    assertThat(rns.lines("ls /")).hasSize(3_000);
  }

  @Test
  void anInterruptedImportStillPrintsOneDocument() throws Exception {
    additionsAnswered = 0;
    Path file = Files.writeString(files.resolve("in.tsv"), lines(3_000));
    Result result = interrupted("import", "--json", file.toString());
    assertThat(result.code()).isEqualTo(INTERRUPTED);
    assertThat(result.err()).startsWith("rns: interrupted before any line was acknowledged: 0 entries");
    assertThat(result.json()).contains(entry("added", "0"), entry("bad", "0"), entry("interruptedAfterLine", "0"));
  }

  @Test
  void anInterruptedExportKeepsOnlyTheOlderFile() throws Exception {
    rns.done("mkdir", "-p", "/a/b", "/z/y");
    Path older = Files.writeString(files.resolve("kept.tsv"), "/older\turn:1\n");
    listingsAnswered = listings.get() + 1;
    Result result = interrupted("export", "/", "-o", older.toString());
    assertThat(result.code()).as(result.toString()).isEqualTo(INTERRUPTED);
    assertThat(older).hasContent("/older\turn:1\n");
    try (var left = Files.list(files)) {
      assertThat(left).containsExactly(older);
    }
  }

  private static String lines(int count) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      text.append("/p").append(i).append("\turn:1\n");
    }
    return text.toString();
  }

  /** Runs a command until the server holds an answer back, then sends the process SIGINT. */
  private Result interrupted(String... args) throws IOException, InterruptedException {
    List<String> line = new ArrayList<>();
    // A background process of a shell, such as a build, ignores SIGINT and passes that on.
    line.addAll(
        List.of("env", "--default-signal=INT", Path.of(System.getProperty("java.home"), "bin", "java").toString()));
    line.addAll(List.of("-cp", System.getProperty("java.class.path"), RnsCommand.class.getName()));
    line.addAll(List.of(args));
    ProcessBuilder builder = new ProcessBuilder(line);
    Path directory = Files.createTempDirectory("interrupted");
    Path out = directory.resolve("out");
    Path err = directory.resolve("err");
    builder.redirectOutput(out.toFile()).redirectError(err.toFile());
    builder.environment().put("RNS_SERVER", rns.server().address().toString());
    Process process = builder.start();
    try {
      assertThat(stuck.await(30, TimeUnit.SECONDS)).as("the server holds an answer back").isTrue();
      assertThat(new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor()).isZero();
      assertThat(process.waitFor(30, TimeUnit.SECONDS)).as("the command ends").isTrue();
      return new Result(process.exitValue(), Files.readString(out), Files.readString(err, StandardCharsets.UTF_8));
    } finally {
      process.destroyForcibly();
      Files.deleteIfExists(out);
      Files.deleteIfExists(err);
      Files.deleteIfExists(directory);
    }
  }
}
