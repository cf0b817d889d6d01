package io.rns.loadtest.chapter;

import java.util.regex.Pattern;

/** How long measurements take. */
public enum Length {
  /** Minutes, for figures to quote. */
  FULL(1, 3),
  /** Seconds, to see that everything runs. */
  QUICK(2, 1);

  private static final Pattern CHOICE = Pattern.compile("\\{([^|}]*)\\|([^}]*)}");

  private final int choice;
  private final int turns;

  Length(int choice, int turns) {
    this.choice = choice;
    this.turns = turns;
  }

  /** A command line in which each <code>{full|quick}</code> is replaced by one of the two. */
  String of(String line) {
    return CHOICE.matcher(line).replaceAll("$" + choice);
  }

  /** How often commands that take turns are run. */
  int turns() {
    return turns;
  }
}
