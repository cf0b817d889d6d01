package io.rns.server.namespace;

import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.Entry.Binding;
import io.rns.api.Entry.Junction;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.Metadata;
import io.rns.api.Precondition;
import io.rns.api.Refusal;
import io.rns.api.Target;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What holds for all entries that are written, whatever the request: their limits, and how a new version is made. */
final class WrittenEntries {
  private static final int MOST_BYTES_PER_CHAR = 3;

  private WrittenEntries() {}

  /** Why an entry may not have so much; null if it may. */
  static @Nullable Refusal tooLarge(Target target, List<EndpointReference> references, Metadata metadata) {
    long chars = metadata.xml().length();
    for (EndpointReference reference : references) {
      chars += reference.content().length() + reference.attributes().length();
    }
    if (chars <= Limits.ENTRY_BYTES / MOST_BYTES_PER_CHAR) {
      return null;
    }
    long bytes = utf8Length(metadata.xml());
    for (EndpointReference reference : references) {
      bytes += utf8Length(reference.content()) + utf8Length(reference.attributes());
    }
    return bytes <= Limits.ENTRY_BYTES
        ? null
        : new Refusal.Invalid(
            target,
            RnsError.LIMIT_EXCEEDED,
            "entry '" + target + "' has " + bytes + " bytes of references and metadata; the limit is "
                + Limits.ENTRY_BYTES + " bytes");
  }

  private static int utf8Length(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  /** Why an entry is not the version that a request expects; null if it is. */
  static @Nullable Refusal stale(Entry entry, Target target, Precondition precondition) {
    return precondition instanceof Precondition.IfVersion required && required.version() != entry.version()
        ? new Refusal.VersionMismatch(target, required.version(), entry.version())
        : null;
  }

  /**
   * That something would be too deep in the tree.
   *
   * @param what up to the number of levels
   */
  static Refusal tooDeep(Target target, String what) {
    return new Refusal.Invalid(
        target,
        RnsError.LIMIT_EXCEEDED,
        what + " levels below the root; the limit is " + Limits.TREE_DEPTH + " levels");
  }

  /**
   * Checks that an entry is not on its way to another server group.
   *
   * @throws EntryMoving if it is
   */
  static void checkSettled(Entry entry, Target target) {
    if (MovingEntries.isMoving(entry)) {
      throw new EntryMoving(target);
    }
  }

  /** The next version of an entry. */
  static Entry with(
      Draft draft, Entry old, @Nullable Binding binding, @Nullable List<EndpointReference> references,
      Metadata metadata) {
    return switch (old) {
      case VirtualDirectory directory ->
        new VirtualDirectory(
            binding, old.id(), draft.nextVersion(old), old.created(), draft.time(), metadata, -1, directory.owner());
      case Junction junction ->
        new Junction(
            binding == null ? junction.binding() : binding,
            old.id(),
            draft.nextVersion(old),
            old.created(),
            draft.time(),
            metadata,
            references == null ? junction.references() : references);
    };
  }
}
