package io.rns.wire.rns;

import io.rns.api.Cursor;
import io.rns.api.EntriesRequest;
import io.rns.api.Entry;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.ListRequest;
import io.rns.api.Page;
import io.rns.api.QueryRequest;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.error.Limits;
import io.rns.wire.BatchOptions;
import io.rns.wire.FaultTable;
import io.rns.wire.IteratorReference;
import io.rns.wire.Namespaces;
import io.rns.wire.PageOption;
import io.rns.wire.Preconditions;
import io.rns.wire.ReplyForm;
import io.rns.wire.Request;
import io.rns.wire.RequestFrame;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** {@code rns:LookupRequest}: entries by name or, without names, all entries as a {@link ListingForm}. */
public final class Lookup11Codec implements DirectoryOperationCodec<Target>, ListingForm {
  @Override
  public String operation() {
    return "lookup";
  }

  @Override
  public String itemElement() {
    return "entry-name";
  }

  @Override
  public String action() {
    return DirectoryOperationCodec.super.action();
  }

  @Override
  public FaultTable faults() {
    return FaultTable.READ;
  }

  @Override
  public boolean takesPage() {
    return true;
  }

  /** Reads a look-up of names, or a listing if there are none. */
  @Override
  public Request request(XmlPull pull, RequestFrame frame) {
    EntryRequest<?> named = Items11.readRequest(this, pull, frame, true);
    if (named.items().isEmpty()) {
      Optional<Cursor> cursor = frame.page().flatMap(PageOption::cursor);
      int size = frame.page().map(PageOption::size).orElse(Limits.DEFAULT_PAGE_ENTRIES);
      ListRequest request = new ListRequest(frame.target(), size, cursor, Optional.empty());
      return new ListingRequest(this, request, frame.page().isPresent());
    }
    if (frame.page().isPresent()) {
      throw Preconditions.noPage(element() + " with names");
    }
    return named;
  }

  @Override
  public Target target(Target item) {
    return item.path().isRoot() ? item : new Target(item.start(), item.path().parent());
  }

  @Override
  public Target entry(Target item) {
    return item;
  }

  @Override
  public void writeRequest(XmlBuffer out, Target item, Place place) {
    out.raw("<_n:entry-name>").text(name(item).toString()).raw("</_n:entry-name>");
  }

  @Override
  public Target readItem(XmlPull pull, RequestFrame frame, Consumer<String> nameText) {
    RnsPath directory = frame.target().path();
    return new Target(frame.target().start(), directory.child(Names11.text(pull, nameText)));
  }

  @Override
  public EntriesRequest of(List<Target> items, BatchOptions options) {
    return new QueryRequest(items, false);
  }

  @Override
  public boolean isWhole() {
    return false;
  }

  @Override
  public void startListing(XmlBuffer out, VirtualDirectory directory, ReplyForm form) {
    Items11.startResponse(out, responseElement());
    if (form.extended()) {
      EntryCodec.write(out, "directory", directory);
    }
  }

  @Override
  public void writeEntry(XmlBuffer out, Entry entry, ReplyForm form) {
    Items11.writeEntry(out, entry, form);
  }

  @Override
  public void endListing(XmlBuffer out, ReplyForm form, @Nullable IteratorReference rest) {
    if (rest != null) {
      rest.writeTo(out, "_n:iterator");
    }
    Items11.endResponse(out, responseElement());
  }

  /** Reads an extended response to a request without names; the start of the next page is in the headers. */
  public Page readPage(XmlPull pull) {
    @Nullable
    VirtualDirectory directory = null;
    List<Entry> entries = new ArrayList<>();
    while (pull.nextChild()) {
      if (pull.is(Namespaces.RNS_11, "entry-response")) {
        entries.add(EntryResponse.read(pull).entry().orElseThrow(EntryCodec::notExtended));
      } else if (pull.is(Namespaces.EXT, "directory") && EntryCodec.read(pull) instanceof VirtualDirectory d) {
        directory = d;
      } else {
        pull.skip();
      }
    }
    if (directory == null) {
      throw EntryCodec.notExtended();
    }
    return new Page(directory, entries, Optional.empty());
  }
}
