package io.rns.permission;

import io.rns.api.AccessRule;
import io.rns.api.Caller;
import io.rns.api.Right;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The meaning of access rules in thirty lines: directories by path, texts for everything, no cleverness. */
public final class AccessModel {
  /** Owners and rules of directories; a directory without rules inherits. */
  public final Map<String, String> owners = new HashMap<>();
  public final Map<String, List<String>> rules = new HashMap<>();

  /** Whether a caller has a right in a directory, leaving aside those above it. */
  public boolean has(Caller caller, Right right, String directory) {
    Set<String> subjects = new HashSet<>(Set.of("anyone"));
    if (!caller.name().isEmpty()) {
      subjects.addAll(Set.of(caller.name(), "authenticated"));
      caller.groups().forEach(group -> subjects.add("group:" + group));
    }
    for (String at = directory;; at = parent(at)) {
      if (!caller.name().isEmpty() && caller.name().equals(owners.get(at))) {
        return true;
      }
      if (rules.containsKey(at) || at.equals("/")) {
        return rules.getOrDefault(at, List.of()).stream().map(AccessRule::parse)
            .anyMatch(rule -> subjects.contains(rule.subject())
                && (rule.rights().contains(right) || rule.rights().contains(Right.ADMIN)));
      }
    }
  }

  /** Whether a caller gets to a directory, to use a right there. */
  public boolean passes(Caller caller, String directory) {
    return directory.equals("/")
        || (has(caller, Right.READ, parent(directory)) && passes(caller, parent(directory)));
  }

  /** The directory above one. */
  public static String parent(String path) {
    int slash = path.lastIndexOf('/');
    return slash <= 0 ? "/" : path.substring(0, slash);
  }
}
