package io.rns.wire;

import io.rns.api.Position;
import io.rns.api.RnsPath;
import io.rns.error.RnsException;
import io.rns.referral.Announcement;
import io.rns.referral.Referral;
import io.rns.referral.ServerRole;
import io.rns.referral.Site;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** {@code x:Servers} in the header of a response: the servers of a part of the tree. */
final class ReferralHeader {
  private ReferralHeader() {}

  static void write(XmlBuffer out, Referral referral) {
    out.raw("<_x:Servers xmlns:_x=\"" + Namespaces.EXT + "\"").attribute("prefix", referral.prefix().toString());
    out.attribute("epoch", referral.epoch()).attribute("ttl-millis", referral.ttlMillis()).raw(">");
    for (Announcement server : referral.servers()) {
      out.raw("<_x:Server").attribute("url", server.url()).attribute("name", server.name());
      out.attribute("role", server.role().text());
      if (!server.site().isNone()) {
        out.attribute("site", server.site().text());
      }
      out.attribute("capacity", server.capacity()).attribute("load", server.load());
      out.attribute("lag-millis", server.lagMillis());
      server.position().ifPresent(position -> out.attribute("position", position.toString()));
      out.raw("/>");
    }
    out.raw("</_x:Servers>");
  }

  /**
   * Reads the element at {@code pull} and moves to its end. The response is valid without it, so unknown content from a
   * server of another version is skipped: a single server, or the whole element.
   */
  static Optional<Referral> read(XmlPull pull) {
    String prefix = pull.attribute("", "prefix");
    String epoch = pull.attribute("", "epoch");
    String ttl = pull.attribute("", "ttl-millis");
    List<Announcement> servers = new ArrayList<>();
    while (pull.nextChild()) {
      if (pull.is(Namespaces.EXT, "Server") && servers.size() < Referral.MOST_SERVERS) {
        server(pull).ifPresent(servers::add);
      }
      pull.skip();
    }
    try {
      long number = Markup.number("epoch", epoch == null ? "" : epoch);
      long millis = Markup.number("time to live", ttl == null ? "" : ttl);
      RnsPath path = RnsPath.parse(prefix == null ? "/" : prefix);
      return Optional.of(new Referral(path, (int) Math.min(Integer.MAX_VALUE, Math.max(-1, number)), millis, servers));
    } catch (RnsException e) {
      return Optional.empty();
    }
  }

  private static Optional<Announcement> server(XmlPull pull) {
    try {
      String site = pull.attribute("", "site");
      String position = pull.attribute("", "position");
      return Optional.of(
          new Announcement(
              Markup.required(pull, "url"),
              Markup.required(pull, "name"),
              ServerRole.parse(Markup.required(pull, "role")),
              site == null ? Site.NONE : new Site(site),
              number(pull, "capacity"),
              (int) Math.min(Integer.MAX_VALUE, number(pull, "load")),
              number(pull, "lag-millis"),
              Optional.ofNullable(position).map(Position::parse)));
    } catch (RnsException e) {
      return Optional.empty();
    }
  }

  private static long number(XmlPull pull, String name) {
    return Markup.unsigned("attribute '" + name + "'", Markup.required(pull, name));
  }
}
