package io.rns.wire;

import io.rns.api.Cursor;
import io.rns.api.Position;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The headers of an answer.
 *
 * @param position {@code x:Position}: what the answer reflects
 * @param paged whether {@code x:Page} is there
 * @param next its attribute {@code next}: where the next page begins; empty on the last
 */
public record ReplyHeaders(Optional<Position> position, boolean paged, Optional<Cursor> next) {
  /** No headers. */
  public static final ReplyHeaders NONE = new ReplyHeaders(Optional.empty(), false, Optional.empty());

  /** Before the first change of the only group: every server has seen it. Stands where an answer tells no position. */
  static final Position NOWHERE = new Position(0, 0, 0);

  /** The headers of an answer that is no page, for a caller who asked for them or not. */
  public static ReplyHeaders of(MessageHeaders request, Position position) {
    return request.wantsPosition() ? new ReplyHeaders(Optional.of(position), false, Optional.empty()) : NONE;
  }

  /** Whether there is nothing to write. */
  public boolean isEmpty() {
    return position.isEmpty() && !paged;
  }

  /** Appends the header elements, each self-contained. */
  public void writeTo(XmlBuffer out) {
    position.ifPresent(p -> MessageHeaders.element(out, "Position", p.toString()));
    if (paged) {
      out.raw("<_x:Page xmlns:_x=\"" + Namespaces.EXT + "\"");
      next.ifPresent(cursor -> out.attribute("next", cursor.toString()));
      out.raw("/>");
    }
  }

  /** Reads the children of the {@code Header} element; foreign ones are passed over. */
  static ReplyHeaders read(XmlPull header) {
    @Nullable Position position = null;
    boolean paged = false;
    @Nullable Cursor next = null;
    while (header.nextChild()) {
      if (header.is(Namespaces.EXT, "Position")) {
        position = Position.parse(header.text().trim());
      } else if (header.is(Namespaces.EXT, "Page")) {
        paged = true;
        String cursor = header.attribute("", "next");
        next = cursor == null ? null : Cursor.parse(cursor);
        header.skip();
      } else {
        header.skip();
      }
    }
    return new ReplyHeaders(Optional.ofNullable(position), paged, Optional.ofNullable(next));
  }
}
