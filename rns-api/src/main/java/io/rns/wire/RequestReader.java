package io.rns.wire;

import io.rns.api.Outcome;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.xml.XmlPull;
import java.util.List;

/** Reads the body of a request. */
public final class RequestReader {
  private RequestReader() {}

  /** Whether the element at {@code pull} is a request that {@link #read} reads. */
  public static boolean knows(XmlPull pull) {
    String namespace = pull.namespace();
    if (namespace.equals(Namespaces.RNS)) {
      return pull.localName().equals("list") || Operations.ofEntries(pull.localName()) != null;
    }
    return BatchCodec.isBatch(pull);
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
    if (pull.is(Namespaces.RNS, "list")) {
      return new ListingRequest(Operations.LIST.readRequest(pull, frame), headers.page().isPresent());
    }
    if (headers.page().isPresent()) {
      throw new RnsException(RnsError.INVALID_REQUEST, pull.localName() + " takes no header x:Page");
    }
    if (BatchCodec.isBatch(pull)) {
      return BatchCodec.readRequest(pull, frame);
    }
    EntryOperationCodec<?> codec =
        pull.namespace().equals(Namespaces.RNS) ? Operations.ofEntries(pull.localName()) : null;
    if (codec == null) {
      throw new RnsException(
          RnsError.UNKNOWN_OPERATION,
          "no operation '" + Faults.clean(pull.localName()) + "' in namespace '" + Faults.clean(pull.namespace()) + "'");
    }
    return single(codec, pull, frame);
  }

  private static <I> EntryRequest<I> single(EntryOperationCodec<I> codec, XmlPull pull, RequestFrame frame) {
    BatchOptions options = codec.options(pull);
    I item = codec.readRequest(pull, frame);
    return new EntryRequest<>(codec, List.of(Outcome.done(item)), options, false);
  }
}
