package io.rns.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The example works, and the documents show just that. */
class ReadmeExampleTest {
  private static final Path SOURCE = Path.of("src/test/java/io/rns/client/ReadmeExample.java");

  private static String example() throws IOException {
    String source = Files.readString(SOURCE);
    String body = source.substring(source.indexOf("// example\n") + 11, source.indexOf("    // end"));
    return body.replaceAll("(?m)^    ", "");
  }

  @Test
  void theDocumentsShowTheExample() throws IOException {
    assertThat(Files.readString(Path.of("../docs/client.md"))).contains("```java\n" + example() + "```\n");
  }

  @Test
  void theExampleWorks() {
    PrintStream out = System.out;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    try (TestServer server = TestServer.start()) {
      System.setOut(new PrintStream(said, true, StandardCharsets.UTF_8));
      ReadmeExample.run(server.address());
      assertThat(said.toString(StandardCharsets.UTF_8).lines()).containsExactly("https://example.org/", "home");
      assertThatThrownBy(() -> ReadmeExample.run(server.address())).hasMessage("entry exists: /docs");
    } finally {
      System.setOut(out);
    }
  }
}
