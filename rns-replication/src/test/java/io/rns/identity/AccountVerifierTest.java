package io.rns.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.Caller;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Accounts and passwords, and attacks on them. */
class AccountVerifierTest {
  @TempDir private Path directory;
  private final ManualTime clock = new ManualTime();
  private Path file = Path.of("");

  @BeforeEach
  void write() throws IOException {
    file = directory.resolve("accounts");
    AccountFile.put(file, "alice", Set.of("staff"), "correct horse: battery");
    AccountFile.put(file, "bob", Set.of(), "pässword");
  }

  private Identification start() {
    return new IdentitySettings(Optional.of(file), IssuerSettings.NONE, X509Settings.NONE).start(clock);
  }

  static String basic(String pair) {
    return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
  }

  private static void refused(Identification identification, String header) {
    assertThatThrownBy(() -> identification.caller(header))
        .isInstanceOfSatisfying(
            RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.NOT_AUTHENTICATED));
  }

  @Test
  void anAccountProvesNameAndGroups() {
    Identification identification = start();
    assertThat(identification.caller(basic("alice:correct horse: battery")))
        .isEqualTo(new Caller("local:alice", Set.of("local:staff")));
    assertThat(identification.caller("basic " + basic("bob:pässword").substring(6)).name()).isEqualTo("local:bob");
    assertThat(identification.caller(null)).isEqualTo(Caller.ANONYMOUS);
  }

  @Test
  void wrongCredentialsAreNeverAnonymous() {
    Identification identification = start();
    for (String header : List.of(basic("alice:wrong"), basic("alice:"), basic("Alice:correct horse: battery"),
        basic("carol:x"), basic(":x"), basic("alice"), "Basic", "Basic !", "", " ", "Digest x", "Bearer x", "Bearer ",
        "Basic " + Base64.getEncoder().encodeToString(new byte[]{(byte) 0xff, ':', 'x'}), "x".repeat(9_000))) {
      refused(identification, header);
      refused(identification, header);
    }
  }

  @Test
  void noRefusalShowsThePassword() {
    Identification identification = start();
    assertThatThrownBy(() -> identification.caller(basic("alice:secret-word"))).message()
        .doesNotContain("secret-word").doesNotContain(basic("alice:secret-word").substring(6));
    assertThat(new Credential.Basic("alice", "secret-word").toString()).doesNotContain("secret-word");
    assertThat(new Credential.Bearer("secret-word").toString()).doesNotContain("secret-word");
  }

  @Test
  void aChangedFileHoldsAtOnce() throws IOException {
    Identification identification = start();
    String header = basic("alice:correct horse: battery");
    assertThat(identification.caller(header).groups()).containsExactly("local:staff");
    AccountFile.put(file, "alice", Set.of(), "other");
    clock.advance(Duration.ofSeconds(2));
    refused(identification, header);
    assertThat(identification.caller(basic("alice:other")).groups()).isEmpty();
    // Known as wrong, until it is right.
    AccountFile.put(file, "alice", Set.of(), "correct horse: battery");
    clock.advance(Duration.ofSeconds(2));
    assertThat(identification.caller(header).name()).isEqualTo("local:alice");
    Files.delete(file);
    clock.advance(Duration.ofSeconds(2));
    assertThat(identification.caller(header).name()).isEqualTo("local:alice");
    Files.writeString(file, "nonsense\n");
    clock.advance(Duration.ofSeconds(2));
    assertThat(identification.caller(header).name()).isEqualTo("local:alice");
    Files.writeString(file, "# empty\n\n");
    clock.advance(Duration.ofSeconds(2));
    refused(identification, header);
  }

  @Test
  void aPasswordCountsForTenMinutesAndIsVerifiedAgain() {
    Identification identification = start();
    Caller first = identification.caller(basic("alice:correct horse: battery"));
    assertThat(identification.caller(basic("alice:correct horse: battery"))).isSameAs(first);
    clock.advance(AccountVerifier.LIFE.plusSeconds(1));
    assertThat(identification.caller(basic("alice:correct horse: battery"))).isEqualTo(first).isNotSameAs(first);
  }

  @Test
  void manyWrongPasswordsTakeNoMoreThanTheirShare() throws Exception {
    Identification identification = start();
    Caller known = identification.caller(basic("alice:correct horse: battery"));
    List<RnsError> outcomes = new ArrayList<>();
    try (ExecutorService attackers = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<RnsError>> attacks = new ArrayList<>();
      for (int i = 0; i < 2_000; i++) {
        String header = basic("alice:guess " + i);
        attacks.add(attackers.submit(() -> {
          try {
            Caller unexpected = identification.caller(header);
            throw new AssertionError(unexpected);
          } catch (RnsException e) {
            return e.error();
          }
        }));
      }
      // Who is known does not wait for them.
      assertThat(identification.caller(basic("alice:correct horse: battery"))).isSameAs(known);
      for (Future<RnsError> attack : attacks) {
        outcomes.add(attack.get(60, TimeUnit.SECONDS));
      }
    }
    assertThat(outcomes).containsOnly(RnsError.NOT_AUTHENTICATED, RnsError.BUSY);
    assertThat(outcomes.stream().filter(RnsError.BUSY::equals).count()).isGreaterThan(1_000);
  }

  @Test
  void onlyTheOwnerReadsTheFile() throws IOException {
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rw-------");
    try (var files = Files.list(directory)) {
      assertThat(files).containsExactly(file);
    }
    assertThat(Files.readString(file)).doesNotContain("battery");
  }

  @Test
  void wrongFilesAreRefusedWithTheLine() throws IOException {
    String hash = PasswordHash.of("x").text();
    for (String line : List.of("alice:staff", "alice::" + hash + ":x", "a b::" + hash, ":x:" + hash, "a:b c:" + hash,
        "alice::plain", "alice::" + hash.replace("argon2id", "argon2i"),
        "alice::" + hash.replace("m=19456", "m=999999"),
        "alice::" + hash.replace("t=2", "t=99"), "alice::" + hash.replace("p=1", "p=0"),
        "x".repeat(65) + "::" + hash, "alice::" + hash + "\nalice::" + hash)) {
      Files.writeString(file, "# accounts\n" + line + "\n");
      assertThatThrownBy(this::start).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(", line ")
          .message().doesNotContain(hash.substring(hash.lastIndexOf('$')));
    }
    Files.writeString(file, "#".repeat(AccountFile.MOST_BYTES + 1));
    assertThatThrownBy(this::start).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void anUnknownAccountIsComparedAtTheCostOfAKnownOne() throws IOException {
    String costly = "$argon2id$v=19$m=65536,t=2,p=1$";
    Files.writeString(file, "dave::" + costly + "c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc");
    AccountVerifier verifier = new AccountVerifier(file, clock);
    assertThat(verifier.comparedWith("dave").text()).startsWith(costly);
    assertThat(verifier.comparedWith("carol").text()).startsWith(costly);
    assertThat(verifier.verify(new Credential.Basic("dave", "password"), "here"))
        .isInstanceOf(Verification.Valid.class);
    assertThat(verifier.verify(new Credential.Basic("carol", "password"), "here"))
        .as("the password of the account that is compared with").isInstanceOf(Verification.Invalid.class);
  }

  @Test
  void hashesOfOtherToolsAreRead() {
    // From the reference implementation: echo -n password | argon2 somesalt -id -t 2 -m 16 -p 1 -e
    PasswordHash hash =
        PasswordHash.parse(
            "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc");
    assertThat(hash.matches("password")).isTrue();
    assertThat(hash.matches("Password")).isFalse();
  }
}
