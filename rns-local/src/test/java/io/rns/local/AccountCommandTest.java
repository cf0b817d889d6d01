package io.rns.local;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class AccountCommandTest {
  private static final Path SCRIPT = Path.of("/usr/bin/script");

  @TempDir private Path temporary;

  private record Ran(int code, String out) {
    JsonNode json() throws IOException {
      return new ObjectMapper().readTree(out);
    }
  }

  private Path file() {
    return temporary.resolve("accounts");
  }

  private Ran account(String... arguments) {
    List<String> words = new ArrayList<>(List.of(arguments));
    words.addAll(List.of("--data", temporary.toString()));
    PrintStream before = System.out;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    try {
      return new Ran(
          CommandErrors.run(new AccountCommand(), words.toArray(String[]::new)),
          bytes.toString(StandardCharsets.UTF_8));
    } finally {
      System.setOut(before);
    }
  }

  @Test
  void addsListsChangesAndRemoves() throws IOException {
    assertThat(account("ls").code()).isEqualTo(1);
    Ran added = account("add", "alice", "--group", "staff", "--group", "cms", "--generate", "--json");
    assertThat(added.code()).isZero();
    String password = added.json().path("password").asText();
    assertThat(password).hasSize(24);
    assertThat(added.json().path("file").asText()).isEqualTo(file().toString());
    assertThat(Files.readString(file())).startsWith("alice:cms,staff:$argon2id$").doesNotContain(password);
    assertThat(account("add", "alice", "--generate").code()).isEqualTo(1);
    Path word = Files.writeString(temporary.resolve("word"), "word-of-bob\n");
    assertThat(account("add", "bob", "--password-file", word.toString()).out().strip())
        .isEqualTo("added bob to " + file());
    assertThat(account("ls").out().lines()).containsExactly("alice  cms,staff", "bob");
    assertThat(account("ls", "--json").json().path("accounts").get(0).path("groups")).hasSize(2);
    String before = Files.readString(file());
    assertThat(account("passwd", "alice", "--password-file", word.toString()).out().strip())
        .isEqualTo("changed alice");
    assertThat(Files.readString(file())).isNotEqualTo(before);
    assertThat(account("passwd", "carol", "--generate").code()).isEqualTo(1);
    assertThat(account("rm", "alice", "--json").json().path("account").asText()).isEqualTo("alice");
    assertThat(account("rm", "alice").code()).isEqualTo(1);
    assertThat(account("ls").out().lines()).containsExactly("bob");
  }

  @Test
  void rejectsInvalidUsage() throws IOException {
    Path word = Files.writeString(temporary.resolve("word"), "word-of-bob\n");
    Path weak = Files.writeString(temporary.resolve("weak"), "1234567\n");
    for (String line : List.of("add", "add a:b --generate", "add bob --group a,b --generate",
        "add bob --generate --password-file " + word, "add bob --password-file " + weak, "ls bob", "rm", "passwd")) {
      // passwd and rm look at the file first.
      Files.writeString(file(), "# none\n");
      assertThat(account(line.split(" ")).code()).as(line).isEqualTo(2);
    }
    assertThat(account("add", "bob", "--password-file", temporary.resolve("none").toString()).code()).isEqualTo(1);
    assertThat(account("add", "bob", "--generate", "--file", temporary.resolve("none/accounts").toString()).code())
        .isEqualTo(1);
    Files.writeString(file(), "nonsense\n");
    assertThat(account("add", "bob", "--generate").code()).isEqualTo(1);
    assertThat(file()).hasContent("nonsense\n");
  }

  static boolean scriptIsThere() {
    return Files.isExecutable(SCRIPT);
  }

  /** On a pseudo-terminal of the program {@code script}, which would show what is echoed. */
  @Test
  @Tag("server")
  @EnabledIf("scriptIsThere")
  void asksTheTerminalWithoutEcho() throws IOException, InterruptedException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Process process =
        new ProcessBuilder(
            SCRIPT.toString(), "-qec",
            "'" + java + "' -Djdk.console=java.base -cp '" + System.getProperty("java.class.path") + "' "
                + AccountCommand.class.getName() + " add alice --file '" + file() + "'",
            "/dev/null").redirectErrorStream(true).start();
    try (InputStream out = process.getInputStream(); OutputStream in = process.getOutputStream()) {
      String seen = until(out, "Password of alice: ");
      in.write("secret-word\n".getBytes(StandardCharsets.UTF_8));
      in.flush();
      seen += until(out, "Once more: ");
      in.write("secret-word\n".getBytes(StandardCharsets.UTF_8));
      in.flush();
      seen += new String(out.readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor()).as(seen).isZero();
      assertThat(seen).contains("added alice").doesNotContain("secret");
      assertThat(Files.readString(file())).startsWith("alice::$argon2id$");
    }
  }

  private static String until(InputStream out, String prompt) throws IOException {
    StringBuilder seen = new StringBuilder();
    for (int c = out.read(); c >= 0; c = out.read()) {
      seen.append((char) c);
      if (seen.indexOf(prompt) >= 0) {
        return seen.toString();
      }
    }
    throw new AssertionError(seen.toString());
  }
}
