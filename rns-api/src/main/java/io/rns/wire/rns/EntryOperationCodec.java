package io.rns.wire.rns;

import io.rns.api.EntriesRequest;
import io.rns.api.Entry;
import io.rns.api.Outcome;
import io.rns.api.Refusal;
import io.rns.wire.BatchOptions;
import io.rns.wire.Fault;
import io.rns.wire.Namespaces;
import io.rns.wire.OperationCodec;
import io.rns.wire.ReplyForm;
import io.rns.wire.Request;
import io.rns.wire.RequestFrame;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An operation on one entry; several operations form a batch.
 *
 * @param <I> one item of a request
 */
public interface EntryOperationCodec<I> extends OperationCodec<I, Entry> {

  /** The options in the attributes of a request element outside a batch. */
  default BatchOptions options(XmlPull pull) {
    return BatchOptions.NONE;
  }

  @Override
  default Request request(XmlPull pull, RequestFrame frame) {
    BatchOptions options = options(pull);
    I item = readRequest(pull, frame);
    return new EntryRequest<>(this, List.of(Outcome.done(item)), options, false);
  }

  /** The request for all items. */
  EntriesRequest of(List<I> items, BatchOptions options);

  /** The WS-Addressing action of a batch response. */
  default String batchAction() {
    return Namespaces.EXT + ":batchResponse";
  }

  /** Appends everything before the first item of a batch response. */
  default void startBatchResponse(XmlBuffer out) {
    BatchMarkup.startResponse(out);
  }

  /**
   * Appends the refusal of an item of a batch.
   *
   * @param name the name of the item; empty where a response does not repeat it
   */
  default void writeRefusal(XmlBuffer out, String name, Refusal refusal, ReplyForm form, Instant now) {
    BatchMarkup.writeFault(out, Fault.of(refusal), form, now);
  }

  /** Appends everything after the last item of a batch response. */
  default void endBatchResponse(XmlBuffer out) {
    BatchMarkup.endResponse(out);
  }

  /** The refusal that turns the whole batch response into a fault, or null. */
  default @Nullable Refusal refusalOfBatch(List<Outcome<Entry>> outcomes) {
    return null;
  }

  @Override
  default Entry readResponse(XmlPull pull) {
    return EntryCodec.readOnly(pull);
  }
}
