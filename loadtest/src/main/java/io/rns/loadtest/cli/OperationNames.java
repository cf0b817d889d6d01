package io.rns.loadtest.cli;

import io.rns.loadtest.LoadOperation;
import java.util.Arrays;
import java.util.Iterator;
import java.util.stream.Stream;

/** What {@code --op} can be. */
final class OperationNames implements Iterable<String> {
  /** The benchmark of size, which is no operation. */
  static final String SIZE = "size";

  @Override
  public Iterator<String> iterator() {
    return all().iterator();
  }

  private static Stream<String> all() {
    return Stream.concat(Arrays.stream(LoadOperation.values()).map(LoadOperation::toString), Stream.of(SIZE));
  }

  static boolean isOne(String name) {
    return all().anyMatch(name::equals);
  }
}
