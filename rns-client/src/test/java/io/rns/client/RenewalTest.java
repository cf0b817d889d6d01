package io.rns.client;

import static io.rns.api.CallContext.ANONYMOUS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.Entry;
import io.rns.api.ListRequest;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.QueryRequest;
import io.rns.api.Target;
import io.rns.client.PlainServer.Item;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** References that lead nowhere any more, and the resolvers that know where their resource is now. */
class RenewalTest {
  private static final String EPI = "urn:ws-naming:epi:4711";

  private final PlainServer server = PlainServer.start();
  private final PlainServer resolver = PlainServer.start();
  private final NameService client =
      RnsClient.builder()
          .root(server.root())
          .dialect(Dialect.RNS_1_1_PLAIN)
          .attempts(1)
          .requestTimeout(Duration.ofSeconds(1))
          .firstPause(Duration.ofMillis(1))
          .build();
  private final String dead = deadAddress();
  private String key = "";

  /** Of a port that was in use a moment ago and is closed. */
  private static String deadAddress() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return "http://127.0.0.1:" + socket.getLocalPort() + "/wsrf/services";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @BeforeEach
  void aDirectoryWithAnEntry() {
    key = server.make("ROOT", "now");
    server.make(key, "e");
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
    resolver.close();
  }

  private static String epi(String namespace, String identifier) {
    return "<w:EndpointIdentifier xmlns:w='" + namespace + "'>" + identifier + "</w:EndpointIdentifier>";
  }

  private String ask(String namespace, String element) {
    return "<w:" + element + " xmlns:w='" + namespace + "'><wsa:Address>" + resolver.address() + "</wsa:Address></w:"
        + element + ">";
  }

  /** Puts a name whose reference leads to {@code address}. */
  private void put(String name, String address, String metadata) {
    server.put("ROOT", name, new Item("", PlainForms.reference(address, key, metadata), "true", ""));
  }

  /** What a resolver answers: where the directory really is. */
  private String found(String identifier) {
    return PlainForms.answerOf(
        "<wsa:EndpointReference>"
            + PlainForms.reference(server.address(), key, epi(PlainForms.NAMING, identifier))
            + "</wsa:EndpointReference>");
  }

  private Outcome<Entry> query(String path) {
    return client.query(ANONYMOUS, QueryRequest.of(Target.of(path))).value().get(0);
  }

