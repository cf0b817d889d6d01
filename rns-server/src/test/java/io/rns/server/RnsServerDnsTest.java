package io.rns.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.AccessRule;
import io.rns.api.AccessRules;
import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.CallContext;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.Metadata;
import io.rns.api.Position;
import io.rns.api.Right;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.local.DatabaseProcess;
import io.rns.pool.Parameters;
import io.rns.pool.PolicyType;
import io.rns.pool.Registration;
import io.rns.referral.ServerRole;
import io.rns.referral.Site;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.SRVRecord;
import org.xbill.DNS.Section;
import org.xbill.DNS.SimpleResolver;
import org.xbill.DNS.Type;

/** A server that answers DNS for its pools and for itself. */
@Tag("server")
class RnsServerDnsTest {
  private static final Duration BOUND = Duration.ofSeconds(60);

  @TempDir private static Path temporary;

  private static Map<String, String> settings(DatabaseProcess database, int port) {
    Map<String, String> settings = new TreeMap<>();
    settings.put("RNS_DB_URL", database.jdbcUrl());
    settings.put("RNS_DB_USER", database.user());
    settings.put("RNS_DB_PASSWORD", database.password());
    settings.put("RNS_SERVER_URL", "http://one.example.org:8080/rns");
    settings.put("RNS_SITE", "eu/a");
    settings.put("RNS_CAPACITY", "7");
    settings.put("RNS_DNS_ZONE", "rns.example.org");
    settings.put("RNS_DNS_PORT", Integer.toString(port));
    settings.put("RNS_ACCESS", "open");
    return settings;
  }

  private static RnsServer start(Map<String, String> settings) {
    return RnsServer.start(ServerConfig.read(settings), InstantSource.system());
  }

  private static Message ask(InetSocketAddress server, String name, int type) throws Exception {
    SimpleResolver resolver = new SimpleResolver(server);
    resolver.setTimeout(BOUND);
    return resolver
        .send(Message.newQuery(Record.newRecord(Name.fromString(name + ".rns.example.org."), type, DClass.IN)));
  }

  private static List<String> targets(Message answer) {
    return answer.getSection(Section.ANSWER).stream()
        .map(SRVRecord.class::cast)
        .map(record -> record.getPriority() + " " + record.getTarget() + ":" + record.getPort())
        .toList();
  }

  @Test
  void answersForThePoolsAndTheServersOfTheNamespace() throws Exception {
    try (DatabaseProcess database = TestDatabase.own(temporary)) {
      InetSocketAddress dns;
      try (RnsServer server = start(settings(database, 0))) {
        dns = server.dnsAddress().orElseThrow();
        assertThat(server.referrals().getFirst().servers())
            .singleElement()
            .satisfies(
                told -> {
                  assertThat(told.url()).isEqualTo("http://one.example.org:8080/rns");
                  assertThat(told.role()).isEqualTo(ServerRole.PRIMARY);
                  assertThat(told.site()).isEqualTo(new Site("eu/a"));
                  assertThat(told.capacity()).isEqualTo(7);
                  assertThat(told.position()).map(Position::epoch).contains(server.referrals().getFirst().epoch());
                });
        for (int id = 1; id <= 2; id++) {
          Registration element =
              new Registration(
                  id,
                  List.of(EndpointReference.ofAddress("http://e" + id + ".example.org:900" + id + "/")),
                  Parameters.PLAIN.withPriority(id),
                  600_000);
          var unused = server.pools().service().register(RnsPath.parse("/svc/render"), PolicyType.PRIORITY, element);
        }
        assertThat(targets(ask(dns, "_http._tcp.render.svc", Type.SRV)))
            .containsExactlyInAnyOrder("0 e2.example.org.:9002", "1 e1.example.org.:9001");
        assertThat(targets(ask(dns, "_rns._tcp", Type.SRV))).containsExactly("0 one.example.org.:8080");
        assertThat(ask(dns, "svc", Type.A).getRcode()).as("above a pool").isEqualTo(Rcode.NOERROR);
        assertThat(ask(dns, "other", Type.A).getRcode()).isEqualTo(Rcode.NXDOMAIN);
        assertThatThrownBy(() -> start(settings(database, dns.getPort())))
            .isInstanceOf(UncheckedIOException.class)
            .hasMessageContaining("DNS cannot listen at");
      }
      try (RnsServer again = start(settings(database, dns.getPort()))) {
        assertThat(again.dnsAddress()).contains(dns);
        // Each question that has no answer asked the database, to tell a server that is alone.
        database.kill();
        assertThat(targets(ask(dns, "_rns._tcp", Type.SRV))).containsExactly("0 one.example.org.:8080");
        assertThat(ask(dns, "other", Type.A).getRcode()).isEqualTo(Rcode.NXDOMAIN);
      }
    }
  }

  /** Questions have no credential: they are answered exactly as far as everybody may read a pool. */
  @Test
  void aClosedServerAnswersForPoolsThatEverybodyMayRead(@TempDir Path directory) throws Exception {
    try (DatabaseProcess database = TestDatabase.own(directory)) {
      Map<String, String> closed = settings(database, 0);
      closed.put("RNS_ACCESS", "closed");
      try (RnsServer server = start(closed)) {
        rules(server, "/", EnumSet.of(Right.READ));
        int sets = RightSets.COUNT;
        for (int bits = 0; bits < sets; bits++) {
          Set<Right> rights = RightSets.of(bits);
          String path = "/svc" + bits;
          Entry unused =
              server.service().add(
                  CallContext.SERVICE, AddRequest.of(NewEntry.directory(Target.of(path)))).value().getFirst().orThrow();
          rules(server, path, rights);
          Registration element =
              new Registration(
                  1, List.of(EndpointReference.ofAddress("http://e.example.org:9001/")), Parameters.PLAIN, 600_000);
          var unusedElement =
              server.pools().service().register(RnsPath.parse(path + "/render"), PolicyType.ROUND_ROBIN, element);
          Message answer =
              ask(server.dnsAddress().orElseThrow(), "_http._tcp.render.svc" + bits, Type.SRV);
          boolean may = rights.contains(Right.READ) || rights.contains(Right.ADMIN);
          assertThat(answer.getRcode()).as("%s", rights).isEqualTo(may ? Rcode.NOERROR : Rcode.NXDOMAIN);
          assertThat(targets(answer)).as("%s", rights).hasSize(may ? 1 : 0);
        }
      }
    }
  }

  private static void rules(RnsServer server, String path, Set<Right> rights) {
    List<AccessRule> rules = rights.isEmpty() ? List.of() : List.of(new AccessRule(AccessRule.ANYONE, rights));
    Metadata metadata = Metadata.NONE.with(new AccessRules(Optional.empty(), Optional.of(rules)));
    Entry unused =
        server.service().update(
            CallContext.SERVICE, UpdateRequest.of(EntryChange.metadata(Target.of(path), metadata))).value().getFirst()
            .orThrow();
  }
}
