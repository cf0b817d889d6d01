package io.rns.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Changes of the file of accounts. */
@Timeout(60)
class AccountFileTest {
  @TempDir private Path directory;
  private AccountFile file = new AccountFile(Path.of(""));

  @BeforeEach
  void name() {
    file = new AccountFile(directory.resolve("accounts"));
  }

  private boolean matches(String name, String password) throws IOException {
    return AccountFile.read(file.path()).get(name).hash().matches(password);
  }

  @Test
  void changesOneLineAndKeepsTheOthers() throws IOException {
    assertThat(file.add("alice", Set.of("staff", "cms"), "word-of-alice")).isTrue();
    String alice = Files.readString(file.path());
    Files.writeString(file.path(), "# people\n\n" + alice + "  # carol will come\n");
    assertThat(file.add("bob", Set.of(), "word-of-bob")).isTrue();
    assertThat(file.add("alice", Set.of(), "other")).isFalse();
    assertThat(file.accounts()).containsExactly(
        java.util.Map.entry("alice", Set.of("cms", "staff")), java.util.Map.entry("bob", Set.of()));
    assertThat(Files.readString(file.path()))
        .startsWith("# people\n\n" + alice + "  # carol will come\nbob::$argon2id");
    assertThat(file.setPassword("alice", "new-word")).isTrue();
    assertThat(matches("alice", "new-word")).isTrue();
    assertThat(matches("alice", "word-of-alice")).isFalse();
    assertThat(file.accounts().get("alice")).containsExactly("cms", "staff");
    assertThat(file.remove("alice")).isTrue();
    assertThat(file.remove("alice")).isFalse();
    assertThat(file.setPassword("alice", "x")).isFalse();
    assertThat(Files.readString(file.path())).startsWith("# people\n\n  # carol will come\nbob::");
    assertThat(file.remove("bob")).isTrue();
    assertThat(file.path()).hasContent("# people\n\n  # carol will come\n");
  }

  @Test
  void theFileOfALinkIsChanged() throws IOException {
    Path target = Files.createDirectory(directory.resolve("shared")).resolve("accounts");
    Files.writeString(target, "# shared\n");
    Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rw-r-----"));
    Path unused = Files.createSymbolicLink(file.path(), target);
    assertThat(file.add("alice", Set.of(), "word-of-alice")).isTrue();
    assertThat(Files.isSymbolicLink(file.path())).isTrue();
    assertThat(Files.readString(target)).startsWith("# shared\nalice::");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(target))).isEqualTo("rw-r-----");
  }

  @Test
  void aWrongFileOrNameChangesNothing() throws IOException {
    assertThat(file.remove("alice")).isFalse();
    assertThat(file.setPassword("alice", "x")).isFalse();
    assertThat(file.path()).doesNotExist();
    for (String wrong : List.of("", "a b", "a:b", "x".repeat(65), "é")) {
      assertThatThrownBy(() -> file.add(wrong, Set.of(), "x")).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> file.add("alice", Set.of(wrong), "x")).isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(file.path()).doesNotExist();
    Files.writeString(file.path(), "nonsense\n");
    assertThatThrownBy(() -> file.add("alice", Set.of(), "x")).isInstanceOf(IOException.class)
        .hasMessageContaining(", line 1: ");
    assertThat(file.path()).hasContent("nonsense\n");
  }

  @Test
  void concurrentChangesAreAllThere() throws Exception {
    List<Future<Boolean>> changes = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      for (int i = 0; i < 12; i++) {
        AccountFile again = new AccountFile(file.path());
        String name = "account-" + i;
        changes.add(threads.submit(() -> again.add(name, Set.of(), "word")));
      }
      for (Future<Boolean> change : changes) {
        assertThat(change.get(50, TimeUnit.SECONDS)).isTrue();
      }
    }
    assertThat(file.accounts()).hasSize(12);
    try (var files = Files.list(directory)) {
      assertThat(files).containsExactly(file.path());
    }
  }
}
