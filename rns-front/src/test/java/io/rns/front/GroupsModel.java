package io.rns.front;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A tree that server groups share, each with a log of its own. What a group has below a cut it names by the identity of
 * the directory, as {@code @7/b}, and all else by the path, as {@code /a/b}.
 */
final class GroupsModel {
  private static final List<String> NAMES = List.of("a", "b", "c");
  private static final int DEEPEST = 5;
  private static final int MOST_OWNERS = 4;

  private final Random random;
  private final List<List<Committed>> logs = new ArrayList<>();
  private int versions;
  private int identities;

  /**
   * An entry of a group.
   *
   * @param cut where the content of the directory is; null if it is here
   */
  record Node(int version, @Nullable Cut cut) {}

  /** The content of a directory that another group owns, or that is kept apart. */
  record Cut(int group, int identity) {
    String anchor() {
      return "@" + identity;
    }
  }

  /**
   * A committed change of a group.
   *
   * @param path of the entry in the group's words, and where it was before; null if content moved
   * @param state of the group after it
   */
  record Committed(int sequence, long at, @Nullable String path, @Nullable String old,
      NavigableMap<String, Node> state) {}

  /** The part of a path that a group owns: where it begins, in the group's words, and at which depth. */
  record Part(int group, String start, int depth) {}

  GroupsModel(Random random, int groups, long now) {
    this.random = random;
    for (int group = 0; group < groups; group++) {
      TreeMap<String, Node> state = new TreeMap<>();
      if (group == 0) {
        state.put("/", new Node(0, null));
      }
      logs.add(new ArrayList<>(List.of(new Committed(0, now, null, null, state))));
    }
  }

  int groups() {
    return logs.size();
  }

  List<Committed> log(int group) {
    return logs.get(group);
  }

  int last(int group) {
    return logs.get(group).size() - 1;
  }

  private NavigableMap<String, Node> now(int group) {
    return new TreeMap<>(logs.get(group).getLast().state());
  }

  static String child(String directory, String name) {
    return directory.equals("/") ? "/" + name : directory + "/" + name;
  }

  static String parent(String path) {
    int end = path.lastIndexOf('/');
    return end < 0 ? "" : path.substring(0, Math.max(1, end));
  }

  static boolean isIn(String path, String directory) {
    return path.equals(directory) || path.startsWith(directory.equals("/") ? "/" : directory + "/");
  }

  private static int depth(String path) {
    return path.equals("/") ? 0 : (int) path.chars().filter(each -> each == '/').count();
  }

  private void commit(int group, long now, @Nullable String path, @Nullable String old,
      NavigableMap<String, Node> state) {
    logs.get(group).add(new Committed(logs.get(group).size(), now, path, old, state));
  }

  /** A path of an entry, or, seldom, of none. */
  String anyPath() {
    StringBuilder path = new StringBuilder();
    int group = 0;
    String here = "/";
    for (int depth = random.nextInt(DEEPEST); depth > 0; depth--) {
      NavigableMap<String, Node> state = logs.get(group).getLast().state();
      String directory = here;
      List<String> entries =
          NAMES.stream().filter(name -> state.containsKey(child(directory, name)) || random.nextInt(10) == 0).toList();
      if (entries.isEmpty()) {
        break;
      }
      String name = entries.get(random.nextInt(entries.size()));
      path.append('/').append(name);
      here = child(here, name);
      Node node = state.get(here);
      for (int hops = 0; node != null && node.cut() != null && hops < MOST_OWNERS; hops++) {
        group = node.cut().group();
        here = node.cut().anchor();
        node = logs.get(group).getLast().state().get(here);
      }
    }
    return path.isEmpty() ? "/" : path.toString();
  }

  private @Nullable String anyOf(int group) {
    List<String> all = new ArrayList<>(logs.get(group).getLast().state().keySet());
    return all.isEmpty() ? null : all.get(random.nextInt(all.size()));
  }

  /** One change of some group. */
  void change(long now) {
    int any = random.nextInt(groups());
    int group = anyOf(any) == null ? 0 : any;
    String path = Objects.requireNonNull(anyOf(group));
    NavigableMap<String, Node> state = now(group);
    Node node = state.get(path);
    boolean anchor = !path.contains("/");
    boolean hasContent = node.cut() == null;
    switch (random.nextInt(20)) {
      case 0, 1, 2, 3, 4, 5, 6, 7, 8 -> {
        String added = child(path, NAMES.get(random.nextInt(NAMES.size())));
        if (hasContent && !state.containsKey(added) && depth(added) < DEEPEST - 1) {
          state.put(added, new Node(++versions, null));
          commit(group, now, added, null, state);
        }
      }
      case 9, 10, 11, 12, 13 -> {
        if (!anchor) {
          state.put(path, new Node(++versions, node.cut()));
          commit(group, now, path, null, state);
        }
      }
      case 14, 15 -> {
        boolean cuts =
            state.entrySet().stream().anyMatch(each -> isIn(each.getKey(), path) && each.getValue().cut() != null);
        if (!anchor && !cuts && !path.equals("/")) {
          state.keySet().removeIf(each -> isIn(each, path));
          commit(group, now, path, null, state);
        }
      }
      case 16, 17, 18 -> move(group, path, now, state);
      default -> {
        if (groups() > 1 && hasContent && !path.equals("/") && random.nextInt(2) == 0) {
          give(group, path, now, state);
        }
      }
    }
  }

