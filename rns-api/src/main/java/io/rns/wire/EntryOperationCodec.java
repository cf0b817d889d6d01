package io.rns.wire;

import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Entry;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.Refusal;
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
public sealed interface EntryOperationCodec<I> extends OperationCodec<I, Entry>
    permits AddCodec, QueryCodec, UpdateCodec, RemoveCodec, DirectoryOperationCodec {

  /** The options that a request element outside of a batch carries in its attributes. */
  default BatchOptions options(XmlPull pull) {
    return BatchOptions.NONE;
  }

  /** Asks a service for the items. */
  Answer<List<Outcome<Entry>>> call(NameService service, CallContext call, List<I> items, BatchOptions options);

  /** The WS-Addressing action of the answer to a batch. */
  default String batchAction() {
    return Namespaces.EXT + ":batchResponse";
  }

  /** Appends what stands before the first item of the answer to a batch. */
  default void startBatchResponse(XmlBuffer out) {
    BatchCodec.startResponse(out);
  }

  /**
   * Appends the refusal of an item of a batch.
   *
   * @param name the name that the item is about; empty where an answer does not repeat it
   */
  default void writeRefusal(XmlBuffer out, String name, Refusal refusal, ReplyForm form, Instant now) {
    BatchCodec.writeFault(out, Fault.of(refusal), form, now);
  }

  /** Appends what stands behind the last item of the answer to a batch. */
  default void endBatchResponse(XmlBuffer out) {
    BatchCodec.endResponse(out);
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
