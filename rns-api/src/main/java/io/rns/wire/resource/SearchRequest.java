package io.rns.wire.resource;

import io.rns.api.EntryName;
import io.rns.api.Target;
import io.rns.wire.FaultTable;
import io.rns.wire.Request;
import java.util.List;
import java.util.Optional;

/**
 * A request for the entries of a directory that a query finds.
 *
 * @param directory the directory
 * @param names which of its entries are looked at; empty for all. Names that are none are left out.
 * @param query the XQuery
 */
public record SearchRequest(Target directory, Optional<List<EntryName>> names, String query) implements Request {
  /** Copies the names. */
  public SearchRequest {
    names = names.map(List::copyOf);
  }

  @Override
  public FaultTable faults() {
    return FaultTable.SEARCH;
  }
}
