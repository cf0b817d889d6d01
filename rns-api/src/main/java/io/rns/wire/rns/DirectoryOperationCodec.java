package io.rns.wire.rns;

import io.rns.api.Entry;
import io.rns.api.EntryName;
import io.rns.api.Outcome;
import io.rns.api.Refusal;
import io.rns.api.Target;
import io.rns.wire.FaultTable;
import io.rns.wire.Namespaces;
import io.rns.wire.ReplyForm;
import io.rns.wire.Request;
import io.rns.wire.RequestFrame;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An operation of RNS 1.1: every request is a batch of names in one directory, the target of the message, and every
 * item yields one {@code rns:entry-response}. The element of the operation is the whole request; {@link Items11} reads
 * and writes the items as its children.
 *
 * @param <I> one item of a request
 */
public interface DirectoryOperationCodec<I> extends EntryOperationCodec<I> {
  /** The name of the operation in the WSDL; its messages append {@code Request} and {@code Response}. */
  String operation();

  /** The local name of an item. */
  String itemElement();

  /**
   * Reads an item of the directory in {@code frame} and moves to its end.
   *
   * @param name receives the name of the item before anything else in the item can be rejected
   */
  I readItem(XmlPull pull, RequestFrame frame, Consumer<String> name);

  /** The entry an item refers to, by a name in its directory. */
  Target entry(I item);

  /** The name an item refers to. */
  default EntryName name(I item) {
    return entry(item).path().name();
  }

  @Override
  default Target target(I item) {
    return new Target(entry(item).start(), entry(item).path().parent());
  }

  @Override
  default String element() {
    return operation().substring(0, 1).toUpperCase(java.util.Locale.ROOT) + operation().substring(1) + "Request";
  }

  @Override
  default String responseElement() {
    return element().replace("Request", "Response");
  }

  @Override
  default String action() {
    return Namespaces.RNS_11 + "/RNSPortType/" + operation() + "Response";
  }

  @Override
  default FaultTable faults() {
    return FaultTable.WRITE;
  }

  @Override
  default Request request(XmlPull pull, RequestFrame frame) {
    return Items11.readRequest(this, pull, frame, false);
  }

  @Override
  default I readRequest(XmlPull pull, RequestFrame frame) {
    return readItem(pull, frame, name -> {});
  }

  @Override
  default void writeResponse(XmlBuffer out, Entry result, ReplyForm form, Place place) {
    Items11.writeEntry(out, result, form);
  }

  @Override
  default String batchAction() {
    return action();
  }

  @Override
  default void startBatchResponse(XmlBuffer out) {
    Items11.startResponse(out, responseElement());
  }

  @Override
  default void writeRefusal(XmlBuffer out, String name, Refusal refusal, ReplyForm form, Instant now) {
    Items11.writeRefusal(out, name, refusal, form, now);
  }

  @Override
  default void endBatchResponse(XmlBuffer out) {
    Items11.endResponse(out, responseElement());
  }

  @Override
  default @Nullable Refusal refusalOfBatch(List<Outcome<Entry>> outcomes) {
    return Items11.refusalOfDirectory(outcomes);
  }
}
