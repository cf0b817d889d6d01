package io.rns.loadtest.chapter;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Writes the document that tells of all chapters. */
final class Document {
  private static final String FIRST_LINE =
      "<!-- Written by ./rns figures from figures/*.json and figures/by-hand.md: change those, or the chapters. -->";
  private static final String INTRODUCTION =
      """
      What RNS reaches, on what, and the commands that made each figure. This page is written by `./rns figures`
      from what its commands have printed: nothing in the tables of its chapters is typed by hand or estimated, and
      a bar that is missed is shown as missed. What no chapter measures yet is at the end. How to measure your own
      site, and what the words mean: [load.md](load.md).

      ```
      ./rns figures                         # measures everything again and writes this page, in half an hour
      ./rns figures --only operations       # one chapter; the others keep what they have
      ./rns figures --peers                 # also starts other services that keep names, to compare with
      ```

      Each chapter is one of those; its commands are printed as they were run. Services have a directory and free
      ports of their own: `RNS_DATA` and `RNS_SERVER` name them, `$GROUP` is the directory of a group, `$PRIMARY`
      and `$REPLICA` are two of its servers. Rates are medians of rounds.""";

  private final Volume volume;
  private final List<Chapter> chapters;

  Document(Volume volume, List<Chapter> chapters) {
    this.volume = volume;
    this.chapters = List.copyOf(chapters);
  }

  Page page(String byHand) {
    Page body = new Page();
    List<List<String>> glance = new ArrayList<>();
    List<List<String>> missed = new ArrayList<>();
    for (Chapter chapter : chapters) {
      int before = body.bars().size();
      write(chapter, body);
      List<Bars.Bar> bars = body.bars().subList(before, body.bars().size());
      String link = "[" + chapter.title() + "](#" + anchor(chapter.title()) + ")";
      glance.add(
          List.of(link, count(bars, Bars.Verdict.MET), count(bars, Bars.Verdict.MISSED),
              date(volume.of(chapter.name()).about("/date"))));
      bars.stream()
          .filter(bar -> bar.verdict() == Bars.Verdict.MISSED)
          .forEach(bar -> missed.add(List.of(link, bar.work(), bar.wanted(), bar.measured())));
    }
    Page page = new Page().paragraph(FIRST_LINE).heading(1, "Benchmarks").paragraph(INTRODUCTION);
    page.heading(2, "At a glance").table(List.of("chapter", "bars met", "missed", "measured at"), glance);
    if (!missed.isEmpty()) {
      page.paragraph("Missed:").table(List.of("chapter", "work", "bar", "measured"), missed);
    }
    page.append(body);
    return byHand.isBlank() ? page : page.heading(2, "Measured by hand").paragraph(byHand);
  }

  private static String anchor(String title) {
    return title.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9 -]", "").replace(' ', '-');
  }

  private static String count(List<Bars.Bar> bars, Bars.Verdict verdict) {
    long count = bars.stream().filter(bar -> bar.verdict() == verdict).count();
    return count == 0 ? "" : String.valueOf(count);
  }

  private void write(Chapter chapter, Page page) {
    Results results = volume.of(chapter.name());
    page.heading(2, chapter.title()).paragraph(chapter.why());
    if (chapter.steps(Length.FULL).isEmpty()) {
      chapter.write(volume, page);
      return;
    }
    if (results.about("/date").isEmpty()) {
      page.paragraph("Not measured yet: `./rns figures --only " + chapter.name() + "`.");
      return;
    }
    if (results.isQuick()) {
      page.paragraph("**A quick run: not to be quoted.**");
    }
    String reason = results.about("/incomplete");
    if (!reason.isEmpty()) {
      String tried = results.about("/tried");
      page.paragraph((tried.isEmpty() ? "Could not be run to its end" : "Could not be run again at " + date(tried))
          + ": " + reason);
    }
    if (results.errors() > 0) {
      page.paragraph("**" + Numbers.count((double) results.errors()) + " requests failed.**");
    }
    chapter.write(volume, page);
    page.paragraph(where(results)).code(results.commands());
  }

  /** Of a time such as {@code 2026-01-02T03:04:00Z}. */
  private static String date(String time) {
    return time.length() < 16 ? time : time.substring(0, 10) + " " + time.substring(11, 16) + " UTC";
  }

  private static String where(Results results) {
    String database = results.find("database");
    return "Measured at "
        + date(results.about("/date"))
        + " within "
        + Numbers.count(Math.ceil(results.seconds() / 60))
        + " min, RNS "
        + results.about("/version")
        + ", on one machine for everything: "
        + results.about("/machine/cores")
        + " cores of "
        + results.about("/machine/processor")
        + ", "
        + results.about("/machine/memoryGiB")
        + " GiB, "
        + results.about("/machine/system")
        + ", "
        + results.about("/machine/java")
        + (database.isEmpty() ? "." : "; database: " + database + ".");
  }
}
