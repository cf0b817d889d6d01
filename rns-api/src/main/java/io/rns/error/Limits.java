package io.rns.error;

import java.util.function.Supplier;

/**
 * The fixed bounds of the namespace. Each is checked where input enters, and a value above it is refused with an error
 * that names the limit and the value; nothing is cut silently.
 *
 * <p>The bounds are part of the contract between clients, servers and the database schema, so they are constants and
 * not settings.
 */
public final class Limits {
  /** Length of one entry name in UTF-8 bytes: the column is {@code VARBINARY(1024)} and part of the primary key. */
  public static final int NAME_BYTES = 1_024;

  /** Components of one path: bounds the lookups of one resolution and the climb of a cycle check. */
  public static final int PATH_DEPTH = 1_024;

  /**
   * Levels of entries below the root: what is deeper could not be reached by a path. Checked where an entry is added or
   * moved by identity, and for all that moves along with a directory.
   */
  public static final int TREE_DEPTH = PATH_DEPTH;

  /** Length of one path in UTF-8 bytes, separators included: bounds the memory of one batch of paths. */
  public static final int PATH_BYTES = 32_768;

  /** Length of one endpoint reference as XML in UTF-8 bytes; real ones with certificates are several KiB. */
  public static final int EPR_BYTES = 65_536;

  /** Endpoint references of one junction. */
  public static final int EPRS_PER_ENTRY = 64;

  /** Length of one entry's metadata as XML in UTF-8 bytes. */
  public static final int METADATA_BYTES = 262_144;

  /** Length of one entry's references and metadata together in bytes: bounds the memory of one row and of a page. */
  public static final int ENTRY_BYTES = 524_288;

  /** Items of one batch: bounds the work of one transaction, for which other writers wait. */
  public static final int BATCH_ITEMS = 10_000;

  /** Length of one request message in bytes, after content decoding. */
  public static final int REQUEST_BYTES = 16 * 1_048_576;

  /**
   * References and metadata in one answer, in bytes: bounds the memory of a lookup of many, and of one transaction with
   * what the entries were before. Pages of listings end early instead.
   */
  public static final int ANSWER_BYTES = 32 * 1_048_576;

  /** Entries of one page of a listing. */
  public static final int PAGE_ENTRIES = 10_000;

  /** Entries of a page when the request does not say. */
  public static final int DEFAULT_PAGE_ENTRIES = 1_000;

  /** Length of a name pattern in characters. */
  public static final int PATTERN_CHARS = 1_024;

  /** Names of one search: each is looked at while others wait to search. */
  public static final int SEARCH_NAMES = 1_000;

  /** Length of a query, or of an expression about properties, in characters. */
  public static final int EXPRESSION_CHARS = 4_096;

  /** Length of a request id in characters (visible ASCII). */
  public static final int REQUEST_ID_CHARS = 64;

  /** Depth of elements in a request message. */
  public static final int XML_DEPTH = 64;

  /** Attributes (and namespace declarations) of one element in a request message. */
  public static final int XML_ATTRIBUTES = 128;

  /**
   * Namespace declarations of the elements that are open at one place of a request message: each name is looked up
   * there.
   */
  public static final int XML_NAMESPACES = 512;

  /**
   * Different names of elements, attributes, prefixes and processing instructions in one request message, not counting
   * its first thousand or so: bounds the parser's table of names, whose time is quadratic in names that are made to
   * collide.
   */
  public static final int XML_NAMES = 4_096;

  /** Length of one such name in characters: the parser compares each with all those that collide with it. */
  public static final int XML_NAME_CHARS = 256;

  private Limits() {}

  /**
   * Checks {@code value} against {@code limit}.
   *
   * @throws RnsException with {@link RnsError#LIMIT_EXCEEDED}, naming what, limit and value
   */
  public static void check(String what, long value, long limit, String unit) {
    check(() -> what, value, limit, unit);
  }

  /** The same for what is costly to name. */
  public static void check(Supplier<String> what, long value, long limit, String unit) {
    if (value > limit) {
      throw new RnsException(
          RnsError.LIMIT_EXCEEDED, what.get() + " has " + value + " " + unit + "; the limit is " + limit + " " + unit);
    }
  }
}
