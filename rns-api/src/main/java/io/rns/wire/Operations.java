package io.rns.wire;

import io.rns.xml.XmlPull;
import org.jspecify.annotations.Nullable;

/** All operations, by the name of their request element. */
public final class Operations {
  /** {@code r:list}. */
  public static final ListCodec LIST = new ListCodec();

  static final AddCodec ADD = new AddCodec();
  static final QueryCodec QUERY = new QueryCodec();
  static final UpdateCodec UPDATE = new UpdateCodec("update");
  static final UpdateCodec MOVE = new UpdateCodec("move");
  static final RemoveCodec REMOVE = new RemoveCodec();

  static final Add11Codec ADD_11 = new Add11Codec();
  static final Lookup11Codec LOOKUP_11 = new Lookup11Codec();
  static final Rename11Codec RENAME_11 = new Rename11Codec();
  static final Remove11Codec REMOVE_11 = new Remove11Codec();
  static final SetMetadata11Codec SET_METADATA_11 = new SetMetadata11Codec();

  /** {@code iter:iterate}. */
  public static final IterateCodec ITERATE = new IterateCodec();

  /** {@code search}. */
  public static final SearchCodec SEARCH = new SearchCodec();

  static final PropertiesCodec GET_PROPERTY = new PropertiesCodec(false);
  static final PropertiesCodec GET_PROPERTIES = new PropertiesCodec(true);
  static final PropertyDocumentCodec GET_PROPERTY_DOCUMENT = new PropertyDocumentCodec();
  static final QueryExpressionCodec QUERY_PROPERTIES = new QueryExpressionCodec();
  static final SetTerminationTimeCodec SET_TERMINATION_TIME = new SetTerminationTimeCodec();
  static final DestroyCodec DESTROY = new DestroyCodec();
  static final ResolveCodec RESOLVE = new ResolveCodec();
  static final ResolveEpiCodec RESOLVE_EPI = new ResolveEpiCodec();

  private Operations() {}

  /** The operation that the element at {@code pull} asks for, or null. */
  static @Nullable OperationCodec<?, ?> at(XmlPull pull) {
    String element = pull.localName();
    return switch (pull.namespace()) {
      case Namespaces.RNS -> element.equals("list") ? LIST : ofEntries(element);
      case Namespaces.RNS_11 -> ofDirectory(element);
      case Namespaces.EXT -> PoolOperations.named(element);
      case Namespaces.WSRP ->
        switch (element) {
          case "GetResourceProperty" -> GET_PROPERTY;
          case "GetMultipleResourceProperties" -> GET_PROPERTIES;
          case "GetResourcePropertyDocument" -> GET_PROPERTY_DOCUMENT;
          case "QueryResourceProperties" -> QUERY_PROPERTIES;
          default -> null;
        };
      case Namespaces.SEARCH -> element.equals("SearchRequest") ? SEARCH : null;
      case Namespaces.ITERATOR -> element.equals("IterateRequestType") ? ITERATE : null;
      case Namespaces.WSRL ->
        switch (element) {
          case "Destroy" -> DESTROY;
          case "SetTerminationTime" -> SET_TERMINATION_TIME;
          default -> null;
        };
      case Namespaces.NAMING, Namespaces.OLD_NAMING -> element.equals("EndpointIdentifier") ? RESOLVE_EPI : null;
      case Namespaces.NAMING_WSDL -> element.equals("resolve") ? RESOLVE : null;
      default -> null;
    };
  }

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

  private static @Nullable DirectoryOperationCodec<?> ofDirectory(String element) {
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
