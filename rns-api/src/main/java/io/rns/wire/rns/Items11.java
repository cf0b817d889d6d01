package io.rns.wire.rns;

import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.Entry.Junction;
import io.rns.api.Metadata;
import io.rns.api.Outcome;
import io.rns.api.Outcome.Refused;
import io.rns.api.Refusal;
import io.rns.api.Refusal.EntryExists;
import io.rns.api.Refusal.Invalid;
import io.rns.api.Refusal.NoSuchEntry;
import io.rns.api.Refusal.NotDirectory;
import io.rns.api.Target;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.wire.BatchOptions;
import io.rns.wire.Fault;
import io.rns.wire.FaultTable;
import io.rns.wire.Faults;
import io.rns.wire.Markup;
import io.rns.wire.Namespaces;
import io.rns.wire.OperationCodec.Place;
import io.rns.wire.Preconditions;
import io.rns.wire.ReplyForm;
import io.rns.wire.RequestFrame;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Requests and responses of RNS 1.1: the items of one directory, in order. */
public final class Items11 {
  private Items11() {}

  public static <I> void writeRequest(XmlBuffer out, DirectoryOperationCodec<I> codec, List<I> items,
      BatchOptions options) {
    out.raw("<_n:").raw(codec.element()).raw(Markup.DECLARATIONS_11);
    out.raw(options.allOrNothing() ? " _x:all-or-nothing=\"true\">" : ">");
    for (I item : items) {
      codec.writeRequest(out, item, Place.BATCH_ITEM);
    }
    out.raw("</_n:").raw(codec.element()).raw(">");
  }

  /** Reads a request with at least one item, unless it may be empty. */
  static <I> EntryRequest<I> readRequest(
      DirectoryOperationCodec<I> codec, XmlPull pull, RequestFrame frame, boolean mayBeEmpty) {
    Preconditions.none(frame, codec.element());
    BatchOptions options = new BatchOptions(Markup.flag(pull, Namespaces.EXT, "all-or-nothing"), false, false);
    List<Outcome<I>> items = new ArrayList<>();
    List<String> names = new ArrayList<>();
    int count = 0;
    while (pull.nextChild()) {
      if (!pull.is(Namespaces.RNS_11, codec.itemElement())) {
        Markup.passOver(pull);
      } else if (mayBeEmpty && pull.isNil()) {
        pull.skip();
      } else if (++count > Limits.BATCH_ITEMS) {
        pull.skip();
      } else {
        readItem(codec, pull, frame, items, names);
      }
    }
    Limits.check(codec.element(), count, Limits.BATCH_ITEMS, "items");
    if (count == 0 && !mayBeEmpty) {
      throw new RnsException(RnsError.INVALID_REQUEST,
          codec.element() + " has no element '" + codec.itemElement() + "'");
    }
    return new EntryRequest<>(codec, items, options, true, names);
  }

  private static <I> void readItem(
      DirectoryOperationCodec<I> codec, XmlPull pull, RequestFrame frame, List<Outcome<I>> items, List<String> names) {
    int depth = pull.depth();
    String[] name = {""};
    try {
      items.add(Outcome.done(codec.readItem(pull, frame.item(frame.target()), read -> name[0] = read)));
    } catch (RnsException e) {
      if (e.error() == RnsError.MALFORMED_MESSAGE) {
        throw e;
      }
      pull.leave(depth);
      items.add(Outcome.refused(new Invalid(frame.target(), e.error(), String.valueOf(e.getMessage()))));
    }
    names.add(name[0]);
  }

  static void startResponse(XmlBuffer out, String element) {
    out.raw("<_n:").raw(element).raw(Markup.DECLARATIONS_11).raw(">");
  }

  static void endResponse(XmlBuffer out, String element) {
    out.raw("</_n:").raw(element).raw(">");
  }

  /** Appends the response to a successful item. */
  public static void writeEntry(XmlBuffer out, Entry entry, ReplyForm form) {
    writeEntry(out, "_n:entry-response", "", entry, form);
  }

