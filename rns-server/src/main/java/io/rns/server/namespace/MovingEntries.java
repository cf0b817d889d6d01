package io.rns.server.namespace;

import io.rns.api.Entry;
import io.rns.api.Entry.Junction;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.Metadata;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.OptionalInt;

/** How entries are kept that move to other server groups. */
final class MovingEntries {
  /**
   * Where traces are of entries that have moved to other groups, each named by its identity. It is no entry and not in
   * the tree.
   */
  static final EntryId ELSEWHERE = new EntryId(Long.MAX_VALUE);

  private static final String LIFTED = "/";

  private MovingEntries() {}

  /** Whether it is not decided in which group an entry is. */
  static boolean isMoving(Entry entry) {
    return entry.version() < 0;
  }

  /** An entry as it is kept while that is not decided: its version is negative. The same turns it back. */
  static Entry marked(Entry entry) {
    return with(entry, entry.binding(), -entry.version(), entry.modified());
  }

  /** An entry in its new place. */
  static Entry arrived(Entry entry, EntryId directory, long version, Instant time) {
    return with(entry, new Entry.Binding(directory, entry.binding().name()), version, time);
  }

  private static Entry with(Entry entry, Entry.Binding binding, long version, Instant modified) {
    return switch (entry) {
      case VirtualDirectory directory ->
        new VirtualDirectory(
            binding, entry.id(), version, entry.created(), modified, entry.metadata(), -1, directory.owner());
      case Junction junction ->
        new Junction(
            binding, entry.id(), version, entry.created(), modified, entry.metadata(), junction.references());
    };
  }

  /** What is left of an entry that has moved to another group: where to ask for its identity. */
  static VirtualDirectory trace(Entry entry, int group, long version, Instant time) {
    Entry.Binding binding = new Entry.Binding(ELSEWHERE, EntryName.of(entry.id().toString()));
    return new VirtualDirectory(
        binding, entry.id(), version, entry.created(), time, Metadata.NONE, -1, OptionalInt.of(group));
  }

  /** An entry of a copy that is between two places: in a directory of the copy, under a name that no entry can have. */
  static Entry lifted(Entry entry, EntryId directory) {
    EntryName name = EntryName.ofUtf8((LIFTED + entry.id()).getBytes(StandardCharsets.US_ASCII));
    return with(entry, new Entry.Binding(directory, name), entry.version(), entry.modified());
  }

  /** Whether this is one. */
  static boolean isLifted(Entry entry) {
    return !entry.isRoot() && entry.binding().name().toString().startsWith(LIFTED);
  }

  /** Whether this is a trace. */
  static boolean isTrace(Entry entry) {
    return !entry.isRoot() && entry.binding().parent().equals(ELSEWHERE);
  }
}
