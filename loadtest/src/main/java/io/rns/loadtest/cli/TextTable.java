package io.rns.loadtest.cli;

import java.util.ArrayList;
import java.util.List;

/** A table for people: columns are as wide as their widest cell, and right-aligned except for the first. */
final class TextTable {
  private final List<List<String>> rows = new ArrayList<>();

  TextTable row(List<String> cells) {
    rows.add(List.copyOf(cells));
    return this;
  }

  TextTable row(String... cells) {
    return row(List.of(cells));
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int column = 0; column < row.size(); column++) {
        String padding = " ".repeat(width(column) - row.get(column).length());
        line.append(column == 0 ? row.get(column) + padding : "  " + padding + row.get(column));
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }

  private int width(int column) {
    return rows.stream().filter(row -> row.size() > column).mapToInt(row -> row.get(column).length()).max().orElse(0);
  }
}
