package io.rns.server.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.local.LocalService;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code rns backup} and {@code rns restore} as operators run them, on a service in GlassFish. */
class BackupIT {
  private static final long BOUND_SECONDS = 120;

  @TempDir private static Path temporary;
  private static LocalService service;
  private static HttpClient http;

  @BeforeAll
  static void start() {
    service = LocalService.start(LocalService.Settings.in(temporary.resolve("data")), line -> {});
    http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  }

  @AfterAll
  static void stop() {
    http.close();
    service.close();
  }

  private record Ran(int code, String output) {}

  private static Ran rns(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"),
        "io.rns.cli.RnsCommand"));
    command.addAll(Arrays.asList(arguments));
    command.addAll(List.of("--server", service.url()));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().keySet().removeIf(name -> name.startsWith("RNS_"));
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(BOUND_SECONDS, TimeUnit.SECONDS)).isTrue();
    return new Ran(process.exitValue(), output);
  }

  private static String data() {
    return temporary.resolve("data").toString();
  }

  private static HttpResponse<String> ask(String method, String path, byte[] body)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(service.url() + path));
    return http.send(request.method(method, BodyPublishers.ofByteArray(body)).build(), BodyHandlers.ofString());
  }

  private static int put(String name) throws IOException, InterruptedException {
    return ask("PUT", "/names" + name + "?parents",
        "{\"references\": [\"http://h/\"]}".getBytes(StandardCharsets.UTF_8)).statusCode();
  }

  private static HttpResponse<String> get(String name) throws IOException, InterruptedException {
    return ask("GET", "/names" + name, new byte[0]);
  }

  @Test
  void anOperatorTakesABackupAndGoesBackToIt() throws Exception {
    assertThat(put("/kept/one")).isEqualTo(201);
    String before = get("/kept/one").body();
    Path file = temporary.resolve("rns.backup");
    Ran made = rns("backup", file.toString(), "--data", data());
    assertThat(made.code()).as(made.output()).isZero();
    assertThat(made.output()).contains(Files.size(file) + " bytes written to " + file);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rw-------");

    assertThat(put("/later")).isEqualTo(201);
    assertThat(ask("DELETE", "/names/kept?recursive", new byte[0]).statusCode()).isEqualTo(200);
    Ran refused = rns("restore", file.toString(), "--data", data());
    assertThat(refused.code()).as(refused.output()).isEqualTo(1);
    assertThat(refused.output()).contains("entries, which a restore would remove; --force does so");
    assertThat(get("/later").statusCode()).isEqualTo(200);

    Ran restored = rns("restore", "--force", file.toString(), "--data", data());
    assertThat(restored.code()).as(restored.output()).isZero();
    assertThat(restored.output()).contains("entries restored from position ", "the service continues at ");
    assertThat(get("/kept/one").body()).isEqualTo(before);
    assertThat(get("/later").statusCode()).isEqualTo(404);
    assertThat(put("/after")).isEqualTo(201);
    assertThat(temporary.resolve("rns.backup.part")).doesNotExist();
  }

  @Test
  void damagedFilesAndStrangersChangeNothing() throws Exception {
    assertThat(put("/safe")).isEqualTo(201);
    Path file = temporary.resolve("damaged.backup");
    Ran made = rns("backup", file.toString(), "--data", data());
    assertThat(made.code()).as(made.output()).isZero();
    byte[] whole = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(whole, whole.length - 20));
    Ran damaged = rns("restore", "--force", file.toString(), "--data", data());
    assertThat(damaged.code()).as(damaged.output()).isEqualTo(1);
    assertThat(damaged.output()).contains("the file is not a whole backup");

    Ran stranger = rns("backup", temporary.resolve("stolen").toString(), "--data", temporary.toString());
    assertThat(stranger.code()).isEqualTo(2);
    Path guess = Files.writeString(temporary.resolve("guess"), "guess");
    Ran guessed = rns("backup", temporary.resolve("stolen").toString(), "--secret-file", guess.toString());
    assertThat(guessed.code()).as(guessed.output()).isEqualTo(4);
    assertThat(temporary.resolve("stolen")).doesNotExist();
    for (String method : List.of("GET", "PUT")) {
      HttpResponse<String> answer = ask(method, "/backup?force=true", method.equals("PUT") ? whole : new byte[0]);
      assertThat(answer.statusCode()).isEqualTo(403);
      assertThat(answer.body()).contains("NOT_PERMITTED");
    }
    assertThat(get("/safe").statusCode()).isEqualTo(200);
  }
}
