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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The {@code run.json} of {@code ./rns up}: the running service. */
final class RunningService {
  private static final JsonMapper MAPPER = new JsonMapper();

  private RunningService() {}

  /** The default data directory: {@code RNS_DATA}, or {@code ~/.rns}. */
  static Path usualData(Map<String, String> environment) {
    String given = environment.getOrDefault("RNS_DATA", "");
    return given.isBlank() ? Path.of(System.getProperty("user.home"), ".rns") : Path.of(given);
  }

  /**
   * The database of the service at an address, with user and password.
   *
   * @return empty if no service was started in the data directory, or one at another address
   * @throws RnsException {@link RnsError#INVALID_REQUEST} if the directory's {@code run.json} cannot be read
   */
  static Optional<String> jdbcUrl(Path data, URI server) {
    JsonNode state = state(data);
    String url = state.path("jdbcUrl").asText();
    return isAt(server, state) && !url.isEmpty() ? Optional.of(withAccount(url, state)) : Optional.empty();
  }

  /**
   * The processes of the service of a server, by kind; in a group those of all servers and databases.
   *
   * @return empty if no service was started in the data directory, or another one
   * @throws RnsException {@link RnsError#INVALID_REQUEST} if the directory's {@code run.json} cannot be read
   */
  static Map<String, List<Long>> processes(Path data, URI server) {
    JsonNode state = state(data);
    boolean member = false;
    for (JsonNode other : state.path("members")) {
      member |= isAt(server, other);
    }
    Map<String, List<Long>> processes = new TreeMap<>();
    if (member || isAt(server, state)) {
      for (JsonNode process : state.path("processes")) {
        String what = process.path("name").asText().replaceFirst(" of .*", "").replaceFirst("^the ", "");
        processes.computeIfAbsent(what, name -> new ArrayList<>()).add(process.path("pid").asLong());
      }
    }
    return processes;
  }

  private static JsonNode state(Path data) {
    Path file = data.resolve("run.json");
    if (!Files.exists(file)) {
      return MAPPER.createObjectNode();
    }
    try {
      return MAPPER.readTree(file.toFile());
    } catch (IOException e) {
      throw new RnsException(RnsError.INVALID_REQUEST, file + " cannot be read: " + e.getMessage(), e);
    }
  }

  private static boolean isAt(URI server, JsonNode told) {
    return told.path("url").asText().equals(server.toString().replaceFirst("/+$", ""));
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
