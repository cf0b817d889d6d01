package io.rns.api;

import java.util.Locale;

/** Something that a server did for a request, in the words of an {@link Explanation}. */
public sealed interface HopStep {
  /**
   * It read its own copy of the tree.
   *
   * @param statements to the database; 0 if everything was in its cache
   */
  record Copy(int statements) implements HopStep {}

  /**
   * It waited for its copy to catch up with the session.
   *
   * @param position what the session has seen of the server's group
   * @param reached whether that came in time
   */
  record Waited(Position position, long micros, boolean reached) implements HopStep {}

  /** It needed the primary of its group. */
  record Primary(Reason reason) implements HopStep {}

  /** What only the primary can answer. */
  enum Reason {
    /** A write. */
    WRITE,
    /** A read of consistency {@code primary}. */
    CONSISTENCY,
    /** The copy has not reached the session's position. */
    POSITION,
    /** The copy may be older than the read allows. */
    AGE,
    /** There is no copy that may be read. */
    NO_COPY;

    /** The text form: the name in lower case, words joined by hyphens. */
    public String text() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /**
   * It found a cut on the way: the content of a directory that another group owns, or, by the map, that its own group
   * owns.
   *
   * @param depth of the directory in the path that the server was asked for
   * @param group the owner
   * @param byMap whether the server's map of the partitions says so; otherwise the directory's entry does
   */
  record Cut(int depth, int group, boolean byMap) implements HopStep {}

  /** It asked the group of the root, since its own map does not cover the path or is not recent enough. */
  record Root(int group) implements HopStep {}

  /** A front looked for the answer in its cache, from which it never answers a request that is to be explained. */
  record Cache(Finding finding) implements HopStep {}

  /** What the cache of a front has for a lookup. */
  enum Finding {
    /** An answer. */
    HELD,
    /** None. */
    ABSENT,
    /** One that a change has overtaken. */
    CHANGED,
    /** One that is not as recent as the lookup requires. */
    AGE,
    /** Nothing, since the front does not know now what changes. */
    UNKNOWN,
    /** Nothing, since the lookup has to be answered by the primary. */
    PRIMARY,
    /** Nothing, since answers to such a request are not shared: it has a credential, or more than a lookup. */
    PRIVATE,
    /** The front has no cache. */
    OFF;

    /** The text form: the name in lower case. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * A front passed the request on.
   *
   * @param url the address of the server
   * @param reason why this server, in a few words
   */
  record Passed(String url, String reason) implements HopStep {
    /** Shortens long texts. */
    public Passed {
      url = Hop.shortened(url);
      reason = Hop.shortened(reason);
    }
  }
}
