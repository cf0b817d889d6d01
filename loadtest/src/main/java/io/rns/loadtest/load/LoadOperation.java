package io.rns.loadtest.load;

import java.util.Locale;
import java.util.Optional;

public enum LoadOperation {
  /** Look up one path of depth 4. */
  QUERY(1),
  /** Look up 100 paths of depth 4 with one request. */
  QUERY_BATCH(100),
  /** Add one junction, always to the same directory. */
  ADD(1),
  /** Add 100 junctions to one directory with one request. */
  ADD_BATCH(100),
  /** List a page of 1,000 entries. */
  LIST(1_000),
  /** Look up one name in a directory, by RNS 1.1. */
  LOOKUP(1),
  /** Look up 1,000 names in a directory with one request, by RNS 1.1. */
  LOOKUP_BATCH(1_000),
  /** List a directory of 100,000 entries from end to end, by RNS 1.1 and WS-Iterator alone, through the Java client. */
  LISTING(100_000),
  /** Look up what the same client has just added, at another server if one is named; only the lookup is measured. */
  SESSION(1),
  /** Of 100 requests 90 look up a path, 8 add a junction and 2 list a page. */
  MIXED(1),
  /** Operations in any proportion. */
  MIX(1),
  /** What sessions of a trace have asked for. */
  TRACE(1);

  private final int items;

  LoadOperation(int items) {
    this.items = items;
  }

  /** How many paths or entries one request is about. */
  public int items() {
    return items;
  }

  /** Whether a request follows from the answer before, so that nothing can be prepared. */
  public boolean isConversation() {
    return this == LISTING || this == SESSION;
  }

  /** Whether its requests are bytes that were made beforehand. */
  public boolean isPrepared() {
    return !isConversation() && this != MIX && this != TRACE;
  }

  /** The element that each item of its answer has, if one sample shows whether it is answered as it should. */
  Optional<String> answer() {
    return switch (this) {
      case QUERY, QUERY_BATCH -> Optional.of("EntryProperties");
      case LIST -> Optional.of("entry");
      case ADD, ADD_BATCH -> Optional.of("addResponse");
      case LOOKUP, LOOKUP_BATCH -> Optional.of("entry-response");
      case LISTING, SESSION, MIXED, MIX, TRACE -> Optional.empty();
    };
  }

  boolean adds() {
    return this == ADD || this == ADD_BATCH || this == SESSION || this == MIXED;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
