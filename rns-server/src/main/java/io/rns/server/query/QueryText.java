package io.rns.server.query;

import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a query may say. A query is refused by its text, before anything reads it: whatever stands in front of a
 * parenthesis must be a word of the language or a function that is known to be harmless, wherever it stands. That also
 * refuses some strings and comments which only look like a call, and never lets a call through.
 *
 * <p>There are no functions that reach files, addresses, the environment or other queries, none that a query makes
 * itself (so there is no recursion), no regular expressions (which cannot be stopped), no ranges and no multiplication
 * (which can be made as large as one likes while the query is compiled), and no rounding to digits (which may be two
 * thousand millions).
 */
final class QueryText {
  /** How deep parentheses, brackets and braces may be nested. */
  static final int DEPTH = 32;

  /** Words of the language in front of a parenthesis. */
  private static final Set<String> WORDS =
      Set.of(
          "and", "or", "if", "in", "return", "where", "then", "else", "satisfies", "eq", "ne", "lt", "le", "gt", "ge",
          "is", "div",
          "mod", "idiv", "union", "intersect", "except", "by", "some", "every", "for", "let", "switch", "typeswitch",
          "case", "default",
          "when", "only", "catch", "of", "as", "element", "attribute", "text", "node", "comment",
          "processing-instruction", "document-node", "item",
          "empty-sequence", "instance", "cast", "castable", "treat", "ordered", "unordered", "ascending", "descending");

  /** Functions of the language that look at their arguments and cost about their length. */
  private static final Set<String> FUNCTIONS =
      Set.of(
          "abs", "avg", "boolean", "ceiling", "concat", "contains", "count", "data", "date", "day-from-date",
          "day-from-dateTime",
          "distinct-values", "empty", "ends-with", "exactly-one", "exists", "false", "floor", "hours-from-dateTime",
          "index-of", "last",
          "local-name", "lower-case", "max", "min", "minutes-from-dateTime", "month-from-date", "month-from-dateTime",
          "name",
          "namespace-uri", "node-name", "normalize-space", "not", "number", "one-or-more", "position", "reverse",
          "root",
          "seconds-from-dateTime", "starts-with", "string", "string-join", "string-length", "subsequence", "substring",
          "substring-after",
          "substring-before", "sum", "true", "upper-case", "year-from-date", "year-from-dateTime", "zero-or-one");

  /** Types of XML Schema that may be made from text. */
  private static final Set<String> TYPES =
      Set.of(
          "anyURI", "boolean", "date", "dateTime", "dayTimeDuration", "decimal", "double", "duration", "float", "int",
          "integer", "long",
          "string", "time", "untypedAtomic", "yearMonthDuration");

  private static final Pattern CALL = Pattern.compile("(\\$?)([\\p{L}_][\\p{L}\\p{N}_.:-]*)\\s*\\(");
  private static final Pattern TO = Pattern.compile("(?<![\\p{L}\\p{N}_.:/@$-])to(?![\\p{L}\\p{N}_.:-])");
  private static final Pattern MODULE = Pattern.compile(
      "(?<![\\p{L}\\p{N}_.:/@$-])(import|module|option|validate|function|map|array|copy)(?![\\p{L}\\p{N}_.:-])");
  private static final Pattern PRAGMA = Pattern.compile("#|Q\\s*\\{|\\(\\s*#");
  private static final Pattern TIMES = Pattern.compile("([\\p{L}\\p{N}_.:$-]*)[\\s]*\\*");

  private QueryText() {}

  /**
   * Checks a query.
   *
   * @throws RnsException {@link RnsError#LIMIT_EXCEEDED} or {@link RnsError#INVALID_REQUEST}, naming what is refused
   */
  static void check(String query) {
    Limits.check("the query", query.length(), Limits.EXPRESSION_CHARS, "characters");
    checkDepth(query);
    refuse(PRAGMA.matcher(query), "names in braces, references to functions, and pragmas");
    refuse(MODULE.matcher(query), "modules, options, functions, maps and arrays");
    refuse(TO.matcher(query), "ranges");
    Matcher call = CALL.matcher(query);
    while (call.find()) {
      String name = call.group(2);
      if (!call.group(1).isEmpty() || !isKnown(name)) {
        throw refused("'" + call.group().strip() + "': it is no function that a query may use");
      }
    }
    Matcher times = TIMES.matcher(query);
    while (times.find()) {
      if (isOperand(query, times)) {
        throw refused("multiplication");
      }
    }
  }

  private static boolean isKnown(String name) {
    int colon = name.indexOf(':');
    if (colon < 0) {
      return WORDS.contains(name) || FUNCTIONS.contains(name);
    }
    // An axis in front of a test of kinds: child::node().
    String local = name.substring(name.lastIndexOf(':') + 1);
    if (name.indexOf("::") >= 0) {
      return Set.of("node", "text", "element", "attribute", "comment", "processing-instruction").contains(local);
    }
    String prefix = name.substring(0, colon);
    return (prefix.equals("fn") && FUNCTIONS.contains(local)) || (prefix.equals("xs") && TYPES.contains(local));
  }

  /** Whether what stands before an asterisk is a value, so that it means to multiply. */
  private static boolean isOperand(String query, Matcher times) {
    String word = times.group(1);
    if (!word.isEmpty()) {
      // "child::*" and "n:*" are names.
      return !word.endsWith(":") && !WORDS.contains(word);
    }
    int before = times.start() - 1;
    return before >= 0 && ")]}'\"*.?".indexOf(query.charAt(before)) >= 0;
  }

  private static void checkDepth(String query) {
    int depth = 0;
    int deepest = 0;
    for (int i = 0; i < query.length(); i++) {
      char c = query.charAt(i);
      if (c == '(' || c == '[' || c == '{') {
        deepest = Math.max(deepest, ++depth);
      } else if (c == ')' || c == ']' || c == '}') {
        depth--;
      }
    }
    Limits.check("the query", deepest, DEPTH, "levels of parentheses");
  }

  private static void refuse(Matcher matcher, String what) {
    if (matcher.find()) {
      throw refused("'" + matcher.group().strip() + "': there are no " + what);
    }
  }

  private static RnsException refused(String what) {
    return new RnsException(RnsError.INVALID_REQUEST, "the query must not contain " + what);
  }
}
