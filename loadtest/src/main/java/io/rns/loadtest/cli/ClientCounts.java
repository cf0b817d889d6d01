package io.rns.loadtest.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import picocli.CommandLine.TypeConversionException;

/** Numbers of clients: {@code 12}, or several to alternate: {@code 1,2,4,8} or {@code 1..12}. */
record ClientCounts(List<Integer> values) {
  static final int MOST = 10_000;
  static final int MOST_VALUES = 64;
  private static final Pattern PART = Pattern.compile("([0-9]{1,6})(?:\\.\\.([0-9]{1,6}))?");

  ClientCounts {
    values = List.copyOf(values);
  }

  /** As it is parsed, for help. */
  @Override
  public String toString() {
    return values.stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  static ClientCounts parse(String text) {
    List<Integer> values = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      Matcher matcher = PART.matcher(part);
      if (!matcher.matches()) {
        throw new TypeConversionException("'" + part + "' is neither a number like 12 nor a range like 1..12");
      }
      int from = within(matcher.group(1));
      int to = matcher.group(2) == null ? from : within(matcher.group(2));
      if (to < from || to - from >= MOST_VALUES || values.size() + to - from >= MOST_VALUES) {
        throw new TypeConversionException("'" + text + "' must rise and have at most " + MOST_VALUES + " numbers");
      }
      IntStream.rangeClosed(from, to).filter(value -> !values.contains(value)).forEach(values::add);
    }
    return new ClientCounts(values);
  }

  private static int within(String number) {
    int value = Integer.parseInt(number);
    if (value < 1 || value > MOST) {
      throw new TypeConversionException("'" + number + "' must be 1 to " + MOST);
    }
    return value;
  }
}
