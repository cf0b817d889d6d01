package io.rns.loadtest.drill;

import com.fasterxml.jackson.databind.JsonNode;
import io.rns.api.Position;
import io.rns.error.RnsException;
import java.util.Locale;
import java.util.Optional;

/**
 * What a server says of itself.
 *
 * @param name of the server
 * @param role in capitals: {@code PRIMARY}, {@code REPLICA}, {@code OUTSIDE}, {@code STARTING}
 * @param epoch of the group, as far as the server knows
 * @param position what it has
 * @param p50Millis how far it was behind in the last minute, half of the time
 * @param p99Millis the same, 99 % of the time
 * @param text all that it says
 */
record View(String name, String role, int epoch, Optional<Position> position, double p50Millis, double p99Millis,
    String text) {
  static View of(JsonNode json) {
    return new View(
        json.path("name").asText(),
        json.path("role").asText().toUpperCase(Locale.ROOT),
        json.path("epoch").asInt(),
        position(json.path("position").asText()),
        json.path("lag").path("p50Millis").asDouble(),
        json.path("lag").path("p99Millis").asDouble(),
        json.toString());
  }

  private static Optional<Position> position(String text) {
    try {
      return Optional.of(Position.parse(text));
    } catch (RnsException e) {
      return Optional.empty();
    }
  }

  boolean isPrimary() {
    return role.equals("PRIMARY");
  }

  boolean isOutside() {
    return role.equals("OUTSIDE");
  }

  boolean isReplica() {
    return role.equals("REPLICA");
  }
}
