package io.rns.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.association.Multicast;
import io.rns.client.http.TlsTrust;
import io.rns.network.MulticastGroup;
import io.rns.replication.membership.Durability;
import io.rns.replication.partition.BalancerSettings;
import io.rns.server.partition.PartitioningSettings;
import io.rns.server.access.LineLogSettings;
import io.rns.server.audit.AuditSettings;
import io.rns.server.dns.DnsSettings;
import io.rns.replication.member.GroupSettings;
import io.rns.server.http.WebSettings;
import io.rns.server.overload.OverloadSettings;
import io.rns.server.pool.PoolSettings;
import io.rns.identity.AccessMode;
import io.rns.identity.AccessPolicy;
import io.rns.identity.IdentitySettings;
import io.rns.identity.IssuerSettings;
import io.rns.identity.X509Settings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ServerConfigTest {
  @Test
  void theTableOfSettingsInTheDocumentationIsTheOneInTheCode() throws IOException {
    List<String> documented = new ArrayList<>();
    for (String line : Files.readAllLines(Path.of("..", "docs", "operations.md"))) {
      if (line.startsWith("| `RNS_")) {
        documented.add(line.substring(0, line.lastIndexOf('|', line.length() - 2)).trim());
      }
    }
    List<String> coded = new ArrayList<>();
    for (Knob knob : Knob.values()) {
      String initial = knob.initial().isEmpty() ? "" : "`" + knob.initial() + "` ";
      String bounds = knob.minimum() + " to " + knob.maximum();
      String shown = switch (knob.unit()) {
        case TEXT -> "";
        case COUNT -> bounds;
        case MILLISECONDS -> bounds + " ms";
        case BYTES, HOURS -> bounds + " " + knob.unit().name().toLowerCase(Locale.ROOT);
      };
      coded.add(String.format("| `%s` | %s| %s", knob, initial, shown).strip());
    }
    assertThat(documented).isEqualTo(coded);
  }

  @ParameterizedTest
  @EnumSource(value = Knob.class, mode = EnumSource.Mode.EXCLUDE, names = {"RNS_TOPOLOGY", "RNS_DURABILITY",
      "RNS_FAILOVER",
      "RNS_POOL_ADDRESS", "RNS_OVERLOAD", "RNS_DNS_ZONE", "RNS_SITE", "RNS_ACCESS_LOG", "RNS_DNS_LOG", "RNS_AUDIT",
      "RNS_AUDIT_EVENTS",
      "RNS_AUDIT_FULL",
      "RNS_HOSTS", "RNS_CORS_ORIGINS", "RNS_ROOT_SERVERS", "RNS_PARTITIONING", "RNS_PARTITION_QUIET_HOURS",
      "RNS_ACCESS", "RNS_ACCESS_REFUSAL", "RNS_ADMINISTRATORS", "RNS_TLS_CA", "RNS_ACCOUNTS",
      "RNS_POOL_CERTIFICATE", "RNS_POOL_KEY", "RNS_POOL_MULTICAST",
      "RNS_ISSUERS", "RNS_X509_TRUST", "RNS_X509_CRL", "RNS_VOMS"})
  void aValueAtItsBoundsIsTakenAndOneBeyondIsRefused(Knob knob) {
    if (knob.unit() == Knob.Unit.TEXT) {
      String longest = "jdbc:mysql:".concat("x".repeat((int) knob.maximum())).substring(0, (int) knob.maximum());
      ServerConfig.read(Map.of(knob.name(), longest));
      refused(knob, longest + "x");
    } else {
      ServerConfig.read(Map.of(knob.name(), Long.toString(knob.minimum())));
      ServerConfig.read(Map.of(knob.name(), Long.toString(knob.maximum())));
      refused(knob, Long.toString(knob.minimum() - 1));
      refused(knob, Long.toString(knob.maximum() + 1));
      refused(knob, "many");
    }
  }

  private static void refused(Knob knob, String value) {
    assertThatThrownBy(() -> ServerConfig.read(Map.of(knob.name(), value)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(knob.name());
  }

  @Test
  void theAuditLogHasADirectoryOfItsServer() {
    assertThat(ServerConfig.read(Map.of()).audit()).isEmpty();
    assertThat(ServerConfig.read(Map.of("RNS_AUDIT", "/audit", "RNS_SERVER_NAME", "a")).audit())
        .contains(new AuditSettings(Path.of("/audit"), false, 64 << 20, 16, false, "a"));
    Map<String, String> all =
        Map.of(
            "RNS_AUDIT", "/audit/{name}", "RNS_SERVER_NAME", "a/b", "RNS_AUDIT_EVENTS", "all", "RNS_AUDIT_FULL",
            "refuse", "RNS_AUDIT_BYTES", "1048576", "RNS_AUDIT_FILES", "2");
    assertThat(ServerConfig.read(all).audit())
        .contains(new AuditSettings(Path.of("/audit/a_b"), true, 1 << 20, 2, true, "a/b"));
    refused(Knob.RNS_AUDIT, "audit");
    refused(Knob.RNS_AUDIT, "/");
    refused(Knob.RNS_AUDIT, "/" + "x".repeat(4_000));
    refused(Knob.RNS_AUDIT_EVENTS, "none");
    refused(Knob.RNS_AUDIT_FULL, "stop");
  }

  @Test
  void trustedCertificatesAreAFileThatHasSome() {
    assertThat(ServerConfig.read(Map.of()).trust()).isSameAs(TlsTrust.SYSTEM);
    refused(Knob.RNS_TLS_CA, "/no/such/file.pem");
    refused(Knob.RNS_TLS_CA, "x".repeat(4_001));
  }

  @Test
  void aGroupBelowTheRootNeedsAnAddressASecretAndANumber() {
    Map<String, String> complete =
        Map.of(
            "RNS_ROOT_SERVERS", "http://a:8080/rns/, http://b:8080/rns", "RNS_SERVER_URL", "http://c:8080/rns",
            "RNS_GROUP_SECRET", "secret", "RNS_GROUP", "1");
    assertThat(ServerConfig.read(Map.of()).rootServers()).isEmpty();
    assertThat(ServerConfig.read(complete).rootServers()).containsExactly("http://a:8080/rns", "http://b:8080/rns");
    for (String needed : List.of("RNS_SERVER_URL", "RNS_GROUP_SECRET", "RNS_GROUP")) {
      Map<String, String> lacking = new HashMap<>(complete);
      lacking.remove(needed);
      assertThatThrownBy(() -> ServerConfig.read(lacking))
          .isInstanceOf(IllegalArgumentException.class).hasMessageContainingAll(needed, "RNS_ROOT_SERVERS");
    }
    refused(Knob.RNS_ROOT_SERVERS, "nowhere");
  }

  @Test
  void partitioningHasAModeAndQuietHoursInUtc() {
    PartitioningSettings initial = ServerConfig.read(Map.of()).partitioning();
    assertThat(initial.mode()).isEqualTo(PartitioningSettings.Mode.SUGGEST);
    assertThat(initial.balancer()).isEqualTo(BalancerSettings.DEFAULT);
    PartitioningSettings other =
        ServerConfig.read(
            Map.of(
                "RNS_PARTITIONING", "auto", "RNS_PARTITION_QUIET_HOURS", "22:00-06:00", "RNS_PARTITION_GAIN", "25"))
            .partitioning();
    assertThat(other.mode()).isEqualTo(PartitioningSettings.Mode.AUTO);
    assertThat(other.balancer().quiet()).hasToString("22:00-06:00");
    assertThat(other.balancer().plan().minimumGain()).isEqualTo(0.25);
    refused(Knob.RNS_PARTITIONING, "always");
    refused(Knob.RNS_PARTITION_QUIET_HOURS, "22-6");
  }

  /** Servers of other groups have the secret, too: what is signed for one of them must not be taken here. */
  @Test
  void aServerWithAnAddressTakesOnlyWhatIsSignedForIt() {
    assertThat(ServerConfig.read(Map.of("RNS_GROUP_SECRET", "secret")).places()).isEmpty();
    Map<String, String> known = Map.of("RNS_GROUP_SECRET", "secret", "RNS_SERVER_URL", "http://a:8080/rns");
    assertThat(ServerConfig.read(known).places()).containsExactly("a:8080");
  }

  @Test
  void aSiteHasLevelsAndABoundedLength() {
    assertThat(ServerConfig.read(Map.of()).site().isNone()).isTrue();
    assertThat(ServerConfig.read(Map.of("RNS_SITE", "eu/essen/r7")).site().text()).isEqualTo("eu/essen/r7");
    ServerConfig.read(Map.of("RNS_SITE", "x".repeat(200)));
    refused(Knob.RNS_SITE, "x".repeat(201));
    refused(Knob.RNS_SITE, "eu//essen");
  }

  @Test
  void hostsAreNamesAndOriginsAreSites() {
    assertThat(ServerConfig.read(Map.of()).web()).isEqualTo(WebSettings.NONE);
    WebSettings web =
        ServerConfig
            .read(
                Map.of("RNS_HOSTS", "RNS.Example.org, b", "RNS_CORS_ORIGINS", "https://App.example.org, http://a:8081"))
            .web();
    assertThat(web.hosts()).containsExactly("rns.example.org", "b");
    assertThat(web.origins()).containsExactly("https://app.example.org", "http://a:8081");
    for (String host : List.of("a:80", "a/b", "http://a", "-a", "a..b", "*", "1.2.3", "x".repeat(64))) {
      refused(Knob.RNS_HOSTS, host);
    }
    for (String origin : List.of("app.example.org", "*", "https://a/", "https://a/b", "null", "https://a@b")) {
      refused(Knob.RNS_CORS_ORIGINS, origin);
    }
    refused(Knob.RNS_HOSTS, "a,".repeat(10_001));
    refused(Knob.RNS_CORS_ORIGINS, "a,".repeat(10_001));
  }

  @Test
  void dnsAnswersForAZoneThatHasAProperNameAtAnAddressOfThisHost() {
    assertThat(ServerConfig.read(Map.of()).dns()).isEmpty();
    Map<String, String> settings = new HashMap<>(Map.of("RNS_DNS_ZONE", "rns.example.org", "RNS_DNS_PORT", "5353"));
    DnsSettings dns = ServerConfig.read(settings).dns().orElseThrow();
    assertThat(dns.zone()).isEqualTo("rns.example.org");
    assertThat(dns.address()).isEqualTo(new InetSocketAddress(InetAddress.getLoopbackAddress(), 5_353));
    refused(Knob.RNS_DNS_ZONE, "a..b");
    refused(Knob.RNS_DNS_ZONE, "x".repeat(64) + ".org");
    refused(Knob.RNS_DNS_ZONE, "x".repeat(201));
    settings.put("RNS_DNS_ADDRESS", "no address");
    assertThatThrownBy(() -> ServerConfig.read(settings)).hasMessageContaining("RNS_DNS_ADDRESS='no address'");
  }

  @Test
  void anAccessLogHasAnAbsolutePathAndPerhapsTheNameOfTheServer() {
    assertThat(ServerConfig.read(Map.of()).accessLog()).isEmpty();
    assertThat(ServerConfig.read(Map.of("RNS_ACCESS_LOG", "/logs/access.log")).accessLog())
        .contains(new LineLogSettings(Path.of("/logs/access.log"), 64 << 20, 4));
    Map<String, String> settings =
        Map.of(
            "RNS_ACCESS_LOG", "/logs/{name}.log", "RNS_SERVER_NAME", "a/b", "RNS_ACCESS_LOG_BYTES", "65536",
            "RNS_ACCESS_LOG_FILES", "1");
    assertThat(ServerConfig.read(settings).accessLog())
        .contains(new LineLogSettings(Path.of("/logs/a_b.log"), 65_536, 1));
    refused(Knob.RNS_ACCESS_LOG, "access.log");
    refused(Knob.RNS_ACCESS_LOG, "/");
    refused(Knob.RNS_ACCESS_LOG, "/" + "x".repeat(4_000));
  }

  @Test
  void aDnsLogNeedsAZoneAndIsRotatedAsTheAccessLog() {
    Map<String, String> settings =
        new HashMap<>(
            Map.of(
                "RNS_DNS_LOG", "/logs/{name}.dns", "RNS_SERVER_NAME", "a", "RNS_DNS_ZONE", "rns.example.org",
                "RNS_ACCESS_LOG_BYTES", "65536", "RNS_ACCESS_LOG_FILES", "1"));
    assertThat(ServerConfig.read(settings).dns().orElseThrow().log())
        .contains(new LineLogSettings(Path.of("/logs/a.dns"), 65_536, 1));
    settings.put("RNS_DNS_LOG", "dns.log");
    assertThatThrownBy(() -> ServerConfig.read(settings)).hasMessageContaining("RNS_DNS_LOG='dns.log'");
    refused(Knob.RNS_DNS_LOG, "/" + "x".repeat(4_000));
    assertThatThrownBy(() -> ServerConfig.read(Map.of("RNS_DNS_LOG", "/logs/dns.log")))
        .hasMessage("RNS_DNS_ZONE is empty; with RNS_DNS_LOG it is needed");
  }

  @Test
  void placesAreCapacityByWhatARequestNeeds() {
    assertThat(ServerConfig.read(Map.of()).overload()).isEqualTo(OverloadSettings.OFF);
    Map<String, String> settings =
        new HashMap<>(Map.of("RNS_OVERLOAD", "fixed", "RNS_CAPACITY", "5", "RNS_REQUEST_CAPACITY", "2"));
    assertThat(ServerConfig.read(settings).overload())
        .isEqualTo(new OverloadSettings(OverloadSettings.Mode.FIXED, 2));
    settings.put("RNS_OVERLOAD", "adaptive");
    assertThat(ServerConfig.read(settings).overload())
        .isEqualTo(new OverloadSettings(OverloadSettings.Mode.ADAPTIVE, 2));
  }

  @Test
  void aVariableWinsOverTheFile(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("rns.properties");
    Files.writeString(file, "RNS_DB_USER=filed\nRNS_WRITE_BATCH=7\n");
    ServerConfig config = ServerConfig.read(Map.of("RNS_CONFIG", file.toString(), "RNS_DB_USER", "set"));
    assertThat(config.database().user()).isEqualTo("set");
    assertThat(config.writer().batchRequests()).isEqualTo(7);
  }

  @Test
  void anUnknownNameInTheFileIsRefused(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("rns.properties");
    Files.writeString(file, "RNS_DB_USR=x\n");
    assertThatThrownBy(() -> ServerConfig.read(Map.of("RNS_CONFIG", file.toString())))
        .hasMessageContaining("RNS_DB_USR");
  }

  @Test
  void thePasswordIsNotShown() {
    ServerConfig config =
        ServerConfig.read(Map.of("RNS_DB_PASSWORD", "secret", "RNS_DB_URL", "jdbc:mysql://h/d?password=secret"));
    assertThat(config.database().toString()).doesNotContain("secret");
  }

  @ParameterizedTest
  @EnumSource(value = Knob.class, names = {"RNS_TOPOLOGY", "RNS_DURABILITY", "RNS_OVERLOAD"})
  void whatIsNoneOfTheChoicesIsRefused(Knob knob) {
    ServerConfig.read(Map.of(knob.name(), knob.initial()));
    refused(knob, "sometimes");
  }

  private static Map<String, String> member(String... more) {
    Map<String, String> settings = new HashMap<>();
    settings.put("RNS_TOPOLOGY", "source-replica");
    settings.put("RNS_SERVER_URL", "http://h1:8080/rns/");
    settings.put("RNS_GROUP_SERVERS", "http://h1:8080/rns, http://h2:8080/rns/");
    settings.put("RNS_GROUP_SECRET", "known to few");
    settings.put("RNS_DB_URL", "jdbc:mysql://db1:3306/rns?sslMode=DISABLED");
    for (int i = 0; i < more.length; i += 2) {
      settings.put(more[i], more[i + 1]);
    }
    return settings;
  }

  @Test
  void aMemberOfAGroupKnowsItsAddressesAsTheOthersWriteThem() {
    GroupSettings group = ServerConfig.read(member()).group().orElseThrow();
    assertThat(group.url()).isEqualTo("http://h1:8080/rns");
    assertThat(group.servers()).containsExactly("http://h1:8080/rns", "http://h2:8080/rns");
    assertThat(group.databaseAddress()).isEqualTo("db1:3306");
    assertThat(group.durability()).isEqualTo(Durability.REPLICATED);
    assertThat(group.toString()).doesNotContain("known to few");
    assertThat(ServerConfig.read(member("RNS_DB_ADDRESS", "db9:1")).group().orElseThrow().databaseAddress())
        .isEqualTo("db9:1");
    assertThat(ServerConfig.read(Map.of()).group()).isEmpty();
  }

  @Test
  void aMemberOfAGroupThatLacksSomethingIsRefused() {
    assertThatThrownBy(() -> ServerConfig.read(member("RNS_GROUP_SECRET", "")))
        .hasMessageContaining("RNS_GROUP_SECRET");
    assertThatThrownBy(() -> ServerConfig.read(member("RNS_SERVER_URL", ""))).hasMessageContaining("RNS_SERVER_URL");
    assertThatThrownBy(() -> ServerConfig.read(member("RNS_SERVER_URL", "h1:8080"))).hasMessageContaining("h1:8080");
    assertThatThrownBy(() -> ServerConfig.read(member("RNS_GROUP_SERVERS", "http://a/rns,b")))
        .hasMessageContaining("'b'");
    assertThatThrownBy(() -> ServerConfig.read(member("RNS_DB_URL", "jdbc:mysql:loadbalance://a,b/rns")))
        .hasMessageContaining("RNS_DB_ADDRESS");
  }

  @Test
  void aRegistrarListensWhereItIsToldAndKnowsOthers() {
    PoolSettings alone = ServerConfig.read(Map.of("RNS_POOL_REGISTRARS", "h:1")).pools();
    assertThat(alone.address()).isEmpty();
    assertThat(alone.registrars()).isEmpty();
    Map<String, String> given = Map.of("RNS_POOL_ADDRESS", "127.0.0.1", "RNS_POOL_REGISTRARS", "h:1, [::1]:65535,");
    PoolSettings listening = ServerConfig.read(given).pools();
    assertThat(listening.address().orElseThrow().getHostAddress()).isEqualTo("127.0.0.1");
    assertThat(listening.port()).isEqualTo(3_863);
    assertThat(listening.peersPort()).isEqualTo(9_901);
    assertThat(listening.ttl()).isEqualTo(Duration.ofSeconds(5));
    assertThat(listening.registrars())
        .containsExactly(InetSocketAddress.createUnresolved("h", 1), InetSocketAddress.createUnresolved("::1", 65_535));
  }

  @Test
  void aRegistrarAnnouncesItselfWhereItIsTold() {
    String group = "239.0.0.50%eth0";
    assertThat(ServerConfig.read(Map.of("RNS_POOL_ADDRESS", "127.0.0.1")).pools().multicast()).isEmpty();
    Map<String, String> given =
        Map.of(
            "RNS_POOL_ADDRESS", "127.0.0.1", "RNS_POOL_MULTICAST", group, "RNS_SERVER_URL", "http://a.example/rns");
    assertThat(ServerConfig.read(given).pools().multicast())
        .contains(new Multicast(MulticastGroup.parse(group), 3_863, 9_901, "http://a.example/rns"));
    for (String wrong : List.of("239.0.0.50", "10.0.0.1%eth0", "group.example%eth0", "%eth0", "239.0.0.50%")) {
      assertThatThrownBy(
          () -> ServerConfig.read(Map.of("RNS_POOL_ADDRESS", "127.0.0.1", "RNS_POOL_MULTICAST", wrong)))
          .as(wrong).hasMessageStartingWith("RNS_POOL_MULTICAST: '" + wrong + "' is not a multicast address");
    }
  }

  /** Nothing is announced or protected where nothing listens: that must not go unnoticed. */
  @ParameterizedTest
  @CsvSource({"RNS_POOL_MULTICAST, 239.0.0.50%eth0", "RNS_POOL_CERTIFICATE, /etc/server.pem",
      "RNS_POOL_KEY, /etc/server.key"})
  void whatARegistrarNeedsAnAddressForIsRefusedWithoutOne(String name, String value) {
    String message = "RNS_POOL_ADDRESS is empty; with " + name + " it is needed";
    assertThatThrownBy(() -> ServerConfig.read(Map.of(name, value))).hasMessage(message);
    assertThatThrownBy(() -> ServerConfig.read(Map.of(name, value, "RNS_POOL_ADDRESS", " "))).hasMessage(message);
  }

  @Test
  void tlsOfARegistrarNeedsACertificateAndItsKey() {
    String here = "127.0.0.1";
    assertThat(ServerConfig.read(Map.of("RNS_POOL_ADDRESS", here)).pools().certificate()).isEmpty();
    assertThatThrownBy(
        () -> ServerConfig.read(Map.of("RNS_POOL_ADDRESS", here, "RNS_POOL_CERTIFICATE", "/etc/server.pem")))
        .hasMessage("RNS_POOL_KEY is empty; a certificate needs its key");
    assertThatThrownBy(() -> ServerConfig.read(Map.of("RNS_POOL_ADDRESS", here, "RNS_POOL_KEY", "/etc/server.key")))
        .hasMessage("RNS_POOL_CERTIFICATE is empty; a certificate needs its key");
    Map<String, String> absent =
        Map.of(
            "RNS_POOL_ADDRESS", here, "RNS_POOL_CERTIFICATE", "/no/server.pem", "RNS_POOL_KEY", "/no/server.key");
    assertThatThrownBy(() -> ServerConfig.read(absent))
        .hasMessage(
            "RNS_POOL_CERTIFICATE, RNS_POOL_KEY: there is no file '/no/server.pem' of a certificate or its key");
  }

  @Test
  void placesOfRegistrarsAreChecked() {
    for (String place : List.of("h", "h:0", "h:65536", ":1", "a:b:1", "h:x")) {
      assertThatThrownBy(
          () -> ServerConfig.read(Map.of("RNS_POOL_ADDRESS", "127.0.0.1", "RNS_POOL_REGISTRARS", place)))
          .as(place)
          .hasMessageContaining("RNS_POOL_REGISTRARS")
          .hasMessageContaining("'" + place + "'");
    }
    refused(Knob.RNS_POOL_ADDRESS, "0.0.0.0");
    refused(Knob.RNS_POOL_ADDRESS, "::");
  }

  @Test
  void accessIsClosedUnlessSet() {
    for (Map<String, String> unset : List.of(Map.<String, String>of(), Map.of("RNS_ACCESS", ""))) {
      assertThat(ServerConfig.read(unset).access()).isEqualTo(new AccessPolicy(AccessMode.CLOSED, Set.of()));
    }
    assertThat(ServerConfig.read(Map.of("RNS_ACCESS", "open")).access()).isEqualTo(AccessPolicy.OPEN);
    AccessPolicy closed =
        ServerConfig.read(Map.of("RNS_ACCESS", "closed", "RNS_ADMINISTRATORS", "local:alice, group:local:operators"))
            .access();
    assertThat(closed)
        .isEqualTo(new AccessPolicy(AccessMode.CLOSED, Set.of("local:alice", "group:local:operators")));
    refused(Knob.RNS_ACCESS, "Closed");
    assertThat(ServerConfig.read(Map.of()).hiding()).isFalse();
    assertThat(ServerConfig.read(Map.of("RNS_ACCESS_REFUSAL", "missing")).hiding()).isTrue();
    refused(Knob.RNS_ACCESS_REFUSAL, "hidden");
    for (String name : List.of("alice", ":alice", "group:alice", "group:", "local:")) {
      refused(Knob.RNS_ADMINISTRATORS, name);
    }
    refused(Knob.RNS_ADMINISTRATORS, "local:a,".repeat(2_501));
  }

  @Test
  void certificatesOfClientsNeedAnAbsolutePath() {
    assertThat(ServerConfig.read(Map.of("RNS_X509_TRUST", "/etc/x", "RNS_X509_CRL", "require")).identity().x509())
        .isEqualTo(new X509Settings(Optional.of(Path.of("/etc/x")), true, Optional.empty()));
    assertThat(ServerConfig.read(Map.of("RNS_X509_TRUST", "/etc/x")).identity().x509().revocationListsNeeded())
        .isFalse();
    assertThat(ServerConfig.read(Map.of("RNS_X509_TRUST", "/etc/x", "RNS_VOMS", "/etc/v")).identity().x509().voms())
        .contains(Path.of("/etc/v"));
    refused(Knob.RNS_VOMS, "/etc/v");
    refused(Knob.RNS_X509_TRUST, "certificates");
    refused(Knob.RNS_X509_CRL, "always");
  }

  @Test
  void issuersNeedAnAudienceAndAccountsAnAbsolutePath() {
    assertThat(ServerConfig.read(Map.of()).identity()).isEqualTo(IdentitySettings.NONE);
    Map<String, String> given =
        Map.of("RNS_ISSUERS", "https://a.example/, https://b.example", "RNS_AUDIENCE", "x", "RNS_ACCOUNTS", "/a/b");
    IdentitySettings settings = ServerConfig.read(given).identity();
    assertThat(settings.issuers())
        .isEqualTo(new IssuerSettings(Set.of("https://a.example/", "https://b.example"), Set.of("x")));
    assertThat(settings.accounts()).contains(Path.of("/a/b"));
    refused(Knob.RNS_ACCOUNTS, "accounts");
    refused(Knob.RNS_ISSUERS, "https://a.example/");
    refused(Knob.RNS_ISSUERS, "http://a.example/");
    refused(Knob.RNS_ISSUERS, "::");
  }
}
