package io.rns.wire.rns;

import io.rns.api.Entry;
import io.rns.api.EntryId;
import io.rns.api.Outcome;
import io.rns.api.Refusal;
import io.rns.api.Refusal.Invalid;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.wire.BatchOptions;
import io.rns.wire.Fault;
import io.rns.wire.Faults;
import io.rns.wire.Markup;
import io.rns.wire.Namespaces;
import io.rns.wire.OperationCodec.Place;
import io.rns.wire.Preconditions;
import io.rns.wire.RequestFrame;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import java.util.ArrayList;
import java.util.List;

/** {@code x:batch}: several items of one operation, each with its own response. */
public final class BatchCodec {
  private BatchCodec() {}

  public static boolean isBatch(XmlPull pull) {
    return pull.is(Namespaces.EXT, "batch");
  }

  public static <I> void writeRequest(XmlBuffer out, EntryOperationCodec<I> codec, List<I> items,
      BatchOptions options) {
    out.raw("<_x:batch").raw(Markup.DECLARATIONS);
    out.raw(options.allOrNothing() ? " all-or-nothing=\"true\"" : "");
    out.raw(options.parents() ? " parents=\"true\"" : "");
    out.raw(options.counts() ? " counts=\"true\">" : ">");
    for (I item : items) {
      codec.writeRequest(out, item, Place.BATCH_ITEM);
    }
    out.raw("</_x:batch>");
  }

  public static EntryRequest<?> readRequest(XmlPull pull, RequestFrame frame) {
    Preconditions.none(frame, "a batch");
    BatchOptions options =
        new BatchOptions(
            Markup.flag(pull, "", "all-or-nothing"), Markup.flag(pull, "", "parents"), Markup.flag(pull, "", "counts"));
    if (!pull.nextChild()) {
      throw new RnsException(RnsError.INVALID_REQUEST, "the batch is empty");
    }
    EntryOperationCodec<?> codec =
        pull.namespace().equals(Namespaces.RNS) ? EntryOperations.ofEntries(pull.localName()) : null;
    if (codec == null) {
      throw new RnsException(
          RnsError.INVALID_REQUEST, "'" + Faults.clean(pull.localName()) + "' cannot be an item of a batch");
    }
    return readItems(codec, pull, frame, options);
  }

  private static <I> EntryRequest<I> readItems(
      EntryOperationCodec<I> codec, XmlPull pull, RequestFrame frame, BatchOptions options) {
    List<Outcome<I>> items = new ArrayList<>();
    int count = 0;
    do {
      count++;
      if (!pull.is(Namespaces.RNS, codec.element())) {
        throw new RnsException(
            RnsError.INVALID_REQUEST,
            "the batch mixes '" + codec.element() + "' and '" + Faults.clean(pull.localName()) + "'");
      }
      if (count > Limits.BATCH_ITEMS) {
        pull.skip();
      } else {
        items.add(readItem(codec, pull, frame));
      }
    } while (pull.nextChild());
    Limits.check("the batch", count, Limits.BATCH_ITEMS, "items");
    return new EntryRequest<>(codec, items, options, true);
  }

  private static <I> Outcome<I> readItem(EntryOperationCodec<I> codec, XmlPull pull, RequestFrame frame) {
    int depth = pull.depth();
    Target target = frame.target();
    try {
      target = target(pull, frame.target());
      if (codec.options(pull).parents()) {
        throw new RnsException(RnsError.INVALID_REQUEST, "in a batch 'parents' is an attribute of the batch");
      }
      return Outcome.done(codec.readRequest(pull, frame.item(target)));
    } catch (RnsException e) {
      if (e.error() == RnsError.MALFORMED_MESSAGE) {
        throw e;
      }
      pull.leave(depth);
      return Outcome.refused(new Invalid(target, e.error(), String.valueOf(e.getMessage())));
    }
  }

  private static Target target(XmlPull pull, Target base) {
    String start = pull.attribute(Namespaces.EXT, "start");
    String path = pull.attribute(Namespaces.EXT, "path");
    if (start == null && path == null) {
      return base;
    }
    RnsPath below = path == null ? RnsPath.ROOT : RnsPath.parse(path);
    if (start != null) {
      return new Target(EntryId.parse(start), below);
    }
    return new Target(base.start(), base.path().isRoot() ? below : base.path().resolve(below));
  }

  /** Reads the response to a batch of {@code targets}. */
  public static <I> List<Outcome<Entry>> readResponse(XmlPull pull, EntryOperationCodec<I> codec, List<I> items) {
    List<Outcome<Entry>> outcomes = new ArrayList<>(items.size());
    while (pull.nextChild()) {
      if (outcomes.size() == items.size()) {
        throw wrongCount("more than " + items.size(), items.size());
      }
      if (pull.is(Namespaces.EXT, "fault")) {
        Target target = codec.target(items.get(outcomes.size()));
        outcomes.add(Outcome.refused(readFault(pull, target)));
      } else {
        outcomes.add(Outcome.done(codec.readResponse(pull)));
      }
    }
    if (outcomes.size() != items.size()) {
      throw wrongCount(Integer.toString(outcomes.size()), items.size());
    }
    return outcomes;
  }

  private static Refusal readFault(XmlPull pull, Target target) {
    Fault fault = null;
    while (pull.nextChild()) {
      fault = Faults.readDetail(pull);
    }
    if (fault == null) {
      throw new RnsException(RnsError.MALFORMED_MESSAGE, "the answer has a fault of no known kind");
    }
    Fault itemFault = fault;
    return itemFault.refusal().orElseGet(() -> new Invalid(target, itemFault.error(), itemFault.message()));
  }

  private static RnsException wrongCount(String answers, int items) {
    return new RnsException(
        RnsError.MALFORMED_MESSAGE, "the answer to a batch of " + items + " has " + answers + " items");
  }
}
