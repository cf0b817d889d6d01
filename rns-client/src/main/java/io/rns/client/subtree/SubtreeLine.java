package io.rns.client.subtree;

import io.rns.api.Positions;
import io.rns.api.SubtreePage;
import io.rns.api.SubtreePosition;
import java.util.Map;
import java.util.OptionalLong;

/** A line of a subtree. */
sealed interface SubtreeLine {
  /**
   * An entry.
   *
   * @param bytes of its references and metadata, about
   */
  record Found(SubtreePage.Visit visit, long bytes) implements SubtreeLine {}

  /** Everything up to a position has been sent. */
  record Reached(SubtreePosition position) implements SubtreeLine {}

  /** There is nothing else; reads from here on are to see positions. */
  record End(Positions positions) implements SubtreeLine {}

  /** The answer ends before the end, for a reason. */
  record Failed(Map<String, String> error, OptionalLong retryMillis) implements SubtreeLine {}
}
