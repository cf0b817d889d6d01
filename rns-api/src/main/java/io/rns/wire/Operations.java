package io.rns.wire;

import org.jspecify.annotations.Nullable;

/** All operations of RNS 1.0, by the local name of their request element. */
public final class Operations {
  /** {@code r:list}. */
  public static final ListCodec LIST = new ListCodec();

  static final AddCodec ADD = new AddCodec();
  static final QueryCodec QUERY = new QueryCodec();
  static final UpdateCodec UPDATE = new UpdateCodec("update");
  static final UpdateCodec MOVE = new UpdateCodec("move");
  static final RemoveCodec REMOVE = new RemoveCodec();

  private Operations() {}

  /** The operation on entries that an element of {@link Namespaces#RNS} asks for, or null. */
  static @Nullable EntryOperationCodec<?> ofEntries(String element) {
    return switch (element) {
      case "query" -> QUERY;
      case "add" -> ADD;
      case "update" -> UPDATE;
      case "move" -> MOVE;
      case "remove" -> REMOVE;
      default -> null;
    };
  }
}
