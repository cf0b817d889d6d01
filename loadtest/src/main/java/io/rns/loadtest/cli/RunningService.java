package io.rns.loadtest.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** What {@code ./rns up} has written about the service that it runs. */
final class RunningService {
  private static final JsonMapper MAPPER = new JsonMapper();

  private RunningService() {}

  /** The data directory that is meant when none is named: {@code RNS_DATA}, or {@code ~/.rns}. */
  static Path usualData(Map<String, String> environment) {
    String given = environment.getOrDefault("RNS_DATA", "");
    return given.isBlank() ? Path.of(System.getProperty("user.home"), ".rns") : Path.of(given);
  }

  /**
   * The database of the service that runs at an address, with user and password.
   *
   * @return empty if no service was started in the data directory, or one at another address
   * @throws RnsException {@link RnsError#INVALID_REQUEST} if the directory's {@code run.json} cannot be read
   */
  static Optional<String> jdbcUrl(Path data, URI server) {
    Path file = data.resolve("run.json");
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    JsonNode state;
    try {
      state = MAPPER.readTree(file.toFile());
    } catch (IOException e) {
      throw new RnsException(RnsError.INVALID_REQUEST, file + " cannot be read: " + e.getMessage(), e);
    }
    String url = state.path("jdbcUrl").asText();
    boolean same = state.path("url").asText().equals(server.toString().replaceFirst("/+$", ""));
    return same && !url.isEmpty() ? Optional.of(withAccount(url, state)) : Optional.empty();
  }

  private static String withAccount(String url, JsonNode state) {
    String account = account("user", state.path("databaseUser")) + account("password", state.path("databasePassword"));
    return url + (url.contains("?") ? account : account.replaceFirst("&", "?"));
  }

  private static String account(String name, JsonNode value) {
    return !value.isTextual()
        ? ""
        : "&" + name + "=" + URLEncoder.encode(value.asText(), StandardCharsets.UTF_8);
  }
}
