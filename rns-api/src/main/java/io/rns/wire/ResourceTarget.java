package io.rns.wire;

import io.rns.api.Target;
import java.util.Optional;

/**
 * The resource a message refers to.
 *
 * @param directory a directory, unless the resource is an iterator
 * @param iterator an iterator, in place of the directory
 */
public record ResourceTarget(Target directory, Optional<String> iterator) {
  public static ResourceTarget of(Target directory) {
    return new ResourceTarget(directory, Optional.empty());
  }

  public static ResourceTarget ofIterator(String id) {
    return new ResourceTarget(Target.ROOT, Optional.of(id));
  }
}
