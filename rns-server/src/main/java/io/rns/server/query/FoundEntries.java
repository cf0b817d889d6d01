package io.rns.server.query;

import io.rns.api.Cursor;
import io.rns.api.EntryId;
import io.rns.server.iteration.ElementRange;
import io.rns.wire.ReplyForm;
import io.rns.wire.resource.FoundEntry;
import io.rns.wire.resource.IteratedBlock;
import io.rns.wire.resource.ResourceOperations;
import io.rns.xml.XmlBuffer;
import java.util.List;
import java.util.Optional;

/**
 * Some of what a search finds.
 *
 * @param directory where
 * @param entries what
 * @param next behind which entry the search goes on; empty if it is at its end
 */
public record FoundEntries(EntryId directory, List<FoundEntry> entries, Optional<Cursor> next) implements ElementRange {
  /** Copies the entries. */
  public FoundEntries {
    entries = List.copyOf(entries);
  }

  @Override
  public int size() {
    return entries.size();
  }

  @Override
  public void write(XmlBuffer out, int at, long index, ReplyForm form) {
    ResourceOperations.ITERATE.writeElement(out, new IteratedBlock.Element(index, entries.get(at).element()));
  }
}
