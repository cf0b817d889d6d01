package io.rns.api;

import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The binding of a name: a virtual directory, or a junction to endpoint references. */
public sealed interface Entry {
  /**
   * The name in the parent directory and its directory; the root has none and throws {@link RnsError#ROOT_IS_FIXED}.
   */
  Binding binding();

  /** The identity, which renaming and moving keep. */
  EntryId id();

  /** Changes with every change of this entry and never comes back: the sequence number of the last one. */
  long version();

  /** When the entry was made; microseconds are kept. */
  Instant created();

  /** When the entry was last changed; for a directory that is its own binding and metadata, not its content. */
  Instant modified();

  /** What is told about the entry. */
  Metadata metadata();

  /** Whether this is the top of the tree, which has no name and no parent. */
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
   * A directory: a place for further names.
   *
   * @param entries how many entries it has, -1 if the answer did not ask for it
   */
  record VirtualDirectory(
      @org.jspecify.annotations.Nullable Binding place,
      EntryId id,
      long version,
      Instant created,
      Instant modified,
      Metadata metadata,
      long entries)
      implements
        Entry {

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
   * @param pool how pools have answered for references that stand for them; empty if there are none, or they were not
   *        asked
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

    /** Checks the number of references. */
    public Junction {
      references = List.copyOf(references);
      if (references.isEmpty()) {
        throw new RnsException(RnsError.INVALID_REQUEST, "a junction needs at least one endpoint reference");
      }
      Limits.check("the junction", references.size(), Limits.EPRS_PER_ENTRY, "endpoint references");
    }

    /** One as it is stored. */
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

    /** The same with what pools have answered. */
    public Junction answered(List<EndpointReference> endpoints, PoolAnswer answer) {
      return new Junction(binding, id, version, created, modified, metadata, endpoints, Optional.of(answer));
    }
  }

  /**
   * That references of a junction come from pools, which are not the same for long.
   *
   * @param policy of the first pool that had elements to select, such as {@code rr}; empty if none had
   * @param ttlMillis how long the references may be used without asking again, 0 or more
   */
  record PoolAnswer(Optional<String> policy, long ttlMillis) {}
}
