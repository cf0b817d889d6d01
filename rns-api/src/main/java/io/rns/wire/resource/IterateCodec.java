package io.rns.wire.resource;

import io.rns.api.Entry;
import io.rns.api.Target;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.wire.FaultTable;
import io.rns.wire.Markup;
import io.rns.wire.Namespaces;
import io.rns.wire.OperationCodec;
import io.rns.wire.Preconditions;
import io.rns.wire.ReplyForm;
import io.rns.wire.Request;
import io.rns.wire.RequestFrame;
import io.rns.wire.rns.Items11;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code iter:iterate}: the next elements of an iterator. A response can be written element by element. */
public final class IterateCodec implements OperationCodec<IterateRequest, IteratedBlock> {
  private static final String ENTRY = "RNSEntryResponseType";

  IterateCodec() {}

  @Override
  public String element() {
    return "IterateRequestType";
  }

  @Override
  public String responseElement() {
    return "IterateResponseType";
  }

  @Override
  public String action() {
    return Namespaces.ITERATOR + "/WSIteratorPortType/iterateResponse";
  }

  @Override
  public FaultTable faults() {
    return FaultTable.READ;
  }

  @Override
  public boolean takesIterator() {
    return true;
  }

  @Override
  public Request request(XmlPull pull, RequestFrame frame) {
    return readRequest(pull, frame);
  }

  /** The service as a whole: the iterator determines the directory. */
  @Override
  public Target target(IterateRequest item) {
    return Target.ROOT;
  }

  @Override
  public void writeRequest(XmlBuffer out, IterateRequest item, Place place) {
    out.raw("<_t:IterateRequestType xmlns:_t=\"" + Namespaces.ITERATOR + "\"><_t:start-offset>");
    out.raw(Long.toString(item.startOffset())).raw("</_t:start-offset><_t:element-count>");
    out.raw(Long.toString(item.elementCount())).raw("</_t:element-count></_t:IterateRequestType>");
  }

  @Override
  public IterateRequest readRequest(XmlPull pull, RequestFrame frame) {
    Preconditions.none(frame, "iterate");
    @Nullable
    Long start = null;
    @Nullable
    Long count = null;
    while (pull.nextChild()) {
      if (pull.is(Namespaces.ITERATOR, "start-offset")) {
        Markup.once(start, "start-offset");
        start = Markup.unsigned("start-offset", pull.text());
      } else if (pull.is(Namespaces.ITERATOR, "element-count")) {
        Markup.once(count, "element-count");
        count = Markup.unsigned("element-count", pull.text());
      } else {
        pull.skip();
      }
    }
    if (start == null || count == null) {
      String lacking = start == null ? "start-offset" : "element-count";
      throw new RnsException(RnsError.INVALID_REQUEST, "iterate has no element '" + lacking + "'");
    }
    return new IterateRequest(frame.iterator(), start, count);
  }

  @Override
  public void writeResponse(XmlBuffer out, IteratedBlock result, ReplyForm form, Place place) {
    startResponse(out, result.size());
    for (IteratedBlock.Element element : result.elements()) {
      writeElement(out, element);
    }
    endResponse(out);
  }

  /** Appends everything before the first element. */
  public void startResponse(XmlBuffer out, long size) {
    out.raw("<_t:IterateResponseType xmlns:_t=\"" + Namespaces.ITERATOR + "\"").raw(Markup.DECLARATIONS_11);
    out.raw("><_t:iterator-size>").raw(Long.toString(size)).raw("</_t:iterator-size>");
  }

  /** Appends one element. */
  public void writeElement(XmlBuffer out, IteratedBlock.Element element) {
    out.raw("<_t:iterable-element").attribute("index", element.index()).raw(">").raw(element.xml());
    out.raw("</_t:iterable-element>");
  }

  /** Appends an element with an entry. */
  public void writeEntry(XmlBuffer out, long index, Entry entry, ReplyForm form) {
    out.raw("<_t:iterable-element").attribute("index", index).raw(">");
    Items11.writeEntry(out, "_n:" + ENTRY, "", entry, form);
    out.raw("</_t:iterable-element>");
  }

  /** Appends everything after the last element. */
  @Override
  public void endResponse(XmlBuffer out) {
    out.raw("</_t:IterateResponseType>");
  }

  @Override
  public IteratedBlock readResponse(XmlPull pull) {
    long size = 0;
    List<IteratedBlock.Element> elements = new ArrayList<>();
    while (pull.nextChild()) {
      if (pull.is(Namespaces.ITERATOR, "iterator-size")) {
        size = Markup.unsigned("iterator-size", pull.text());
      } else if (pull.is(Namespaces.ITERATOR, "iterable-element")) {
        long index = Markup.unsigned("attribute 'index'", Markup.required(pull, "index"));
        StringBuilder xml = new StringBuilder();
        while (pull.nextChild()) {
          xml.append(pull.fragment());
        }
        elements.add(new IteratedBlock.Element(index, xml.toString()));
      } else {
        pull.skip();
      }
    }
    return new IteratedBlock(size, elements);
  }
}