  /** Appends an entry as an element of the given name with the given prefix declarations. */
  public static void writeEntry(XmlBuffer out, String element, String declarations, Entry entry, ReplyForm form) {
    out.raw("<").raw(element).raw(declarations).attribute("entry-name", entry.displayName()).raw(">");
    if (form.extended()) {
      EntryCodec.write(out, "entry", entry);
    } else if (entry instanceof Junction junction) {
      junction.references().get(0).writeTo(out, "_n:endpoint");
      writeMetadata(out, junction.metadata(), junction.references());
    } else {
      form.directoryReference(out, "_n:endpoint", entry.id());
      out.raw("<_n:metadata>").raw(SupportsRns.TRUE.element());
      out.raw(SupportsRns.split(entry.metadata()).rest()).raw("</_n:metadata>");
    }
    out.raw("</").raw(element).raw(">");
  }

  /** Appends the metadata of a link, including all references except the first, for which RNS 1.1 has no place. */
  static void writeMetadata(XmlBuffer out, Metadata metadata, List<EndpointReference> references) {
    SupportsRns.Split split = SupportsRns.split(metadata);
    out.raw("<_n:metadata>").raw(split.supportsRns().element());
    for (int i = 1; i < references.size(); i++) {
      references.get(i).writeTo(out, "_x:reference");
    }
    out.raw(split.rest()).raw("</_n:metadata>");
  }

  /** Appends the response to a refused item; {@code name} is the name it requested. */
  static void writeRefusal(XmlBuffer out, String name, Refusal refusal, ReplyForm form, Instant now) {
    // A rename is refused because of its new name.
    boolean isTaken = refusal instanceof EntryExists taken && !taken.existing().path().isRoot();
    String about = isTaken ? ((EntryExists) refusal).existing().path().name().toString() : name;
    out.raw("<_n:entry-response").attribute("entry-name", about).raw(">");
    Faults.writeItem(out, Fault.of(refusal), about, form.extended(), now);
    out.raw("</_n:entry-response>");
  }

  /** The refusal of the directory itself, if it does not exist or access is denied; otherwise null. */
  static @Nullable Refusal refusalOfDirectory(List<Outcome<Entry>> outcomes) {
    Refusal last = null;
    boolean permitted = false;
    for (Outcome<Entry> outcome : outcomes) {
      if (outcome instanceof Refused<Entry> refused) {
        last = refused.refusal();
        if (isOfDirectory(last)) {
          return last;
        }
        permitted |= !FaultTable.deniesAccess(Fault.of(last));
      } else {
        permitted = true;
      }
    }
    return permitted ? null : last;
  }

  private static boolean isOfDirectory(Refusal refusal) {
    int directory = refusal.target().path().depth() - 1;
    return (refusal instanceof NoSuchEntry none && none.missing() <= directory)
        || (refusal instanceof NotDirectory not && not.junction() <= directory);
  }

  /** Reads the extended response to a request of {@code items}: one outcome each, in order. */
  public static <I> List<Outcome<Entry>> readOutcomes(XmlPull pull, DirectoryOperationCodec<I> codec, List<I> items) {
    List<EntryResponse> responses = readResponse(pull);
    if (responses.size() != items.size()) {
      throw new RnsException(
          RnsError.MALFORMED_MESSAGE, "the answer to " + items.size() + " items has " + responses.size());
    }
    List<Outcome<Entry>> outcomes = new ArrayList<>(items.size());
    for (int i = 0; i < items.size(); i++) {
      EntryResponse response = responses.get(i);
      if (response.fault().isPresent()) {
        Fault fault = response.fault().get();
        Target entry = codec.entry(items.get(i));
        outcomes.add(
            Outcome.refused(fault.refusal().orElseGet(() -> new Invalid(entry, fault.error(), fault.message()))));
      } else {
        outcomes.add(Outcome.done(response.entry().orElseThrow(EntryCodec::notExtended)));
      }
    }
    return outcomes;
  }

  /** Reads the items of a response. */
  public static List<EntryResponse> readResponse(XmlPull pull) {
    List<EntryResponse> responses = new ArrayList<>();
    while (pull.nextChild()) {
      if (pull.is(Namespaces.RNS_11, "entry-response")) {
        responses.add(EntryResponse.read(pull));
      } else {
        pull.skip();
      }
    }
    return responses;
  }
}
