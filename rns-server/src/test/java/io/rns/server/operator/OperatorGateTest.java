package io.rns.server.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.operator.OperatorKey;
import io.rns.operator.Signature;
import jakarta.servlet.http.HttpServletRequest;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class OperatorGateTest {
  private static final OperatorKey KEY = new OperatorKey("known to few");
  private static final String SERVER = "server-1:8080";
  private static final String PATH = "/group/lead?after=3";

  private long now = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();
  private int nonces;
  private final OperatorGate gate = gate("known to few", Set.of(SERVER));

  private OperatorGate gate(String secret, Set<String> names) {
    return new OperatorGate(secret, names, () -> Instant.ofEpochMilli(now));
  }

  private Signature signed(String target, long millis) {
    return KEY.signRequest("POST", PATH, target, millis, String.format("%032x", nonces++), OperatorKey.EMPTY);
  }

  /** A request as a container has it. */
  private static HttpServletRequest request(String method, String path, @Nullable Signature signature) {
    return request(method, path, signature, null);
  }

  private static HttpServletRequest request(
      String method, String path, @Nullable Signature signature, @Nullable String contentType) {
    int query = path.indexOf('?');
    return (HttpServletRequest) Proxy.newProxyInstance(
        OperatorGateTest.class.getClassLoader(),
        new Class<?>[]{HttpServletRequest.class},
        (proxy, asked, arguments) -> switch (asked.getName()) {
          case "getHeader" -> signature == null ? null : signature.header();
          case "getMethod" -> method;
          case "getContentType" -> contentType;
          case "getContextPath" -> "/rns";
          case "getRequestURI" -> "/rns" + path.substring(0, query);
          case "getQueryString" -> path.substring(query + 1);
          case "getLocalAddr" -> "127.0.0.1";
          case "getLocalPort" -> 8_081;
          default -> throw new UnsupportedOperationException(asked.getName());
        });
  }

  private void take(Signature signature) {
    HttpServletRequest request = request("POST", PATH, signature);
    gate.take(gate.signature(request), request);
  }

  private void refused(Signature signature, String why) {
    assertThatThrownBy(() -> take(signature))
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.NOT_PERMITTED))
        .hasMessageContaining(why);
  }

  @Test
  void aRequestIsTakenOnce() {
    Signature first = signed(SERVER, now);
    take(first);
    refused(first, "was sent before");
    take(signed(SERVER, now));
    now += Duration.ofSeconds(59).toMillis();
    refused(first, "was sent before");
    now += Duration.ofSeconds(2).toMillis();
    refused(first, "61 s before the time of this server");
  }

  @Test
  void aBodyIsTheOneThatWasSigned() {
    Signature signature = signed(SERVER, now);
    OperatorGate.checkBody(signature, signature.digest());
    assertThatThrownBy(() -> OperatorGate.checkBody(signature, OperatorKey.digest(new byte[]{1})))
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.NOT_PERMITTED))
        .hasMessageContaining("does not match its signature");
  }

  @Test
  void aRequestThatWasChangedIsRefused() {
    Signature given = signed(SERVER, now);
    for (HttpServletRequest changed : new HttpServletRequest[]{
        request("GET", PATH, given),
        request("POST", "/group/lead?after=4", given),
        request("POST", PATH, new Signature(now + 1, given.nonce(), given.about(), given.digest(), given.mac())),
        request("POST", PATH, new Signature(now, "f".repeat(32), given.about(), given.digest(), given.mac())),
        request("POST", PATH, new Signature(now, given.nonce(), "127.0.0.1:8081", given.digest(), given.mac())),
        request("POST", PATH,
            new Signature(now, given.nonce(), given.about(), OperatorKey.digest(new byte[1]), given.mac()))
    }) {
      assertThatThrownBy(() -> gate.signature(changed))
          .hasMessage("the request is not signed with the secret of this server");
    }
    take(given);
  }

  /** A container adds the parameters of a form to those of the address. */
  @Test
  void parametersThatWereNotSignedAreRefused() {
    for (String form : List.of(
        "application/x-www-form-urlencoded", " Application/X-WWW-form-urlencoded; charset=utf-8",
        "multipart/form-data; boundary=x")) {
      HttpServletRequest request = request("POST", PATH, signed(SERVER, now), form);
      assertThatThrownBy(() -> gate.signature(request))
          .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.NOT_PERMITTED))
          .hasMessageContaining("not in a form");
    }
    assertThat(gate.signature(request("POST", PATH, signed(SERVER, now), "application/json"))).isNotNull();
  }

  @Test
  void anotherSecretAndNoneAreRefused() {
    HttpServletRequest request = request("POST", PATH, signed(SERVER, now));
    assertThatThrownBy(() -> gate("another", Set.of()).signature(request))
        .hasMessageContaining("not signed with the secret");
    assertThatThrownBy(() -> gate("", Set.of()).signature(request)).hasMessageContaining("set RNS_GROUP_SECRET");
    assertThatThrownBy(() -> gate.signature(request("POST", PATH, null))).hasMessageContaining("is not signed");
  }

  @Test
  void theTimeMayBeOffByAMinuteButNotBeforeTheStart() {
    take(signed(SERVER, now + 60_000));
    refused(signed(SERVER, now + 60_001), "60 s after the time of this server");
    refused(signed(SERVER, now - 1), "before this server started");
    now += 120_000;
    take(signed(SERVER, now - 60_000));
    refused(signed(SERVER, now - 60_001), "60 s before the time of this server");
  }

  @Test
  void aRequestForAnotherServerOfTheGroupIsRefused() {
    refused(signed("server-2:8080", now),
        "signed for server-2:8080, which is no address of this server; it is known as " + SERVER);
    refused(signed("127.0.0.1:8082", now), "no address of this server");
    refused(signed("127.0.0.2:8081", now), "no address of this server");
    // The address that the connection came in by.
    take(signed("127.0.0.1:8081", now));
    take(signed("localhost:8081", now));
    OperatorGate alone = gate("known to few", Set.of());
    HttpServletRequest request = request("POST", PATH, signed("any.alias", now));
    alone.take(alone.signature(request), request);
  }
}
