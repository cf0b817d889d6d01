package io.rns.loadtest.chapter;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A command line that prints a JSON document.
 *
 * @param label names its result in the chapter; empty for a command without a result
 * @param line {@code ./rns} and arguments, separated by blanks, perhaps after {@code NAME=value} for the environment;
 *        {@code $NAME} is a variable of the {@link Stage}
 */
public record Step(String label, String line) {
  private static final String LAUNCHER = "./rns";
  private static final String LABEL_END = ": ";

  public Step {
    if (!words(line).contains(LAUNCHER)) {
      throw new IllegalArgumentException("'" + line + "' is no command line of " + LAUNCHER);
    }
  }

  /** A step written as {@code label: command}, or as the command alone. */
  static Step of(String text) {
    int end = text.indexOf(LABEL_END);
    return end < 0 ? new Step("", text) : new Step(text.substring(0, end), text.substring(end + LABEL_END.length()));
  }

  private static List<String> words(String line) {
    return List.of(line.split(" +", -1));
  }

  /** Whether it starts a service, which is stopped at the end of the chapter; what that prints is no result. */
  boolean startsService() {
    return arguments().getFirst().equals("up");
  }

  /** What follows the launcher. */
  List<String> arguments() {
    List<String> words = words(line);
    return words.subList(words.indexOf(LAUNCHER) + 1, words.size());
  }

  Map<String, String> environment() {
    return words(line).stream().takeWhile(word -> !word.equals(LAUNCHER)).map(word -> word.split("=", 2))
        .collect(Collectors.toMap(parts -> parts[0], parts -> parts[1]));
  }

  Optional<String> valueOf(String option) {
    List<String> arguments = arguments();
    int at = arguments.indexOf(option);
    return at < 0 || at + 1 == arguments.size() ? Optional.empty() : Optional.of(arguments.get(at + 1));
  }
}
