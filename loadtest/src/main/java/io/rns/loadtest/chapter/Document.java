package io.rns.loadtest.chapter;

import io.rns.loadtest.launcher.Io;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Writes the benchmark document from the results of all chapters. */
final class Document {
  private final Map<String, Results> results;
  private final ChapterTemplate template;
  private final List<String> chapters = new ArrayList<>();
  private final List<List<String>> glance = new ArrayList<>();
  private final List<String> missed = new ArrayList<>();

  /** Machine and versions, with the chapters measured there. */
  private final Map<String, List<String>> places = new LinkedHashMap<>();

  /** Writes the chapters, in their order, with the results of each by its name. */
  Document(List<Chapter> chapters, Map<String, Results> results, ChapterTemplate template) {
    this.results = results;
    this.template = template;
    chapters.forEach(this::add);
  }

  String text() {
    List<String> parts =
        new ArrayList<>(List.of(Io.resource(Document.class, "introduction.md").strip(), "## At a glance"));
    parts.add(
        String.valueOf(ChapterTemplate.table(List.of("chapter", "bars met", "missed", "measured, results"), glance)));
    places.forEach((place, there) -> parts.add(
        (places.size() == 1 ? "All chapters" : String.join(", ", there)) + ": one machine runs everything, " + place
            + "."));
    if (!missed.isEmpty()) {
      parts.add("Missed:");
      parts.add(String.join("\n", missed));
    }
    parts.addAll(chapters);
    return String.join("\n\n", parts) + "\n";
  }

  private void add(Chapter chapter) {
    Results found = results.getOrDefault(chapter.name(), Results.none(chapter.name()));
    String date = date(found.about("/date"));
    String text = chapter.isMeasured() && date.isEmpty()
        ? "Not measured yet: `./rns figures --only " + chapter.name() + "`."
        : template.filled(chapter);
    List<String> met = text.lines().filter(line -> line.endsWith("| " + ChapterTemplate.MET + " |")).toList();
    List<String> notMet = text.lines().filter(line -> line.endsWith("| " + ChapterTemplate.MISSED + " |")).toList();
    String link = "[" + chapter.title() + "](#" + anchor(chapter.title()) + ")";
    String measured = date.isEmpty() ? "" : "[" + date + "](figures/" + chapter.name() + ".json)";
    glance.add(List.of(link, count(met), count(notMet), measured));
    notMet.forEach(bar -> missed.add("- " + link + ": " + ChapterTemplate.cells(bar).getFirst()));

    chapters.add("## " + chapter.title());
    chapters.add(chapter.why());
    chapters.addAll(remarks(found));
    chapters.add(text);
    if (chapter.isMeasured() && !date.isEmpty()) {
      places.computeIfAbsent(place(found), place -> new ArrayList<>()).add(chapter.title());
      String database = found.find("database");
      if (!database.isEmpty()) {
        chapters.add("Database: " + database + ".");
      }
    }
  }

  private static String anchor(String title) {
    return title.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9 -]", "").replace(' ', '-');
  }

  private static String count(List<String> bars) {
    return bars.isEmpty() ? "" : String.valueOf(bars.size());
  }

  private static List<String> remarks(Results found) {
    List<String> remarks = new ArrayList<>();
    if (found.about("/quick").equals("true")) {
      remarks.add("**A quick run: not to be quoted.**");
    }
    if (!found.isComplete()) {
      String tried = date(found.about("/tried"));
      remarks.add((tried.isEmpty() ? "Could not be run to its end: " : "Could not be run again at " + tried + ": ")
          + found.about("/incomplete"));
    }
    if (found.errors() > 0) {
      remarks.add("**" + Numbers.count((double) found.errors()) + " requests failed.**");
    }
    return remarks;
  }

  /** Of a time such as {@code 2026-01-02T03:04:00Z}. */
  private static String date(String time) {
    return time.length() < 16 ? time : time.substring(0, 10) + " " + time.substring(11, 16) + " UTC";
  }

  private static String place(Results found) {
    return found.about("/machine/cores") + " cores of " + found.about("/machine/processor") + ", "
        + found.about("/machine/memoryGiB") + " GiB, " + found.about("/machine/system") + ", "
        + found.about("/machine/java") + ", RNS " + found.about("/version");
  }
}
