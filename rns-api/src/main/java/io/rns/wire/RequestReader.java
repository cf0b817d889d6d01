package io.rns.wire;

import io.rns.api.Cursor;
import io.rns.api.ListRequest;
import io.rns.api.Outcome;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.xml.XmlPull;
import java.util.List;
import java.util.Optional;

/** Reads the body of a request. */
public final class RequestReader {
  private RequestReader() {}

  /** Whether the element at {@code pull} is a request that {@link #read} reads. */
  public static boolean knows(XmlPull pull) {
    return Operations.at(pull) != null || BatchCodec.isBatch(pull);
  }

  /** How errors of the request element at {@code pull} are told. */
  public static FaultTable faults(XmlPull pull) {
    OperationCodec<?, ?> codec = Operations.at(pull);
    return codec == null ? FaultTable.RNS_1_0 : codec.faults();
  }

  /**
   * Reads the request element at {@code pull} and moves to its end.
   *
   * @param headers the headers of the message
   * @param serviceUrl the address of this service
   * @throws RnsException {@link RnsError#UNKNOWN_OPERATION}, or whatever rule the request breaks
   */
  public static Request read(XmlPull pull, MessageHeaders headers, String serviceUrl) {
    RequestFrame frame = RequestFrame.of(headers, serviceUrl);
    OperationCodec<?, ?> codec = Operations.at(pull);
    if (frame.iterator().isPresent() && !(codec instanceof IterateCodec || codec instanceof ResourceOperationCodec)) {
      throw new RnsException(RnsError.INVALID_REQUEST, Faults.clean(pull.localName()) + " takes no header x:Iterator");
    }
    if (codec instanceof ListCodec list) {
      return new ListingRequest(list, list.readRequest(pull, frame), headers.page().isPresent());
    }
    if (codec instanceof Lookup11Codec lookup) {
      return lookup(lookup, pull, frame);
    }
    if (headers.page().isPresent()) {
      throw noPage(pull.localName());
    }
    if (codec instanceof DirectoryOperationCodec<?> directory) {
      return Items11.readRequest(directory, pull, frame, false);
    }
    if (codec instanceof EntryOperationCodec<?> entries) {
      return single(entries, pull, frame);
    }
    if (codec instanceof IterateCodec iterate) {
      return iterate.readRequest(pull, frame);
    }
    if (codec instanceof SearchCodec search) {
      return search.readRequest(pull, frame);
    }
    if (codec instanceof ResourceOperationCodec<?, ?> resource) {
      return resource(resource, pull, frame);
    }
    if (codec instanceof PoolOperationCodec<?, ?> pool) {
      return pool(pool, pull, frame);
    }
    if (BatchCodec.isBatch(pull)) {
      return BatchCodec.readRequest(pull, frame);
    }
    throw new RnsException(
        RnsError.UNKNOWN_OPERATION,
        "no operation '" + Faults.clean(pull.localName()) + "' in namespace '" + Faults.clean(pull.namespace()) + "'");
  }

  private static RnsException noPage(String element) {
    return new RnsException(RnsError.INVALID_REQUEST, element + " takes no header x:Page");
  }

  /** Entries by names, or if there are none all entries. */
  private static Request lookup(Lookup11Codec codec, XmlPull pull, RequestFrame frame) {
    EntryRequest<?> named = Items11.readRequest(codec, pull, frame, true);
    if (named.items().isEmpty()) {
      Optional<Cursor> cursor = frame.page().flatMap(PageOption::cursor);
      int size = frame.page().map(PageOption::size).orElse(Limits.DEFAULT_PAGE_ENTRIES);
      ListRequest request = new ListRequest(frame.target(), size, cursor, Optional.empty());
      return new ListingRequest(codec, request, frame.page().isPresent());
    }
    if (frame.page().isPresent()) {
      throw noPage(codec.element() + " with names");
    }
    return named;
  }

  private static <I> EntryRequest<I> single(EntryOperationCodec<I> codec, XmlPull pull, RequestFrame frame) {
    BatchOptions options = codec.options(pull);
    I item = codec.readRequest(pull, frame);
    return new EntryRequest<>(codec, List.of(Outcome.done(item)), options, false);
  }

  private static <I, O> ResourceRequest<I, O> resource(
      ResourceOperationCodec<I, O> codec, XmlPull pull, RequestFrame frame) {
    return new ResourceRequest<>(codec, codec.readRequest(pull, frame));
  }

  private static <I, O> PoolRequest<I, O> pool(PoolOperationCodec<I, O> codec, XmlPull pull, RequestFrame frame) {
    return new PoolRequest<>(codec, codec.readRequest(pull, frame));
  }
}
