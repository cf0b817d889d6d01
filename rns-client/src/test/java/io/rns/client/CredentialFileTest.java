package io.rns.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
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

  @Test
  void theFirstOfWhatIsNamedCounts(@TempDir Path directory) throws IOException {
    Path token = Files.writeString(directory.resolve("t"), "one\n");
    Path word = Files.writeString(directory.resolve("w"), "secret\n");
    Map<String, String> tokens = Map.of("BEARER_TOKEN", " two ", "BEARER_TOKEN_FILE", token.toString());
    Map<String, String> all = new HashMap<>(tokens);
    all.putAll(Map.of("RNS_USER", "alice", "RNS_PASSWORD_FILE", word.toString()));
    assertThat(named(all, token)).contains("Bearer one");
    assertThat(named(all, null)).contains("Basic YWxpY2U6c2VjcmV0");
    assertThat(named(tokens, null)).contains("Bearer two");
    assertThat(named(Map.of("BEARER_TOKEN_FILE", token.toString()), null)).contains("Bearer one");
    assertThat(named(Map.of("RNS_USER", ""), null)).isEmpty();
    assertThatThrownBy(() -> named(Map.of("RNS_USER", "alice"), null)).hasMessageContaining("RNS_PASSWORD_FILE");
  }

  private static Optional<String> named(Map<String, String> environment, @Nullable Path file) {
    return CredentialFile.named(environment, file, CredentialFile::token)
        .flatMap(source -> source.authorization(Optional.empty()));
  }
}
