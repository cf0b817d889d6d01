package io.rns.local;

import static io.rns.server.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.rns.grid.TestAuthority;
import io.rns.grid.TestAuthority.Credential;
import io.rns.grid.TestAuthority.Wish;
import io.rns.identity.AccountFile;
import io.rns.local.CertificateClient.Answer;
import io.rns.rserpool.AsapMessage.HandleResolutionResponse;
import io.rns.rserpool.AsapMessage.RegistrationResponse;
import io.rns.rserpool.ErrorCause;
import io.rns.server.pool.AsapSocket;
import io.rns.wire.HostileMessages;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Client certificates and proxies at a service of {@code ./rns up --tls} with {@code RNS_X509_TRUST}. */
@Tag("server")
@Tag("slow")
@Timeout(120)
class ClientCertificateIT {
  private static final TestAuthority GRID = TestAuthority.make("DC=org", "DC=test", "CN=Grid CA");
  private static final String ALICE = "x509:/DC=org/DC=test/CN=Alice";
  private static final Duration LONG = Duration.ofSeconds(30);

  @TempDir private static Path temporary;
  private static Path trust;
  private static Path accessLog;
  private static LocalService service;

  @BeforeAll
  static void start() throws IOException {
    trust = Files.createDirectory(temporary.resolve("certificates"));
    accessLog = temporary.resolve("access.log");
    Path accounts = temporary.resolve("accounts");
    AccountFile.put(accounts, "bob", Set.of(), "word");
    GRID.install(trust);
    service = LocalService.start(
        LocalService.Settings.in(temporary.resolve("data")).withEnvironment(
            Map.of(
                "RNS_X509_TRUST", trust.toString(), "RNS_ACCESS_LOG", accessLog.toString(), "RNS_ACCOUNTS",
                accounts.toString()))
            .withTls(),
        line -> {});
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  private static Credential user() {
    return GRID.issue("DC=org", "DC=test", "CN=Alice");
  }

  private static CertificateClient client(Credential... credential) throws Exception {
    return new CertificateClient(temporary.resolve("data/tls/ca.pem"), credential);
  }

  private static Answer send(CertificateClient client, String method, String path, String body, String... header)
      throws Exception {
    return client.send(method, service.url() + path, body, header);
  }

  private static long logged(String caller) throws IOException {
    try (Stream<String> lines = Files.lines(accessLog)) {
      return lines.map(line -> line.split("\t", -1)).filter(line -> line.length > 4 && line[2].equals(caller)).count();
    }
  }

  @Test
  void aCertificateIsTheCallerOfEveryFace() throws Exception {
    long before = logged(ALICE);
    for (Credential each : List.of(user(), TestAuthority.proxy(TestAuthority.proxy(user())))) {
      try (CertificateClient client = client(each)) {
        assertThat(send(client, "PUT", "/names/by-certificate?parents", "{}").status()).isIn(200, 201, 409);
        assertThat(send(client, "GET", "/names/by-certificate?access", "").body()).contains("\"caller\":\"" + ALICE);
        String query = HostileMessages.message("", "<r:query/>");
        assertThat(send(client, "POST", "/services/rns", query, "Content-Type: text/xml").status()).isEqualTo(200);
        // Through JAX-WS, which the fast path leaves what is not plain to.
        String envelope = query.replaceFirst("<(\\w+):Body", "<$1:Header><x xmlns='urn:x'/></$1:Header><$1:Body");
        assertThat(send(client, "POST", "/services/rns", envelope, "Content-Type: text/xml").status()).isEqualTo(200);
      }
    }
    until("lines of the access log", LONG, () -> logged(ALICE) >= before + 6);
    try (CertificateClient nobody = client()) {
      assertThat(send(nobody, "GET", "/names/by-certificate?access", "").body()).doesNotContain("\"caller\":\"x509");
    }
  }

  @Test
  void aWrongCertificateIsRefusedEverywhere() throws Exception {
    TestAuthority stranger = TestAuthority.make("DC=org", "DC=test", "CN=Grid CA");
    Credential expired =
        GRID.issue(new Wish().until(Instant.now().minusSeconds(1)), "DC=org", "DC=test", "CN=Alice");
    for (Credential wrong : List.of(
        stranger.issue("DC=org", "DC=test", "CN=Alice"), expired,
        TestAuthority.proxy(user(), new Wish().policy("1.2.3.4")))) {
      try (CertificateClient client = client(wrong)) {
        for (String path : List.of("/names", "/status", "/health", "/services/rns?wsdl", "/watch", "/partitions")) {
          assertThat(send(client, "GET", path, "").status()).as(path).isEqualTo(401);
        }
        Answer fault =
            send(client, "POST", "/services/rns", HostileMessages.message("", "<r:query/>"), "Content-Type: text/xml");
        assertThat(fault.status()).isEqualTo(401);
        assertThat(fault.body()).contains("<faultstring", "NOT_AUTHENTICATED");
      }
    }
  }

  /** The service is open: only a wrong credential is refused. */
  @Test
  void elementsAndUsersAreIdentifiedByAsapToo() throws Exception {
    String[] place =
        new ObjectMapper().readTree(status()).path("servers").path(0).path("registrar").path("asap").asText()
            .split(":", -1);
    InetSocketAddress registrar = new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(place[1]));
    Credential stranger = TestAuthority.make("DC=org", "DC=test", "CN=Grid CA").issue("DC=org", "DC=test", "CN=Alice");
    try (AsapSocket alice = AsapSocket.tls(registrar, sockets(TestAuthority.proxy(user())));
        AsapSocket anonymous = AsapSocket.tls(registrar, sockets());
        AsapSocket wrong = AsapSocket.tls(registrar, sockets(stranger))) {
      assertThat(alice.ask(AsapSocket.registration("/svc/mine", 1)))
          .isInstanceOfSatisfying(RegistrationResponse.class, answer -> assertThat(answer.causes()).isEmpty());
      assertThat(anonymous.ask(AsapSocket.resolution("/svc/mine")))
          .isInstanceOfSatisfying(HandleResolutionResponse.class, answer -> assertThat(answer.elements()).hasSize(1));
      assertThat(wrong.ask(AsapSocket.resolution("/svc/mine")))
          .isInstanceOfSatisfying(HandleResolutionResponse.class,
              answer -> assertThat(answer.causes().getFirst().code()).isEqualTo(ErrorCause.SECURITY));
    }
  }

