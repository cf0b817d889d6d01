package io.rns.wire;

import io.rns.api.Consistency;
import io.rns.api.Cursor;
import io.rns.api.EntryId;
import io.rns.api.Positions;
import io.rns.api.RequestId;
import io.rns.api.RnsPath;
import io.rns.api.Routing;
import io.rns.api.Target;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.referral.Site;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The request headers that the service reads; all are optional.
 *
 * @param target the entry the call refers to: {@code x:EntryId} (default: the root) and {@code x:Path} from there;
 *        without either header, the target in the URL
 * @param requestId {@code x:RequestId}
 * @param ifVersion {@code x:IfVersion}
 * @param seen {@code x:Position}: the latest position that the client has received of each server group
 * @param page {@code x:Page}
 * @param extended {@code x:Extensions}: whether responses contain complete entries
 * @param iterator {@code x:Iterator}: the iterator the call refers to, in place of an entry
 * @param consistency {@code x:Consistency}: how recent a read must be
 * @param routing {@code x:Referrals}: the client follows referrals; {@code x:Forwarded}: another server forwarded the
 *        request
 * @param servers {@code x:Servers}: whether the response lists the servers of the group
 * @param site {@code x:Site}: the site of the client
 * @param hops {@code x:Hops}: the number of server groups that passed the request on to another one
 * @param explain {@code x:Explain}: whether the response reports the way of the request
 */
