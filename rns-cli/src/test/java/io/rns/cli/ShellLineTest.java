package io.rns.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ShellLineTest {
  @Test
  void splitsWordsAsBashDoes() {
    assertThat(ShellLine.parse("rns  ls '/a b' \"/c\\\"d\\e\" /f\\ g '' /h")).isEqualTo(
        new ShellLine(List.of("rns", "ls", "/a b", "/c\"d\\e", "/f g", ""), "/h", '\0', false));
    assertThat(ShellLine.parse("rns ls ")).isEqualTo(new ShellLine(List.of("rns", "ls"), "", '\0', false));
    assertThat(ShellLine.parse("rns ls \"/a b")).isEqualTo(new ShellLine(List.of("rns", "ls"), "/a b", '"', false));
    assertThat(ShellLine.parse("rns ls /a'b").partlyQuoted()).isTrue();
    assertThat(ShellLine.parse("rns ls '/a'b").partlyQuoted()).isTrue();
  }

  @Test
  void escapesContinuationsForTheOpenQuote() {
    String name = "a b$c\"d'e`f\\g&h:i=jé";
    assertThat(ShellLine.parse("rns ls /").escaped(name)).isEqualTo("a\\ b\\$c\\\"d\\'e\\`f\\\\g\\&h:i=jé");
    assertThat(ShellLine.parse("rns ls \"/").escaped(name)).isEqualTo("a b\\$c\\\"d'e\\`f\\\\g&h:i=jé");
    assertThat(ShellLine.parse("rns ls '/").escaped(name)).isEqualTo("a b$c\"d'\\''e`f\\g&h:i=jé");
  }
}
