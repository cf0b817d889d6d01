package io.rns.wire.rns;

import io.rns.api.EntriesRequest;
import io.rns.api.Entry;
import io.rns.api.EntryId;
import io.rns.api.QueryRequest;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.wire.BatchOptions;
import io.rns.wire.Markup;
import io.rns.wire.Namespaces;
import io.rns.wire.Preconditions;
import io.rns.wire.ReplyForm;
import io.rns.wire.RequestFrame;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code r:query}: the target is the entry, or the start of the path in {@code r:entry-pattern}. */
final class QueryCodec implements EntryOperationCodec<Target> {
  @Override
  public String element() {
    return "query";
  }

  @Override
  public Target target(Target item) {
    return item;
  }

  @Override
  public void writeRequest(XmlBuffer out, Target item, Place place) {
    startRequest(out, item, place);
    out.raw("/>");
  }

  @Override
  public Target readRequest(XmlPull pull, RequestFrame frame) {
    Preconditions.none(frame, "query");
    @Nullable
    RnsPath below = null;
    while (pull.nextChild()) {
      if (pull.is(Namespaces.RNS, "entry-pattern")) {
        Markup.once(below, "entry-pattern");
        below = pull.isNil() ? skipped(pull) : path(pull.text());
      } else if (pull.namespace().equals(Namespaces.EXT)) {
        throw Markup.unknownElement(pull);
      } else {
        pull.skip();
      }
    }
    return below == null || below.isRoot() ? frame.target() : below(frame.target(), below);
  }

  private static Target below(Target target, RnsPath below) {
    return new Target(target.start(), target.path().isRoot() ? below : target.path().resolve(below));
  }

  private static @Nullable RnsPath skipped(XmlPull pull) {
    pull.skip();
    return null;
  }

  private static RnsPath path(String pattern) {
    String text = Markup.unindented(pattern);
    return RnsPath.parse(text.startsWith("/") ? text : "/" + text);
  }

  @Override
  public void writeResponse(XmlBuffer out, Entry result, ReplyForm form, Place place) {
    startResponse(out, place);
    if (form.extended()) {
      EntryCodec.write(out, "entry", result);
    } else {
      out.raw("<_r:EntryProperties>");
      EntryId parent = result.isRoot() ? result.id() : result.binding().parent();
      form.directoryReference(out, "_r:entry_parent", parent);
      EntryCodec.writeProperties(out, result, form);
      out.raw("</_r:EntryProperties>");
    }
    endResponse(out);
  }

  @Override
  public EntriesRequest of(List<Target> items, BatchOptions options) {
    return new QueryRequest(items, options.counts());
  }
}
