package io.rns.server.namespace;

import io.rns.api.Entry;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.Refusal;
import io.rns.api.Target;
import io.rns.server.store.EntryKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a target leads to. */
sealed interface Resolution {
  /** It names this entry. */
  record Found(Entry entry) implements Resolution {}

  /**
   * A component names nothing.
   *
   * @param missing its place in the path, from 1; 0 if it is the start
   * @param last the directory in which it is missing, null if it is the start
   */
  record Missing(int missing, @Nullable VirtualDirectory last) implements Resolution {}

  /**
   * A component on the way is a junction.
   *
   * @param junction its place in the path, from 1; 0 if it is the start
   */
  record Blocked(int junction) implements Resolution {}

  /** Walks a target's path. */
  static Resolution of(EntrySource source, Target target) {
    Entry entry = start(source, target.start());
    List<EntryName> names = target.path().names();
    for (int i = 0; i < names.size(); i++) {
      if (entry == null) {
        return new Missing(0, null);
      }
      if (!(entry instanceof VirtualDirectory directory)) {
        return new Blocked(i);
      }
      entry = find(source, new EntryKey(directory.id().value(), names.get(i)));
      if (entry == null) {
        return new Missing(i + 1, directory);
      }
    }
    return entry == null ? new Missing(0, null) : new Found(entry);
  }

  private static @Nullable Entry start(EntrySource source, EntryId id) {
    if (id.equals(EntryId.ROOT)) {
      return find(source, EntryKey.ROOT);
    }
    Entry entry = find(source, id);
    return entry == null || !isInTree(source, entry) ? null : entry;
  }

  /** The entry of a key, or null. */
  static @Nullable Entry find(EntrySource source, EntryKey key) {
    CachedBinding known = source.peek(key);
    if (known == null) {
      source.load(List.of(key));
      known = Objects.requireNonNull(source.peek(key));
    }
    return known.entry();
  }

  /** The entry of an identity, or null; it may be one that is no longer in the tree. */
  static @Nullable Entry find(EntrySource source, EntryId id) {
    // The root is always in the same place, and every walk upwards ends there.
    return id.equals(EntryId.ROOT) ? find(source, EntryKey.ROOT) : source.findBelowRoot(id);
  }

  /** Whether an entry hangs on the root: content of a removed directory does not, although its rows may still exist. */
  private static boolean isInTree(EntrySource source, Entry entry) {
    Entry at = entry;
    while (!at.isRoot()) {
      at = find(source, at.binding().parent());
      if (at == null) {
        return false;
      }
    }
    return true;
  }

  /** How many levels below the root an entry of the tree is. */
  static int depth(EntrySource source, Entry entry) {
    int depth = 0;
    for (Entry at = entry; at != null && !at.isRoot(); at = find(source, at.binding().parent())) {
      depth++;
    }
    return depth;
  }

  /** Whether a directory is {@code ancestor} or below it. */
  static boolean isWithin(EntrySource source, Entry directory, EntryId ancestor) {
    Entry at = directory;
    while (at != null && !at.id().equals(ancestor)) {
      at = at.isRoot() ? null : find(source, at.binding().parent());
    }
    return at != null;
  }

  /**
   * Loads what the resolution of many targets will ask for: one component of all of them at a time instead of all
   * components of one at a time.
   */
  static void prefetch(EntrySource source, Collection<Target> targets) {
    Collection<Target> rest = targets;
    while (rest.size() > 1) {
      Set<EntryKey> unknown = new LinkedHashSet<>();
      List<Target> unfinished = new ArrayList<>();
      for (Target target : rest) {
        EntryKey key = firstUnknown(source, target);
        if (key != null) {
          unknown.add(key);
          unfinished.add(target);
        }
      }
      if (!unknown.isEmpty()) {
        source.load(unknown);
      }
      rest = unfinished;
    }
  }

  private static @Nullable EntryKey firstUnknown(EntrySource source, Target target) {
    EntryKey key = EntryKey.ROOT;
    Entry entry = null;
    if (target.start().equals(EntryId.ROOT)) {
      CachedBinding known = source.peek(key);
      if (known == null) {
        return key;
      }
      entry = known.entry();
    } else {
      entry = find(source, target.start());
    }
    for (EntryName name : target.path().names()) {
      if (!(entry instanceof VirtualDirectory directory)) {
        return null;
      }
      key = new EntryKey(directory.id().value(), name);
      CachedBinding known = source.peek(key);
      if (known == null) {
        return key;
      }
      entry = known.entry();
    }
    return null;
  }

  /** Why a target that was to be found is refused; null if it was found. */
  default @Nullable Refusal refusal(Target target) {
    return switch (this) {
      case Found found -> null;
      case Missing missing -> new Refusal.NoSuchEntry(target, missing.missing());
      case Blocked blocked -> new Refusal.NotDirectory(target, blocked.junction());
    };
  }
}
