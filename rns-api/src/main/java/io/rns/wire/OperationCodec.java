package io.rns.wire;

import io.rns.api.Target;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;

/**
 * How one operation is written and read. Every method that reads starts at the start of its element and moves to its
 * end.
 *
 * @param <I> one item of a request
 * @param <O> what a success of one item gives
 */
public interface OperationCodec<I, O> {
  /** Where an element stands. */
  enum Place {
    /** It is the payload: it declares the prefixes, and the headers of the message name the target. */
    PAYLOAD,
    /** It is an item of a batch: the batch declares the prefixes, and the item names its own target. */
    BATCH_ITEM
  }

  /** The local name of the request element. */
  String element();

  /** The local name of the answer's element. */
  default String responseElement() {
    return element() + "Response";
  }

  /** The WS-Addressing action of the answer: the default pattern of WSDL 1.1 where the standard names none. */
  default String action() {
    return Namespaces.RNS + "/RNSPortType/" + responseElement();
  }

  /** How errors of the operation are told. */
  default FaultTable faults() {
    return FaultTable.RNS_1_0;
  }

  /** Whether a message may name an iterator in place of an entry, by the header {@code x:Iterator}. */
  default boolean takesIterator() {
    return false;
  }

  /** Whether a message may ask for one page of the answer, by the header {@code x:Page}. */
  default boolean takesPage() {
    return false;
  }

  /**
   * Reads the payload of a message as a request.
   *
   * @throws io.rns.error.RnsException if it breaks a rule; the element may then be read only in part
   */
  Request request(XmlPull pull, RequestFrame frame);

  /** The entry that a call for this item is about. */
  Target target(I item);

  /** Appends a request element. */
  void writeRequest(XmlBuffer out, I item, Place place);

  /**
   * Reads a request element.
   *
   * @throws io.rns.error.RnsException if it breaks a rule; the element may then be read only in part
   */
  I readRequest(XmlPull pull, RequestFrame frame);

  /** Appends an answer element. */
  void writeResponse(XmlBuffer out, O result, ReplyForm form, Place place);

  /** Reads an extended answer element. */
  O readResponse(XmlPull pull);

  /** Appends the start tag of a request up to its attributes, with no {@code >} yet. */
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

  /** Appends the start tag of an answer. */
  default void startResponse(XmlBuffer out, Place place) {
    out.raw("<_r:").raw(responseElement());
    out.raw(place == Place.PAYLOAD ? Markup.DECLARATIONS : "").raw(">");
  }

  /** Appends the end tag of an answer. */
  default void endResponse(XmlBuffer out) {
    out.raw("</_r:").raw(responseElement()).raw(">");
  }
}
