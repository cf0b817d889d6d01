package io.rns.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CredentialFileTest {
  @TempDir private Path directory;
  private final AtomicLong nanos = new AtomicLong();

  private Path file(String content) throws IOException {
    return Files.writeString(directory.resolve("token"), content);
  }

  private static String sent(CredentialSource source) {
    return source.authorization(Optional.empty()).orElseThrow();
  }

  @Test
  void aProgramThatRunsLongSendsTheTokenThatIsThere() throws IOException {
    Path file = file("one\n");
    CredentialSource source = new CredentialFile(file, "Bearer "::concat, nanos::get);
    assertThat(sent(source)).isEqualTo("Bearer one");
    file("two");
    assertThat(sent(source)).isEqualTo("Bearer one");
    nanos.addAndGet(CredentialFile.FRESH.toNanos());
    assertThat(sent(source)).isEqualTo("Bearer two");
    file("three");
    assertThat(source.authorization(Optional.of("Bearer one"))).contains("Bearer two");
    assertThat(source.authorization(Optional.of("Bearer two"))).contains("Bearer three");
  }

  @Test
  void aFileThatCannotBeReadLeavesTheToken() throws IOException {
    Path file = file("one");
    CredentialSource source = new CredentialFile(file, "Bearer "::concat, nanos::get);
    for (String wrong : new String[]{"", "a\nb", "x".repeat(CredentialFile.MOST_BYTES + 1)}) {
      file(wrong);
      nanos.addAndGet(CredentialFile.FRESH.toNanos());
      assertThat(sent(source)).isEqualTo("Bearer one");
    }
    Files.delete(file);
    assertThat(source.authorization(Optional.of("Bearer one"))).contains("Bearer one");
    assertThatThrownBy(() -> CredentialFile.token(file)).isInstanceOf(UncheckedIOException.class);
  }

  @Test
  void passwordsAreReadAgainToo() throws IOException {
    assertThat(sent(CredentialFile.password("alice", file("pass word")))).isEqualTo("Basic YWxpY2U6cGFzcyB3b3Jk");
  }
}
