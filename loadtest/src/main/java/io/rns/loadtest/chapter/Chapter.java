package io.rns.loadtest.chapter;

import io.rns.loadtest.launcher.Io;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/**
 * Figures that belong together. The source of a chapter is a file: first the commands, one a line as {@code label:
 * command} (see {@link Step}), then a line of three dashes, the heading, a paragraph that says what is measured, and
 * the {@link ChapterTemplate} of the results. In a command, <code>{a|b}</code> is {@code a}, or {@code b} in a quick
 * run; commands after an asterisk take turns with those beside them; a line that begins with two slashes is a comment.
 */
public record Chapter(String name, String title, String why, List<String> commands, String results) {
  private static final String PEERS = "peers";
  private static final String TURN = "* ";
  private static final String COMMENT = "//";

  /** All chapters, in the order of the document. */
  public static final List<Chapter> ALL =
      Stream
          .of("operations", "single", "writes", "replication", "scale-out", "partitions", "sites", "strategies",
              "fronts", "simulator", "pools", "failover", "security", PEERS)
          .map(name -> of(name, Io.resource(Chapter.class, name + ".md"))).toList();

  static Chapter of(String name, String source) {
    int end = source.startsWith("---\n") ? 0 : source.indexOf("\n---\n") + 1;
    String[] text = source.substring(end + 4).split("\n\n", 3);
    List<String> commands = source.substring(0, end).lines().filter(line -> !line.startsWith(COMMENT)).toList();
    return new Chapter(name, text[0], text[1], commands, text[2]);
  }

  /** Whether it is measured only on demand, because it downloads other programs. */
  public boolean isOptional() {
    return name.equals(PEERS);
  }

  /** Whether it has figures of its own. */
  public boolean isMeasured() {
    return !commands.isEmpty();
  }

  public List<Step> steps(Length length) {
    List<Step> steps = new ArrayList<>();
    List<Step> inTurns = new ArrayList<>();
    for (String command : commands) {
      String line = length.of(command);
      if (line.startsWith(TURN)) {
        inTurns.add(Step.of(line.substring(TURN.length())));
      } else {
        addTurns(inTurns, length, steps);
        steps.add(Step.of(line));
      }
    }
    addTurns(inTurns, length, steps);
    return steps;
  }

  private static void addTurns(List<Step> inTurns, Length length, List<Step> steps) {
    Collections.nCopies(length.turns(), List.copyOf(inTurns)).forEach(steps::addAll);
    inTurns.clear();
  }
}
