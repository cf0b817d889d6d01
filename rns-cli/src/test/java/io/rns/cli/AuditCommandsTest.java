package io.rns.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.rns.audit.AuditChain;
import io.rns.audit.AuditFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Audit logs are verified and searched without a server, in files of two servers. */
class AuditCommandsTest {
  private static final String SECRET = "of-the-group";

  @TempDir private Path data;
  private final CommandLineFixture rns = new CommandLineFixture();
  private String before = AuditChain.ORIGIN;
  private long sequence;

  @BeforeEach
  void write() throws IOException {
    rns.environment("RNS_SERVER", "http://127.0.0.1:1/rns").environment("RNS_GROUP_SECRET", "");
    Files.writeString(data.resolve("group.secret"), SECRET + "\n");
    write("s1", request("20", "local:alice", "add", "done", "/a/b"), request("21", "", "remove", "refused", "/ab"),
        request("22", "local:bob", "move", "done", "/x\",\"to\":\"/a\\u001b[2J"));
    write("s2", request("23", "local:alice", "remove", "done", "/a\"},{\"path\":\"/c"));
  }

  @AfterEach
  void stop() {
    rns.close();
  }

  private static String request(String hour, String caller, String operation, String outcome, String path) {
    return "\"time\":\"2026-01-02T" + hour + ":00:00.000Z\",\"event\":\"request\""
        + (caller.isEmpty() ? "" : ",\"caller\":\"" + caller + "\"") + ",\"operation\":\"" + operation
        + "\",\"items\":[{\"path\":\"" + path + "\"}],\"outcome\":\"" + outcome + "\"";
  }

  private void write(String server, String... requests) throws IOException {
    Path directory = Files.createDirectories(data.resolve("audit").resolve(server));
    before = AuditChain.ORIGIN;
    sequence = 0;
    StringBuilder lines = new StringBuilder(
        line("\"time\":\"2026-01-02T19:00:00.000Z\",\"event\":\"file\",\"previous\":\"" + before + "\""));
    for (String request : requests) {
      lines.append(line(request));
    }
    Files.writeString(directory.resolve(AuditFiles.name(1)), lines);
  }

  private String line(String members) {
    sequence++;
    String body = "{\"seq\":" + sequence + "," + members;
    byte[] bytes = body.getBytes(US_ASCII);
    before = new AuditChain(SECRET).hash(before, bytes, 0, bytes.length);
    return body + ",\"hash\":\"" + before + "\"}\n";
  }

  private List<String> grep(String... arguments) {
    String[] all = new String[arguments.length + 4];
    System.arraycopy(new String[]{"audit", "grep", "--data", data.toString()}, 0, all, 0, 4);
    System.arraycopy(arguments, 0, all, 4, arguments.length);
    return rns.done(all).lines();
  }

  @Test
  void searchesByCallerPathOperationOutcomeAndTime() {
    assertThat(grep()).hasSize(4);
    assertThat(grep("--caller", "local:alice")).hasSize(2);
    assertThat(grep("--caller", "anyone")).singleElement().asString().contains("anyone  remove  refused  /ab");
    assertThat(grep("--path", "/a")).hasSize(2).noneMatch(line -> line.contains("/ab"));
    assertThat(grep("--path", "/c")).hasSize(1);
    assertThat(grep("--path", "/")).hasSize(4);
    assertThat(grep("--operation", "remove", "--outcome", "done")).hasSize(1);
    assertThat(grep("--since", "2026-01-02T21:00:00Z", "--until", "2026-01-02T23:00:00Z")).hasSize(2);
    assertThat(grep("--since", "1m")).isEmpty();
    assertThat(grep("--operation", "move")).singleElement().asString().contains("/x -> /a\\u001b[2J");
    assertThat(rns.run("audit", "grep", "--since", "yesterday").code()).isEqualTo(ExitCode.USAGE);
    assertThat(rns.run("audit", "grep", "--outcome", "other").code()).isEqualTo(ExitCode.USAGE);
    Object events = rns.done("audit", "grep", "--data", data.toString(), "--json").json().get("events");
    assertThat((List<?>) events).hasSize(4);
  }