public record MessageHeaders(
    Target target,
    Optional<RequestId> requestId,
    OptionalLong ifVersion,
    Positions seen,
    Optional<PageOption> page,
    boolean extended,
    Optional<String> iterator,
    Consistency consistency,
    Routing routing,
    boolean servers,
    Site site,
    int hops,
    boolean explain) {

  /** No headers: a call on the root directory. */
  public static final MessageHeaders NONE =
      new MessageHeaders(
          Target.ROOT,
          Optional.empty(),
          OptionalLong.empty(),
          Positions.NONE,
          Optional.empty(),
          false,
          Optional.empty(),
          Consistency.SESSION,
          Routing.FORWARD);

  /** Headers that do not request the servers of the group. */
  public MessageHeaders(
      Target target,
      Optional<RequestId> requestId,
      OptionalLong ifVersion,
      Positions seen,
      Optional<PageOption> page,
      boolean extended,
      Optional<String> iterator,
      Consistency consistency,
      Routing routing) {
    this(target, requestId, ifVersion, seen, page, extended, iterator, consistency, routing, false, Site.NONE, 0,
        false);
  }

  /** Headers of a call on an entry. */
  public MessageHeaders(
      Target target,
      Optional<RequestId> requestId,
      OptionalLong ifVersion,
      Positions seen,
      Optional<PageOption> page,
      boolean extended) {
    this(target, requestId, ifVersion, seen, page, extended, Optional.empty(), Consistency.SESSION, Routing.FORWARD);
  }

  /** Whether the client uses our extensions, so that the response carries {@code x:Position}. */
  public boolean wantsPosition() {
    return extended
        || requestId.isPresent()
        || page.isPresent()
        || !seen.isEmpty()
        || ifVersion.isPresent()
        || !consistency.equals(Consistency.SESSION)
        || routing != Routing.FORWARD
        || hops > 0
        || explain;
  }

  boolean isEmpty() {
    return !wantsPosition() && target.equals(Target.ROOT) && iterator.isEmpty() && !servers && site.isNone();
  }

  /** Appends the header elements, each self-contained. */
  void writeTo(XmlBuffer out) {
    if (!target.start().equals(EntryId.ROOT)) {
      element(out, "EntryId", target.start().toString());
    }
    if (!target.path().isRoot()) {
      element(out, "Path", target.path().toString());
    }
    iterator.ifPresent(id -> element(out, "Iterator", id));
    requestId.ifPresent(id -> element(out, "RequestId", id.text()));
    ifVersion.ifPresent(version -> element(out, "IfVersion", Long.toString(version)));
    if (!seen.isEmpty()) {
      element(out, "Position", seen.toString());
    }
    page.ifPresent(
        option -> {
          out.raw("<_x:Page xmlns:_x=\"" + Namespaces.EXT + "\"").attribute("size", option.size());
          option.cursor().ifPresent(cursor -> out.attribute("cursor", cursor.toString()));
          out.raw("/>");
        });
    if (!consistency.equals(Consistency.SESSION)) {
      element(out, "Consistency", consistency.toString());
    }
    switch (routing) {
      case FORWARD -> {
      }
      case REFER -> out.raw("<_x:Referrals xmlns:_x=\"" + Namespaces.EXT + "\"/>");
      case HERE -> out.raw("<_x:Forwarded xmlns:_x=\"" + Namespaces.EXT + "\"/>");
    }
    if (hops > 0) {
      element(out, "Hops", Integer.toString(hops));
    }
    if (explain) {
      out.raw("<_x:Explain xmlns:_x=\"" + Namespaces.EXT + "\"/>");
    }
    if (extended) {
      out.raw("<_x:Extensions xmlns:_x=\"" + Namespaces.EXT + "\"/>");
    }
    if (servers) {
      out.raw("<_x:Servers xmlns:_x=\"" + Namespaces.EXT + "\"/>");
    }
    if (!site.isNone()) {
      element(out, "Site", site.text());
    }
  }

  static void element(XmlBuffer out, String name, String text) {
    out.raw("<_x:").raw(name).raw(" xmlns:_x=\"" + Namespaces.EXT + "\">").text(text).raw("</_x:").raw(name).raw(">");
  }

  /** Collects headers one by one, in any order. Not thread-safe. */
  public static final class Reader {
    private final Target asked;
    private boolean isRenkeiRoot;
    private @Nullable EntryId start;
    private @Nullable RnsPath path;
    private @Nullable RequestId requestId;
    private @Nullable Long ifVersion;
    private @Nullable Positions seen;
    private @Nullable PageOption page;
    private boolean extended;
    private @Nullable String iterator;
    private @Nullable Consistency consistency;
    private Routing routing = Routing.FORWARD;
    private boolean servers;
    private @Nullable Site site;
    private @Nullable Long hops;
    private boolean explain;

    /** Reads headers of a message addressed to the service as a whole. */
    public Reader() {
      this(Target.ROOT);
    }

    /** Reads headers of a message whose URL names a target; target headers take precedence. */
    public Reader(Target asked) {
      this.asked = asked;
    }

    /** Whether {@link #take} may accept headers of a namespace. */
    public static boolean mayKnow(String namespace) {
      return namespace.equals(Namespaces.EXT) || namespace.equals(Namespaces.RENKEI);
    }

    /**
     * Reads the header element at {@code pull} and moves to its end, or leaves a foreign one untouched.
     *
     * @return whether the header is one of ours
     * @throws RnsException if a header of ours has an invalid value or occurs twice
     */
    public boolean take(XmlPull pull) {
      if (!pull.namespace().equals(Namespaces.EXT)) {
        return pull.is(Namespaces.RENKEI, "RNSID") && takeRenkei(pull.text().trim());
      }
      switch (pull.localName()) {
        case "EntryId" -> {
          Markup.once(start, "EntryId");
          start = EntryId.parse(pull.text().trim());
        }
        case "Path" -> {
          Markup.once(path, "Path");
          path = RnsPath.parse(Markup.unindented(pull.text()));
        }
        case "RequestId" -> {
          Markup.once(requestId, "RequestId");
          requestId = new RequestId(pull.text().trim());
        }
        case "IfVersion" -> {
          Markup.once(ifVersion, "IfVersion");
          ifVersion = Markup.number("header x:IfVersion", pull.text());
        }
        case "Position" -> {
          Markup.once(seen, "Position");
          seen = Positions.parse(pull.text().trim());
        }
        case "Page" -> {
          Markup.once(page, "Page");
          page = page(pull);
        }
        case "Iterator" -> {
          Markup.once(iterator, "Iterator");
          iterator = pull.text().trim();
        }
        case "Consistency" -> {
          Markup.once(consistency, "Consistency");
          consistency = Consistency.parse(pull.text().trim());
        }
        case "Referrals" -> {
          routing = routing == Routing.HERE ? Routing.HERE : Routing.REFER;
          pull.skip();
        }
        case "Forwarded" -> {
          routing = Routing.HERE;
          pull.skip();
        }
        case "Hops" -> {
          Markup.once(hops, "Hops");
          hops = Markup.number("header x:Hops", pull.text());
          Limits.check("header x:Hops", hops, Limits.HOPS, "hops");
        }
        case "Explain" -> {
          explain = true;
          pull.skip();
        }
        case "Extensions" -> {
          extended = true;
          pull.skip();
        }
        case "Servers" -> {
          servers = true;
          pull.skip();
        }
        case "Site" -> {
          Markup.once(site, "Site");
          site = new Site(pull.text().trim());
        }
        default -> {
          return false;
        }
      }
      return true;
    }

    /** The name that RENKEI clients use for the root if they know only the URL of the service. */
    private boolean takeRenkei(String id) {
      if (!id.equals("ROOT")) {
        throw new RnsException(
            RnsError.NO_SUCH_ENTRY, "no directory has the RNSID '" + Markup.shown(id) + "'; only ROOT is known");
      }
      isRenkeiRoot = true;
      return true;
    }

    private Target target() {
      if (start == null && path == null && !isRenkeiRoot) {
        return asked;
      }
      return new Target(start == null ? EntryId.ROOT : start, path == null ? RnsPath.ROOT : path);
    }

    private static PageOption page(XmlPull pull) {
      String size = pull.attribute("", "size");
      String cursor = pull.attribute("", "cursor");
      long entries = size == null ? Limits.DEFAULT_PAGE_ENTRIES : Markup.number("attribute 'size' of x:Page", size);
      if (entries < 1) {
        throw new RnsException(RnsError.INVALID_REQUEST, "list: page size " + entries + " is below 1");
      }
      Limits.check("list: a page", entries, Limits.PAGE_ENTRIES, "entries");
      Optional<Cursor> from = cursor == null ? Optional.empty() : Optional.of(Cursor.parse(cursor));
      pull.skip();
      return new PageOption((int) entries, from);
    }

    /** The headers read so far. */
    public MessageHeaders headers() {
      Target target = target();
      boolean isAboutRoot = target.equals(Target.ROOT) && iterator == null;
      boolean isPlain =
          consistency == null && routing == Routing.FORWARD && !extended && !servers && site == null && hops == null
              && !explain;
      if (isAboutRoot && isPlain && requestId == null && ifVersion == null && seen == null && page == null) {
        return NONE;
      }
      return new MessageHeaders(
          target,
          Optional.ofNullable(requestId),
          ifVersion == null ? OptionalLong.empty() : OptionalLong.of(ifVersion),
          seen == null ? Positions.NONE : seen,
          Optional.ofNullable(page),
          extended,
          Optional.ofNullable(iterator),
          consistency == null ? Consistency.SESSION : consistency,
          routing,
          servers,
          site == null ? Site.NONE : site,
          hops == null ? 0 : hops.intValue(),
          explain);
    }
  }
}
