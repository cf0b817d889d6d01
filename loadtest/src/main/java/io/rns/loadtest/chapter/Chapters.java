package io.rns.loadtest.chapter;

import java.util.List;

/** All chapters. */
public final class Chapters {
  private static final List<Chapter> ALL =
      List.of(
          new Operations(),
          new SingleServer(),
          new Replication(),
          new ScaleOut(),
          new Sites(),
          new Strategies(),
          new Simulations(),
          new Pools(),
          new FailoverDrill(),
          new Peers());

  private Chapters() {}

  /** In the order of the document. */
  public static List<Chapter> all() {
    return ALL;
  }

  /** Whether a chapter is run only if it is asked for: because it fetches other programs. */
  public static boolean isOptional(Chapter chapter) {
    return chapter.name().equals(Peers.NAME);
  }
}
