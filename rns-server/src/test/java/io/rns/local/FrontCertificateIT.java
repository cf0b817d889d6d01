package io.rns.local;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import eu.emi.security.authn.x509.impl.KeyAndCertCredential;
import io.rns.api.Caller;
import io.rns.audit.AuditFiles;
import io.rns.client.CredentialFile;
import io.rns.grid.TestAuthority;
import io.rns.grid.TestAuthority.Credential;
import io.rns.grid.TestAuthority.Wish;
import io.rns.identity.RequestPassing;
import io.rns.local.CertificateClient.Answer;
import io.rns.server.Eventually;
import io.rns.wire.HostileMessages;
import java.io.IOException;
import java.math.BigInteger;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.bouncycastle.asn1.DERSequence;
import org.italiangrid.voms.asn1.VOMSACGenerator;
import org.italiangrid.voms.asn1.VOMSACGenerator.ACGenerationProperties;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Client certificates at a front of {@code ./rns up --tls --secure --fronts 1}: callers have the same rights through it
 * as at the server.
 */
@Tag("slow")
@Timeout(120)
class FrontCertificateIT {
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String HOST = "voms.test.org";
  private static final String ATTRIBUTES = "1.3.6.1.4.1.8005.100.100.5";
  private static final String ALICE = "x509:/DC=org/DC=test/CN=Alice";

  /** The generator of attributes signs as the authority does, with the key of the VOMS server. */
  private static final TestAuthority GRID =
      TestAuthority.make(new Wish().asAuthority().key("RSA", 2_048), "DC=org", "DC=test", "CN=Grid CA");

  private static final Credential USER = GRID.issue("DC=org", "DC=test", "CN=Alice");
  private static final Credential OTHER = GRID.issue("DC=org", "DC=test", "CN=Bob");

  private static final String RULES =
      rules("<rule subject='" + ALICE + "' rights='list read add change admin'/>"
          + "<rule subject='group:voms:/cms' rights='list read'/>"
          + "<rule subject='group:voms:/cms/Role=production' rights='add'/>");

  @TempDir private static Path temporary;
  private static Path trust;
  private static DataDirectory data;
  private static LocalService service;
  private static String front;
  private static String administrator;

