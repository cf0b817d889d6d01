package io.rns.api;

import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.util.Arrays;
import java.util.List;

/**
 * Entries to remove, applied in order.
 *
 * @param removals 1 to {@value Limits#BATCH_ITEMS} removals
 * @param allOrNothing whether one refused removal prevents the whole batch
 */
public record RemoveRequest(List<Removal> removals, boolean allOrNothing) implements WriteRequest {
  public RemoveRequest {
    removals = List.copyOf(removals);
    Batches.check("remove", removals.size());
  }

  /** Removes entries independently of each other. */
  public static RemoveRequest of(Removal... removals) {
    return new RemoveRequest(Arrays.asList(removals), false);
  }

  @Override
  public int size() {
    return removals.size();
  }

  /**
   * One entry to remove.
   *
   * <p>A recursive removal takes the whole subtree out of the tree at once. The storage of its entries is reclaimed
   * later in small steps that survive a restart.
   *
   * @param target the entry
   * @param recursive whether to remove a directory that has entries
   * @param precondition {@link Precondition#NONE} or a version
   */
  public record Removal(Target target, boolean recursive, Precondition precondition) {
    public Removal {
      if (precondition instanceof Precondition.IfAbsent) {
        throw new RnsException(RnsError.INVALID_REQUEST,
            "removal of '" + target + "' cannot require the entry to be absent");
      }
    }

    /** Removes a junction or an empty directory. */
    public static Removal of(Target target) {
      return new Removal(target, false, Precondition.NONE);
    }

    /** Removes an entry and its subtree. */
    public static Removal recursive(Target target) {
      return new Removal(target, true, Precondition.NONE);
    }

    /** Returns a copy with another precondition. */
    public Removal with(Precondition required) {
      return new Removal(target, recursive, required);
    }
  }
}
