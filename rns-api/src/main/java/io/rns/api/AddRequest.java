package io.rns.api;

import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.util.Arrays;
import java.util.List;

/**
 * Entries to add, applied in order: each entry sees the additions before it.
 *
 * @param entries 1 to {@value Limits#BATCH_ITEMS} new entries
 * @param parents whether to create missing parent directories
 * @param allOrNothing whether one refused entry prevents the whole batch
 */
public record AddRequest(List<NewEntry> entries, boolean parents, boolean allOrNothing) implements WriteRequest {
  public AddRequest {
    entries = List.copyOf(entries);
    Batches.check("add", entries.size());
  }

  /** Adds entries independently of each other, without creating parents. */
  public static AddRequest of(NewEntry... entries) {
    return new AddRequest(Arrays.asList(entries), false, false);
  }

  /** Returns a copy that also creates missing parent directories. */
  public AddRequest withParents() {
    return new AddRequest(entries, true, allOrNothing);
  }

  @Override
  public int size() {
    return entries.size();
  }

  /**
   * One entry to add.
   *
   * @param target the path of the new entry; its last component is the new name
   * @param references the endpoint references of a junction, empty for a virtual directory
   * @param metadata the metadata of the entry
   * @param precondition {@link Precondition#IF_ABSENT}; {@link Precondition#NONE} to replace references and metadata of
   *        an existing entry of the same kind; or a version to replace only that version
   */
  public record NewEntry(
      Target target, List<EndpointReference> references, Metadata metadata, Precondition precondition) {
    public NewEntry {
      references = List.copyOf(references);
      if (target.path().isRoot()) {
        throw new RnsException(RnsError.INVALID_REQUEST, "add: '" + target + "' does not name a new entry");
      }
      Limits.check(() -> "entry '" + target + "'", references.size(), Limits.EPRS_PER_ENTRY, "endpoint references");
    }

    public static NewEntry directory(Target target) {
      return new NewEntry(target, List.of(), Metadata.NONE, Precondition.IF_ABSENT);
    }

    /** A new junction; needs at least one reference. */
    public static NewEntry junction(Target target, EndpointReference... references) {
      if (references.length == 0) {
        throw new RnsException(RnsError.INVALID_REQUEST, "junction '" + target + "' needs an endpoint reference");
      }
      return new NewEntry(target, Arrays.asList(references), Metadata.NONE, Precondition.IF_ABSENT);
    }

    public boolean isDirectory() {
      return references.isEmpty();
    }

    /** Returns a copy with other metadata. */
    public NewEntry with(Metadata metadata) {
      return new NewEntry(target, references, metadata, precondition);
    }

    /** Returns a copy with another precondition. */
    public NewEntry with(Precondition precondition) {
      return new NewEntry(target, references, metadata, precondition);
    }
  }
}