  @Test
  void aPathIsNotFoundAmongItemsThatAreNotListed() throws IOException {
    write("s1", request("20", "", "add", "done", "/b") + ",\"count\":2000");
    CommandLineFixture.Result result = rns.run("audit", "grep", "--path", "/c", data.resolve("audit/s1").toString());
    assertThat(result.code()).isEqualTo(ExitCode.DONE);
    assertThat(result.err()).contains("1 more requests of the same kind");
  }

  @Test
  void refusedRequestsThatAreOnlyCountedAreSaid() throws IOException {
    write("s1", request("20", "", "add", "refused", "/b"),
        "\"time\":\"2026-01-02T20:00:10.000Z\",\"event\":\"unlisted\",\"since\":\"2026-01-02T20:00:00Z\",\"count\":700,"
            + "\"clients\":[{\"client\":\"10.0.0.7\",\"count\":690}]");
    String log = data.resolve("audit/s1").toString();
    CommandLineFixture.Result result = rns.run("audit", "grep", "--outcome", "refused", log);
    assertThat(result.out()).hasLineCount(1);
    assertThat(result.err()).contains("700 more refused requests without a name");
    assertThat(rns.run("audit", "grep", "--caller", "local:alice", log).err()).isEmpty();
    assertThat(rns.run("audit", "grep", "--since", "2026-01-03T00:00:00Z", log).err()).isEmpty();
  }

  @Test
  @SuppressWarnings("unchecked")
  void verifiesWithTheSecretOfTheDataDirectory() throws IOException {
    List<String> lines = rns.done("audit", "verify", "--data", data.toString()).lines();
    assertThat(lines).anyMatch(line -> line.endsWith("1 file: intact") && line.contains("lines 1 to 4"));
    List<Map<String, Object>> logs =
        (List<Map<String, Object>>) rns.done("audit", "verify", "--data", data.toString(), "--json").json()
            .get("logs");
    assertThat(logs).hasSize(2).allSatisfy(log -> assertThat(log.get("intact")).isEqualTo("true"));
    String head = String.valueOf(logs.get(1).get("head"));
    String second = data.resolve("audit/s2").toString();
    assertThat(rns.run("audit", "verify", "--data", data.toString(), second, "--expect", head).code()).isZero();
    assertThat(rns.run("audit", "verify", "--data", data.toString(), second, "--expect", "9" + head).code())
        .isEqualTo(ExitCode.REFUSED);
    assertThat(rns.run("audit", "verify", "--data", data.toString(), "--expect", "head").code())
        .isEqualTo(ExitCode.USAGE);
    Path file = data.resolve("audit/s2").resolve(AuditFiles.name(1));
    Files.writeString(file, Files.readString(file).replace("alice", "carol"));
    CommandLineFixture.Result result = rns.run("audit", "verify", "--data", data.toString());
    assertThat(result.code()).isEqualTo(ExitCode.REFUSED);
    assertThat(result.out())
        .contains("1 problem", "problem: " + AuditFiles.name(1) + " line 2: line 2 was changed", "intact");
    CommandLineFixture.Result byFile = rns.run("audit", "verify", "--data", data.toString(), file.toString());
    assertThat(byFile.out()).contains("1 problem").doesNotContain("intact");
  }

  @Test
  void anotherSecretIsGivenByAFile() throws IOException {
    Path other = Files.writeString(data.resolve("other"), "another\n");
    Path right = Files.writeString(data.resolve("right"), SECRET + "\n");
    String log = data.resolve("audit/s1").toString();
    assertThat(rns.run("audit", "verify", log, "--secret-file", other.toString()).code())
        .isEqualTo(ExitCode.REFUSED);
    assertThat(
        rns.run("audit", "verify", log, "--secret-file", other.toString(), "--secret-file", right.toString()).code())
        .isZero();
    Path empty = Files.createDirectory(data.resolve("empty"));
    CommandLineFixture.Result none = rns.run("audit", "verify", empty.toString());
    assertThat(none.code()).isEqualTo(ExitCode.REFUSED);
    assertThat(none.err()).contains("no audit log in");
    assertThat(rns.run("audit", "verify", data.resolve("nothing").toString()).err()).contains("no file or directory");
  }
}
