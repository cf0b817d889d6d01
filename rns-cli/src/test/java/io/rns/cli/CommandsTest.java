package io.rns.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.rns.api.CallContext;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.QueryRequest;
import io.rns.api.Target;
import io.rns.cli.CommandLineFixture.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The effect and the output of each command, as lines and as JSON. */
class CommandsTest {
  private static final String EPR =
      "<wsa:EndpointReference xmlns:wsa=\"http://www.w3.org/2005/08/addressing\"><wsa:Address>urn:x</wsa:Address>"
          + "<wsa:Metadata><n:EndpointIdentifier xmlns:n=\"http://schemas.ogf.org/naming/2006/08/naming\">urn:epi:7"
          + "</n:EndpointIdentifier></wsa:Metadata></wsa:EndpointReference>";

  /** The same as stored: each child declares its own namespaces. */
  private static final String KEPT = EndpointReference.parse(EPR).xml();

  private final CommandLineFixture rns = new CommandLineFixture();

  @TempDir private Path files;

  @AfterEach
  void stop() {
    rns.close();
  }

  private Entry at(String path) {
    return rns.service().query(CallContext.ANONYMOUS, QueryRequest.of(Target.of(path))).value().get(0).orThrow();
  }

  private void refused(int code, String message, String... args) {
    Result result = rns.run(args);
    assertThat(result.code()).as(result.toString()).isEqualTo(code);
    assertThat(result.err()).isEqualTo("rns: " + message + "\n");
  }

  @SuppressWarnings("unchecked")
  private static List<Map<String, Object>> objects(Object array) {
    return (List<Map<String, Object>>) array;
  }

  @Test
  void mkdirCreatesDirectories() {
    assertThat(rns.done("mkdir", "/a", "/a/b", "/c/").out()).isEmpty();
    assertThat(rns.lines("ls -R /")).containsExactly("a", "a/b", "c");
    refused(1, "entry exists: /a", "mkdir", "/a");
    refused(1, "no such entry: /x/y ('/x' does not exist)", "mkdir", "/x/y");
    refused(1, "entry exists: /", "mkdir", "/");
  }

  @Test
  void mkdirWithParentsAcceptsExistingDirectories() {
    rns.done("mkdir", "-p", "/a/b/c", "/a/b", "/", "/a/b/d");
    assertThat(rns.lines("ls -R /")).containsExactly("a", "a/b", "a/b/c", "a/b/d");
    rns.done("add", "/a/j", "urn:x");
    refused(1, "entry exists: /a/j", "mkdir", "-p", "/a/j");
    refused(1, "not a directory: '/a/j' of /a/j/k is a junction", "mkdir", "-p", "/a/j/k");
  }

  @Test
  void someRefusalsDoNotStopTheRest() {
    Result result = rns.run("mkdir", "--json", "/a", "/x/y", "/b");
    assertThat(result.code()).isEqualTo(1);
    assertThat(objects(result.json().get("entries"))).extracting(e -> e.get("path")).containsExactly("/a", "/b");
    assertThat(objects(result.json().get("errors")))
        .singleElement()
        .satisfies(e -> assertThat(e).contains(entry("path", "/x/y"), entry("code", "NO_SUCH_ENTRY")));
  }

  @Test
  void addCreatesJunctions() throws IOException {
    Path file = Files.writeString(files.resolve("epr.xml"), EPR);
    rns.done("add", "-p", "/d/one", "http://a/?x=1&y=2");
    rns.done("add", "/d/many", "urn:a", "@" + file, EPR, "--meta", "k=v=w", "--meta", "l=");
    assertThat(rns.lines("query /d/one")).containsExactly("http://a/?x=1&y=2");
    assertThat(((Entry.Junction) at("/d/many")).references())
        .containsExactly(EndpointReference.ofAddress("urn:a"), EndpointReference.parse(EPR),
            EndpointReference.parse(EPR));
    assertThat(at("/d/many").metadata().values()).containsExactly(entry("k", "v=w"), entry("l", ""));
    refused(1, "entry exists: /d/one", "add", "/d/one", "urn:b");
    rns.done("add", "--replace", "/d/one", "urn:b");
    assertThat(rns.lines("query /d/one")).containsExactly("urn:b");
    refused(1, "is a directory: /d", "add", "--replace", "/d", "urn:b");
  }

