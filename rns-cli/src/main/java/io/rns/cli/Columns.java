package io.rns.cli;

import java.util.ArrayList;
import java.util.List;

/** Aligns rows of text in columns. */
final class Columns {
  private Columns() {}

  /** The lines of rows of equal length, two blanks between the columns. */
  static List<String> of(List<List<String>> rows) {
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < row.size(); i++) {
        int column = i;
        int width = rows.stream().mapToInt(other -> other.get(column).length()).max().orElse(0);
        line.append(row.get(i)).append(" ".repeat(width - row.get(i).length() + 2));
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }
}
