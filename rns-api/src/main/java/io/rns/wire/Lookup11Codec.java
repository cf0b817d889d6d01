package io.rns.wire;

import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Entry;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.Page;
import io.rns.api.QueryRequest;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** {@code rns:LookupRequest}: entries by their names, or without a name all of them, as {@link ListingForm}. */
final class Lookup11Codec implements DirectoryOperationCodec<Target>, ListingForm {
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
  public Target readItem(XmlPull pull, RequestFrame frame, Consumer<String> told) {
    RnsPath directory = frame.target().path();
    return new Target(frame.target().start(), directory.child(Names11.text(pull, told)));
  }

  @Override
  public Answer<List<Outcome<Entry>>> call(
      NameService service, CallContext call, List<Target> items, BatchOptions options) {
    return service.query(call, new QueryRequest(items, false));
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

  /** Reads an extended answer to a request without names; where the next page begins stands in the headers. */
  Page readPage(XmlPull pull) {
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
