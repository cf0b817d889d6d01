package io.rns.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.AddRequest;
import io.rns.api.CallContext;
import io.rns.api.ListRequest;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.client.CredentialFile;
import io.rns.client.CredentialSource;
import io.rns.client.RnsClient;
import io.rns.client.RnsConnection;
import io.rns.client.watch.ChangeStream;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./rns up --secure}: closed to all but the administrator, whose credential is in the data directory. */
@Tag("server")
@Tag("slow")
class SecureServiceIT {
  @TempDir private Path temporary;

  private static RnsConnection client(String url, CredentialSource credentials) {
    return RnsClient.builder().server(URI.create(url)).attempts(1).credentials(credentials).build();
  }

  private static void refused(RnsError error, Runnable call) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(error));
  }

  @Test
  void onlyTheAdministratorGetsIn() throws IOException, InterruptedException {
    Path data = temporary.resolve("data");
    DataDirectory directory = DataDirectory.create(data);
    directory.secure();
    Path file = data.resolve("administrator");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rw-------");
    String account = Files.readString(file);
    String credential = CredentialFile.basic(account.strip());
    directory.secure();
    assertThat(file).content().isEqualTo(account);
    ListRequest root = ListRequest.of(Target.ROOT);
    AddRequest add =
        new AddRequest(List.of(AddRequest.NewEntry.directory(Target.of(RnsPath.parse("/a")))), false, false);
    try (LocalService service = LocalService.start(LocalService.Settings.in(data), line -> {})) {
      try (RnsConnection anonymous = client(service.url(), CredentialSource.NONE)) {
        refused(RnsError.NOT_AUTHENTICATED, () -> anonymous.list(CallContext.ANONYMOUS, root).value().orThrow());
        refused(
            RnsError.NOT_AUTHENTICATED, () -> anonymous.add(CallContext.ANONYMOUS, add).value().get(0).orThrow());
      }
      try (RnsConnection stranger = client(service.url(), refused -> Optional.of("Bearer x"))) {
        refused(RnsError.NOT_AUTHENTICATED, () -> stranger.list(CallContext.ANONYMOUS, root));
      }
      AtomicInteger asked = new AtomicInteger();
      CredentialSource renewing = refused -> {
        asked.incrementAndGet();
        return Optional.of(refused.isEmpty() && asked.get() == 1 ? "Bearer old" : credential);
      };
      try (RnsConnection administrator = client(service.url(), renewing)) {
        administrator.add(CallContext.ANONYMOUS, add).value().get(0).orThrow();
        assertThat(administrator.list(CallContext.ANONYMOUS, root).value().orThrow().entries()).hasSize(1);
      }
      refused(RnsError.NOT_AUTHENTICATED, () -> ChangeStream.of(URI.create(service.url())).open().close());
      ChangeStream.of(URI.create(service.url())).credentials(refused -> Optional.of(credential)).open().close();
      http(service);
    }
  }

  private static void http(LocalService service) throws IOException, InterruptedException {
    HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    for (String path : List.of("/names", "/names/a", "/partitions", "/names/a?access", "/watch")) {
      HttpResponse<String> answer = http.send(
          HttpRequest.newBuilder(URI.create(service.url() + path)).build(), HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).as("%s: %s", path, answer.body()).isEqualTo(401);
      assertThat(answer.headers().firstValue("WWW-Authenticate")).as(path).isPresent();
    }
    for (String path : List.of("/health", "/services/rns?wsdl")) {
      HttpResponse<String> answer = http.send(
          HttpRequest.newBuilder(URI.create(service.url() + path)).build(), HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).as("%s: %s", path, answer.body()).isEqualTo(200);
    }
  }
}
