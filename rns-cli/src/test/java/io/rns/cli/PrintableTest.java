package io.rns.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What servers say does not steer a terminal. */
class PrintableTest {
  /** Right to left from here on. */
  private static final String REVERSED = "x\u202egpj.exe";
  /** C1: "control sequence introducer" and "clear the screen" of terminals with 8 bits. */
  private static final String CONTROL = "https://e/\u009b2J";

  @Test
  void controlsAndFormatsAreEscaped() {
    assertThat(Printable.of("a\u001b[2J\u009b\u202e\u2028\u0000 \u00e4\u4e2d")).isEqualTo(
        "a\\u001b[2J\\u009b\\u202e\\u2028\\u0000 \u00e4\u4e2d");
    assertThat(Printable.of("\udb40\udc01 \ud83d\ude00 \ud83d")).isEqualTo("\\udb40\\udc01 \ud83d\ude00 \\ud83d");
    assertThat(Printable.of("a\nb\u001b[2mc\u001b[2J", "\n", "\u001b[2m")).isEqualTo("a\nb\u001b[2mc\\u001b[2J");
  }

  @Test
  void namesOnATerminalAreHarmlessAndElsewhereExact() {
    try (CommandLineFixture rns = new CommandLineFixture()) {
      rns.done("add", "/" + REVERSED, "https://example.org/", "--meta", "key=" + CONTROL);
      List<String> exported = rns.lines("export /");
      assertThat(exported).singleElement().asString().contains(REVERSED, CONTROL);
      assertThat(rns.lines("ls /")).containsExactly(REVERSED);

      rns.watched().environment("NO_COLOR", "1");
      for (String command : List.of("ls /", "ls -lR /", "tree /", "find /", "stat /" + REVERSED, "export /")) {
        assertThat(rns.done(command.split(" ")).out()).as(command).contains("x\\u202egpj.exe")
            .doesNotContain("\u202e", "\u009b");
      }
      CommandLineFixture.Result json = rns.done("stat", "/" + REVERSED, "--json");
      assertThat(json.out()).doesNotContain("\u202e", "\u009b");
      assertThat(json.json()).containsEntry("path", "/" + REVERSED).extracting("metadata").asString().contains(CONTROL);
      assertThat(rns.run("stat", "/none" + REVERSED).err()).contains("x\\u202egpj.exe").doesNotContain("\u202e");
    }
  }

  @Test
  void coloursStay() {
    try (CommandLineFixture rns = new CommandLineFixture()) {
      rns.done("mkdir", "/" + REVERSED);
      assertThat(rns.watched().done("ls", "/").out()).isEqualTo("\u001b[1;34mx\\u202egpj.exe\u001b[0m/\n");
      assertThat(rns.done("ls", "/", "--json").json().get("entries")).asString().contains("path=/" + REVERSED);
    }
  }
}
