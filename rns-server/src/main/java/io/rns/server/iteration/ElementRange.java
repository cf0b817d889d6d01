package io.rns.server.iteration;

import io.rns.api.Cursor;
import io.rns.wire.ReplyForm;
import io.rns.xml.XmlBuffer;
import java.util.Optional;

/** Some elements of a course. */
public interface ElementRange {
  /** How many; may be none although there are more behind. */
  int size();

  /** Where the course goes on; empty at its end. */
  Optional<Cursor> next();

  /**
   * Appends one element as WS-Iterator has it.
   *
   * @param at which of this stretch, from 0
   * @param index its place as the caller counts
   */
  void write(XmlBuffer out, int at, long index, ReplyForm form);
}
