package io.rns.wire.rns;

import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Entry;
import io.rns.api.NameService;
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
 * An operation on one entry, many of which make a batch.
 *
 * @param <I> one item of a request
 */
public interface EntryOperationCodec<I> extends OperationCodec<I, Entry> {

  /** The options that a request element outside of a batch carries in its attributes. */
  default BatchOptions options(XmlPull pull) {
    return BatchOptions.NONE;
  }

  @Override
  default Request request(XmlPull pull, RequestFrame frame) {
    BatchOptions options = options(pull);
    I item = readRequest(pull, frame);
    return new EntryRequest<>(this, List.of(Outcome.done(item)), options, false);
  }

  /** Asks a service for the items. */
  Answer<List<Outcome<Entry>>> call(NameService service, CallContext call, List<I> items, BatchOptions options);

  /** The WS-Addressing action of the answer to a batch. */
  default String batchAction() {
    return Namespaces.EXT + ":batchResponse";
  }

  /** Appends what stands before the first item of the answer to a batch. */
  default void startBatchResponse(XmlBuffer out) {
    BatchMarkup.startResponse(out);
  }

  /**
   * Appends the refusal of an item of a batch.
   *
   * @param name the name that the item is about; empty where an answer does not repeat it
   */
  default void writeRefusal(XmlBuffer out, String name, Refusal refusal, ReplyForm form, Instant now) {
    BatchMarkup.writeFault(out, Fault.of(refusal), form, now);
  }

  /** Appends what stands behind the last item of the answer to a batch. */
  default void endBatchResponse(XmlBuffer out) {
    BatchMarkup.endResponse(out);
  }

  /** The refusal that makes the whole answer to a batch a fault, or null. */
  default @Nullable Refusal refusalOfBatch(List<Outcome<Entry>> outcomes) {
    return null;
  }

  @Override
  default Entry readResponse(XmlPull pull) {
    return EntryCodec.readOnly(pull);
  }
}
