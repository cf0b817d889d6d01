package io.rns.loadtest.chapter;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Writes the benchmark document from the results of all chapters. */
final class Document {
  private static final String INTRODUCTION =
      """
      <!-- Written by ./rns figures from figures/*.json and figures/by-hand.md: change those, or the chapters. -->

      # Benchmarks

      Rates and times of RNS, the machine, and the commands behind each figure. `./rns figures` writes this page from the
      output of its commands: no figure in its chapters is typed by hand, and missed bars are listed. Figures that no chapter
      measures yet are at the end. [load.md](load.md) defines the terms and shows how to measure your own site.

      ```
      ./rns figures                         # measures everything again and writes this page, in half an hour
      ./rns figures --only operations       # one chapter; the others keep their results
      ./rns figures --peers                 # also compares with other naming services
      ```

      Each chapter prints its commands as they ran. Services have their own directory and free ports: `RNS_DATA` and
      `RNS_SERVER` name them, `$GROUP` is the directory of a group, `$PRIMARY` and `$REPLICA` are two of its servers. Rates
      are medians of rounds.""";

  private final Map<String, Results> results;
  private final ChapterTemplate template;
  private final List<String> chapters = new ArrayList<>();
  private final List<List<String>> glance = new ArrayList<>();
  private final List<List<String>> missed = new ArrayList<>();

  /** Writes the chapters, in their order, with the results of each by its name. */
  Document(List<Chapter> chapters, Map<String, Results> results, ChapterTemplate template) {
    this.results = results;
    this.template = template;
    chapters.forEach(this::add);
  }

  /** The text, with a part that is written by hand and may be blank. */
  String text(String byHand) {
    List<String> parts = new ArrayList<>(List.of(INTRODUCTION, "## At a glance"));
    parts.add(String.valueOf(ChapterTemplate.table(List.of("chapter", "bars met", "missed", "measured at"), glance)));
    if (!missed.isEmpty()) {
      parts.add("Missed:");
      parts.add(String.valueOf(ChapterTemplate.table(List.of("chapter", "work", "bar", "measured"), missed)));
    }
    parts.addAll(chapters);
    if (!byHand.isBlank()) {
      parts.add("## Measured by hand\n\n" + byHand.strip());
    }
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
    glance.add(List.of(link, count(met), count(notMet), date));
    notMet.stream().map(ChapterTemplate::cells)
        .forEach(bar -> missed.add(List.of(link, bar.get(0), bar.get(1), bar.get(2))));

    chapters.add("## " + chapter.title());
    chapters.add(chapter.why());
    chapters.addAll(remarks(found));
    chapters.add(text);
    if (chapter.isMeasured() && !date.isEmpty()) {
      chapters.add(conditions(found));
      chapters.add("```\n" + String.join("\n", found.commands()) + "\n```");
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

  private static String conditions(Results found) {
    String database = found.find("database");
    return "Measured at " + date(found.about("/date")) + " within " + Numbers.count(Math.ceil(found.seconds() / 60))
        + " min, RNS " + found.about("/version") + ", on one machine for everything: " + found.about("/machine/cores")
        + " cores of " + found.about("/machine/processor") + ", " + found.about("/machine/memoryGiB") + " GiB, "
        + found.about("/machine/system") + ", " + found.about("/machine/java")
        + (database.isEmpty() ? "." : "; database: " + database + ".");
  }
}