  private void isUnreachable(String path) {
    assertThatThrownBy(() -> client.list(ANONYMOUS, ListRequest.of(Target.of(path))))
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.UNAVAILABLE))
        .hasMessageContaining("cannot connect to " + dead);
  }

  @ParameterizedTest
  @ValueSource(strings = {PlainForms.NAMING, PlainForms.OLD_NAMING})
  void anIdentifierIsResolved(String namespace) {
    put("d", dead, epi(namespace, EPI) + ask(namespace, "EndpointIdentifierResolver"));
    resolver.script("EndpointIdentifier", message -> message.contains(EPI) ? found(EPI) : "?");
    assertThat(query("/d/e").orThrow().displayName()).isEqualTo("e");
    client.add(ANONYMOUS, AddRequest.of(NewEntry.directory(Target.of("/d/f")))).value().get(0).orThrow();
    assertThat(server.entries(key)).containsOnlyKeys("e", "f");
    assertThat(resolver.operations()).as("what was found is remembered").containsExactly("EndpointIdentifier");
  }

  @ParameterizedTest
  @ValueSource(strings = {PlainForms.NAMING, PlainForms.OLD_NAMING})
  void aReferenceIsResolved(String namespace) {
    put("d", dead, epi(namespace, EPI) + ask(namespace, "ReferenceResolver"));
    resolver.script("resolve", message -> found(EPI));
    assertThat(query("/d/e").orThrow().displayName()).isEqualTo("e");
    assertThat(resolver.operations()).containsExactly("resolve");
  }

  @Test
  void aWriteIsAskedAgainWhereNothingWasSent() {
    put("d", dead, epi(PlainForms.NAMING, EPI) + ask(PlainForms.NAMING, "EndpointIdentifierResolver"));
    resolver.script("EndpointIdentifier", message -> found(EPI));
    client.add(ANONYMOUS, AddRequest.of(NewEntry.directory(Target.of("/d/f")))).value().get(0).orThrow();
    assertThat(Collections.frequency(server.operations(), "AddRequest")).isEqualTo(1);
  }

  @Test
  void aWriteThatMayHaveArrivedIsNotAskedAgain() {
    try (RawServer silent = new RawServer(socket -> RawServer.readRequest(socket.getInputStream()))) {
      put("d", silent.address().toString(), epi(PlainForms.NAMING, EPI) + ask(PlainForms.NAMING, "ReferenceResolver"));
      resolver.script("resolve", message -> found(EPI));
      NewEntry entry = NewEntry.directory(Target.of("/d/f"));
      assertThatThrownBy(() -> client.add(ANONYMOUS, AddRequest.of(entry)))
          .hasMessageContainingAll("broke the connection", "the write may or may not have been applied");
      assertThat(resolver.operations()).isEmpty();
      assertThat(silent.accepted()).isEqualTo(1);
    }
    assertThat(query("/d/e").orThrow().displayName()).as("a read is").isEqualTo("e");
  }

  @ParameterizedTest
  @ValueSource(strings = {"404 Not Found", "410 Gone", "502 Bad Gateway", "503 Unavailable"})
  void anAddressThatIsNotThatOfAServiceIsRenewed(String status) {
    try (RawServer old = RawServer.answering("HTTP/1.1 " + status + "\r\nContent-Length: 0\r\n\r\n")) {
      put("d", old.address().toString(), epi(PlainForms.NAMING, EPI) + ask(PlainForms.NAMING, "ReferenceResolver"));
      resolver.script("resolve", message -> found(EPI));
      assertThat(query("/d/e").orThrow().displayName()).isEqualTo("e");
    }
  }

  @Test
  void anotherFailureOfTheServiceIsNotOneOfItsAddress() {
    try (RawServer old = RawServer.answering("HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n")) {
      put("d", old.address().toString(), epi(PlainForms.NAMING, EPI) + ask(PlainForms.NAMING, "ReferenceResolver"));
      resolver.script("resolve", message -> found(EPI));
      assertThatThrownBy(() -> query("/d/e")).hasMessageContaining("500 Oops");
      assertThat(resolver.operations()).isEmpty();
    }
  }

  @Test
  void aResourceThatIsUnknownAtItsAddressIsRenewed() {
    server.put(
        "ROOT",
        "d",
        new Item(
            "",
            PlainForms.reference(
                server.address(), "gone", epi(PlainForms.NAMING, EPI) + ask(PlainForms.NAMING, "ReferenceResolver")),
            "true",
            ""));
    resolver.script("resolve", message -> found(EPI));
    assertThat(query("/d/e").orThrow().displayName()).isEqualTo("e");
  }

  @Test
  void theUnboundAddressIsNeverAsked() {
    String unbound = "http://10.0.0.1/UNBOUND_ADDRESS";
    put("d", unbound, epi(PlainForms.NAMING, EPI) + ask(PlainForms.NAMING, "EndpointIdentifierResolver"));
    put("lost", unbound, "");
    resolver.script("EndpointIdentifier", message -> found(EPI));
    assertThat(query("/d/e").orThrow().displayName()).isEqualTo("e");
    assertThatThrownBy(() -> query("/lost/e")).hasMessageContaining("unbound address");
  }

  @Test
  void anotherResourceIsNotTheRenewedOne() {
    put("d", dead, epi(PlainForms.NAMING, EPI) + ask(PlainForms.NAMING, "EndpointIdentifierResolver"));
    resolver.script("EndpointIdentifier", message -> found("urn:ws-naming:epi:other"));
    isUnreachable("/d");
  }

  @Test
  void withoutAnIdentifierNothingIsRenewed() {
    put("d", dead, ask(PlainForms.NAMING, "ReferenceResolver"));
    resolver.script("resolve", message -> found(EPI));
    isUnreachable("/d");
    assertThat(resolver.operations()).isEmpty();
  }

  @Test
  void aResolverThatFailsLeavesTheFirstError() {
    put("d", dead, epi(PlainForms.NAMING, EPI) + ask(PlainForms.NAMING, "EndpointIdentifierResolver"));
    resolver.script("EndpointIdentifier", message -> "not XML");
    isUnreachable("/d");
  }

  @Test
  void aReferenceThatIsNotNewIsNotTriedAgain() {
    put("d", dead, epi(PlainForms.NAMING, EPI) + ask(PlainForms.NAMING, "EndpointIdentifierResolver"));
    resolver.script(
        "EndpointIdentifier",
        message -> PlainForms.answerOf(
            "<wsa:EndpointReference>" + PlainForms.reference(dead, key, epi(PlainForms.NAMING, EPI))
                + "</wsa:EndpointReference>"));
    isUnreachable("/d");
  }

  @Test
  void referralsOfResolversAreFollowedWithinABound() {
    put("d", dead, epi(PlainForms.NAMING, EPI) + ask(PlainForms.NAMING, "EndpointIdentifierResolver"));
    String referral =
        "<w:ResolveFailedWithReferralFault xmlns:w='" + PlainForms.NAMING + "'>"
            + ask(PlainForms.NAMING, "ReferenceResolver") + "</w:ResolveFailedWithReferralFault>";
    resolver.script("EndpointIdentifier", message -> PlainForms.fault("Server", "elsewhere", referral));
    resolver.script("resolve", message -> found(EPI));
    assertThat(query("/d/e").orThrow().displayName()).isEqualTo("e");
    assertThat(resolver.operations()).containsExactly("EndpointIdentifier", "resolve");

    int[] asked = new int[1];
    resolver.script(
        "EndpointIdentifier",
        message -> PlainForms.fault(
            "Server",
            "another",
            "<w:ResolveFailedWithReferralFault xmlns:w='" + PlainForms.NAMING + "'>"
                + epi(PlainForms.NAMING, EPI + "/" + ++asked[0]) + "</w:ResolveFailedWithReferralFault>"));
    put("loop", dead, epi(PlainForms.NAMING, EPI + "/0") + ask(PlainForms.NAMING, "EndpointIdentifierResolver"));
    isUnreachable("/loop");
    assertThat(asked[0]).isEqualTo(8);
  }

  @Test
  void aRenewedReferenceThatDiesIsRenewedAgain() {
    PlainServer second = PlainServer.start();
    second.make("ROOT", "x");
    put("d", dead, epi(PlainForms.NAMING, EPI) + ask(PlainForms.NAMING, "EndpointIdentifierResolver"));
    List<String> answers =
        new java.util.ArrayList<>(
            List.of(
                PlainForms.answerOf(
                    "<wsa:EndpointReference>"
                        + PlainForms.reference(second.address(), "ROOT", epi(PlainForms.NAMING, EPI))
                        + "</wsa:EndpointReference>"),
                found(EPI)));
    resolver.script("EndpointIdentifier", message -> answers.remove(0));
    assertThat(query("/d/x").orThrow().displayName()).isEqualTo("x");
    second.close();
    assertThat(query("/d/e").orThrow().displayName()).isEqualTo("e");
    assertThat(answers).isEmpty();
  }
}
