package io.rns.loadtest.history;

import io.rns.api.Change;
import io.rns.api.Position;

/**
 * A change as the watcher was told of it.
 *
 * @param position its place in the order of changes
 * @param kind what happened
 * @param path of the entry
 * @param received when, in nanoseconds of the history's clock
 * @param stream how often the watcher had begun anew, perhaps at another server
 */
public record Event(Position position, Change.Kind kind, String path, long received, int stream) {
  @Override
  public String toString() {
    return position + " " + kind + " " + path + " (stream " + stream + ", " + Moment.at(received) + ")";
  }
}