  @ParameterizedTest
  @ValueSource(strings = {"nonsense", "<a/>", "<a", "@/no/such/file", "http:", "1a:b", ""})
  void badReferencesAreUsageErrors(String reference) {
    Result result = rns.run("add", "/a", reference);
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).startsWith("rns: Invalid value for positional parameter")
        .contains("Try 'rns add --help'.");
  }

  @Test
  void anEntryInJson() {
    rns.done("mkdir", "/d");
    Map<String, Object> json = rns.done("add", "--json", "/d/j", "urn:a", EPR, "--meta", "k=v").json();
    assertThat(json).contains(entry("path", "/d/j"), entry("kind", "junction"), entry("metadata", Map.of("k", "v")));
    assertThat(json.keySet())
        .containsExactly("path", "kind", "id", "version", "created", "modified", "metadata", "references", "position");
    assertThat(objects(json.get("references")).get(0)).containsExactly(entry("address", "urn:a"));
    assertThat(objects(json.get("references")).get(1)).containsExactly(entry("address", "urn:x"), entry("xml", KEPT));
    assertThat(rns.done("stat", "--json", "/d").json())
        .contains(entry("kind", "directory"), entry("entries", "1"))
        .doesNotContainKey("references");
    assertThat(rns.done("stat", "/", "--json").json()).contains(entry("path", "/"));
  }

  @Test
  void lsListsADirectoryOrAJunction() {
    rns.done("mkdir", "-p", "/d/e");
    rns.done("add", "/d/j", "urn:a", "urn:b");
    assertThat(rns.lines("ls")).containsExactly("d");
    assertThat(rns.lines("ls /d/")).containsExactly("e", "j");
    assertThat(rns.lines("ls /d/j")).containsExactly("/d/j");
    assertThat(rns.lines("ls /d/e")).isEmpty();
    assertThat(rns.lines("ls /d --name j*")).containsExactly("j");
    assertThat(rns.lines("ls -R / --name e")).containsExactly("d/e");
    assertThat(rns.lines("ls -l /d"))
        .satisfiesExactly(
            line -> assertThat(line).matches("d +\\d+ \\S+Z e"),
            line -> assertThat(line).matches("j +\\d+ \\S+Z j -> urn:a \\(\\+1\\)"));
    assertThat(objects(rns.done("ls", "--json", "-R", "/").json().get("entries")))
        .extracting(e -> e.get("path"))
        .containsExactly("/d", "/d/e", "/d/j");
    refused(1, "no such entry: /x", "ls", "/x");
  }

  @Test
  void directoriesAreColouredOnATerminalOnly() {
    rns.done("mkdir", "/d");
    rns.done("add", "/j", "urn:a");
    assertThat(rns.done("ls", "/").out()).isEqualTo("d\nj\n");
    rns.watched();
    assertThat(rns.done("ls", "/").out()).isEqualTo("\u001b[1;34md\u001b[0m/\nj\n");
    rns.environment("TERM", "dumb");
    assertThat(rns.done("ls", "/").out()).isEqualTo("d/\nj\n");
    rns.environment("TERM", "xterm").environment("NO_COLOR", "1");
    assertThat(rns.done("ls", "/").out()).isEqualTo("d/\nj\n");
    assertThat(rns.done("tree", "/").out()).isEqualTo("/\n├── d/\n└── j\n\n1 directory, 1 junction\n");
  }

  @Test
  void queryPrintsAddresses() {
    rns.done("mkdir", "/d");
    rns.done("add", "/d/j", "urn:a", EPR);
    assertThat(rns.lines("query /d/j")).containsExactly("urn:a", "urn:x");
    assertThat(rns.lines("query /d/j/")).containsExactly("urn:a", "urn:x");
    assertThat(rns.lines("query /d")).containsExactly("directory");
    assertThat(rns.lines("query /d/j /d")).containsExactly("/d/j\turn:a", "/d/j\turn:x", "/d\tdirectory");
    Result some = rns.run("query", "/d", "/x", "/d/j");
    assertThat(some.code()).isEqualTo(1);
    assertThat(some.lines()).containsExactly("/d\tdirectory", "/d/j\turn:a", "/d/j\turn:x");
    assertThat(some.err()).isEqualTo("rns: no such entry: /x\n");
    assertThat(objects(rns.done("query", "--json", "/d/j").json().get("entries"))).hasSize(1);
  }

  @Test
  void queryPrintsReferencesThatAddAccepts() {
    rns.done("mkdir", "/d");
    rns.done("add", "/j", "urn:a", EPR);
    List<String> references = rns.lines("query --epr /j");
    assertThat(references).hasSize(2).contains(KEPT);
    rns.done("add", "/k", references.get(0), references.get(1));
    assertThat(((Entry.Junction) at("/k")).references()).isEqualTo(((Entry.Junction) at("/j")).references());
    EndpointReference directory = EndpointReference.parse(rns.lines("query --epr /d").get(0));
    assertThat(directory.address()).isEqualTo(rns.server().address() + "/services/rns");
    assertThat(directory.xml()).contains("EntryId>" + at("/d").id() + "</");
  }

  @Test
  void updateChangesTheGivenFields() {
    rns.done("mkdir", "/d", "/e");
    rns.done("add", "/d/j", "urn:a", "--meta", "k=1", "--meta", "l=2");
    rns.done("update", "/d/j", "--meta", "k=3", "--meta", "m=4");
    assertThat(at("/d/j").metadata().values()).containsOnly(entry("k", "3"), entry("l", "2"), entry("m", "4"));
    Map<String, Object> json =
        rns.done("update", "--json", "/d/j", "--name", "n", "--parent", "/e", "--epr", "urn:b", "--epr", "urn:c")
            .json();
    assertThat(json).contains(entry("path", "/e/n"));
    assertThat(rns.lines("query /e/n")).containsExactly("urn:b", "urn:c");
    rns.done("update", "/e/n", "--clear-meta", "--meta", "x=y");
    assertThat(at("/e/n").metadata().values()).containsOnly(entry("x", "y"));
    rns.done("update", "/e/n", "--clear-meta");
    assertThat(at("/e/n").metadata().isEmpty()).isTrue();
    long version = at("/e/n").version();
    refused(
        1,
        "version mismatch: /e/n has version " + version + ", not 1",
        "update", "/e/n", "--meta", "a=b", "--if-version", "1");
    rns.done("update", "/e/n", "--name", "o", "--if-version", Long.toString(version));
    refused(1, "is a directory: /d", "update", "/d", "--epr", "urn:x");
    rns.done("update", "/", "--meta", "top=yes");
    assertThat(rns.lines("stat /")).contains("metadata:   top=yes");
    assertThat(rns.run("update", "/d").err()).startsWith("rns: nothing to change: give --name");
  }

  @Test
  void mvRenamesOrMovesIntoADirectory() {
    rns.done("mkdir", "/d", "/e");
    rns.done("add", "/d/j", "urn:a");
    rns.done("mv", "/d/j", "/d/k");
    rns.done("mv", "/d/k/", "/e/");
    assertThat(rns.lines("ls -R /")).containsExactly("d", "e", "e/k");
    assertThat(rns.done("mv", "--json", "/e", "/d").json()).contains(entry("path", "/d/e"));
    rns.done("mv", "/d/e/k", "/");
    assertThat(rns.lines("ls -R /")).containsExactly("d", "d/e", "k");
    refused(1, "cannot move /d into its own subtree /d/e", "mv", "/d", "/d/e");
    refused(1, "cannot move /d into its own subtree /d", "mv", "/d", "/d");
    rns.done("add", "/l", "urn:b");
    refused(1, "entry exists: /l", "mv", "/k", "/l");
    refused(1, "the root cannot be removed, renamed or moved", "mv", "/", "/d");
    refused(1, "no such entry: /x", "mv", "/x", "/y");
  }

  @Test
  void rmRemoves() {
    rns.done("mkdir", "-p", "/d/e", "/f");
    refused(1, "directory is not empty: /d has 1 entry", "rm", "/d");
    refused(1, "directory is not empty: /d has 1 entry", "rm", "--dry-run", "/d");
    refused(1, "the root cannot be removed, renamed or moved", "rm", "-r", "--dry-run", "/");
    refused(1, "no such entry: /none", "rm", "-r", "--dry-run", "/none");
    assertThat(rns.run("rm", "--dry-run", "/f", "--if-version", "999999").err())
        .startsWith("rns: version mismatch: /f");
    Result tried = rns.done("rm", "-r", "--dry-run", "/d");
    assertThat(tried.lines()).hasSize(2).startsWith("/d");
    Result asJson = rns.done("rm", "-r", "--dry-run", "/d", "--json");
    assertThat((List<?>) asJson.json().get("entries")).hasSize(2);
    assertThat(rns.lines("ls -R /d")).as("still there").hasSize(1);
    refused(1, "the root cannot be removed, renamed or moved", "rm", "-r", "/");
    String version = Long.toString(at("/f").version() + 1);
    assertThat(rns.run("rm", "/f", "--if-version", version).err()).startsWith("rns: version mismatch: /f");
    Result some = rns.run("rm", "-r", "/d", "/x", "/f/");
    assertThat(some.code()).isEqualTo(1);
    assertThat(some.err()).isEqualTo("rns: no such entry: /x\n");
    assertThat(rns.lines("ls /")).isEmpty();
  }

  @Test
  void rmTakesManyPaths() {
    String[] paths = new String[1_203];
    paths[0] = "mkdir";
    paths[1] = "-p";
    paths[2] = "--json";
    for (int i = 3; i < paths.length; i++) {
      paths[i] = "/d/" + i;
    }
    assertThat(objects(rns.done(paths).json().get("entries"))).hasSize(1_200);
    paths[0] = "rm";
    paths[1] = "-r";
    rns.watched();
    Result removed = rns.run(paths);
    assertThat(removed.code()).isZero();
    assertThat(removed.err()).contains("[####").endsWith("\r\u001b[K");
    assertThat(rns.lines("ls /d")).isEmpty();
  }

  @Test
  void treeDrawsAndCounts() {
    rns.done("mkdir", "-p", "/d/e/f", "/d/g");
    rns.done("add", "/d/e/j", "urn:a");
    assertThat(rns.lines("tree /d"))
        .containsExactly("/d", "├── e", "│   ├── f", "│   └── j", "└── g", "", "3 directories, 1 junction");
    assertThat(rns.lines("tree -L 1 /d")).containsExactly("/d", "├── e", "└── g", "", "2 directories, 0 junctions");
    assertThat(rns.lines("tree /d/e/j")).containsExactly("/d/e/j", "", "0 directories, 1 junction");
    Map<String, Object> json = rns.done("tree", "--json", "/d").json();
    assertThat(json).contains(entry("path", "/d"), entry("directories", "3"), entry("junctions", "1"));
    assertThat(objects(json.get("entries"))).hasSize(4);
    assertThat(rns.run("tree", "-L", "0").code()).isEqualTo(2);
  }

  @Test
  void findFinds() {
    rns.done("mkdir", "-p", "/d/e");
    rns.done("add", "/d/e/one.txt", "urn:a", "--meta", "k=v");
    rns.done("add", "/d/two.txt", "urn:a", "--meta", "k=w", "--meta", "l=x");
    assertThat(rns.lines("find /d --name *.txt")).containsExactly("/d/e/one.txt", "/d/two.txt");
    assertThat(rns.lines("find / --type d")).containsExactly("/d", "/d/e");
    assertThat(rns.lines("find / --type j --name one*")).containsExactly("/d/e/one.txt");
    assertThat(rns.lines("find / --meta k=w --meta l=x")).containsExactly("/d/two.txt");
    assertThat(rns.lines("find / --meta k=z")).isEmpty();
    assertThat(rns.done("find", "/", "--json", "--name", "none").json())
        .contains(entry("path", "/"), entry("entries", List.of()), entry("complete", "true"));
    refused(1, "no such entry: /x", "find", "/x");
    refused(1, "not a directory: /d/two.txt", "find", "/d/two.txt");
    Result json = rns.run("find", "--json", "/x");
    assertThat(json.json().keySet()).containsExactly("path", "entries", "error");
  }

  @Test
  void statShowsAllFields() {
    rns.done("mkdir", "/d");
    rns.done("add", "/d/j", "urn:a", EPR, "--meta", "k=v\tw");
    List<String> facts = rns.lines("stat /d/j");
    assertThat(facts).contains("path:       /d/j", "kind:       junction", "reference:  urn:a", "reference:  urn:x");
    assertThat(facts).contains("identifier: urn:epi:7", "metadata:   k=v\\tw");
    assertThat(facts).anyMatch(line -> line.matches("version: +\\d+"))
        .anyMatch(line -> line.matches("created: +\\S+Z"));
    assertThat(rns.lines("stat /d/")).contains("entries:    1");
  }

  @Test
  void statusShowsTheServers() {
    assertThat(rns.lines("status"))
        .satisfies(
            lines -> {
              assertThat(lines.get(0)).isEqualTo("SOAP endpoint: " + rns.server().address() + "/services/rns");
              assertThat(lines.get(4)).matches("test +primary +0 +- +0-1-7 +0 ms +- +- +serving");
            });
    Map<String, Object> json = rns.done("status", "--json").json();
    assertThat(json).containsKeys("soap", "rest", "servers").containsEntry("rest", null);
    assertThat(objects(json.get("servers")).get(0))
        .contains(
            entry("name", "test"),
            entry("role", "primary"),
            entry("group", "0"),
            entry("position", "0-1-7"),
            entry("lagMillis", "0"));
  }
}
