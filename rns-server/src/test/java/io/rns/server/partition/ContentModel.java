package io.rns.server.partition;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What the tree is, whoever owns which part of it: values by path, and what each path has ever had. */
final class ContentModel {
  /** What a directory has in place of a value. */
  static final String DIRECTORY = "directory";

  private final TreeMap<String, String> now = new TreeMap<>();
  private final Map<String, List<@Nullable String>> history = new TreeMap<>();

  /** A write that a client wants to be applied once. */
  sealed interface Write {
    String path();
  }

  record Add(String path, String value) implements Write {}

  record Change(String path, String value) implements Write {}

  record Remove(String path) implements Write {}

  record Move(String path, String to) implements Write {}

  /**
   * Applies a write.
   *
   * @return whether that was possible
   */
  boolean apply(Write write) {
    return switch (write) {
      case Add(String path, String value) -> {
        boolean possible = !now.containsKey(path) && DIRECTORY.equals(now.get(parent(path)));
        if (possible) {
          put(path, value);
        }
        yield possible;
      }
      case Change(String path, String value) -> {
        boolean possible = now.containsKey(path);
        if (possible) {
          put(path, value);
        }
        yield possible;
      }
      case Remove(String path) -> {
        boolean possible = now.containsKey(path);
        if (possible) {
          put(path, null);
        }
        yield possible;
      }
      case Move(String path, String to) -> move(path, to);
    };
  }

  static String parent(String path) {
    return path.substring(0, path.lastIndexOf('/'));
  }

  static String name(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  private boolean move(String path, String to) {
    if (!now.containsKey(path) || !DIRECTORY.equals(now.get(parent(to))) || (now.containsKey(to) && !path.equals(to))) {
      return false;
    }
    Map<String, String> moving = new TreeMap<>();
    now.forEach((each, value) -> {
      if (each.equals(path) || each.startsWith(path + "/")) {
        moving.put(each, value);
      }
    });
    moving.keySet().forEach(each -> put(each, null));
    moving.forEach((each, value) -> put(to + each.substring(path.length()), value));
    return true;
  }

  void put(String path, @Nullable String value) {
    if (value == null) {
      now.remove(path);
    } else {
      now.put(path, value);
    }
    List<@Nullable String> all = history.computeIfAbsent(path, none -> new ArrayList<>(List.of("")));
    if (all.size() == 1 && "".equals(all.getFirst())) {
      all.set(0, null);
    }
    all.add(value);
  }

  /** How many values a path has had. */
  int last(String path) {
    return history.getOrDefault(path, List.of("")).size() - 1;
  }

  /**
   * The first time from a given one on at which a path had a value.
   *
   * @return -1 if it had not
   */
  int when(String path, int from, @Nullable String value) {
    List<@Nullable String> all = history.get(path);
    if (all == null) {
      return value == null ? 0 : -1;
    }
    for (int at = from; at < all.size(); at++) {
      if (Objects.equals(all.get(at), value)) {
        return at;
      }
    }
    return -1;
  }

  String history(String path) {
    return String.valueOf(history.get(path));
  }

  /** All values below a directory, by the path from there. */
  Map<String, String> below(String directory) {
    Map<String, String> all = new TreeMap<>();
    now.forEach((path, value) -> {
      if (path.startsWith(directory + "/")) {
        all.put(path.substring(directory.length()), value);
      }
    });
    return all;
  }
}
