package io.rns.client.subtree;

import io.rns.api.SubtreeRequest;
import java.util.Optional;

/** A connection that may be able to read a subtree in one request. */
public interface SubtreeSource {
  /**
   * Begins to read a subtree.
   *
   * @return empty if the connection, by its settings, does not read subtrees at once
   */
  Optional<SubtreeStream> subtree(SubtreeRequest request);
}
