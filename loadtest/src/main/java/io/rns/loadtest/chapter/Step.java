package io.rns.loadtest.chapter;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A command line as anybody would type it, which prints a JSON document.
 *
 * @param label by which its result is found in the chapter
 * @param line {@code ./rns} and arguments, separated by blanks, perhaps behind {@code NAME=value} for the environment;
 *        {@code $NAME} is a variable
 */
public record Step(String label, String line) {
  private static final String LAUNCHER = "./rns";

  /** Checks that it is a command of ours. */
  public Step {
    if (!words(line).contains(LAUNCHER)) {
      throw new IllegalArgumentException("'" + line + "' is no command line of " + LAUNCHER);
    }
  }

  /** Starts a service, which is stopped at the end of the chapter. */
  static Step up(String line) {
    return new Step("", line);
  }

  private static List<String> words(String line) {
    return List.of(line.split(" +", -1));
  }

  /** Whether it starts a service; what that prints is no result. */
  boolean startsService() {
    return arguments().getFirst().equals("up");
  }

  /** What follows the launcher. */
  List<String> arguments() {
    List<String> words = words(line);
    return words.subList(words.indexOf(LAUNCHER) + 1, words.size());
  }

  /** Of the environment, what it sets. */
  Map<String, String> environment() {
    Map<String, String> set = new LinkedHashMap<>();
    for (String word : words(line)) {
      int equals = word.indexOf('=');
      if (word.equals(LAUNCHER) || equals < 0) {
        break;
      }
      set.put(word.substring(0, equals), word.substring(equals + 1));
    }
    return set;
  }

  /** The value that follows an option, if it is there. */
  List<String> valueOf(String option) {
    List<String> found = new ArrayList<>(arguments());
    int at = found.indexOf(option);
    return at < 0 || at + 1 == found.size() ? List.of() : List.of(found.get(at + 1));
  }
}
