package io.rns.api;

import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A path in the tree: entry names from a start directory (the root unless a {@link Target} specifies another) downward.
 *
 * <p>The text form is absolute and normalised: {@code /} or {@code /a/b}. {@code .}, {@code ..}, empty components
 * (including a trailing {@code /}), NUL and control characters are rejected; Unicode is preserved as given. At most
 * {@value Limits#PATH_DEPTH} components and {@value Limits#PATH_BYTES} bytes.
 */
public final class RnsPath implements Comparable<RnsPath> {
  /** The start directory itself. */
  public static final RnsPath ROOT = new RnsPath(List.of());

  private final List<EntryName> names;

  private RnsPath(List<EntryName> names) {
    this.names = names;
  }

  /**
   * Parses the text form.
   *
   * @throws RnsException {@link RnsError#INVALID_PATH} or {@link RnsError#LIMIT_EXCEEDED}
   */
  public static RnsPath parse(String text) {
    if (text.equals("/")) {
      return ROOT;
    }
    if (!text.startsWith("/")) {
      throw invalid(text, "does not start with '/'");
    }
    checkLength(text);
    List<EntryName> names = new ArrayList<>(8);
    for (int from = 1; from <= text.length();) {
      int slash = text.indexOf('/', from);
      int to = slash < 0 ? text.length() : slash;
      if (from == to) {
        throw invalid(text, to == text.length() ? "ends with '/'" : "has an empty component at index " + from);
      }
      names.add(component(text, text.substring(from, to)));
      from = to + 1;
    }
    return of(names);
  }

  private static void checkLength(String text) {
    // A char takes at most 3 bytes: most paths need no exact count.
    if (text.length() > Limits.PATH_BYTES / 3) {
      int bytes = text.getBytes(StandardCharsets.UTF_8).length;
      Limits.check("path '" + Text.shown(text) + "'", bytes, Limits.PATH_BYTES, "bytes");
    }
  }

  private static EntryName component(String path, String text) {
    try {
      return EntryName.of(text);
    } catch (RnsException e) {
      RnsError error = e.error() == RnsError.INVALID_NAME ? RnsError.INVALID_PATH : e.error();
      throw new RnsException(error, "path '" + Text.shown(path) + "': " + e.getMessage(), e);
    }
  }

  private static RnsException invalid(String text, String why) {
    return new RnsException(RnsError.INVALID_PATH, "path '" + Text.shown(text) + "' " + why);
  }

  /**
   * The path of the given names, outermost first; the limits of the text form apply.
   *
   * @throws RnsException {@link RnsError#LIMIT_EXCEEDED}
   */
  public static RnsPath of(List<EntryName> names) {
    Limits.check("path", names.size(), Limits.PATH_DEPTH, "components");
    // A path with few names cannot exceed the limit.
    if (names.size() > Limits.PATH_BYTES / (Limits.NAME_BYTES + 1)) {
      long bytes = names.size();
      for (EntryName name : names) {
        bytes += name.utf8().length;
      }
      Limits.check("path '/" + Text.shown(names.get(0).toString()) + "/...'", bytes, Limits.PATH_BYTES, "bytes");
    }
    return names.isEmpty() ? ROOT : new RnsPath(List.copyOf(names));
  }

  /** The path of the given names, outermost first. */
  public static RnsPath of(EntryName... names) {
    return of(List.of(names));
  }

  /** The names, outermost first; empty for the start directory. */
  public List<EntryName> names() {
    return names;
  }

  public int depth() {
    return names.size();
  }

  public boolean isRoot() {
    return names.isEmpty();
  }

  /**
   * The last name.
   *
   * @throws RnsException {@link RnsError#ROOT_IS_FIXED} if there is none
   */
  public EntryName name() {
    requireName();
    return names.get(names.size() - 1);
  }

  /**
   * The path without its last name.
   *
   * @throws RnsException {@link RnsError#ROOT_IS_FIXED} if there is none
   */
  public RnsPath parent() {
    requireName();
    return prefix(names.size() - 1);
  }

  private void requireName() {
    if (isRoot()) {
      throw new RnsException(RnsError.ROOT_IS_FIXED, "path '/' is the start directory and has no name");
    }
  }

  /** The first {@code depth} names. */
  public RnsPath prefix(int depth) {
    return depth == 0 ? ROOT : new RnsPath(names.subList(0, depth));
  }

  /**
   * This path with one name appended.
   *
   * @throws RnsException {@link RnsError#LIMIT_EXCEEDED}
   */
  public RnsPath child(EntryName name) {
    List<EntryName> longer = new ArrayList<>(names.size() + 1);
    longer.addAll(names);
    longer.add(name);
    return of(longer);
  }

  /**
   * Like {@link #child}, but returns null beyond the limits: entries can end up there when a parent directory is moved.
   */
  public static @Nullable RnsPath childOrNull(RnsPath directory, EntryName name) {
    return belowOrNull(directory, List.of(name));
  }

  /** The path of a directory followed by names, outermost first; null beyond the limits. */
  public static @Nullable RnsPath belowOrNull(RnsPath directory, Collection<EntryName> names) {
    List<EntryName> longer = new ArrayList<>(directory.depth() + names.size());
    longer.addAll(directory.names);
    longer.addAll(names);
    try {
      return of(longer);
    } catch (RnsException e) {
      if (e.error() == RnsError.LIMIT_EXCEEDED) {
        return null;
      }
      throw e;
    }
  }

  /**
   * This path followed by another.
   *
   * @throws RnsException {@link RnsError#LIMIT_EXCEEDED}
   */
  public RnsPath resolve(RnsPath below) {
    List<EntryName> longer = new ArrayList<>(names);
    longer.addAll(below.names);
    return of(longer);
  }

  /** Whether {@code other} is this path or below it. */
  public boolean contains(RnsPath other) {
    return other.depth() >= depth() && other.names.subList(0, depth()).equals(names);
  }

  /** Pre-order of the tree: a directory before its entries, names by bytes. */
  @Override
  public int compareTo(RnsPath other) {
    int common = Math.min(depth(), other.depth());
    for (int i = 0; i < common; i++) {
      int order = names.get(i).compareTo(other.names.get(i));
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(depth(), other.depth());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RnsPath path && names.equals(path.names);
  }

  @Override
  public int hashCode() {
    return names.hashCode();
  }

  /** The text form, as {@link #parse} accepts it. */
  @Override
  public String toString() {
    if (isRoot()) {
      return "/";
    }
    StringBuilder text = new StringBuilder(names.size() * 16);
    for (EntryName name : names) {
      text.append('/').append(name);
    }
    return text.toString();
  }
}
