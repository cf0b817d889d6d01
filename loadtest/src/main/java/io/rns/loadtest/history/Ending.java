package io.rns.loadtest.history;

import io.rns.api.Position;
import java.util.Map;

/**
 * What is there when nobody writes any more.
 *
 * @param position the last change
 * @param trees per server, the version of every entry that it has
 */
public record Ending(Position position, Map<String, Map<String, Long>> trees) {
  /** Copies what it is given. */
  public Ending {
    trees = Map.copyOf(trees);
  }
}
