package io.rns.server.iteration;

import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Cursor;
import io.rns.api.Outcome;
import java.util.Optional;

/** What an iterator goes through: elements in byte order of the names they belong to. Safe for use by many threads. */
public interface ElementSource {
  /**
   * Reads on.
   *
   * @param from behind which name; empty for the beginning
   * @param most the most elements to answer, at least 1
   */
  Answer<Outcome<ElementRange>> read(CallContext call, Optional<Cursor> from, int most);
}
