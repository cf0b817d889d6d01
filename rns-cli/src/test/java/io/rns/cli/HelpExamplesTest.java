package io.rns.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.cli.CommandLineFixture.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Runs every example of the help. */
@Timeout(60)
class HelpExamplesTest {
  private final CommandLineFixture rns = new CommandLineFixture();

  @TempDir private Path files;
  private String issuer = "";

  @AfterEach
  void stop() {
    rns.close();
  }

  /** In the order of the commands. */
  @Test
  void everyExampleOfTheHelpWorks() throws IOException {
    Files.writeString(
        files.resolve("epr.xml"), "<e xmlns='http://www.w3.org/2005/08/addressing'><Address>urn:x</Address></e>");
    Files.writeString(files.resolve("listing.tsv"), "/listed/one\turn:1\n/listed/two\turn:2\n");
    Files.writeString(files.resolve("heat.json"), "{\"decisions\":[]}");
    rns.done("mkdir", "/archive");
    rns.environment("XDG_RUNTIME_DIR", files.toString());
    try (TestProvider provider = new TestProvider()) {
      issuer = provider.url();
      for (int i = 0; i < 3; i++) {
        provider.grant("access", "refresh" + i, 300);
      }
      assertThat(runExamples()).isGreaterThan(30);
    }
  }

  private int runExamples() {
    CommandLine all = RnsCommand.model(Terminal.ofProcess());
    int examples = 0;
    for (String example : examples(all)) {
      run(example);
      examples++;
    }
    List<CommandLine> commands = new ArrayList<>(all.getSubcommands().values());
    commands.addAll(all.getSubcommands().get("pool").getSubcommands().values());
    commands.addAll(all.getSubcommands().get("partition").getSubcommands().values());
    for (CommandLine command : commands) {
      List<String> own = examples(command);
      assertThat(own).as(command.getCommandName()).isNotEmpty();
      for (String example : own) {
        prepare(command.getCommandName());
        run(example);
        examples++;
      }
    }
    return examples;
  }

  private static List<String> examples(CommandLine command) {
    List<String> examples = new ArrayList<>();
    for (String line : command.getCommandSpec().usageMessage().footer()) {
      if (line.startsWith("  rns ")) {
        // Lines of help are formats.
        examples.add(line.trim().replace("%%", "%"));
      }
    }
    return examples;
  }

  /** Restores the tree that the examples need. */
  private void prepare(String command) {
    rns.run("mkdir", "-p", "/demo", "/archive", "/demo/mirrors");
    if (command.equals("add")) {
      rns.run("rm", "/demo/secured");
      return;
    }
    if (!command.equals("mv") && !command.equals("update")) {
      rns.run("add", "/demo/soap", "https://www.w3.org/TR/soap11/", "--meta", "year=2000");
    } else if (rns.run("stat", "/demo/soap11").code() != 0 && rns.run("stat", "/demo/soap12").code() != 0) {
      rns.run("add", "/demo/soap", "https://www.w3.org/TR/soap11/");
    }
  }

  private void run(String example) {
    String text = example.replace("@epr.xml", "@" + files.resolve("epr.xml"));
    text = text.replace("listing.tsv", files.resolve("listing.tsv").toString());
    text = text.replace("heat.json", files.resolve("heat.json").toString());
    text = text.replace("https://iam.example.org/", issuer);
    text = text.replace("rns.backup", files.resolve("rns.backup").toString());
    text = text.replace("demo.tsv", files.resolve("demo.tsv").toString());
    List<String> words = new ArrayList<>();
    for (String word : text.split(" +", -1)) {
      words.add(word.replaceAll("^'|'$", ""));
    }
    if (words.contains("--if-version")) {
      int at = words.indexOf("--if-version") + 1;
      words.set(at, version(words.get(2)));
    }
    // Otherwise the command runs until interrupted.
    words.remove("--keep");
    if ((words.get(1).equals("watch") || words.contains("discover")) && !words.contains("--for")) {
      words.addAll(List.of("--for", "100ms"));
    }
    if (words.get(1).equals("add") && !words.contains("--replace")) {
      rns.run("rm", words.stream().filter(word -> word.startsWith("/")).findFirst().orElseThrow());
    }
    Result result = rns.run(words.subList(1, words.size()).toArray(new String[0]));
    assertThat(result.code()).as(example + ": " + result).isZero();
  }

  private String version(String path) {
    String line =
        rns.lines("stat " + path).stream().filter(field -> field.startsWith("version:")).findFirst().orElseThrow();
    return line.substring("version:".length()).trim();
  }
}
