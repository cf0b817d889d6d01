package io.rns.client.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.rns.api.NameService;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;

@Command(
    name = "status",
    header = "Show the servers: roles, positions, lag.",
    description = "Exit code 3 if no server is serving.",
    footerHeading = "%nExamples:%n",
    footer = {"  rns status", "  rns status --json"})
final class StatusCommand extends ServiceCommand {
  private static final int TIMEOUT_MILLIS = 10_000;
  private static final String SERVING = "serving";

  /** What the server's document tells. */
  private record Status(String soap, List<Map<String, String>> servers) {}

  @Override
  int run(NameService service, Output output) throws IOException {
    URI address = URI.create(server().toString().replaceFirst("/+$", "") + "/status");
    byte[] document = get(address);
    Status status = read(address, document);
    if (output.isJson()) {
      copy(document, output.json());
    } else {
      show(status, output);
    }
    boolean serving = status.servers().stream().anyMatch(server -> server.getOrDefault("state", SERVING).equals(SERVING));
    return serving ? ExitCode.DONE : ExitCode.UNREACHABLE;
  }

  private static byte[] get(URI address) {
    try {
      HttpURLConnection http = (HttpURLConnection) address.toURL().openConnection();
      http.setConnectTimeout(TIMEOUT_MILLIS);
      http.setReadTimeout(TIMEOUT_MILLIS);
      http.setInstanceFollowRedirects(false);
      int code = http.getResponseCode();
      if (code != HttpURLConnection.HTTP_OK) {
        throw new RnsException(
            RnsError.UNAVAILABLE, address + " answers " + code + " " + http.getResponseMessage() + ": is this an RNS server?");
      }
      try (InputStream body = http.getInputStream()) {
        return body.readAllBytes();
      }
    } catch (IOException e) {
      throw new RnsException(RnsError.UNAVAILABLE, "cannot read " + address + ": " + e.getMessage(), e);
    }
  }

  private static Status read(URI address, byte[] document) throws IOException {
    String soap = "";
    List<Map<String, String>> servers = new ArrayList<>();
    try (JsonParser json = new JsonFactory().createParser(document)) {
      if (json.nextToken() == JsonToken.START_OBJECT) {
        while (json.nextToken() == JsonToken.FIELD_NAME) {
          String field = json.currentName();
          JsonToken value = json.nextToken();
          if (field.equals("soap")) {
            soap = json.getText();
          } else if (field.equals("servers") && value == JsonToken.START_ARRAY) {
            while (json.nextToken() == JsonToken.START_OBJECT) {
              servers.add(scalars(json));
            }
          } else {
            json.skipChildren();
          }
        }
        return new Status(soap, servers);
      }
    } catch (JsonProcessingException e) {
      throw new RnsException(RnsError.UNAVAILABLE, address + " answers no JSON document: is this an RNS server?", e);
    }
    throw new RnsException(RnsError.UNAVAILABLE, address + " answers no JSON object: is this an RNS server?");
  }

  private static Map<String, String> scalars(JsonParser json) throws IOException {
    Map<String, String> scalars = new LinkedHashMap<>();
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String field = json.currentName();
      JsonToken value = json.nextToken();
      if (value.isScalarValue() && value != JsonToken.VALUE_NULL) {
        scalars.put(field, json.getText());
      }
      json.skipChildren();
    }
    return scalars;
  }

  private static void copy(byte[] document, JsonDocument to) throws IOException {
    try (JsonParser json = new JsonFactory().createParser(document)) {
      JsonToken unused = json.nextToken();
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        to.generator().copyCurrentStructure(json);
      }
    }
  }

  private static void show(Status status, Output output) {
    output.line("SOAP endpoint: " + status.soap());
    output.line("");
    String row = "%-24s %-10s %5s  %-20s %6s  %s";
    output.line(String.format(row, "SERVER", "ROLE", "GROUP", "POSITION", "LAG", "STATE"));
    for (Map<String, String> server : status.servers()) {
      String lag = server.containsKey("lagMillis") ? server.get("lagMillis") + " ms" : "-";
      output.line(
          String.format(
              row,
              server.getOrDefault("name", "-"),
              server.getOrDefault("role", "-"),
              server.getOrDefault("group", "-"),
              server.getOrDefault("position", "-"),
              lag,
              server.getOrDefault("state", SERVING)));
    }
  }
}
