package io.rns.wire.operation;

import io.rns.wire.Namespaces;
import io.rns.wire.OperationCodec;
import io.rns.wire.pool.PoolOperations;
import io.rns.wire.resource.ResourceOperations;
import io.rns.wire.rns.EntryOperations;
import io.rns.xml.XmlPull;
import org.jspecify.annotations.Nullable;

/** All operations, by the name of their request element. */
final class Operations {
  private Operations() {}

  /** The operation of the element at {@code pull}, or null. */
  static @Nullable OperationCodec<?, ?> at(XmlPull pull) {
    String element = pull.localName();
    return switch (pull.namespace()) {
      case Namespaces.RNS -> EntryOperations.rns10(element);
      case Namespaces.RNS_11 -> EntryOperations.rns11(element);
      case Namespaces.EXT ->
        element.equals(EntryOperations.SUBTREE.element()) ? EntryOperations.SUBTREE : PoolOperations.named(element);
      default -> ResourceOperations.named(pull.namespace(), element);
    };
  }
}
