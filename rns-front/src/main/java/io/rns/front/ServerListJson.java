package io.rns.front;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rns.api.Position;
import io.rns.api.RnsPath;
import io.rns.error.RnsException;
import io.rns.referral.Announcement;
import io.rns.referral.Referral;
import io.rns.referral.ServerRole;
import io.rns.referral.Site;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the document {@code GET /servers}. Stateless. */
final class ServerListJson {
  private static final ObjectMapper JSON = new ObjectMapper();

  private ServerListJson() {}

  /**
   * The servers of each part of the tree, the root's first.
   *
   * @throws IOException if it is no such document
   */
  static List<Referral> read(byte[] document) throws IOException {
    try {
      JsonNode root = JSON.readTree(document);
      List<Referral> referrals = new ArrayList<>();
      if (root.has("prefix")) {
        referrals.add(referral(root));
      }
      for (JsonNode part : root.path("parts")) {
        referrals.add(referral(part));
      }
      return referrals;
    } catch (RnsException e) {
      throw new IOException("the list of servers is invalid: " + e.getMessage(), e);
    }
  }

  private static Referral referral(JsonNode node) {
    List<Announcement> servers = new ArrayList<>();
    for (JsonNode server : node.path("servers")) {
      announcement(server).ifPresent(servers::add);
    }
    return new Referral(
        RnsPath.parse(node.path("prefix").asText()), node.path("epoch").asInt(), node.path("ttlMillis").asLong(),
        servers);
  }

  /** Empty for a role of a later version. */
  private static Optional<Announcement> announcement(JsonNode node) {
    ServerRole role;
    try {
      role = ServerRole.parse(node.path("role").asText());
    } catch (RnsException e) {
      return Optional.empty();
    }
    JsonNode position = node.path("position");
    return Optional.of(
        new Announcement(
            node.path("url").asText(), node.path("name").asText(), role, new Site(node.path("site").asText("")),
            node.path("capacity").asLong(1), node.path("load").asInt(), node.path("lagMillis").asLong(),
            position.isTextual() ? Optional.of(Position.parse(position.asText())) : Optional.empty()));
  }
}
