package io.rns.loadtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What a comparison of secrets takes must not say how much of a guess is right: {@code MessageDigest.isEqual} and
 * {@code OperatorKey.isSame} take as long wherever two values differ, {@code equals} and its relatives do not.
 */
class SecretComparisonTest {
  /** Names of values that are secret, or prove something. */
  private static final String SECRET =
      "\\w*(?:[sS]ecret|[pP]assword|[tT]oken|[dD]igest|[sS]ignature|[nN]once|[cC]redential|[aA]uthorization|[bB]earer"
          + "|[tT]icket|\\b[mM]ac\\b|Mac\\b|\\bhash\\b|Hash\\b)\\w*";
  private static final String EQUALS = "(?:equals|equalsIgnoreCase|contentEquals|compareTo|regionMatches)\\(";
  private static final Pattern COMPARED =
      Pattern.compile(
          "\\b" + SECRET + "(?:\\(\\w*\\))?\\." + EQUALS
              + "|\\b" + EQUALS + "[^()]*\\b" + SECRET + "(?:\\(\\w*\\))?\\s*[,)]"
              + "|\\bObjects\\.equals\\([^;]*\\b" + SECRET
              + "|\\bArrays\\.(?:equals|mismatch|compare)\\("
              + "|\\b" + SECRET + "(?:\\(\\w*\\))?::equals");

  /** Where that is seen and no secret is at stake. */
  private static final Set<String> HARMLESS = Set.of(
      // Checksums and tags of content that who compares has whole.
      "BackupFile: line.path(\"sha256\").asText().equals(lines.digestBefore())",
      "TicketStore: now.equals(digest)",
      // Fingerprints of a caller's own requests, and names of pools.
      "PendingWrite: Arrays.equals(fingerprint",
      "Octets: Arrays.equals(bytes, octets.bytes)",
      // Texts of one listing that its reader has.
      "UsualEntries: Arrays.equals(bytes, from, to, bytes, nameFrom, nameTo)",
      "UsualEntries: Arrays.equals(bytes, from, to, bytes, timeFrom, timeTo)",
      // A person at a terminal types both.
      "NewPassword: Arrays.equals(first, second)",
      // The constant that stands for none, and the text that stands for standard input.
      "ChangeStream: credentials.equals(CredentialSource.NONE)",
      "RnsClient: credentials.equals(CredentialSource.NONE)",
      "TicketNarrowCommand: token.equals(\"-\")",
      // The empty one stands for none.
      "AuditVerifyCommand: secrets.equals(List.of(\"\"))");

  private static boolean isOf(String where, String known) {
    int end = known.indexOf(' ') + 1;
    return where.startsWith(known.substring(0, end)) && where.contains(known.substring(end));
  }

  private static List<String> comparisons(String name, String source) {
    List<String> found = new ArrayList<>();
    for (String line : source.split("\n", -1)) {
      String code = line.strip();
      if (!code.startsWith("*") && !code.startsWith("//") && !code.startsWith("/*") && COMPARED.matcher(code).find()) {
        found.add(name + ": " + code);
      }
    }
    return found;
  }

  @Test
  void secretsAreComparedInConstantTime() throws IOException {
    Set<String> found = new TreeSet<>();
    int files = 0;
    for (Path file : sources()) {
      files++;
      String name = file.getFileName().toString().replace(".java", "");
      found.addAll(comparisons(name, Files.readString(file)));
    }
    assertThat(files).isGreaterThan(500);
    assertThat(found).allMatch(where -> HARMLESS.stream().anyMatch(known -> isOf(where, known)));
    assertThat(HARMLESS).as("excused").allMatch(known -> found.stream().anyMatch(where -> isOf(where, known)));
  }

  private static List<Path> sources() throws IOException {
    try (Stream<Path> modules = Files.list(Path.of("..").toRealPath())) {
      return modules.map(module -> module.resolve("src/main/java")).filter(Files::isDirectory)
          .flatMap(SecretComparisonTest::files).toList();
    }
  }

  private static Stream<Path> files(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void whatIsForbiddenIsFound() {
    for (String line : List.of(
        "if (given.mac().equals(expected)) {", "return expected.equals(mac);", "password.equals(given)",
        "return given.equals(account.password());", "Arrays.equals(expected, given)", "header.equals(authorization)",
        "Objects.equals(given, groupSecret)", "tokens.stream().anyMatch(token::equals)",
        "tokenHash.equals(hash(token))",
        "signature.digest().equals(digest)", "secret.contentEquals(given)", "line.hash().equals(hash(chain))",
        "Arrays.mismatch(a, b) < 0")) {
      assertThat(comparisons("X", line)).as(line).hasSize(1);
    }
    for (String line : List.of(
        "MessageDigest.isEqual(expected, mac)", "name.equals(other.name())", "// token.equals(other)",
        "machine.equals(\"amd64\")", "a.hashCode() == b.hashCode()")) {
      assertThat(comparisons("X", line)).as(line).isEmpty();
    }
  }
}
