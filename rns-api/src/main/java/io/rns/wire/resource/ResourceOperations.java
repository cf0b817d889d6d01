package io.rns.wire.resource;

import io.rns.wire.Namespaces;
import io.rns.wire.OperationCodec;
import org.jspecify.annotations.Nullable;

/** The operations of the specifications besides RNS: properties and lifetime, naming, iterators, search. */
public final class ResourceOperations {
  /** {@code iter:iterate}. */
  public static final IterateCodec ITERATE = new IterateCodec();

  /** {@code search}. */
  public static final SearchCodec SEARCH = new SearchCodec();

  public static final PropertiesCodec GET_PROPERTY = new PropertiesCodec(false);
  public static final PropertiesCodec GET_PROPERTIES = new PropertiesCodec(true);
  public static final PropertyDocumentCodec GET_PROPERTY_DOCUMENT = new PropertyDocumentCodec();
  public static final QueryExpressionCodec QUERY_PROPERTIES = new QueryExpressionCodec();
  public static final SetTerminationTimeCodec SET_TERMINATION_TIME = new SetTerminationTimeCodec();
  public static final DestroyCodec DESTROY = new DestroyCodec();
  public static final ResolveCodec RESOLVE = new ResolveCodec();
  public static final ResolveEpiCodec RESOLVE_EPI = new ResolveEpiCodec();

  private ResourceOperations() {}

  /** The operation of an element, or null. */
  public static @Nullable OperationCodec<?, ?> named(String namespace, String element) {
    return switch (namespace) {
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
}
