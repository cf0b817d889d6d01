package io.rns.wire;

import io.rns.api.Target;
import java.util.Optional;

/**
 * The resource that a message is about.
 *
 * @param directory a directory, unless it is an iterator
 * @param iterator an iterator, in place of the directory
 */
public record ResourceTarget(Target directory, Optional<String> iterator) {
  /** A directory. */
  public static ResourceTarget of(Target directory) {
    return new ResourceTarget(directory, Optional.empty());
  }

  /** An iterator. */
  public static ResourceTarget ofIterator(String id) {
    return new ResourceTarget(Target.ROOT, Optional.of(id));
  }
}
