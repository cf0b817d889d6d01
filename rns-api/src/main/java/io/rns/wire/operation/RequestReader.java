package io.rns.wire.operation;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.wire.FaultTable;
import io.rns.wire.Faults;
import io.rns.wire.MessageHeaders;
import io.rns.wire.OperationCodec;
import io.rns.wire.Preconditions;
import io.rns.wire.Request;
import io.rns.wire.RequestFrame;
import io.rns.wire.rns.BatchCodec;
import io.rns.xml.XmlPull;

/** Reads the body of a request. */
public final class RequestReader {
  private RequestReader() {}

  /** Whether {@link #read} supports the element at {@code pull}. */
  public static boolean knows(XmlPull pull) {
    return Operations.at(pull) != null || BatchCodec.isBatch(pull);
  }

  /** The fault elements for errors of the request element at {@code pull}. */
  public static FaultTable faults(XmlPull pull) {
    OperationCodec<?, ?> codec = Operations.at(pull);
    return codec == null ? FaultTable.RNS_1_0 : codec.faults();
  }

  /**
   * Reads the request element at {@code pull} and moves to its end.
   *
   * @param headers the headers of the message
   * @param serviceUrl the address of this service
   * @throws RnsException {@link RnsError#UNKNOWN_OPERATION}, or the error of the rule that the request violates
   */
  public static Request read(XmlPull pull, MessageHeaders headers, String serviceUrl) {
    RequestFrame frame = RequestFrame.of(headers, serviceUrl);
    OperationCodec<?, ?> codec = Operations.at(pull);
    if (frame.iterator().isPresent() && (codec == null || !codec.takesIterator())) {
      throw new RnsException(RnsError.INVALID_REQUEST, Faults.clean(pull.localName()) + " takes no header x:Iterator");
    }
    if (frame.page().isPresent() && (codec == null || !codec.takesPage())) {
      throw Preconditions.noPage(pull.localName());
    }
    if (codec != null) {
      return codec.request(pull, frame);
    }
    if (BatchCodec.isBatch(pull)) {
      return BatchCodec.readRequest(pull, frame);
    }
    throw new RnsException(
        RnsError.UNKNOWN_OPERATION,
        "no operation '" + Faults.clean(pull.localName()) + "' in namespace '" + Faults.clean(pull.namespace()) + "'");
  }
}