  @BeforeAll
  static void start() throws Exception {
    data = DataDirectory.create(temporary.resolve("data"));
    data.secure();
    administrator =
        "Authorization: " + CredentialFile.basic(Files.readString(data.root().resolve("administrator")).strip());
    trust = Files.createDirectory(temporary.resolve("certificates"));
    GRID.install(trust);
    Path voms = Files.createDirectories(temporary.resolve("vomsdir/cms"));
    Files.writeString(voms.resolve(HOST + ".lsc"), "/DC=org/DC=test/CN=" + HOST + "\n/DC=org/DC=test/CN=Grid CA\n");
    service =
        LocalService.start(
            LocalService.Settings.in(data.root())
                .withEnvironment(
                    Map.of("RNS_X509_TRUST", trust.toString(), "RNS_VOMS", temporary.resolve("vomsdir").toString()))
                .withTls(),
            new FrontPorts(1, 0), line -> {});
    front = service.state().fronts().getFirst().url();
    try (CertificateClient client = client()) {
      String everyone = rules("<rule subject='authenticated' rights='read'/>");
      assertThat(client.send("PATCH", front + "/names", everyone, administrator).status()).isEqualTo(200);
      assertThat(client.send("PUT", front + "/names/cms", RULES, administrator).status()).isEqualTo(201);
    }
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  private static String rules(String rules) {
    return "{\"metadataXml\": \"<access xmlns='urn:rns:ext:1'><rules>" + rules + "</rules></access>\"}";
  }

  private static CertificateClient client(Credential... credential) throws Exception {
    return new CertificateClient(data.root().resolve("tls/ca.pem"), credential);
  }

  private static Credential member(Credential of, String... groups) throws Exception {
    Credential server = GRID.issue(new Wish().key("RSA", 2_048), "DC=org", "DC=test", "CN=" + HOST);
    Instant now = Instant.now();
    byte[] attributes =
        new DERSequence(
            new DERSequence(
                new VOMSACGenerator(
                    new KeyAndCertCredential(server.key(), new X509Certificate[]{server.certificate()}))
                    .generateVOMSAttributeCertificate(
                        EnumSet.noneOf(ACGenerationProperties.class), List.of(groups), List.of(), List.of(),
                        of.certificate(), BigInteger.ONE, Date.from(now.minusSeconds(600)),
                        Date.from(now.plusSeconds(3_600)), "cms", HOST, 15_000)
                    .toASN1Structure()))
            .getEncoded("DER");
    return TestAuthority.proxy(of, new Wish().extension(ATTRIBUTES, false, attributes));
  }

  private static String same(Answer answer, String base) {
    return answer.status() + " "
        + answer.body().replace(base, "BASE").replaceAll("Timestamp>[^<]*", "Timestamp>")
            .replaceAll("\"(uptime|age|position|millis)[A-Za-z]*\":[^,}]*", "");
  }

  @Test
  void theAnswersAreThoseOfTheServer() throws Exception {
    Credential stranger =
        TestAuthority.make("DC=org", "DC=test", "CN=Grid CA").issue("DC=org", "DC=test", "CN=Alice");
    Map<String, Credential[]> all = new LinkedHashMap<>();
    all.put("nobody", new Credential[0]);
    all.put("a user", new Credential[]{USER});
    all.put("another user", new Credential[]{OTHER});
    all.put("a proxy", new Credential[]{TestAuthority.proxy(TestAuthority.proxy(USER))});
    all.put("a limited proxy", new Credential[]{limited()});
    all.put("a member", new Credential[]{member(OTHER, "/cms")});
    all.put("a stranger", new Credential[]{stranger});
    all.put("an expired one",
        new Credential[]{GRID.issue(new Wish().until(Instant.now().minusSeconds(1)), "DC=org", "DC=test", "CN=Alice")});
    all.put("an unknown policy", new Credential[]{TestAuthority.proxy(USER, new Wish().policy("1.2.3.4"))});
    String query = HostileMessages.message("<x:Path>/cms</x:Path>", "<r:query/>");
    // Through JAX-WS, which the fast path leaves what is not plain to.
    String other = query.replaceFirst("<(\\w+):Header>", "<$1:Header><y xmlns='urn:y'/>");
    Set<Integer> seen = new TreeSet<>();
    for (Map.Entry<String, Credential[]> each : all.entrySet()) {
      try (CertificateClient client = client(each.getValue())) {
        for (String path : List.of("/names/cms", "/names/cms?", "/names/cms?list", "/names/cms?access",
            "/names/c%6Ds?list&limit=1", "/names/%C3%BC%20%2B", "/names/cms;x=1?y=%3F?", "/servers", "/backup",
            "/services/rns?wsdl", "/health")) {
          Answer direct = client.send("GET", service.url() + path, "");
          assertThat(same(client.send("GET", front + path, ""), front)).as("%s of %s", path, each.getKey())
              .isEqualTo(same(direct, service.url()));
          seen.add(direct.status());
        }
        for (String message : List.of(query, other)) {
          String[] header = {"Content-Type: text/xml"};
          Answer direct = client.send("POST", service.url() + "/services/rns", message, header);
          assertThat(same(client.send("POST", front + "/services/rns", message, header), front))
              .as("%s of %s", message, each.getKey()).isEqualTo(same(direct, service.url()));
          seen.add(direct.status());
        }
      }
    }
    assertThat(seen).contains(200, 401, 403, 404);
  }

  private static Credential limited() {
    return TestAuthority.proxy(USER, new Wish().policy(TestAuthority.LIMITED));
  }

  @Test
  void rulesHoldForUsersProxiesAndGroups() throws Exception {
    Map<List<Credential>, List<Integer>> expected = new LinkedHashMap<>();
    // List, add, set rules.
    expected.put(List.of(), List.of(401, 401, 401));
    expected.put(List.of(OTHER), List.of(403, 403, 403));
    expected.put(List.of(member(OTHER, "/cms")), List.of(200, 403, 403));
    expected.put(List.of(member(OTHER, "/cms", "/cms/Role=production")), List.of(200, 201, 403));
    expected.put(List.of(limited()), List.of(200, 201, 403));
    expected.put(List.of(USER), List.of(200, 201, 200));
    int number = 0;
    for (Map.Entry<List<Credential>, List<Integer>> each : expected.entrySet()) {
      try (CertificateClient client = client(each.getKey().toArray(Credential[]::new))) {
        List<Integer> found =
            List.of(
                client.send("GET", front + "/names/cms?list", "").status(),
                client.send("PUT", front + "/names/cms/" + number++, "{}").status(),
                client.send("PATCH", front + "/names/cms", RULES).status());
        assertThat(found).isEqualTo(each.getValue());
      }
    }
  }

  @Test
  void largeMessagesHaveTheCallerToo() throws Exception {
    String padded =
        HostileMessages.message("<x:Path>/cms</x:Path>", "<r:query/>").replaceFirst("<(\\w+):Body>",
            "<!--" + " ".repeat(200_000) + "--><$1:Body>");
    for (int length : List.of(padded.length(), 60_000)) {
      String message = padded.replace(" ".repeat(200_000 - (padded.length() - length)), "");
      try (CertificateClient client = client(USER); CertificateClient nobody = client()) {
        for (CertificateClient each : List.of(client, nobody)) {
          Answer direct = each.send("POST", service.url() + "/services/rns", message, "Content-Type: text/xml");
          Answer through = each.send("POST", front + "/services/rns", message, "Content-Type: text/xml");
          assertThat(same(through, front)).isEqualTo(same(direct, service.url()));
        }
      }
    }
  }

  /** Nobody would compare a form with what the front has signed. */
  @Test
  void parametersAreInTheAddress() throws Exception {
    try (CertificateClient client = client(USER)) {
      String parameters = "path=/cms&rights=list&seconds=60";
      Answer form =
          client.send("POST", front + "/tickets", parameters, "Content-Type: application/x-www-form-urlencoded");
      assertThat(form.status()).as(form.body()).isEqualTo(400);
      assertThat(form.body()).contains("not in a form");
      Answer address = client.send("POST", front + "/tickets?" + parameters, "");
      assertThat(address.status()).as(address.body()).isEqualTo(200);
    }
  }

  /** By its ticket a client without certificate reads at the server what its owner may, and nothing else, once. */
  @Test
  void whoIsSentToTheServerIsTheSameThere() throws Exception {
    String path = "/names/cms?list";
    try (CertificateClient client = client(USER);
        CertificateClient other = client(OTHER);
        CertificateClient nobody = client();
        CertificateClient wrong = client(TestAuthority.make("CN=x").issue("CN=any"))) {
      String ticket = client.location(front + path).orElseThrow();
      assertThat(ticket).startsWith(service.url() + path);
      for (String changed : List.of(ticket.replace("/cms", "/"), ticket.replace("?list", "?subtree"))) {
        assertThat(nobody.send("GET", changed, "").status()).isEqualTo(401);
      }
      assertThat(nobody.send("DELETE", ticket, "").status()).isEqualTo(401);
      assertThat(client.send("GET", ticket, "", administrator).status()).as("two credentials").isEqualTo(401);
      Answer direct = nobody.send("GET", ticket, "");
      assertThat(direct.status()).isEqualTo(200);
      assertThat(direct.body()).isEqualTo(client.send("GET", front + path, "").body());
      assertThat(client.send("GET", ticket, "").status()).as("used").isEqualTo(401);
      assertThat(client.send("GET", other.location(front + path).orElseThrow(), "").status())
          .as("the rights of the ticket, not those of the connection").isEqualTo(403);
      String anonymous = nobody.location(front + path).orElseThrow();
      assertThat(nobody.send("GET", anonymous, "").status()).isEqualTo(401);
      String named = nobody.location(front + path, administrator).orElseThrow();
      assertThat(nobody.send("GET", named, "").body()).contains("needs the Authorization header");
      assertThat(nobody.send("GET", named, "", "Authorization: Bearer x").status()).isEqualTo(401);
      assertThat(nobody.location(front + path, administrator)).isPresent();
      assertThat(wrong.location(front + path)).as("a refused certificate").isEmpty();
      assertThat(wrong.send("GET", front + path, "", "RNS-Direct: accept").status()).isEqualTo(401);
    }
  }

  @Test
  void aHeaderComesFirst() throws Exception {
    for (Credential each : List.of(USER, TestAuthority.make("CN=x").issue("CN=any browser's"))) {
      try (CertificateClient client = client(each)) {
        assertThat(client.send("GET", front + "/names?access", "", administrator).body())
            .contains("\"caller\":\"local:admin\"");
        assertThat(client.send("GET", front + "/names/cms", "", "Authorization: Bearer x").status()).isEqualTo(401);
      }
    }
  }

  @Test
  void nobodyWithoutTheSecretSaysWhoSomebodyIs() throws Exception {
    String named = RequestPassing.named(new Caller(ALICE, Set.of()));
    RequestPassing forging = new RequestPassing("guessed", "front-1", InstantSource.system());
    for (Credential[] each : List.of(new Credential[0], new Credential[]{OTHER})) {
      try (CertificateClient client = client(each)) {
        for (String base : List.of(service.url(), front)) {
          String forged =
              forging.header(named, URI.create(service.url()), "GET /rns/names/cms", RequestPassing.UNSIGNED).value();
          Answer answer = client.send("GET", base + "/names/cms", "", "RNS-On-Behalf-Of: " + forged);
          assertThat(answer.status()).as(answer.body()).isEqualTo(401);
          assertThat(client.send("GET", base + "/names/cms", "", "RNS-On-Behalf-Of: x").status()).isEqualTo(401);
        }
      }
    }
  }

  @Test
  void aRevokedCertificateEndsOnConnectionsThatAreOpen() throws Exception {
    TestAuthority authority = TestAuthority.make("DC=org", "DC=test", "CN=Revoking CA");
    authority.install(trust);
    Credential carol = authority.issue("DC=org", "DC=test", "CN=Carol");
    try (CertificateClient client = client(TestAuthority.proxy(carol)); CertificateClient user = client(USER)) {
      Eventually.until("the new authority", LONG, () -> client.send("GET", front + "/names/cms", "").status() == 200);
      authority.revoke(carol.certificate());
      authority.publish(trust, Instant.now().plus(Duration.ofDays(1)));
      Eventually.until("the revocation", LONG, () -> client.send("GET", front + "/names/cms", "").status() == 401);
      assertThat(client.send("GET", front + "/names/cms", "").body()).contains("revoked");
      assertThat(user.send("GET", front + "/names/cms", "").status()).isEqualTo(200);
    }
  }

  @Test
  void theAuditLogHasTheCallerAndTheFront() throws Exception {
    JsonNode refused;
    try (CertificateClient client = client(USER);
        CertificateClient wrong = client(TestAuthority.make("CN=x").issue("CN=audited"))) {
      assertThat(client.send("PUT", front + "/names/cms/audited", "{}").status()).isEqualTo(201);
      // Of refused requests without a name only some have a line of their own, and other tests send some, too.
      refused = Eventually.get("a line of a refused request", LONG, () -> {
        assertThat(wrong.send("GET", front + "/metrics", "").status()).isEqualTo(401);
        return line("\"GET /metrics\"");
      });
    }
    JsonNode added = Eventually.get("a line of an added entry", LONG, () -> line("\"/cms/audited\""));
    assertThat(added.path("caller").asText()).isEqualTo(ALICE);
    assertThat(added.path("credential").asText()).isEqualTo("forwarded");
    assertThat(added.path("through").asText()).isEqualTo("front-1");
    assertThat(refused.has("caller")).isFalse();
    assertThat(refused.path("credential").asText()).isEqualTo("unknown");
    assertThat(refused.path("through").asText()).isEqualTo("front-1");
    assertThat(refused.path("error").asText()).isEqualTo("NOT_AUTHENTICATED");
  }

  /** The line of the audit log with a text; empty if there is none yet. */
  private static Optional<JsonNode> line(String text) throws IOException {
    try (Stream<Path> servers = Files.list(data.root().resolve("audit"))) {
      for (Path server : servers.toList()) {
        for (Path file : AuditFiles.in(server)) {
          // The last one may be half written.
          Optional<String> found =
              Files.readAllLines(file).stream().filter(line -> line.contains(text) && line.endsWith("}")).findFirst();
          if (found.isPresent()) {
            return Optional.of(JSON.readTree(found.get()));
          }
        }
      }
      return Optional.empty();
    }
  }
}
