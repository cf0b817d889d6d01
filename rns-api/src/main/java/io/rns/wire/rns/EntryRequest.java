package io.rns.wire.rns;

import io.rns.api.EntriesRequest;
import io.rns.api.Entry;
import io.rns.api.Outcome;
import io.rns.api.Outcome.Done;
import io.rns.api.Outcome.Refused;
import io.rns.api.Refusal;
import io.rns.api.Refusal.NotApplied;
import io.rns.api.Target;
import io.rns.wire.BatchOptions;
import io.rns.wire.FaultTable;
import io.rns.wire.OperationCodec.Place;
import io.rns.wire.ReplyForm;
import io.rns.wire.Request;
import io.rns.xml.XmlBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request on entries: one item, or a batch. An item of a batch that violates a rule is refused alone; the others are
 * executed.
 *
 * @param <I> an item
 * @param codec the operation
 * @param items per item, in order: the item, or the reason it is invalid
 * @param options the options of the request
 * @param batch whether it is a batch and gets a batch response
 * @param names in RNS 1.1, the name of each item, even if it is invalid; otherwise empty
 */
public record EntryRequest<I>(
    EntryOperationCodec<I> codec, List<Outcome<I>> items, BatchOptions options, boolean batch, List<String> names)
    implements
      Request {
  EntryRequest(EntryOperationCodec<I> codec, List<Outcome<I>> items, BatchOptions options, boolean batch) {
    this(codec, items, options, batch, List.of());
  }

  @Override
  public FaultTable faults() {
    return codec.faults();
  }

  /** The WS-Addressing action of the response. */
  public String action() {
    return batch ? codec.batchAction() : codec.action();
  }

  /** The valid items, to be executed; empty if invalid ones leave nothing to execute. */
  public Optional<EntriesRequest> valid() {
    List<I> valid = validItems();
    boolean useless = valid.size() < items.size() && (options.allOrNothing() || valid.isEmpty());
    return useless ? Optional.empty() : Optional.of(codec.of(valid, options));
  }

  /** The entries that the valid items name. */
  public List<Target> targets() {
    return validItems().stream().map(codec::target).toList();
  }

  private List<I> validItems() {
    List<I> valid = new ArrayList<>(items.size());
    for (Outcome<I> item : items) {
      if (item instanceof Done<I> done) {
        valid.add(done.value());
      }
    }
    return valid;
  }

  /** One outcome per item if nothing is executed. */
  public List<Outcome<Entry>> unapplied() {
    return outcomes(
        validItems().stream().map(item -> Outcome.<Entry>refused(new NotApplied(codec.target(item)))).toList());
  }

  /** One outcome per item, from those of the valid items. */
  public List<Outcome<Entry>> outcomes(List<Outcome<Entry>> answered) {
    if (answered.size() == items.size()) {
      return answered;
    }
    List<Outcome<Entry>> outcomes = new ArrayList<>(items.size());
    int next = 0;
    for (Outcome<I> item : items) {
      outcomes.add(item instanceof Refused<I> bad ? Outcome.refused(bad.refusal()) : answered.get(next++));
    }
    return outcomes;
  }

  /**
   * The refusal that turns the whole response into a fault, or null: that of the only item, or in RNS 1.1 that of the
   * directory itself, if it does not exist or access is denied.
   */
  public @Nullable Refusal refusalOfAll(List<Outcome<Entry>> outcomes) {
    if (!batch) {
      return outcomes.get(0) instanceof Refused<Entry> refused ? refused.refusal() : null;
    }
    return codec.refusalOfBatch(outcomes);
  }

  /** Appends everything before the first item of a batch response. */
  public void startBatchResponse(XmlBuffer out) {
    codec.startBatchResponse(out);
  }

  /** Appends the item at {@code index}, counted from 0, of a batch response. */
  public void writeBatchItem(XmlBuffer out, int index, Outcome<Entry> outcome, ReplyForm form, Instant now) {
    if (outcome instanceof Done<Entry> done) {
      codec.writeResponse(out, done.value(), form, Place.BATCH_ITEM);
    } else if (outcome instanceof Refused<Entry> refused) {
      codec.writeRefusal(out, names.isEmpty() ? "" : names.get(index), refused.refusal(), form, now);
    }
  }

  /** Appends everything after the last item of a batch response. */
  public void endBatchResponse(XmlBuffer out) {
    codec.endBatchResponse(out);
  }

  /** Appends the payload of the response to a single successful item. */
  public void writeResponse(XmlBuffer out, Entry result, ReplyForm form) {
    codec.writeResponse(out, result, form, Place.PAYLOAD);
  }
}
