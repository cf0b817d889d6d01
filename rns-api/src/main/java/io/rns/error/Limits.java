package io.rns.error;

import java.util.function.Supplier;

/**
 * The fixed limits of the namespace. Each is checked where input enters; a larger value is refused with an error that
 * names the limit and the value. Nothing is truncated silently.
 *
 * <p>The limits are part of the contract between clients, servers and the database schema, so they are constants, not
 * settings.
 */
public final class Limits {
  /** Length of an entry name in UTF-8 bytes: the column is {@code VARBINARY(1024)} and part of the primary key. */
  public static final int NAME_BYTES = 1_024;

  /** Components of a path: bounds the look-ups of one resolution and the steps of a cycle check. */
  public static final int PATH_DEPTH = 1_024;

  /**
   * Levels of entries below the root: no path could reach a deeper entry. Checked when an entry is added or moved by
   * identity, and for the whole subtree of a moved directory.
   */
  public static final int TREE_DEPTH = PATH_DEPTH;

  /** Length of a path in UTF-8 bytes, separators included: bounds the memory of a batch of paths. */
  public static final int PATH_BYTES = 32_768;

  /** Length of an endpoint reference as XML in UTF-8 bytes; references with certificates take several KiB. */
  public static final int EPR_BYTES = 65_536;

  /** Endpoint references of a junction. */
  public static final int EPRS_PER_ENTRY = 64;

  /** Length of the metadata of an entry as XML in UTF-8 bytes. */
  public static final int METADATA_BYTES = 262_144;

  /** Rules of a directory: each request that passes through it looks at a few of them. */
  public static final int ACCESS_RULES = 100;

  /** Length of the access rules of a directory as XML in UTF-8 bytes; they are part of its metadata. */
  public static final int ACCESS_BYTES = 16_384;

  /** Length of a subject or owner in access rules in UTF-8 bytes; names of certificates take a few hundred. */
  public static final int ACCESS_SUBJECT_BYTES = 1_024;

  /** Total length of the references and metadata of an entry in bytes: bounds the memory of a row and of a page. */
  public static final int ENTRY_BYTES = 524_288;

  /** Items of a batch: bounds the duration of a transaction, which blocks other writers. */
  public static final int BATCH_ITEMS = 10_000;

  /** Length of a request message in bytes, after content decoding. */
  public static final int REQUEST_BYTES = 16 * 1_048_576;

  /**
   * References and metadata in one response, in bytes: bounds the memory of a batch look-up, and of a transaction
   * together with the previous state of its entries. Pages of listings end early instead.
   */
  public static final int ANSWER_BYTES = 32 * 1_048_576;

  /** Entries of a page of a listing. */
  public static final int PAGE_ENTRIES = 10_000;

  /** Entries of a page if the request does not specify a size. */
  public static final int DEFAULT_PAGE_ENTRIES = 1_000;

  /** Length of a name pattern in characters. */
  public static final int PATTERN_CHARS = 1_024;

  /** Names of one search: each is looked up while other searches wait. */
  public static final int SEARCH_NAMES = 1_000;

  /** Length of a query, or of an expression over properties, in characters. */
  public static final int EXPRESSION_CHARS = 4_096;

  /** Length of a request id in characters (visible ASCII). */
  public static final int REQUEST_ID_CHARS = 64;

  /** Directories of a server group whose content other groups own. */
  public static final int PARTITIONS = 1_024;

  /** Entries of a server group that are moving to other groups at one time; to one of these, as many as are free. */
  public static final int DEPARTURES = 1_024;

  /** Server groups that pass a request on, one to the other. */
  public static final int HOPS = 8;

  /** Servers, and steps of each, in the explanation of a request: two servers of each group that passes it on. */
  public static final int EXPLAINED_HOPS = 2 * HOPS;

  /** Server groups whose positions a request carries: about 2 KiB of its headers. */
  public static final int SESSION_GROUPS = 64;

  /** Depth of elements in a request message. */
  public static final int XML_DEPTH = 64;

  /** Attributes (and namespace declarations) of one element in a request message. */
  public static final int XML_ATTRIBUTES = 128;

  /** Namespace declarations in scope at one point of a request message: resolving a prefix searches all of them. */
  public static final int XML_NAMESPACES = 512;

  /**
   * Distinct names of elements, attributes, prefixes and processing instructions in one request message, not counting
   * the first 1,024. Bounds the symbol table of the parser, whose time is quadratic in names chosen to collide.
   */
  public static final int XML_NAMES = 4_096;

  /** Length of one such name in characters: the parser compares each name with all names in its hash bucket. */
  public static final int XML_NAME_CHARS = 256;

  private Limits() {}

  /**
   * Checks {@code value} against {@code limit}.
   *
   * @throws RnsException {@link RnsError#LIMIT_EXCEEDED}, naming subject, limit and value
   */
  public static void check(String what, long value, long limit, String unit) {
    check(() -> what, value, limit, unit);
  }

  /** As above, for a subject that is expensive to describe. */
  public static void check(Supplier<String> what, long value, long limit, String unit) {
    if (value > limit) {
      throw new RnsException(
          RnsError.LIMIT_EXCEEDED, what.get() + " has " + value + " " + unit + "; the limit is " + limit + " " + unit);
    }
  }
}
