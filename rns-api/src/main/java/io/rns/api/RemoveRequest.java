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
 * @param allOrNothing whether one refused removal keeps the others from being applied
 */
public record RemoveRequest(List<Removal> removals, boolean allOrNothing) implements WriteRequest {
  /** Checks the size. */
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
   * <p>A recursive removal takes the whole subtree out of the tree at once; the space of its entries is given back
   * afterwards in small steps that survive a restart.
   *
   * @param target the entry
   * @param recursive whether a directory may have entries
   * @param precondition {@link Precondition#NONE} or a version
   */
  public record Removal(Target target, boolean recursive, Precondition precondition) {
    /** Checks the precondition. */
    public Removal {
      if (precondition instanceof Precondition.IfAbsent) {
        throw new RnsException(RnsError.INVALID_REQUEST,
            "removal of '" + target + "' cannot ask that the entry is absent");
      }
    }

    /** Removes a junction or an empty directory. */
    public static Removal of(Target target) {
      return new Removal(target, false, Precondition.NONE);
    }

    /** Removes an entry with all below it. */
    public static Removal recursive(Target target) {
      return new Removal(target, true, Precondition.NONE);
    }

    /** The same with a precondition. */
    public Removal with(Precondition required) {
      return new Removal(target, recursive, required);
    }
  }
}
