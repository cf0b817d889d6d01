package io.rns.wire.resource;

import io.rns.api.Entry;
import io.rns.api.EntryName;
import io.rns.api.Target;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.wire.FaultTable;
import io.rns.wire.IteratorReference;
import io.rns.wire.Markup;
import io.rns.wire.Namespaces;
import io.rns.wire.OperationCodec;
import io.rns.wire.Preconditions;
import io.rns.wire.ReplyForm;
import io.rns.wire.Request;
import io.rns.wire.RequestFrame;
import io.rns.wire.rns.Items11;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@code search} of the draft for metadata search: the target is the directory. */
public final class SearchCodec implements OperationCodec<SearchRequest, List<FoundEntry>> {
  private static final String DECLARATION = " xmlns:_q=\"" + Namespaces.SEARCH + "\"";

  SearchCodec() {}

  @Override
  public String element() {
    return "SearchRequest";
  }

  @Override
  public String responseElement() {
    return "SearchResponse";
  }

  @Override
  public String action() {
    return Namespaces.SEARCH + "/RNSSearchPortType/searchResponse";
  }

  @Override
  public FaultTable faults() {
    return FaultTable.SEARCH;
  }

  @Override
  public Request request(XmlPull pull, RequestFrame frame) {
    return readRequest(pull, frame);
  }

  @Override
  public Target target(SearchRequest item) {
    return item.directory();
  }

  @Override
  public void writeRequest(XmlBuffer out, SearchRequest item, Place place) {
    out.raw("<_q:SearchRequest").raw(DECLARATION).raw(">");
    for (EntryName name : item.names().orElse(List.of())) {
      out.raw("<_q:entry-name>").text(name.toString()).raw("</_q:entry-name>");
    }
    out.raw("<_q:query>").text(item.query()).raw("</_q:query></_q:SearchRequest>");
  }

  @Override
  public SearchRequest readRequest(XmlPull pull, RequestFrame frame) {
    Preconditions.none(frame, element());
    @Nullable
    List<EntryName> names = null;
    @Nullable
    String query = null;
    while (pull.nextChild()) {
      if (pull.is(Namespaces.SEARCH, "query")) {
        Markup.once(query, "query");
        query = pull.text();
      } else if (pull.is(Namespaces.SEARCH, "entry-name") && pull.isNil()) {
        pull.skip();
      } else if (pull.is(Namespaces.SEARCH, "entry-name")) {
        names = names == null ? new ArrayList<>() : names;
        Limits.check(element(), names.size() + 1L, Limits.SEARCH_NAMES, "names");
        name(pull.text()).ifPresent(names::add);
      } else {
        pull.skip();
      }
    }
    if (query == null) {
      throw new RnsException(RnsError.INVALID_REQUEST, "SearchRequest has no element 'query'");
    }
    Limits.check("the query", query.length(), Limits.EXPRESSION_CHARS, "characters");
    return new SearchRequest(frame.target(), Optional.ofNullable(names), query);
  }

  /** A name, or empty if it is not valid: names that do not exist are ignored. */
  private static Optional<EntryName> name(String text) {
    try {
      return Optional.of(EntryName.of(text));
    } catch (RnsException e) {
      return Optional.empty();
    }
  }

  @Override
  public void writeResponse(XmlBuffer out, List<FoundEntry> result, ReplyForm form, Place place) {
    startResponse(out, place);
    for (FoundEntry entry : result) {
      writeEntry(out, entry);
    }
    endResponse(out, null);
  }

  @Override
  public void startResponse(XmlBuffer out, Place place) {
    out.raw("<_q:SearchResponse").raw(DECLARATION).raw(Markup.DECLARATIONS_11).raw(">");
  }

  /** Appends a result. */
  public void writeEntry(XmlBuffer out, FoundEntry entry) {
    entry.writeTo(out, "_q:entry-response");
  }

  /**
   * Appends everything after the last result.
   *
   * @param rest the iterator over further results; null if there are none
   */
  public void endResponse(XmlBuffer out, @Nullable IteratorReference rest) {
    if (rest != null) {
      rest.writeTo(out, "_q:iterator");
    }
    out.raw("</_q:SearchResponse>");
  }

  @Override
  public List<FoundEntry> readResponse(XmlPull pull) {
    List<FoundEntry> entries = new ArrayList<>();
    while (pull.nextChild()) {
      if (pull.is(Namespaces.SEARCH, "entry-response")) {
        entries.add(FoundEntry.read(pull));
      } else {
        pull.skip();
      }
    }
    return entries;
  }

  /** The context document of a query on an entry. */
  public String document(Entry entry, ReplyForm form) {
    XmlBuffer out = new XmlBuffer(1_024);
    Items11.writeEntry(out, "_n:RNSEntryResponseType", Markup.DECLARATIONS_11, entry, form);
    return out.toString();
  }
}
