package io.rns.wire.rns;

import io.rns.api.Entry;
import io.rns.api.EntryFilter;
import io.rns.api.NamePattern;
import io.rns.api.RnsPath;
import io.rns.api.SubtreePage;
import io.rns.api.SubtreePage.Visit;
import io.rns.api.SubtreePosition;
import io.rns.api.SubtreeRequest;
import io.rns.api.Target;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.wire.Markup;
import io.rns.wire.Namespaces;
import io.rns.wire.OperationCodec;
import io.rns.wire.Preconditions;
import io.rns.wire.ReplyForm;
import io.rns.wire.Request;
import io.rns.wire.RequestFrame;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * {@code x:subtree}: a page of everything below the target. Servers of different groups ask each other; clients read
 * subtrees over plain HTTP, where a connection that breaks costs no page.
 */
public final class SubtreeCodec implements OperationCodec<SubtreeRequest, SubtreePage> {
  SubtreeCodec() {}

  @Override
  public String element() {
    return "subtree";
  }

  @Override
  public String action() {
    return Namespaces.EXT + ":" + responseElement();
  }

  @Override
  public Request request(XmlPull pull, RequestFrame frame) {
    return new SubtreePageRequest(this, readRequest(pull, frame));
  }

  @Override
  public Target target(SubtreeRequest item) {
    return item.directory();
  }

  @Override
  public void writeRequest(XmlBuffer out, SubtreeRequest item, Place place) {
    open(out, element()).attribute("order", lower(item.order())).attribute("depth", item.depth());
    out.attribute("size", item.pageSize());
    item.after().ifPresent(position -> out.attribute("after", position.toString()));
    EntryFilter filter = item.filter();
    filter.kind().ifPresent(kind -> out.attribute("kind", lower(kind)));
    if (filter.pattern().isPresent()) {
      NamePattern pattern = filter.pattern().get();
      out.attribute("syntax", lower(pattern.syntax())).attribute("pattern", pattern.toString());
    }
    out.raw(">");
    filter.metadata()
        .forEach((key, value) -> out.raw("<_x:meta").attribute("key", key).attribute("value", value).raw("/>"));
    close(out, element());
  }

  @Override
  public SubtreeRequest readRequest(XmlPull pull, RequestFrame frame) {
    Preconditions.none(frame, element());
    SubtreeRequest.Order order =
        value(pull, "order", SubtreeRequest.Order.class).orElse(SubtreeRequest.Order.NAMES);
    int depth = number(pull, "depth", Limits.PATH_DEPTH);
    int size = number(pull, "size", Limits.DEFAULT_PAGE_ENTRIES);
    Optional<SubtreePosition> after = Optional.ofNullable(pull.attribute("", "after")).map(SubtreePosition::parse);
    Optional<EntryFilter.Kind> kind = value(pull, "kind", EntryFilter.Kind.class);
    NamePattern.Syntax syntax =
        value(pull, "syntax", NamePattern.Syntax.class).orElse(NamePattern.Syntax.GLOB);
    Optional<NamePattern> pattern =
        Optional.ofNullable(pull.attribute("", "pattern")).map(text -> NamePattern.of(syntax, text));
    Map<String, String> metadata = new LinkedHashMap<>();
    while (pull.nextChild()) {
      if (!pull.is(Namespaces.EXT, "meta")) {
        throw Markup.unknownElement(pull);
      }
      metadata.put(Markup.required(pull, "key"), Markup.required(pull, "value"));
      pull.skip();
    }
    EntryFilter filter = new EntryFilter(pattern, kind, metadata);
    return new SubtreeRequest(frame.target(), order, depth, filter, size, after);
  }

  @Override
  public void writeResponse(XmlBuffer out, SubtreePage result, ReplyForm form, Place place) {
    startPage(out, result);
    result.entries().forEach(visit -> writeVisit(out, visit));
    endPage(out);
  }

  /** Appends what comes before the entries. */
  public void startPage(XmlBuffer out, SubtreePage page) {
    open(out, responseElement()).attribute("visited", page.visited());
    page.next().ifPresent(position -> out.attribute("next", position.toString()));
    out.raw(">");
  }

  /** Appends an entry. */
  public void writeVisit(XmlBuffer out, Visit visit) {
    out.raw("<_x:visit").attribute("path", visit.path().toString()).attribute("depth", visit.depth());
    out.raw(visit.last() ? " last=\"true\">" : ">");
    EntryCodec.write(out, "entry", visit.entry());
    out.raw("</_x:visit>");
  }

  /** Appends what comes behind the entries. */
  public void endPage(XmlBuffer out) {
    close(out, responseElement());
  }

  @Override
  public SubtreePage readResponse(XmlPull pull) {
    long visited = Markup.number("attribute 'visited'", Markup.required(pull, "visited"));
    Optional<SubtreePosition> next = Optional.ofNullable(pull.attribute("", "next")).map(SubtreePosition::parse);
    List<Visit> visits = new ArrayList<>();
    while (pull.nextChild()) {
      if (pull.is(Namespaces.EXT, "visit")) {
        RnsPath path = RnsPath.parse(Markup.required(pull, "path"));
        int depth = number(pull, "depth", 1);
        boolean last = Markup.flag(pull, "", "last");
        Entry entry = EntryCodec.readOnly(pull);
        visits.add(new Visit(path, entry, depth, last));
      } else {
        pull.skip();
      }
    }
    return new SubtreePage(visits, next, visited);
  }

  private static XmlBuffer open(XmlBuffer out, String element) {
    return out.raw("<_x:").raw(element).raw(Markup.DECLARATIONS);
  }

  private static void close(XmlBuffer out, String element) {
    out.raw("</_x:").raw(element).raw(">");
  }

  private static int number(XmlPull pull, String name, int unless) {
    String text = pull.attribute("", name);
    return text == null
        ? unless
        : (int) Math.min(Integer.MAX_VALUE, Markup.unsigned("attribute '" + name + "'", text));
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private static <E extends Enum<E>> Optional<E> value(XmlPull pull, String name, Class<E> type) {
    String text = pull.attribute("", name);
    if (text == null) {
      return Optional.empty();
    }
    for (E each : type.getEnumConstants()) {
      if (lower(each).equals(text)) {
        return Optional.of(each);
      }
    }
    throw new RnsException(
        RnsError.INVALID_REQUEST,
        "subtree: attribute '" + name + "' is '" + Markup.shown(text) + "', which is unknown");
  }
}
