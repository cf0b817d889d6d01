package io.rns.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.rns.api.AddRequest;
import io.rns.api.CallContext;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.ListRequest;
import io.rns.api.Metadata;
import io.rns.api.ModelNameService;
import io.rns.api.NameService;
import io.rns.api.QueryRequest;
import io.rns.api.Target;
import io.rns.cli.CommandLineFixture.Result;
import io.rns.client.Interposed;
import io.rns.client.TestServer;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImportExportTest {
  private final CommandLineFixture rns = new CommandLineFixture();

  @TempDir private Path files;

  @AfterEach
  void stop() {
    rns.close();
  }

  private Result imported(String text, String... options) {
    List<String> args = new ArrayList<>(List.of("import", "-"));
    args.addAll(List.of(options));
    return rns.input(text).run(args.toArray(new String[0]));
  }

  private void imports(String text, String counts) {
    Result result = imported(text);
    assertThat(result.err()).isEmpty();
    assertThat(result.code()).isZero();
    assertThat(result.out()).startsWith(counts);
  }

  private Entry at(String path) {
    return rns.service().query(CallContext.ANONYMOUS, QueryRequest.of(Target.of(path))).value().get(0).orThrow();
  }

  @Test
  void linesBecomeEntries() {
    imports(
        "# a comment\n\n/a/b/one\turn:1\r\n/a/two\turn:2\tk=v\tl=x=y\n/d/\n/e\n/f/\t\towner=me\n",
        "5 entries: 5 added, 0 already there, 0 changed; 0 bad lines; ");
    assertThat(rns.lines("ls -R /")).containsExactly("a", "a/b", "a/b/one", "a/two", "d", "e", "f");
    assertThat(rns.lines("query /a/b/one")).containsExactly("urn:1");
    assertThat(at("/a/two").metadata().values()).containsExactly(entry("k", "v"), entry("l", "x=y"));
    assertThat(at("/f").metadata().values()).containsExactly(entry("owner", "me"));
  }

  @Test
  void entriesThatMatchTheirLineAreLeftAlone() {
    String text = "/a/one\turn:1\tk=v\n/d/\n/e/\t\tk=v\n";
    imports(text, "3 entries: 3 added, 0 already there");
    long version = at("/a/one").version();
    imports(text, "3 entries: 0 added, 3 already there, 0 changed");
    assertThat(at("/a/one").version()).isEqualTo(version);
  }

  @Test
  void entriesThatDifferAreBadLines() {
    imports("/j\turn:1\tk=v\n/d/\t\tk=v\n", "2 entries: 2 added");
    Result result = imported("/j\turn:2\tk=v\n/j\turn:1\tk=w\n/d\turn:1\n/j/\n/d/\t\tk=w\n/ok\turn:3\n/j/x\turn:4\n");
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err().lines())
        .containsExactly(
            "rns: standard input:1: exists with other endpoint references: /j -> urn:1",
            "rns: standard input:2: exists with other metadata: /j",
            "rns: standard input:3: exists as a directory: /d",
            "rns: standard input:4: exists as a junction: /j",
            "rns: standard input:5: exists with other metadata: /d",
            "rns: standard input:7: not a directory: '/j' of /j/x is a junction");
    assertThat(result.out()).startsWith("1 entries: 1 added, 0 already there, 0 changed; 6 bad lines");
    assertThat(rns.lines("query /ok")).containsExactly("urn:3");
  }

  @Test
  void replaceReplacesExistingEntries() {
    imports("/j\turn:1\tk=v\n/d/\t\tk=v\n/e/\t\tk=v\n", "3 entries: 3 added");
    Result result = imported("/j\turn:2\n/d/\t\tk=w\n/e/\n/new\turn:3\n", "--replace");
    assertThat(result.err()).isEmpty();
    assertThat(result.out()).startsWith("4 entries: 1 added, 1 already there, 2 changed");
    assertThat(rns.lines("query /j")).containsExactly("urn:2");
    assertThat(at("/j").metadata().isEmpty()).isTrue();
    assertThat(at("/d").metadata().values()).containsExactly(entry("k", "w"));
    assertThat(at("/e").metadata().values()).as("a plain directory line only says it exists").isNotEmpty();
  }

  @Test
  void aDirectoryCreatedAsParentGetsItsMetadata() {
    imports("/a/b/j\turn:1\n/a/\t\tk=v\n/\t\ttop=yes\n", "3 entries: 1 added, 0 already there, 2 changed");
    assertThat(at("/a").metadata().values()).containsExactly(entry("k", "v"));
    assertThat(at("/").metadata().values()).containsExactly(entry("top", "yes"));
  }

  @Test
  void badLinesAreReportedWithTheirNumberAndDoNotStopTheRest() throws IOException {
    Path file = files.resolve("in.tsv");
    byte[] latin = "/caf\u00e9\turn:1\n".getBytes(StandardCharsets.ISO_8859_1);
    String rest =
        "no/slash\turn:1\n/a//b\turn:1\n/a/../b\turn:1\n/ok\turn:1\n/x\tnothing\n/x\turn:1\tnovalue\n/x/\turn:1\n/x\turn:1\tk=\\q\n"
            + ("/" + "n".repeat(1_025) + "\turn:1\n")
            + ("/x\turn:" + "y".repeat(70_000) + "\n")
            + ("/z" + "z".repeat(LineReader.LINE_BYTES) + "\n")
            + "/last\turn:2";
    try (var out = Files.newOutputStream(file)) {
      out.write(latin);
      out.write(rest.getBytes(StandardCharsets.UTF_8));
    }
    Result result = rns.run("import", file.toString());
    assertThat(result.code()).isEqualTo(1);
    List<String> complaints = result.err().lines().map(line -> line.replace("rns: " + file + ":", "")).toList();
    assertThat(complaints)
        .satisfiesExactly(
            c -> assertThat(c).isEqualTo("1: the line is not UTF-8"),
            c -> assertThat(c).isEqualTo("2: path 'no/slash' does not start with '/'"),
            c -> assertThat(c).isEqualTo("3: path '/a//b' has an empty component at index 3"),
            c -> assertThat(c).startsWith("4: path '/a/../b'"),
            c -> assertThat(c).startsWith("6: 'nothing' is not an absolute URI"),
            c -> assertThat(c).isEqualTo("7: column 3 is not of the form key=value"),
            c -> assertThat(c).startsWith("8: the path ends with '/'"),
            c -> assertThat(c).startsWith("9: unknown escape '\\q'"),
            c -> assertThat(c).contains("10: ", "has 1025 bytes; the limit is 1024 bytes"),
            c -> assertThat(c).contains("11: ", "the limit is 65536 bytes"),
            c -> assertThat(c).isEqualTo("12: the line has 1048578 bytes; the limit is 1048576 bytes"));
    assertThat(rns.lines("ls /")).containsExactly("last", "ok");
    Map<String, Object> json = rns.run("import", "--json", file.toString()).json();
    assertThat(json).contains(entry("added", "0"), entry("present", "2"), entry("bad", "11"));
    assertThat((List<?>) json.get("errors")).hasSize(11);
  }

  @Test
  void strictStopsAtTheFirstBadLine() {
    Result result = imported("/a\turn:1\n/b\nbad\n/c\turn:1\nbad\n", "--strict");
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err().lines()).containsExactly("rns: standard input:3: path 'bad' does not start with '/'");
    assertThat(rns.lines("ls /")).containsExactly("a", "b");
    StringBuilder many = new StringBuilder("/a\turn:2\n");
    for (int i = 0; i < 2_000; i++) {
      many.append("/n").append(i).append("\turn:1\n");
    }
    assertThat(imported(many.toString(), "--strict").err().lines()).hasSize(1);
    assertThat(rns.lines("ls /")).hasSize(2 + ImportBatch.LINES - 1);
  }

  @Test
  void aMissingFileIsAUsageError() {
    Result result = rns.run("import", files.resolve("none").toString());
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).startsWith("rns: no file or directory '");
  }

  /** Contradictory lines have the result of sequential execution, despite batches. */
  @Test
  void orderMattersWhereItMust() {
    StringBuilder text = new StringBuilder();
    for (int round = 0; round < 40; round++) {
      for (int i = 0; i < 97; i++) {
        text.append("/r").append(round).append("/f").append(i).append("\turn:").append(round).append('\n');
      }
      text.append("/same\turn:").append(round).append('\n');
      text.append("/r").append(round).append("x\turn:junction\n/r").append(round).append("x/below\turn:1\n");
      text.append("/y").append(round).append("/below\turn:1\n/y").append(round).append("\turn:junction\n");
    }
    Result result = imported(text.toString(), "--replace");
    assertThat(result.err().lines())
        .hasSize(80)
        .allMatch(line -> line.contains("not a directory: '/r") || line.contains("is a directory: /y"));
    assertThat(rns.lines("query /same")).containsExactly("urn:39");
    assertThat(rns.lines("ls /y3")).containsExactly("below");
  }

  @Test
  void exportWritesTheImportedLinesSorted() {
    List<String> lines = new ArrayList<>();
    Random random = new Random(3);
    for (int i = 0; i < 3_000; i++) {
      StringBuilder path = new StringBuilder();
      for (int depth = 1 + random.nextInt(4); depth > 0; depth--) {
        path.append("/d").append("-. +0aé~".charAt(random.nextInt(8))).append(random.nextInt(6));
      }
      lines.add(path + "/f" + i + "\thttp://host/pool" + path.toString().replace(' ', '_')
          + (i % 3 == 0 ? "\tsize=" + i : ""));
    }
    lines.add("/empty/");
    lines.add("/empty-not\turn:x");
    lines.add("/described/\t\towner=me\tnote=two\\nlines and a \\\\ and \\t.");
    Collections.shuffle(lines, random);
    imports(String.join("\n", lines), "3003 entries: 3003 added, 0 already there, 0 changed; 0 bad");
    Collections.sort(lines);
    assertThat(rns.lines("export /")).containsExactlyElementsOf(lines);
  }

  @Test
  void referencesAndMetadataOfAnyKindSurvive() {
    String wsa = "xmlns:wsa=\"http://www.w3.org/2005/08/addressing\"";
    EndpointReference full =
        EndpointReference.parse(
            "<e " + wsa
                + "><wsa:Address>urn:full</wsa:Address><wsa:ReferenceParameters><p:q xmlns:p='urn:p' a='1\t2'>line\n\ttab"
                + "\\n</p:q></wsa:ReferenceParameters></e>");
    Metadata metadata =
        Metadata.parse(
            "<rnskv key='a'>1</rnskv><f:x xmlns:f='urn:f'>t\nu<!-- c --></f:x><rnskv key='epr'>2</rnskv><rnskv key='a'>3</rnskv>"
                + "<rnskv key='meta:k=\\'>v=\\</rnskv><rnskv key='xml' other='x'>4</rnskv><rnskv key=''>5</rnskv>");
    EndpointReference plain = EndpointReference.ofAddress("urn:plain");
    NameService service = rns.service();
    service.add(
        CallContext.ANONYMOUS,
        AddRequest.of(
            AddRequest.NewEntry.junction(Target.of("/first-full"), full, plain, full).with(metadata),
            AddRequest.NewEntry.junction(Target.of("/first-plain"), plain, full, plain),
            AddRequest.NewEntry.directory(Target.of("/dir")).with(metadata)));
    Result exported = rns.done("export", "/");
    assertThat(exported.lines()).hasSize(3);
    assertThat(exported.lines().get(2)).startsWith("/first-plain\turn:plain\tepr=<wsa:").endsWith("\tepr=urn:plain");
    assertThat(exported.out()).contains("\ta=1\t", "\tmeta:epr=2\t", "\tmeta:meta:k\\=\\\\=v=\\\\\t", "\txml=<f:x ");
    Map<String, Entry> before = all();
    rns.done("rm", "-r", "/first-full", "/first-plain", "/dir");
    imports(exported.out(), "3 entries: 3 added");
    Map<String, Entry> after = all();
    assertThat(after.keySet()).isEqualTo(before.keySet());
    after.forEach(
        (path, entry) -> {
          assertThat(entry.metadata()).isEqualTo(before.get(path).metadata());
          if (entry instanceof Entry.Junction junction) {
            assertThat(junction.references()).isEqualTo(((Entry.Junction) before.get(path)).references());
          }
        });
    assertThat(rns.done("export", "/").out()).isEqualTo(exported.out());
    imports(exported.out(), "3 entries: 0 added, 3 already there");
  }

  private Map<String, Entry> all() {
    Map<String, Entry> all = new TreeMap<>();
    rns.lines("ls -R /").forEach(path -> all.put(path, at("/" + path)));
    return all;
  }

  @Test
  void aFailedExportKeepsTheOlderFile() throws IOException {
    AtomicInteger answered = new AtomicInteger();
    NameService failing =
        new Interposed(
            new ModelNameService(),
            request -> {
              if (request instanceof ListRequest && answered.getAndIncrement() == 1) {
                throw new RnsException(RnsError.NOT_PERMITTED, "not here");
              }
            });
    Path file = Files.writeString(files.resolve("kept.tsv"), "/older\turn:1\n");
    try (CommandLineFixture broken = new CommandLineFixture(TestServer.start(failing))) {
      broken.done("mkdir", "/a", "/z");
      assertThat(broken.run("export", "/", "-o", file.toString()).code()).isEqualTo(ExitCode.NOT_PERMITTED);
      assertThat(file).hasContent("/older\turn:1\n");
      assertThat(files.resolve("kept.tsv.part")).doesNotExist();
      Path link = Files.createSymbolicLink(files.resolve("link.tsv"), file);
      broken.done("export", "/a", "-o", link.toString());
      assertThat(file).hasContent("/a/\n");
      assertThat(link).isSymbolicLink();
      broken.done("export", "/a", "-o", "/dev/null");
    }
  }

  @Test
  void exportsASubtreeOrIntoAFile() throws IOException {
    imports("/a/b/j\turn:1\n/a/c/\n/d\turn:2\n/e/\n", "4 entries: 4 added");
    assertThat(rns.lines("export /a")).containsExactly("/a/b/j\turn:1", "/a/c/");
    assertThat(rns.lines("export /d")).containsExactly("/d\turn:2");
    assertThat(rns.lines("export /e")).containsExactly("/e/");
    Path file = files.resolve("out.tsv");
    assertThat(rns.done("export", "/a", "-o", file.toString()).out()).isEqualTo("2 entries written to " + file + "\n");
    assertThat(Files.readString(file)).isEqualTo("/a/b/j\turn:1\n/a/c/\n");
    Map<String, Object> summary = rns.done("export", "/a", "--json", "-o", file.toString()).json();
    assertThat(summary).contains(entry("path", "/a"), entry("file", file.toString()), entry("written", "2"));
    assertThat((List<?>) rns.done("export", "/a", "--json").json().get("entries")).hasSize(2);
    assertThat(rns.run("export", "/x").err()).isEqualTo("rns: no such entry: /x\n");
    assertThat(rns.run("export", "/a", "-o", files.resolve("no/file").toString()).code()).isEqualTo(2);
    rns.done("rm", "-r", "/a", "/d", "/e");
    assertThat(rns.lines("export /")).isEmpty();
  }

  @Test
  void progressIsShownOnATerminal() throws IOException {
    Path file = files.resolve("in.tsv");
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 2_000; i++) {
      text.append("/p").append(i).append("\turn:1\n");
    }
    Files.writeString(file, text);
    rns.watched();
    Result result = rns.run("import", file.toString());
    // Each drawing is complete: it cuts long lines, clears the rest, and restores the terminal.
    assertThat(result.err())
        .matches("(?s)(\r\u001b\\[\\?7l[^\r\u001b]+\u001b\\[K\u001b\\[\\?7h)+\r\u001b\\[K")
        .containsPattern("100 %  [0-9,]+ entries, [0-9,]+/s +\\[#{24}]");
    Path out = files.resolve("out.tsv");
    assertThat(rns.run("export", "/", "-o", out.toString()).err()).contains("entries, ").endsWith("\r\u001b[K");
    // Lines on the terminal show the progress already.
    assertThat(rns.run("export", "/").err()).isEmpty();
    rns.environment("TERM", "dumb");
    assertThat(rns.run("import", file.toString()).err()).isEmpty();
  }

  @Test
  void errorsHaveLinesOfTheirOwn() throws IOException {
    Path file = files.resolve("in.tsv");
    Files.writeString(file, "/a\turn:1\n".repeat(600) + "bad\n");
    Result result = rns.watched().run("import", file.toString());
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err()).contains("\u001b[?7h\r\u001b[Krns: " + file + ":601: ");
    String[] remove =
        Stream.concat(Stream.of("rm"), IntStream.range(0, 1_500).mapToObj(i -> "/no" + i)).toArray(String[]::new);
    assertThat(rns.run(remove).err()).contains("\u001b[?7h\r\u001b[Krns: no such entry: ").doesNotContain("7hrns:");
  }

  /** Batches in flight whose responses are lost are repeated, and each line is applied and counted once. */
  @Test
  void brokenConnectionsNeitherLoseNorRepeatLines() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 5_000; i++) {
      text.append("/b").append(i / 3).append("/p").append(i).append("\turn:").append(i).append('\n');
      text.append(i % 1_000 == 0 ? "/b0/p0\turn:other\n" : "");
    }
    int lost = 7;
    rns.server().loseAnswers(lost);
    Result result = imported(text.toString());
    assertThat(result.out()).startsWith("5000 entries: 5000 added, 0 already there, 0 changed; 5 bad lines");
    assertThat(result.err().lines().map(line -> line.replaceAll("[^:]*:[^:]*:(\\d+): .*", "$1")))
        .containsExactly("2", "1003", "2004", "3005", "4006");
    List<String> ids = rns.server().requestIds();
    assertThat(ids).hasSize(Set.copyOf(ids).size() + lost);
    assertThat(rns.lines("ls -R /")).hasSize(5_000 + 1_667);
    assertThat(imported(text.toString()).out())
        .startsWith("5000 entries: 0 added, 5000 already there, 0 changed; 5 bad lines");
  }

  @Test
  void aLostServerEndsTheImport() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 3_000; i++) {
      text.append("/p").append(i).append("\turn:1\n");
    }
    AtomicInteger adds = new AtomicInteger();
    NameService demoted =
        new Interposed(
            new ModelNameService(),
            request -> {
              if (adds.incrementAndGet() > 2) {
                throw new RnsException(RnsError.INTERNAL, "go elsewhere");
              }
            });
    try (CommandLineFixture dying = new CommandLineFixture(TestServer.start(demoted))) {
      Result result = dying.input(text.toString()).run("import", "-");
      assertThat(result.code()).isEqualTo(3);
      assertThat(result.err())
          .matches("rns: stopped after line (0|500|1000): go elsewhere; to continue, repeat the import\n");
    }
  }

  /** After some seconds: an import goes on through a failover. */
  @Test
  void anImportWithoutAServerIsExitCode3() {
    Result result = rns.environment("RNS_SERVER", "http://127.0.0.1:1/rns").input("/a\turn:x\n").run("import", "-");
    assertThat(result.code()).isEqualTo(3);
    assertThat(result.err()).startsWith("rns: ").contains("127.0.0.1:1/rns").doesNotContain("Exception")
        .hasLineCount(1);
  }
}
