package io.rns.wire.resource;

import io.rns.api.EntryName;
import io.rns.api.Target;
import io.rns.wire.FaultTable;
import io.rns.wire.Request;
import java.util.List;
import java.util.Optional;

/**
 * A request for the entries of a directory that match a query.
 *
 * @param directory the directory
 * @param names the names to examine; empty for all. Names that do not exist are ignored.
 * @param query the XQuery
 */
public record SearchRequest(Target directory, Optional<List<EntryName>> names, String query) implements Request {
  public SearchRequest {
    names = names.map(List::copyOf);
  }

  @Override
  public FaultTable faults() {
    return FaultTable.SEARCH;
  }
}
