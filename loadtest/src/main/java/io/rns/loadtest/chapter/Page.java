package io.rns.loadtest.chapter;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Markdown that is being written, with its pictures. */
public final class Page {
  private final StringBuilder text = new StringBuilder();
  private final Map<String, String> pictures = new LinkedHashMap<>();
  private final List<Bars.Bar> bars = new ArrayList<>();

  Page heading(int level, String heading) {
    return paragraph("#".repeat(level) + " " + heading);
  }

  /** Text, unless it is blank. */
  Page paragraph(String paragraph) {
    if (!paragraph.isBlank()) {
      text.append(paragraph.strip()).append("\n\n");
    }
    return this;
  }

  /** A table; nothing if it has no rows. */
  Page table(List<String> header, List<List<String>> rows) {
    if (rows.isEmpty()) {
      return this;
    }
    line(header);
    line(header.stream().map(cell -> "---").toList());
    rows.forEach(this::line);
    text.append('\n');
    return this;
  }

  private void line(List<String> cells) {
    text.append('|');
    cells.forEach(cell -> text.append(' ').append(cell.replace("|", "\\|")).append(" |"));
    text.append('\n');
  }

  /** Bars, which also count for the summary. */
  Page bars(Bars more) {
    bars.addAll(more.all());
    return table(Bars.HEADER, more.all().stream().map(Bars.Bar::cells).toList());
  }

  /** A picture, unless nothing is drawn in it. */
  Page plot(Plot plot) {
    if (!plot.curves().isEmpty()) {
      pictures.put(plot.name() + ".svg", Svg.of(plot));
      paragraph("![" + plot.title() + "](figures/" + plot.name() + ".svg)");
    }
    return this;
  }

  /** All of another page. */
  Page append(Page other) {
    text.append(other.text);
    pictures.putAll(other.pictures);
    bars.addAll(other.bars);
    return this;
  }

  /** Lines as they are. */
  Page code(List<String> lines) {
    return paragraph("```\n" + String.join("\n", lines) + "\n```");
  }

  /** What is written so far. */
  public String text() {
    return text.toString();
  }

  /** Pictures by the names of their files. */
  public Map<String, String> pictures() {
    return Map.copyOf(pictures);
  }

  List<Bars.Bar> bars() {
    return List.copyOf(bars);
  }
}