  private void move(int group, String from, long now, NavigableMap<String, Node> state) {
    String directory = anyOf(group);
    if (directory == null || !from.contains("/") || from.equals("/") || isIn(directory, from)
        || state.get(directory).cut() != null) {
      return;
    }
    String to = child(directory, NAMES.get(random.nextInt(NAMES.size())));
    if (state.containsKey(to) || isIn(to, from)) {
      return;
    }
    NavigableMap<String, Node> moved = new TreeMap<>();
    state.forEach((each, node) -> {
      if (isIn(each, from)) {
        moved.put(to + each.substring(from.length()), node);
      }
    });
    state.keySet().removeIf(each -> isIn(each, from));
    state.putAll(moved);
    commit(group, now, to, from, state);
  }

  /** The content of a directory goes to another group: that has it first, then this one says so. */
  private void give(int group, String path, long now, NavigableMap<String, Node> state) {
    int to = (group + 1 + random.nextInt(groups() - 1)) % groups();
    int identity = path.contains("/") ? ++identities : Integer.parseInt(path.substring(1));
    Cut cut = new Cut(to, identity);
    NavigableMap<String, Node> there = now(to);
    // The group that has the entry of the directory has its content there, too.
    String home =
        there.entrySet().stream()
            .filter(each -> each.getKey().contains("/") && each.getValue().cut() instanceof Cut(int by, int of)
                && of == identity)
            .map(Map.Entry::getKey).findFirst().orElse(cut.anchor());
    there.keySet().removeIf(each -> isIn(each, cut.anchor()));
    there.put(home, new Node(there.containsKey(home) ? there.get(home).version() : 0, null));
    state.forEach((each, node) -> {
      if (isIn(each, path) && !each.equals(path)) {
        there.put(home + each.substring(path.length()), node);
      }
    });
    commit(to, now, null, null, there);
    state.keySet().removeIf(each -> isIn(each, path) && !each.equals(path));
    state.put(path, new Node(state.get(path).version(), cut));
    commit(group, now, null, null, state);
  }

  /** The parts of the tree that a path passes, as groups are at some positions; empty if that leads nowhere. */
  Optional<List<Part>> parts(String path, Map<Integer, Integer> at) {
    List<Part> parts = new ArrayList<>(List.of(new Part(0, "/", 0)));
    String[] names = path.equals("/") ? new String[0] : path.substring(1).split("/", -1);
    String here = "/";
    for (int depth = 0; depth <= names.length; depth++) {
      Node node = node(parts.getLast().group(), here, at);
      for (int hops = 0; node != null && node.cut() != null && hops < MOST_OWNERS; hops++) {
        if (depth == names.length && here.contains("/")) {
          return Optional.of(parts);
        }
        if (!here.contains("/")) {
          // A former owner only points onward.
          parts.removeLast();
        }
        int owner = owner(node.cut(), at);
        parts.add(new Part(owner, node.cut().anchor(), depth));
        here = node.cut().anchor();
        node = node(owner, here, at);
      }
      if (node == null || node.cut() != null) {
        return Optional.empty();
      }
      here = depth == names.length ? here : child(here, names[depth]);
    }
    return Optional.of(parts);
  }

  /** Who has the entry of a path now; the group of the root if nobody has. */
  int owner(String path) {
    Map<Integer, Integer> now = new HashMap<>();
    for (int group = 0; group < groups(); group++) {
      now.put(group, last(group));
    }
    return parts(path, now).map(parts -> parts.getLast().group()).orElse(0);
  }

  /** The next owner, or, if nothing is said of that one, who has the content. */
  private int owner(Cut cut, Map<Integer, Integer> at) {
    return at.containsKey(cut.group()) ? cut.group()
        : at.keySet().stream().filter(group -> {
          Node anchor = node(group, cut.anchor(), at);
          return anchor != null && anchor.cut() == null;
        }).findFirst().orElseThrow(() -> new AssertionError("the answer depends on group " + cut.group() + ": " + at));
  }

  private @Nullable Node node(int group, String path, Map<Integer, Integer> at) {
    Integer sequence = at.get(group);
    if (sequence == null) {
      throw new AssertionError("the way leads to group " + group + ", on which nothing depends: " + at);
    }
    return logs.get(group).get(sequence).state().get(path);
  }

  /**
   * What a server answers: of the entry and of all above, whose rules count, the versions, and what is in it; empty if
   * there is none, or its content is elsewhere.
   */
  Optional<String> content(String path, Map<Integer, Integer> at) {
    return parts(path, at).flatMap(parts -> content(path, parts, at));
  }

  /** The same by parts that a map names. */
  Optional<String> content(String path, List<Part> parts, Map<Integer, Integer> at) {
    String[] names = path.equals("/") ? new String[0] : path.substring(1).split("/", -1);
    StringBuilder content = new StringBuilder();
    for (int i = 0; i < parts.size(); i++) {
      Part part = parts.get(i);
      int end = i + 1 < parts.size() ? parts.get(i + 1).depth() : names.length;
      String here = part.start();
      for (int depth = part.depth(); depth <= end; depth++) {
        Node node = node(part.group(), here, at);
        if (node == null) {
          return Optional.empty();
        }
        if (here.contains("/")) {
          content.append(node.version()).append(' ');
        }
        here = depth == end ? here : child(here, names[depth]);
      }
      if (i == parts.size() - 1) {
        Node node = node(part.group(), here, at);
        if (node == null || node.cut() != null) {
          return Optional.empty();
        }
        String directory = here;
        logs.get(part.group()).get(at.get(part.group())).state().forEach((each, entry) -> {
          if (parent(each).equals(directory) && !each.equals("/")) {
            content.append(each.substring(each.lastIndexOf('/'))).append(entry.version());
          }
        });
      }
    }
    return Optional.of(content.toString());
  }
}
