package io.rns.handlespace;

import java.util.List;
import java.util.Optional;

/**
 * A step of the end of an audit.
 *
 * @param removed what the audited registrar did not confirm, as it was
 * @param resume where to go on; empty when the audit is at its end
 */
public record PurgeStep(List<TableEntry> removed, Optional<ElementKey> resume) {
  /** Copies. */
  public PurgeStep {
    removed = List.copyOf(removed);
  }
}
