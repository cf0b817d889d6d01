package io.rns.wire;

import io.rns.api.Target;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;

/**
 * Reads and writes the messages of one operation. Every reading method starts at the start of its element and moves to
 * its end.
 *
 * @param <I> one item of a request
 * @param <O> the result of one successful item
 */
public interface OperationCodec<I, O> {
  /** The context of an element. */
  enum Place {
    /** The payload: it declares the prefixes, and the headers of the message name the target. */
    PAYLOAD,
    /** An item of a batch: the batch declares the prefixes, and the item names its own target. */
    BATCH_ITEM
  }

  /** The local name of the request element. */
  String element();

  /** The local name of the response element. */
  default String responseElement() {
    return element() + "Response";
  }

  /** The WS-Addressing action of the response: the default pattern of WSDL 1.1 unless the specification defines one. */
  default String action() {
    return Namespaces.RNS + "/RNSPortType/" + responseElement();
  }

  /** The fault elements of the operation. */
  default FaultTable faults() {
    return FaultTable.RNS_1_0;
  }

  /** Whether a message may name an iterator in place of an entry, by the header {@code x:Iterator}. */
  default boolean takesIterator() {
    return false;
  }

  /** Whether a message may request one page of the response, by the header {@code x:Page}. */
  default boolean takesPage() {
    return false;
  }

  /**
   * Reads the payload of a message as a request.
   *
   * @throws io.rns.error.RnsException if it violates a rule; the element may then be only partly read
   */
  Request request(XmlPull pull, RequestFrame frame);

  /** The entry that a call for this item refers to. */
  Target target(I item);

  /** Appends a request element. */
  void writeRequest(XmlBuffer out, I item, Place place);

  /**
   * Reads a request element.
   *
   * @throws io.rns.error.RnsException if it violates a rule; the element may then be only partly read
   */
  I readRequest(XmlPull pull, RequestFrame frame);

  /** Appends a response element. */
  void writeResponse(XmlBuffer out, O result, ReplyForm form, Place place);

  /** Reads an extended response element. */
  O readResponse(XmlPull pull);

  /** Appends the start tag of a request up to its attributes, without the {@code >}. */
  default void startRequest(XmlBuffer out, I item, Place place) {
    out.raw("<_r:").raw(element());
    if (place == Place.PAYLOAD) {
      out.raw(Markup.DECLARATIONS);
    } else {
      Target target = target(item);
      if (!target.start().equals(io.rns.api.EntryId.ROOT)) {
        out.attribute("_x:start", target.start().toString());
      }
      if (!target.path().isRoot()) {
        out.attribute("_x:path", target.path().toString());
      }
    }
  }

  /** Appends the end tag of a request. */
  default void endRequest(XmlBuffer out) {
    out.raw("</_r:").raw(element()).raw(">");
  }

  /** Appends the start tag of a response. */
  default void startResponse(XmlBuffer out, Place place) {
    out.raw("<_r:").raw(responseElement());
    out.raw(place == Place.PAYLOAD ? Markup.DECLARATIONS : "").raw(">");
  }

  /** Appends the end tag of a response. */
  default void endResponse(XmlBuffer out) {
    out.raw("</_r:").raw(responseElement()).raw(">");
  }
}
