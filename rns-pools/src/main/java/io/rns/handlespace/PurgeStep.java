package io.rns.handlespace;

import java.util.List;
import java.util.Optional;

/**
 * A step at the end of an audit.
 *
 * @param removed the elements that the audited registrar did not confirm, in their last state
 * @param resume where the next step continues; empty at the end
 */
public record PurgeStep(List<TableEntry> removed, Optional<ElementKey> resume) {
  /** Copies. */
  public PurgeStep {
    removed = List.copyOf(removed);
  }
}
