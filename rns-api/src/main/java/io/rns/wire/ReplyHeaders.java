package io.rns.wire;

import io.rns.api.Answer;
import io.rns.api.Cursor;
import io.rns.api.Hop;
import io.rns.api.Position;
import io.rns.api.Positions;
import io.rns.error.Limits;
import io.rns.referral.Referral;
import io.rns.referral.ReferralTable;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The headers of a response.
 *
 * @param position {@code x:Position}: the position the response reflects
 * @param paged whether {@code x:Page} is present
 * @param next its attribute {@code next}: where the next page begins; empty on the last page
 * @param ageMillis {@code x:Age}: the maximum staleness of the response in ms; 0 if absent
 * @param servers {@code x:Servers}: the servers of each part of the tree, the root's first
 * @param others positions of other server groups that the response reflects, which follow the first in {@code
 *        x:Position}
 * @param hops {@code x:Hop}: the way of the request, if the response explains it
 */
public record ReplyHeaders(
    Optional<Position> position, boolean paged, Optional<Cursor> next, long ageMillis, List<Referral> servers,
    Positions others, List<Hop> hops) {
  /** No headers. */
  public static final ReplyHeaders NONE = new ReplyHeaders(Optional.empty(), false, Optional.empty(), 0);

  /**
   * The position before the first change of group 0, which every server has reached. Stands in for a missing position.
   */
  public static final Position NOWHERE = new Position(0, 0, 0);

  /** Headers without servers. */
  public ReplyHeaders(Optional<Position> position, boolean paged, Optional<Cursor> next, long ageMillis) {
    this(position, paged, next, ageMillis, List.of(), Positions.NONE, List.of());
  }

  /** The headers of a response without pages; empty unless the client uses our extensions. */
  public static ReplyHeaders of(MessageHeaders request, Answer.Served<?> answer) {
    return request.wantsPosition()
        ? new ReplyHeaders(
            Optional.of(answer.position()), false, Optional.empty(), answer.ageMillis(), List.of(),
            answer.others(), List.of())
        : NONE;
  }

  /** Returns a copy for a page. */
  public ReplyHeaders paged(Optional<Cursor> behind) {
    return new ReplyHeaders(position, true, behind, ageMillis, servers, others, hops);
  }

  /** Returns a copy with the servers of parts of the tree, the root's first. */
  public ReplyHeaders with(List<Referral> referrals) {
    return new ReplyHeaders(position, paged, next, ageMillis, referrals, others, hops);
  }

  /** Returns a copy with the way of the request. */
  public ReplyHeaders explained(List<Hop> way) {
    return new ReplyHeaders(position, paged, next, ageMillis, servers, others, way);
  }

  public boolean isEmpty() {
    return position.isEmpty() && !paged && servers.isEmpty() && hops.isEmpty();
  }

  /** Appends the header elements, each self-contained. */
  public void writeTo(XmlBuffer out) {
    position.ifPresent(p -> MessageHeaders.element(out, "Position", Positions.toText(p, others)));
    if (ageMillis > 0) {
      MessageHeaders.element(out, "Age", Long.toString(ageMillis));
    }
    if (paged) {
      out.raw("<_x:Page xmlns:_x=\"" + Namespaces.EXT + "\"");
      next.ifPresent(cursor -> out.attribute("next", cursor.toString()));
      out.raw("/>");
    }
    // Clients of earlier versions use the last one: the root's.
    for (int i = servers.size() - 1; i >= 0; i--) {
      ReferralHeader.write(out, servers.get(i));
    }
    for (Hop hop : hops) {
      HopHeader.write(out, hop);
    }
  }

  /** Reads the children of the {@code Header} element; foreign ones are skipped. */
  public static ReplyHeaders read(XmlPull header) {
    @Nullable
    Position position = null;
    boolean paged = false;
    @Nullable
    Cursor next = null;
    long ageMillis = 0;
    Deque<Referral> servers = new ArrayDeque<>();
    Positions others = Positions.NONE;
    List<Hop> hops = new ArrayList<>(0);
    while (header.nextChild()) {
      if (header.is(Namespaces.EXT, "Position")) {
        String text = header.text().trim();
        int end = text.indexOf(',');
        position = Position.parse(end < 0 ? text : text.substring(0, end));
        others = end < 0 ? Positions.NONE : Positions.parseOthers(text.substring(end + 1), position);
      } else if (header.is(Namespaces.EXT, "Age")) {
        ageMillis = Markup.number("header x:Age", header.text());
      } else if (header.is(Namespaces.EXT, "Page")) {
        paged = true;
        String cursor = header.attribute("", "next");
        next = cursor == null ? null : Cursor.parse(cursor);
        header.skip();
      } else if (header.is(Namespaces.EXT, "Servers")) {
        ReferralHeader.read(header).ifPresent(servers::addFirst);
        if (servers.size() > ReferralTable.MOST) {
          servers.removeLast();
        }
      } else if (header.is(Namespaces.EXT, "Hop") && hops.size() < Limits.EXPLAINED_HOPS) {
        HopHeader.read(header).ifPresent(hops::add);
      } else {
        header.skip();
      }
    }
    return new ReplyHeaders(Optional.ofNullable(position), paged, Optional.ofNullable(next), ageMillis,
        List.copyOf(servers), others, List.copyOf(hops));
  }
}
