package io.rns.wire.rns;

import io.rns.wire.Namespaces;
import io.rns.wire.OperationCodec;
import org.jspecify.annotations.Nullable;

/** The operations of RNS 1.0 and 1.1, by the name of their request element. */
public final class EntryOperations {
  /** {@code r:list}. */
  public static final ListCodec LIST = new ListCodec();

  /** {@code x:subtree}. */
  public static final SubtreeCodec SUBTREE = new SubtreeCodec();

  public static final AddCodec ADD = new AddCodec();
  public static final QueryCodec QUERY = new QueryCodec();
  public static final UpdateCodec UPDATE = new UpdateCodec("update");
  static final UpdateCodec MOVE = new UpdateCodec("move");
  public static final RemoveCodec REMOVE = new RemoveCodec();

  public static final Add11Codec ADD_11 = new Add11Codec();
  public static final Lookup11Codec LOOKUP_11 = new Lookup11Codec();
  public static final Rename11Codec RENAME_11 = new Rename11Codec();
  public static final Remove11Codec REMOVE_11 = new Remove11Codec();
  public static final SetMetadata11Codec SET_METADATA_11 = new SetMetadata11Codec();

  private EntryOperations() {}

  /** The operation of an element of {@link Namespaces#RNS}, or null. */
  public static @Nullable OperationCodec<?, ?> rns10(String element) {
    return element.equals("list") ? LIST : ofEntries(element);
  }

  /** The operation on entries of an element of {@link Namespaces#RNS}, or null. */
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

  /** The operation of an element of {@link Namespaces#RNS_11}, or null. */
  public static @Nullable DirectoryOperationCodec<?> rns11(String element) {
    return switch (element) {
      case "LookupRequest" -> LOOKUP_11;
      case "AddRequest" -> ADD_11;
      case "RenameRequest" -> RENAME_11;
      case "RemoveRequest" -> REMOVE_11;
      case "SetMetadataRequest" -> SET_METADATA_11;
      default -> null;
    };
  }
}
