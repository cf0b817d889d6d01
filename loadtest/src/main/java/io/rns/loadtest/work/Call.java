package io.rns.loadtest.work;

import java.util.function.UnaryOperator;

/**
 * One operation with all that it is about.
 *
 * @param path of the entry that it is done to; of a listing or a watch the directory
 * @param to of a move the new path; otherwise empty
 */
public record Call(Kind kind, String path, String to) {
  /** The same with its paths mapped. */
  Call withPaths(UnaryOperator<String> mapped) {
    return new Call(kind, mapped.apply(path), to.isEmpty() ? "" : mapped.apply(to));
  }

  public static Call of(Kind kind, String path) {
    return new Call(kind, path, "");
  }

  /** The directory of a path; that of {@code /a} is {@code /}. */
  public static String directoryOf(String path) {
    int slash = path.lastIndexOf('/');
    return slash == 0 ? "/" : path.substring(0, slash);
  }

  public static String nameOf(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  public static String addressOf(String path) {
    return "http://storage.example.org/data/" + nameOf(path);
  }
}
