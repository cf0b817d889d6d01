package io.rns.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.rns.api.NameService;
import io.rns.client.TestServer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Runs commands in this process against a server on a socket. */
final class CommandLineFixture implements AutoCloseable {
  private final TestServer server;
  private final Map<String, String> environment = new HashMap<>();
  private boolean watched;
  private String input = "";
  private long nanos;

  CommandLineFixture() {
    this(TestServer.start());
  }

  CommandLineFixture(TestServer server) {
    this.server = server;
    environment.put("RNS_SERVER", server.address().toString());
    environment.put("RNS_GROUP_SECRET", TestServer.GROUP_SECRET);
  }

  /** The exit code and output of a command. */
  record Result(int code, String out, String err) {
    List<String> lines() {
      return out.lines().toList();
    }

    /** The JSON document: objects as maps, arrays as lists, numbers and strings as strings. */
    @SuppressWarnings("unchecked")
    Map<String, Object> json() {
      try (JsonParser json = new JsonFactory().createParser(out)) {
        json.nextToken();
        Object document = value(json);
        if (json.nextToken() != null) {
          throw new AssertionError("more than one document: " + out);
        }
        return (Map<String, Object>) document;
      } catch (IOException | ClassCastException | NullPointerException e) {
        throw new AssertionError("no JSON object: " + out, e);
      }
    }

    private static @Nullable Object value(JsonParser json) throws IOException {
      switch (json.currentToken()) {
        case START_OBJECT -> {
          Map<String, Object> object = new LinkedHashMap<>();
          while (json.nextToken() == JsonToken.FIELD_NAME) {
            String name = json.currentName();
            json.nextToken();
            object.put(name, value(json));
          }
          return object;
        }
        case START_ARRAY -> {
          List<Object> array = new ArrayList<>();
          while (json.nextToken() != JsonToken.END_ARRAY) {
            array.add(value(json));
          }
          return array;
        }
        case VALUE_NULL -> {
          return null;
        }
        default -> {
          return json.getText();
        }
      }
    }
  }

  /** Simulates a terminal with colours. */
  CommandLineFixture watched() {
    watched = true;
    environment.putIfAbsent("TERM", "xterm");
    return this;
  }

  CommandLineFixture environment(String name, String value) {
    environment.put(name, value);
    return this;
  }

  CommandLineFixture input(String text) {
    input = text;
    return this;
  }

  NameService service() {
    return server.service();
  }

  TestServer server() {
    return server;
  }

  Result run(String... args) {
    return run(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)), args);
  }

  Result run(InputStream in, String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Terminal terminal =
        new Terminal(
            in,
            new PrintStream(out, false, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            environment,
            watched,
            watched,
            () -> nanos += 50_000_000);
    int code = RnsCommand.execute(terminal, args);
    return new Result(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  /** Runs a command that must succeed. */
  Result done(String... args) {
    Result result = run(args);
    if (result.code() != ExitCode.DONE || !result.err().isEmpty()) {
      throw new AssertionError(String.join(" ", args) + " gives " + result);
    }
    return result;
  }

  /** The output of a command line without quotes, as lines. */
  List<String> lines(String command) {
    return done(command.split(" ", -1)).lines();
  }

  @Override
  public void close() {
    server.close();
  }
}