  private static String status() throws Exception {
    try (CertificateClient nobody = client()) {
      return send(nobody, "GET", "/status", "").body();
    }
  }

  private static SSLSocketFactory sockets(Credential... credential) throws Exception {
    return CertificateClient.context(temporary.resolve("data/tls/ca.pem"), credential).getSocketFactory();
  }

  @Test
  void aHeaderComesFirst() throws Exception {
    String bob =
        "Authorization: Basic " + Base64.getEncoder().encodeToString("bob:word".getBytes(StandardCharsets.UTF_8));
    String wrong = "Authorization: Bearer x";
    for (Credential each : List.of(user(), TestAuthority.make("CN=x").issue("CN=any browser's"))) {
      try (CertificateClient client = client(each)) {
        assertThat(send(client, "GET", "/names?access", "", bob).body()).contains("\"caller\":\"local:bob\"");
        assertThat(send(client, "GET", "/names?access", "", wrong).status()).isEqualTo(401);
      }
    }
  }

  @Test
  void attributesCannotBeSentAsHeaders() throws Exception {
    String header = "io.rns.guard.ClientChain: x";
    String standard = "jakarta.servlet.request.X509Certificate: x";
    try (CertificateClient nobody = client()) {
      assertThat(send(nobody, "GET", "/names?access", "", header, standard, "X-Client-Cert: x").body())
          .doesNotContain("\"caller\":\"x509");
    }
  }

  @Test
  void aRevokedCertificateEndsOnConnectionsThatAreOpen() throws Exception {
    TestAuthority authority = TestAuthority.make("DC=org", "DC=test", "CN=Revoking CA");
    authority.install(trust);
    Credential carol = authority.issue("DC=org", "DC=test", "CN=Carol");
    try (CertificateClient client = client(TestAuthority.proxy(carol))) {
      until("the new authority", LONG, () -> send(client, "GET", "/names", "").status() == 200);
      authority.revoke(carol.certificate());
      authority.publish(trust, Instant.now().plus(Duration.ofDays(1)));
      until("the revocation", LONG, () -> send(client, "GET", "/names", "").status() == 401);
      try (CertificateClient other = client(user())) {
        assertThat(send(other, "GET", "/names", "").status()).isEqualTo(200);
      }
    }
  }

  @Test
  void theStateOfTheServiceShowsNoPlaces() throws Exception {
    try (CertificateClient client = client(user())) {
      for (String path : List.of("/status", "/health", "/metrics")) {
        assertThat(send(client, "GET", path, "").body()).doesNotContain(trust.toString(), "Grid CA", "CN=Alice");
      }
    }
  }
}
