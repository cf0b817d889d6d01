package io.rns.loadtest.chapter;

import java.util.List;

/** Some figures that belong together: how they are measured, and what is told of them. */
public interface Chapter {
  /** A short name, of letters. */
  String name();

  /** The heading. */
  String title();

  /** What is measured and what for, as Markdown. */
  String why();

  /** What is run, in this order. */
  List<Step> steps(Length length);

  /**
   * Tells of its results, which may be incomplete.
   *
   * @param volume the results of all chapters
   */
  void write(Volume volume, Page page);
}
