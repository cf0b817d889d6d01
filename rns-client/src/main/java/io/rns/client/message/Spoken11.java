package io.rns.client.message;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.Metadata;
import io.rns.api.QueryRequest;
import io.rns.api.RemoveRequest;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.wire.Namespaces;
import java.util.List;
import java.util.function.Function;

/** Which requests RNS 1.1 and our attributes on its elements can say: those about names of one directory. */
final class Spoken11 {
  private Spoken11() {}

  static boolean says(AddRequest request) {
    return !request.parents()
        && ofOneDirectory(request.entries(), NewEntry::target)
        && request.entries().stream().allMatch(entry -> survives(entry.metadata()));
  }

  static boolean says(QueryRequest request) {
    return !request.counts() && ofOneDirectory(request.targets(), target -> target);
  }

  static boolean says(RemoveRequest request) {
    return ofOneDirectory(request.removals(), Removal::target);
  }

  /** Whether it gives names, and nothing else. */
  static boolean isRenaming(UpdateRequest request) {
    return ofOneDirectory(request.changes(), EntryChange::target)
        && request.changes().stream().allMatch(c -> c.name().isPresent() && staysAsItIs(c) && c.metadata().isEmpty());
  }

  /** Whether it replaces metadata, and nothing else. */
  static boolean isMetadata(UpdateRequest request) {
    return ofOneDirectory(request.changes(), EntryChange::target)
        && request.changes().stream()
            .allMatch(
                c -> c.name().isEmpty()
                    && staysAsItIs(c)
                    && c.metadata().isPresent()
                    && survives(c.metadata().get()));
  }

  private static boolean staysAsItIs(EntryChange change) {
    return change.parent().isEmpty() && change.references().isEmpty();
  }

  private static <I> boolean ofOneDirectory(List<I> items, Function<I, Target> target) {
    Target first = target.apply(items.get(0));
    if (first.path().isRoot()) {
      return false;
    }
    RnsPath directory = first.path().parent();
    for (I item : items.subList(1, items.size())) {
      Target other = target.apply(item);
      boolean beside =
          other.start().equals(first.start())
              && other.path().depth() == first.path().depth()
              && directory.contains(other.path());
      if (!beside) {
        return false;
      }
    }
    return true;
  }

  /** Whether no element of the metadata is one that messages of RNS 1.1 have a place of its own for. */
  private static boolean survives(Metadata metadata) {
    String xml = metadata.xml();
    return !xml.contains("supports-rns") && !xml.contains(Namespaces.EXT);
  }
}
