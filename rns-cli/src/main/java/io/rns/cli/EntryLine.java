package io.rns.cli;

import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.Entry.Junction;
import io.rns.api.Metadata;
import io.rns.api.RnsPath;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.xml.XmlPull;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A line of the format that {@code export} writes and {@code import} reads: columns separated by tabs.
 *
 * <ol> <li>the path; for a directory it ends with {@code /}, or the line has no URL; <li>the URL of a junction; empty
 * for a directory, and if the first reference is more than a URL; <li>and later: {@code epr=} and the URL or XML of an
 * additional reference; {@code xml=} and a metadata element; {@code
 *       KEY=VALUE} of metadata, with {@code meta:} before a key that is {@code epr}, {@code xml} or starts with {@code
 *       meta:}. </ol>
 *
 * <p>The third and later columns escape tab, line feed, carriage return and backslash as {@code \t}, {@code \n},
 * {@code \r} and {@code \\}, and {@code =} in keys as {@code \=}. Paths and URLs contain none of these characters.
 *
 * @param path the path
 * @param references the endpoint references; empty for a directory
 * @param metadata the metadata
 */
record EntryLine(RnsPath path, List<EndpointReference> references, Metadata metadata) {
  private static final String REFERENCE_KEY = "epr";
  private static final String ELEMENT_KEY = "xml";
  private static final String KEY_MARK = "meta:";

  boolean isDirectory() {
    return references.isEmpty();
  }

  /**
   * Reads a line.
   *
   * @throws RnsException if it breaks the format, or its path, reference or metadata is invalid
   */
  static EntryLine parse(String line) {
    int tab = line.indexOf('\t');
    String path = tab < 0 ? line : line.substring(0, tab);
    boolean marked = path.length() > 1 && path.endsWith("/");
    RnsPath parsed = RnsPath.parse(marked ? path.substring(0, path.length() - 1) : path);
    List<EndpointReference> references = new ArrayList<>(1);
    StringBuilder metadata = new StringBuilder();
    for (int column = 2; tab >= 0; column++) {
      int from = tab + 1;
      tab = line.indexOf('\t', from);
      String text = tab < 0 ? line.substring(from) : line.substring(from, tab);
      if (!text.isEmpty()) {
        column(column, text, references, metadata);
      }
    }
    if (marked && !references.isEmpty()) {
      throw bad("the path ends with '/' like a directory, but an endpoint reference follows");
    }
    return new EntryLine(parsed, references, metadata.isEmpty() ? Metadata.NONE : Metadata.parse(metadata.toString()));
  }

  private static void column(int column, String text, List<EndpointReference> references, StringBuilder metadata) {
    if (column == 2) {
      references.add(reference(text));
      return;
    }
    int equals = separator(text);
    if (equals < 1) {
      throw bad("column " + column + " is not of the form key=value");
    }
    String key = unescaped(text.substring(0, equals));
    String value = unescaped(text.substring(equals + 1));
    if (key.equals(REFERENCE_KEY)) {
      references.add(reference(value));
    } else if (key.equals(ELEMENT_KEY)) {
      metadata.append(Metadata.parse(value).xml());
    } else {
      metadata
          .append(Metadata.of(Map.of(key.startsWith(KEY_MARK) ? key.substring(KEY_MARK.length()) : key, value)).xml());
    }
  }

  private static EndpointReference reference(String text) {
    return text.startsWith("<") ? EndpointReference.parse(text) : EndpointReference.ofUri(text);
  }

  /** The index of the first unescaped {@code =}, or -1. */
  private static int separator(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '=') {
        return i;
      }
      i += c == '\\' ? 1 : 0;
    }
    return -1;
  }

  private static String unescaped(String text) {
    int escape = text.indexOf('\\');
    if (escape < 0) {
      return text;
    }
    StringBuilder plain = new StringBuilder(text.length());
    int from = 0;
    for (; escape >= 0; escape = text.indexOf('\\', from)) {
      plain.append(text, from, escape);
      char c = escape + 1 < text.length() ? text.charAt(escape + 1) : ' ';
      plain.append(
          switch (c) {
            case 't' -> '\t';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case '\\', '=' -> c;
            default -> throw bad("unknown escape '\\" + c + "'; write a backslash as '\\\\'");
          });
      from = escape + 2;
    }
    return plain.append(text, from, text.length()).toString();
  }

  private static RnsException bad(String message) {
    return new RnsException(RnsError.INVALID_REQUEST, message);
  }

  /** The line of an entry, without its line end. */
  static String of(RnsPath path, Entry entry) {
    StringBuilder line = new StringBuilder(128).append(path);
    if (entry instanceof Junction junction) {
      boolean first = true;
      for (EndpointReference reference : junction.references()) {
        boolean plain = reference.isAddressOnly();
        if (first) {
          line.append('\t').append(plain ? reference.address() : "");
        }
        if (!first || !plain) {
          line.append('\t').append(REFERENCE_KEY).append('=');
          escape(line, plain ? reference.address() : reference.xml(), false);
        }
        first = false;
      }
    } else {
      line.append(path.isRoot() ? "" : "/").append(entry.metadata().isEmpty() ? "" : "\t");
    }
    columns(entry.metadata()).forEach(column -> line.append('\t').append(column));
    return line.toString();
  }

  /** The metadata as columns. */
  static List<String> columns(Metadata metadata) {
    if (metadata.isEmpty()) {
      return List.of();
    }
    List<String> columns = new ArrayList<>();
    try (XmlPull pull = XmlPull.document("<m>" + metadata.xml() + "</m>")) {
      while (pull.nextChild()) {
        columns.add(column(pull.fragment()));
      }
    }
    return columns;
  }

  private static String column(String element) {
    StringBuilder column = new StringBuilder();
    Map<String, String> values = Metadata.stored(element).values();
    if (values.size() == 1 && Metadata.of(values).xml().equals(element)) {
      Map.Entry<String, String> value = values.entrySet().iterator().next();
      String key = value.getKey();
      boolean marked = key.equals(REFERENCE_KEY) || key.equals(ELEMENT_KEY) || key.startsWith(KEY_MARK);
      escape(column.append(marked ? KEY_MARK : ""), key, true);
      if (column.length() > 0) {
        escape(column.append('='), value.getValue(), false);
        return column.toString();
      }
    }
    escape(column.append(ELEMENT_KEY).append('='), element, false);
    return column.toString();
  }

  private static void escape(StringBuilder out, String text, boolean key) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '\t' -> out.append("\\t");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\\' -> out.append("\\\\");
        case '=' -> out.append(key ? "\\=" : "=");
        default -> out.append(c);
      }
    }
  }
}
