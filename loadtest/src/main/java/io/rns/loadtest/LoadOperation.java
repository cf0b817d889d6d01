package io.rns.loadtest;

/** What a load does. */
public enum LoadOperation {
  /** Look up one path of depth 4. */
  QUERY("query", 1),
  /** Look up 100 paths of depth 4 with one request. */
  QUERY_BATCH("query-batch", 100),
  /** Add one junction, always to the same directory. */
  ADD("add", 1),
  /** Add 100 junctions to one directory with one request. */
  ADD_BATCH("add-batch", 100),
  /** List a page of 1,000 entries. */
  LIST("list", 1_000),
  /** Of 100 requests 90 look up a path, 8 add a junction and 2 list a page. */
  MIXED("mixed", 1);

  private final String label;
  private final int items;

  LoadOperation(String label, int items) {
    this.label = label;
    this.items = items;
  }

  /** How many paths or entries one request is about. */
  public int items() {
    return items;
  }

  /** Whether it adds entries. */
  boolean adds() {
    return this == ADD || this == ADD_BATCH || this == MIXED;
  }

  /** Which of the three a request of the mix is, for a number of 0 to 99. */
  static LoadOperation partOfMix(int number) {
    return number < 90 ? QUERY : number < 98 ? ADD : LIST;
  }

  /** The name on the command line. */
  @Override
  public String toString() {
    return label;
  }
}
