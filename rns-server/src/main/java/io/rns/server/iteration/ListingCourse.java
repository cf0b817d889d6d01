package io.rns.server.iteration;

import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Cursor;
import io.rns.api.EntryId;
import io.rns.api.ListRequest;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.Page;
import io.rns.api.Target;
import io.rns.wire.ReplyForm;
import io.rns.wire.resource.ResourceOperations;
import io.rns.xml.XmlBuffer;
import java.util.Optional;

/**
 * All entries of a directory.
 *
 * @param service who has them
 * @param directory which, by identity: it may be renamed and moved meanwhile
 */
public record ListingCourse(NameService service, EntryId directory) implements ElementSource {
  @Override
  public Answer<Outcome<ElementRange>> read(CallContext call, Optional<Cursor> from, int most) {
    ListRequest request = new ListRequest(Target.of(directory), most, from, Optional.empty());
    return service.list(call, request).map(outcome -> outcome.map(Entries::new));
  }

  private record Entries(Page page) implements ElementRange {
    @Override
    public int size() {
      return page.entries().size();
    }

    @Override
    public Optional<Cursor> next() {
      return page.next();
    }

    @Override
    public void write(XmlBuffer out, int at, long index, ReplyForm form) {
      ResourceOperations.ITERATE.writeEntry(out, index, page.entries().get(at), form);
    }
  }
}
