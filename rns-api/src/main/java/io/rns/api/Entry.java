package io.rns.api;

import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** A named entry: a virtual directory, or a junction to endpoint references. */
public sealed interface Entry {
  /**
   * The parent directory and the name in it.
   *
   * @throws RnsException {@link RnsError#ROOT_IS_FIXED} for the root, which has neither
   */
  Binding binding();

  /** The identity; renaming and moving preserve it. */
  EntryId id();

  /** The sequence number of the last change of this entry. Increases with every change and is never reused. */
  long version();

  /** The creation time, with microsecond precision. */
  Instant created();

  /** The time of the last change. For a directory this covers its binding and metadata, not its content. */
  Instant modified();

  Metadata metadata();

  /** Whether this is the root directory, which has no name and no parent. */
  default boolean isRoot() {
    return id().equals(EntryId.ROOT);
  }

  /** The name in the parent directory, {@code /} for the root. */
  default String displayName() {
    return isRoot() ? "/" : binding().name().toString();
  }

  /**
   * A name in a directory.
   *
   * @param parent the directory
   * @param name the name in it
   */
  record Binding(EntryId parent, EntryName name) {}

  /**
   * A directory of entries.
   *
   * @param entries the number of entries, -1 if the request did not ask for it
   * @param owner the server group that owns its content; empty if that is the group of the entry itself
   */
  record VirtualDirectory(
      @org.jspecify.annotations.Nullable Binding place,
      EntryId id,
      long version,
      Instant created,
      Instant modified,
      Metadata metadata,
      long entries,
      OptionalInt owner)
      implements
        Entry {

    /** A directory whose content belongs to the group of its entry. */
    public VirtualDirectory(
        @org.jspecify.annotations.Nullable Binding place,
        EntryId id,
        long version,
        Instant created,
        Instant modified,
        Metadata metadata,
        long entries) {
      this(place, id, version, created, modified, metadata, entries, OptionalInt.empty());
    }

    @Override
    public Binding binding() {
      if (place == null) {
        throw new RnsException(RnsError.ROOT_IS_FIXED, "the root has no name and no parent");
      }
      return place;
    }
  }

  /**
   * A name for resources elsewhere.
   *
   * @param references the endpoint references, 1 to {@value Limits#EPRS_PER_ENTRY}, in the order given
   * @param pool how pools resolved references that denote pools; empty without such references, or if they were not
   *        resolved
   */
  record Junction(
      Binding binding,
      EntryId id,
      long version,
      Instant created,
      Instant modified,
      Metadata metadata,
      List<EndpointReference> references,
      Optional<PoolAnswer> pool)
      implements
        Entry {

    public Junction {
      references = List.copyOf(references);
      if (references.isEmpty()) {
        throw new RnsException(RnsError.INVALID_REQUEST, "a junction needs at least one endpoint reference");
      }
      Limits.check("the junction", references.size(), Limits.EPRS_PER_ENTRY, "endpoint references");
    }

    /** A junction as stored, without resolved pools. */
    public Junction(
        Binding binding,
        EntryId id,
        long version,
        Instant created,
        Instant modified,
        Metadata metadata,
        List<EndpointReference> references) {
      this(binding, id, version, created, modified, metadata, references, Optional.empty());
    }

    /** Returns a copy with the references that pools resolved to. */
    public Junction answered(List<EndpointReference> endpoints, PoolAnswer answer) {
      return new Junction(binding, id, version, created, modified, metadata, endpoints, Optional.of(answer));
    }
  }

  /**
   * Marks references that were resolved from pools and are valid for a limited time.
   *
   * @param policy the policy of the first pool with selectable elements, for example {@code rr}; empty if no pool had
   *        any
   * @param ttlMillis how long the references may be cached, in ms, 0 or more
   */
  record PoolAnswer(Optional<String> policy, long ttlMillis) {}
}
