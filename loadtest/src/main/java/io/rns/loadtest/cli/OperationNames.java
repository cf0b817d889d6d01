package io.rns.loadtest.cli;

import io.rns.loadtest.load.LoadOperation;
import java.util.Arrays;
import java.util.Iterator;
import java.util.stream.Stream;

/** The values of {@code --op}. */
final class OperationNames implements Iterable<String> {
  /** The size benchmark, which is not an operation. */
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
