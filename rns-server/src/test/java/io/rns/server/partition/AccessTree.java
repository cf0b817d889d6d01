package io.rns.server.partition;

import io.rns.api.AccessRule;
import io.rns.api.AccessRules;
import io.rns.api.Caller;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.Right;
import io.rns.api.RnsPath;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The directories of a tree as clients have made them, whoever owns which part of it, and the meaning of access rules
 * in thirty lines.
 *
 * @param directories by their identities
 */
record AccessTree(Map<EntryId, Directory> directories) {
  AccessTree {
    directories = Map.copyOf(directories);
  }

  /** A directory, what it says of access, and where it is. */
  record Directory(EntryId id, EntryId parent, EntryName name, AccessRules access) {}

  /** The tree after a directory was made or changed. */
  AccessTree with(Directory directory) {
    Map<EntryId, Directory> all = new HashMap<>(directories);
    all.put(directory.id(), directory);
    return new AccessTree(all);
  }

  /** The tree after a directory was removed. */
  AccessTree without(EntryId directory) {
    Map<EntryId, Directory> all = new HashMap<>(directories);
    all.remove(directory);
    return new AccessTree(all);
  }

  static RnsPath path(List<Directory> fromRoot) {
    return RnsPath.of(fromRoot.stream().skip(1).map(Directory::name).toList());
  }

  /** Whether a caller gets to the last of these directories, and has a right there. */
  static boolean permits(Caller caller, Right right, List<Directory> fromRoot) {
    for (int depth = 1; depth < fromRoot.size(); depth++) {
      if (!has(caller, Right.READ, fromRoot.subList(0, depth))) {
        return false;
      }
    }
    return has(caller, right, fromRoot) && caller.isWithinLimits(right, path(fromRoot));
  }

  /** Whether rules or owners grant a right in the last of these directories. */
  static boolean has(Caller caller, Right right, List<Directory> fromRoot) {
    Set<String> subjects = new HashSet<>(Set.of("anyone"));
    if (!caller.name().isEmpty()) {
      subjects.addAll(Set.of(caller.name(), "authenticated"));
      caller.groups().forEach(group -> subjects.add("group:" + group));
    }
    for (int at = fromRoot.size() - 1; at >= 0; at--) {
      AccessRules access = fromRoot.get(at).access();
      if (!caller.name().isEmpty() && access.owner().filter(caller.name()::equals).isPresent()) {
        return true;
      }
      if (!access.inherits()) {
        return access.rules().stream().anyMatch(rule -> grants(rule, subjects, right));
      }
    }
    return false;
  }

  private static boolean grants(AccessRule rule, Set<String> subjects, Right right) {
    return subjects.contains(rule.subject())
        && (rule.rights().contains(right) || rule.rights().contains(Right.ADMIN));
  }
}
