package io.rns.wire.rns;

import io.rns.api.EntriesRequest;
import io.rns.api.Precondition;
import io.rns.api.RemoveRequest;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.Target;
import io.rns.wire.BatchOptions;
import io.rns.wire.Markup;
import io.rns.wire.Namespaces;
import io.rns.wire.Preconditions;
import io.rns.wire.RequestFrame;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import java.util.List;
import java.util.function.Consumer;

/**
 * {@code rns:RemoveRequest}: removes entries by name; a directory with entries is refused unless the removal is
 * recursive.
 */
public final class Remove11Codec implements DirectoryOperationCodec<Removal> {
  @Override
  public String operation() {
    return "remove";
  }

  @Override
  public String itemElement() {
    return "entry-name";
  }

  @Override
  public Target entry(Removal item) {
    return item.target();
  }

  @Override
  public void writeRequest(XmlBuffer out, Removal item, Place place) {
    out.raw("<_n:entry-name");
    if (item.recursive()) {
      out.raw(" _x:recursive=\"true\"");
    }
    Preconditions.write(out, item.precondition());
    out.raw(">").text(name(item).toString()).raw("</_n:entry-name>");
  }

  @Override
  public Removal readItem(XmlPull pull, RequestFrame frame, Consumer<String> nameText) {
    boolean recursive = Markup.flag(pull, Namespaces.EXT, "recursive");
    Precondition precondition = Preconditions.read(pull, frame, Precondition.NONE);
    return new Removal(frame.target().child(Names11.text(pull, nameText)), recursive, precondition);
  }

  @Override
  public EntriesRequest of(List<Removal> items, BatchOptions options) {
    return new RemoveRequest(items, options.allOrNothing());
  }
}
