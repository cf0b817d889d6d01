package io.rns.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** README, docs, help texts and messages use the field's terms, not these phrases. */
class VocabularyTest {
  private static final Path ROOT = Path.of("..");

  /** Written by {@code ./rns figures} from messages and results of earlier versions. */
  private static final Path GENERATED = ROOT.resolve("docs/benchmarks.md");

  /** Each with the better words. */
  private static final List<String> BANNED =
      List.of(
          "who asks", // the client, the caller
          "who ask", // clients
          "those that", // name them
          "those who", // name them
          "one that", // name it
          "is told", // receives
          "are told", // receive
          "be told", // receive
          "was told", // received
          "tells", // reports, returns, shows, prints
          "tell of", // report, list
          "anew", // again; rebuild, re-create
          "by themselves", // automatically
          "dies", // crashes
          "turn away", // reject
          "turns away", // rejects
          "turned away", // rejected
          "no group any more", // lost its quorum
          "none twice", // without duplicates
          "quiet times", // idle periods
          "many ask", // under load
          "worked at at a time", // concurrent
          "complained about", // logged
          "complains about", // logs
          "content with", // accepts
          "in one trip", // in one round trip
          "tried again", // retried
          "is begun", // starts
          "himself", // itself
          "nobody", // no client, no server
          "somebody", // another client, an operator
          "what is left", // remaining
          "begin to lead", // become primary
          "begins to lead", // becomes primary
          "made the primary", // promoted
          "not believed", // ignored, stale
          "other way round"); // vice versa, or name both directions

  private static final Pattern PHRASES =
      Pattern.compile(
          BANNED.stream().map(phrase -> phrase.replace(" ", "\\s+"))
              .collect(Collectors.joining("|", "(?<![\\w-])(?:", ")(?![\\w-])")));

  /** Comments and characters, to skip them; text blocks and strings, each as a group. */
  private static final Pattern LITERALS =
      Pattern.compile(
          "/\\*[\\s\\S]*?\\*/|//[^\\n]*|'(?:[^'\\\\]|\\\\.)'"
              + "|\"\"\"([\\s\\S]*?)\"\"\"|\"([^\"\\\\\\n]*+(?:\\\\.[^\"\\\\\\n]*+)*+)\"");
  private static final Pattern PLUS = Pattern.compile("\\s*\\+\\s*");

  /** A text that people read, and the line where it starts. */
  private record Prose(Path file, int line, String text) {
    Stream<String> findings() {
      return PHRASES.matcher(text).results().map(
          hit -> ROOT.relativize(file) + ":" + (line + lines(text, hit.start())) + ": "
              + hit.group().replaceAll("\\s+", " "));
    }
  }

  @Test
  void documentsUseTheTermsOfTheField() throws IOException {
    List<Path> documents = new ArrayList<>(List.of(ROOT.resolve("README.md"), ROOT.resolve("rns")));
    documents.addAll(files(ROOT.resolve("docs"), ".md"));
    documents.remove(GENERATED);
    List<String> findings = new ArrayList<>();
    for (Path document : documents) {
      new Prose(document, 1, Files.readString(document)).findings().forEach(findings::add);
    }
    assertThat(documents).hasSizeGreaterThan(10);
    assertThat(findings).as("phrases to replace").isEmpty();
  }

  @Test
  void helpTextsAndMessagesUseTheTermsOfTheField() throws IOException {
    List<String> findings = new ArrayList<>();
    int literals = 0;
    for (Path sources : sources()) {
      for (Path source : files(sources, ".java")) {
        List<Prose> texts = literals(source, Files.readString(source));
        texts.stream().flatMap(Prose::findings).forEach(findings::add);
        literals += texts.size();
      }
    }
    assertThat(literals).isGreaterThan(1_000);
    assertThat(findings).as("phrases to replace").isEmpty();
  }

  @Test
  void literalsAreFoundWithTheirLines() {
    String source =
        "/* \"is told\" */\nchar c = '\"'; // \"anew\"\nf(\"who \"\n    + \"asks\", \"\"\"\n  a\n  dies\"\"\");\n";
    Path file = ROOT.resolve("A.java");
    assertThat(literals(file, source).stream().flatMap(Prose::findings))
        .containsExactly("A.java:3: who asks", "A.java:6: dies");
    assertThat(new Prose(file, 1, "anew#\nwhen-something-dies, one\nthat").findings())
        .containsExactly("A.java:1: anew", "A.java:2: one that");
  }

  /** The source directories of all modules. */
  private static List<Path> sources() throws IOException {
    try (Stream<Path> modules = Files.list(ROOT)) {
      return modules.map(module -> module.resolve("src/main/java")).filter(Files::isDirectory).sorted().toList();
    }
  }

  private static List<Path> files(Path directory, String suffix) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(file -> file.toString().endsWith(suffix)).sorted().toList();
    }
  }

  /** The string literals of a source; concatenated literals are one text, at the line of the first. */
  private static List<Prose> literals(Path file, String source) {
    List<Prose> texts = new ArrayList<>();
    Matcher literal = LITERALS.matcher(source);
    int end = 0;
    while (literal.find()) {
      MatchResult found = literal.toMatchResult();
      String text = found.group(1) == null ? found.group(2) : found.group(1);
      if (text == null) {
        continue;
      }
      if (!texts.isEmpty() && PLUS.matcher(source.substring(end, found.start())).matches()) {
        Prose former = texts.remove(texts.size() - 1);
        texts.add(new Prose(file, former.line(), former.text() + text));
      } else {
        texts.add(new Prose(file, 1 + lines(source, found.start()), text));
      }
      end = found.end();
    }
    return texts;
  }

  /** The number of line ends before an index. */
  private static int lines(String text, int index) {
    return (int) text.chars().limit(index).filter(c -> c == '\n').count();
  }
}
