package io.rns.wire.rns;

import io.rns.api.Cursor;
import io.rns.api.Entry;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.ListRequest;
import io.rns.api.NamePattern;
import io.rns.api.NamePattern.Syntax;
import io.rns.api.Page;
import io.rns.api.Target;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.wire.FaultTable;
import io.rns.wire.IteratorReference;
import io.rns.wire.Markup;
import io.rns.wire.Namespaces;
import io.rns.wire.OperationCodec;
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
import org.jspecify.annotations.Nullable;

/** {@code r:list}: the target is the directory. A response can be written page by page. */
public final class ListCodec implements OperationCodec<ListRequest, Page>, ListingForm {
  ListCodec() {}

  @Override
  public String element() {
    return "list";
  }

  @Override
  public String action() {
    return OperationCodec.super.action();
  }

  @Override
  public FaultTable faults() {
    return OperationCodec.super.faults();
  }

  @Override
  public boolean takesPage() {
    return true;
  }

  @Override
  public Request request(XmlPull pull, RequestFrame frame) {
    return new ListingRequest(this, readRequest(pull, frame), frame.page().isPresent());
  }

  @Override
  public Target target(ListRequest item) {
    return item.directory();
  }

  @Override
  public void writeRequest(XmlBuffer out, ListRequest item, Place place) {
    startRequest(out, item, place);
    String text = item.pattern().map(NamePattern::toString).orElse("");
    boolean glob = !text.isEmpty() && item.pattern().get().syntax() == Syntax.GLOB;
    out.raw(glob ? " _x:syntax=\"glob\"><_r:entry_name_regexp>" : "><_r:entry_name_regexp>");
    // Absent text would mean all names; the empty pattern matches none.
    out.text(text.isEmpty() && item.pattern().isPresent() ? "()" : text);
    out.raw("</_r:entry_name_regexp>");
    endRequest(out);
  }

  @Override
  public ListRequest readRequest(XmlPull pull, RequestFrame frame) {
    Preconditions.none(frame, "list");
    Syntax syntax = syntax(pull.attribute(Namespaces.EXT, "syntax"));
    @Nullable
    String text = null;
    while (pull.nextChild()) {
      if (pull.is(Namespaces.RNS, "entry_name_regexp")) {
        Markup.once(text, "entry_name_regexp");
        text = pull.text();
      } else if (pull.namespace().equals(Namespaces.EXT)) {
        throw Markup.unknownElement(pull);
      } else {
        pull.skip();
      }
    }
    Optional<NamePattern> pattern =
        text == null || text.isEmpty() ? Optional.empty() : Optional.of(NamePattern.of(syntax, text));
    Optional<Cursor> cursor = frame.page().flatMap(PageOption::cursor);
    int size = frame.page().map(PageOption::size).orElse(Limits.DEFAULT_PAGE_ENTRIES);
    return new ListRequest(frame.target(), size, cursor, pattern);
  }

  private static Syntax syntax(@Nullable String name) {
    if (name == null || name.equals("regex")) {
      return Syntax.REGEX;
    }
    if (name.equals("glob")) {
      return Syntax.GLOB;
    }
    throw new RnsException(RnsError.INVALID_REQUEST, "list: attribute x:syntax is neither 'glob' nor 'regex'");
  }

  @Override
  public void writeResponse(XmlBuffer out, Page result, ReplyForm form, Place place) {
    startListing(out, result.directory(), form);
    for (Entry entry : result.entries()) {
      writeEntry(out, entry, form);
    }
    endListing(out, form, null);
  }

  @Override
  public boolean isWhole() {
    return true;
  }

  @Override
  public void startListing(XmlBuffer out, VirtualDirectory directory, ReplyForm form) {
    startResponse(out, Place.PAYLOAD);
    if (form.extended()) {
      EntryCodec.write(out, "directory", directory);
    } else {
      out.raw("<_r:EntryList>");
    }
  }

  @Override
  public void writeEntry(XmlBuffer out, Entry entry, ReplyForm form) {
    if (form.extended()) {
      EntryCodec.write(out, "entry", entry);
    } else {
      out.raw("<_r:entry>");
      EntryCodec.writeProperties(out, entry, form);
      out.raw("</_r:entry>");
    }
  }

  @Override
  public void endListing(XmlBuffer out, ReplyForm form, @Nullable IteratorReference rest) {
    if (!form.extended()) {
      out.raw("</_r:EntryList>");
    }
    endResponse(out);
  }

  /** Reads an extended response; the start of the next page is in the headers. */
  @Override
  public Page readResponse(XmlPull pull) {
    @Nullable
    VirtualDirectory directory = null;
    List<Entry> entries = new ArrayList<>();
    while (pull.nextChild()) {
      if (pull.is(Namespaces.EXT, "entry")) {
        entries.add(EntryCodec.read(pull));
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
