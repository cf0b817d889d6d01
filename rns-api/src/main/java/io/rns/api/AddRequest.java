package io.rns.api;

import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.util.Arrays;
import java.util.List;

/**
 * Entries to add, applied in order: a later one sees the earlier ones.
 *
 * @param entries 1 to {@value Limits#BATCH_ITEMS} new entries
 * @param parents whether missing directories on the way to an entry are made too
 * @param allOrNothing whether one refused entry keeps the others from being applied
 */
public record AddRequest(List<NewEntry> entries, boolean parents, boolean allOrNothing) implements WriteRequest {
  /** Checks the size. */
  public AddRequest {
    entries = List.copyOf(entries);
    Batches.check("add", entries.size());
  }

  /** Adds entries independently of each other, without parents. */
  public static AddRequest of(NewEntry... entries) {
    return new AddRequest(Arrays.asList(entries), false, false);
  }

  /** The same with missing directories made. */
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
   * @param target where: the name is the last of the path
   * @param references the endpoint references of a junction, empty for a virtual directory
   * @param metadata what is told about it
   * @param precondition {@link Precondition#IF_ABSENT}, {@link Precondition#NONE} to replace references and metadata of
   *        an entry of the same kind, or a version for a replacement of just that version
   */
  public record NewEntry(
      Target target, List<EndpointReference> references, Metadata metadata, Precondition precondition) {
    /** Checks the target and the number of references. */
    public NewEntry {
      references = List.copyOf(references);
      if (target.path().isRoot()) {
        throw new RnsException(RnsError.INVALID_REQUEST, "add: '" + target + "' names no new entry");
      }
      Limits.check(() -> "entry '" + target + "'", references.size(), Limits.EPRS_PER_ENTRY, "endpoint references");
    }

    /** A new virtual directory. */
    public static NewEntry directory(Target target) {
      return new NewEntry(target, List.of(), Metadata.NONE, Precondition.IF_ABSENT);
    }

    /** A new junction. */
    public static NewEntry junction(Target target, EndpointReference... references) {
      if (references.length == 0) {
        throw new RnsException(RnsError.INVALID_REQUEST, "junction '" + target + "' needs an endpoint reference");
      }
      return new NewEntry(target, Arrays.asList(references), Metadata.NONE, Precondition.IF_ABSENT);
    }

    /** Whether it is a virtual directory. */
    public boolean isDirectory() {
      return references.isEmpty();
    }

    /** The same with metadata. */
    public NewEntry with(Metadata metadata) {
      return new NewEntry(target, references, metadata, precondition);
    }

    /** The same with a precondition. */
    public NewEntry with(Precondition precondition) {
      return new NewEntry(target, references, metadata, precondition);
    }
  }
}
