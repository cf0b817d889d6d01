package io.rns.api;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The length of an RE2 regular expression with its counted repetitions expanded, as RE2 compiles it:
 * {@code ((a{1000}){1000}){1000}} has 23 characters and compiles to a thousand million instructions. The result is an
 * upper bound; a few unusual forms are overestimated.
 */
final class RegexSize {
  private static final Pattern REPETITION = Pattern.compile("\\{([0-9]{1,9})(?:,([0-9]{0,9}))?\\}");
  private static final long MAX = Integer.MAX_VALUE;

  private final String regex;
  /** Sizes accumulated by the enclosing groups, outermost last. */
  private final Deque<Long> outer = new ArrayDeque<>();
  private long size;
  /** The part of {@link #size} to which a following repetition applies. */
  private long last;

  private RegexSize(String regex) {
    this.regex = regex;
  }

  /** The expanded length of {@code regex}, at most {@link Integer#MAX_VALUE}. */
  static long of(String regex) {
    return new RegexSize(regex).count();
  }

  private long count() {
    Matcher repetition = REPETITION.matcher(regex);
    for (int i = 0; i < regex.length();) {
      char c = regex.charAt(i);
      if (c == '{' && repetition.region(i, regex.length()).lookingAt()) {
        repeat(repetition);
        i = repetition.end();
      } else {
        i = part(c, i);
      }
    }
    while (!outer.isEmpty()) {
      closeGroup();
    }
    return size;
  }

  private int part(char c, int at) {
    switch (c) {
      case '(' -> {
        outer.push(size);
        size = 1;
        last = 0;
      }
      case ')' -> closeGroup();
      case '[' -> {
        atom(1);
        return afterClass(at + 1);
      }
      case '\\' -> {
        return afterEscape(at + 1);
      }
      case '*', '+', '?' -> {
        // Counts towards the repeated part, so that a group around it repeats both.
        add(1);
        last++;
      }
      default -> atom(1);
    }
    return at + 1;
  }

  private void repeat(Matcher repetition) {
    long least = Long.parseLong(repetition.group(1));
    String most = repetition.group(2);
    // "{3,}" expands to three copies and a star.
    long times = most == null ? least : most.isEmpty() ? least + 1 : Math.max(least, Long.parseLong(most));
    long repeated = Math.min(MAX, last * Math.max(1, times));
    add(repeated - last);
    last = repeated;
  }

  private void atom(long length) {
    add(length);
    last = length;
  }

  private void closeGroup() {
    long group = size;
    size = outer.isEmpty() ? 0 : outer.pop();
    add(group);
    last = group;
  }

  private void add(long length) {
    size = Math.min(MAX, size + length);
  }

  private int afterEscape(int at) {
    boolean quoted = regex.startsWith("Q", at);
    if (quoted) {
      int end = regex.indexOf("\\E", at);
      int literalEnd = end < 0 ? regex.length() : end;
      add(literalEnd - at);
      last = 1;
      return end < 0 ? literalEnd : end + 2;
    }
    atom(1);
    boolean property = regex.startsWith("p", at) || regex.startsWith("P", at);
    boolean braces = (property || regex.startsWith("x", at)) && regex.startsWith("{", at + 1);
    int close = braces ? regex.indexOf('}', at) : -1;
    return close >= 0 ? close + 1 : property ? at + 2 : at + 1;
  }

  /** The index after the set that began before {@code at}. */
  private int afterClass(int at) {
    int i = at;
    if (regex.startsWith("^", i)) {
      i++;
    }
    if (regex.startsWith("]", i)) {
      i++;
    }
    while (i < regex.length() && regex.charAt(i) != ']') {
      int named = regex.startsWith("[:", i) ? regex.indexOf(":]", i + 2) : -1;
      if (named >= 0) {
        i = named + 2;
      } else {
        i += regex.charAt(i) == '\\' ? 2 : 1;
      }
    }
    return i + 1;
  }
}
