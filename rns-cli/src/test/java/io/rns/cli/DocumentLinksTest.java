package io.rns.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every relative link and every anchor in the READMEs, CHANGELOG and docs leads to a file and a heading that exist. */
class DocumentLinksTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern CODE = Pattern.compile("(?ms)^ *```.*?^ *```$|`[^`\\n]*`");
  private static final Pattern LINK = Pattern.compile("\\[[^]]*]\\(([^)\\s]+)\\)");
  private static final Pattern ABSOLUTE = Pattern.compile("[a-z][a-z0-9+.-]*:.*");
  private static final Pattern FENCED = Pattern.compile("(?ms)^ *```.*?^ *```$");
  private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.+?) *$");

  private final Map<Path, Set<String>> anchors = new HashMap<>();

  @Test
  void everyLinkOfTheDocumentsIsResolved() throws IOException {
    List<Path> documents =
        new ArrayList<>(Stream.of("README.md", "CHANGELOG.md", "docker/README.md").map(ROOT::resolve).toList());
    try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
      files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(documents::add);
    }
    List<String> broken = new ArrayList<>();
    int links = 0;
    for (Path document : documents) {
      for (String link : links(document)) {
        links++;
        if (!resolves(document, link)) {
          broken.add(ROOT.relativize(document) + ": " + link);
        }
      }
    }
    assertThat(links).isGreaterThan(150);
    assertThat(broken).isEmpty();
  }

  @Test
  void filesAndHeadingsThatDoNotExistAreFound(@TempDir Path directory) throws IOException {
    Path document =
        Files.writeString(
            directory.resolve("a.md"),
            """
            # The `--json` option, [linked](b.md)
            ## Twice
            ## Twice
            ```
            # no heading
            [no link](gone.md)
            ```
            """);
    for (String link : List.of("a.md", "#the---json-option-linked", "#twice", "a.md#twice-1", "./a.md")) {
      assertThat(resolves(document, link)).as(link).isTrue();
    }
    for (String link : List.of("gone.md", "#twice-2", "a.md#no-heading", "#Twice", "gone.md#twice")) {
      assertThat(resolves(document, link)).as(link).isFalse();
    }
    assertThat(links(document)).as("not those in code").containsExactly("b.md");
    Files.writeString(document, "[a](b.md#c), `[code](d)`, [an\naddress](https://example.org/), [e `f`](../g)");
    assertThat(links(document)).containsExactly("b.md#c", "../g");
  }

  /** The targets of the relative links of a document. */
  private static List<String> links(Path document) throws IOException {
    String text = CODE.matcher(Files.readString(document)).replaceAll("");
    return LINK.matcher(text).results().map(link -> link.group(1)).filter(link -> !ABSOLUTE.matcher(link).matches())
        .toList();
  }

  private boolean resolves(Path document, String link) throws IOException {
    int hash = link.indexOf('#');
    String file = hash < 0 ? link : link.substring(0, hash);
    Path target = file.isEmpty() ? document : document.resolveSibling(file);
    return Files.exists(target) && (hash < 0 || anchors(target).contains(link.substring(hash + 1)));
  }

  private Set<String> anchors(Path document) throws IOException {
    Set<String> known = anchors.get(document);
    if (known == null) {
      known = anchors(Files.readString(document));
      anchors.put(document, known);
    }
    return known;
  }

  /** The anchors that GitHub makes of headings: a repeated one has a number. */
  private static Set<String> anchors(String text) {
    Set<String> anchors = new HashSet<>();
    Matcher heading = HEADING.matcher(FENCED.matcher(text).replaceAll(""));
    while (heading.find()) {
      String shown = heading.group(1).replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1");
      String anchor = shown.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-');
      int repeated = 1;
      for (String numbered = anchor; !anchors.add(numbered); repeated++) {
        numbered = anchor + "-" + repeated;
      }
    }
    return anchors;
  }
}
