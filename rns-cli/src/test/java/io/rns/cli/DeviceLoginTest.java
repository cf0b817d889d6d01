package io.rns.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.cli.OpenIdProvider.Pending;
import io.rns.cli.OpenIdProvider.TokenAnswer;
import io.rns.client.http.TlsTrust;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.issuer.TestIssuer.Behaviour;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sign-ins by RFC 8628 at a provider that answers what it likes. */
@Timeout(60)
class DeviceLoginTest {
  private static final LoginClient CLIENT = new LoginClient("rns", "openid wlcg", "https://rns.example");

  private final TestProvider provider = new TestProvider();
  private final List<Duration> pauses = new ArrayList<>();
  private final List<Pending> shown = new ArrayList<>();

  @AfterEach
  void stop() {
    provider.close();
  }

  private static ProviderCalls calls() {
    return new ProviderCalls(TlsTrust.SYSTEM, ProviderCalls.LIMIT);
  }

  private TokenAnswer.Granted signIn() {
    OpenIdProvider discovered = OpenIdProvider.discover(provider.url(), calls());
    try {
      return new DeviceLogin(
          discovered, CLIENT, () -> pauses.stream().mapToLong(Duration::toNanos).sum(), pauses::add).run(shown::add);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private void refused(RnsError error, String text) {
    assertThatThrownBy(this::signIn).hasMessageContaining(text)
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(error));
  }

  @Test
  void pollsAtTheIntervalOfTheProviderUntilConfirmed() {
    provider.error("authorization_pending").error("slow_down").error("authorization_pending")
        .grant("access", "refresh", 300);
    assertThat(signIn())
        .isEqualTo(new TokenAnswer.Granted("access", Optional.of("refresh"), Optional.of(Duration.ofMinutes(5))));
    assertThat(pauses).extracting(Duration::toSeconds).containsExactly(1L, 1L, 6L, 6L);
    assertThat(shown).singleElement().satisfies(pending -> {
      assertThat(pending.code()).isEqualTo("ABCD-EFGH");
      assertThat(pending.completeAddress()).contains("https://x.example/device?user_code=ABCD-EFGH");
    });
    assertThat(provider.forms().get(0))
        .isEqualTo(Map.of("client_id", "rns", "scope", "openid wlcg", "audience", "https://rns.example"));
    assertThat(provider.forms().get(1)).isEqualTo(
        Map.of(
            "client_id", "rns", "audience", "https://rns.example", "device_code", "dc", "grant_type",
            "urn:ietf:params:oauth:grant-type:device_code"));
  }

  @Test
  void endsWhenThePersonOrTheProviderRefuses() {
    provider.error("access_denied");
    refused(RnsError.NOT_PERMITTED, "the sign-in was denied");
    provider.error("expired_token");
    refused(RnsError.NOT_AUTHENTICATED, "the code expired");
    provider.answer(401, "{\"error\":\"invalid_client\",\"error_description\":\"who\\u001b[31m?\"}");
    refused(RnsError.NOT_PERMITTED, "who?[31m? (invalid_client)");
    provider.device(400, "{\"error\":\"invalid_scope\"}");
    refused(RnsError.NOT_PERMITTED, "invalid_scope");
  }

  @Test
  void endsWhenTheCodeHasExpired() {
    for (int i = 0; i < 60; i++) {
      provider.error("authorization_pending");
    }
    refused(RnsError.NOT_AUTHENTICATED, "the code expired");
    assertThat(pauses).hasSize(60);
  }

  @Test
  void outagesAreWaitedFor() {
    provider.answer(503, "down").answer(500, "{\"error\":\"server_error\"}").answer(200, "[]")
        .grant("access", "", 60);
    assertThat(signIn().access()).isEqualTo("access");
    assertThat(pauses).extracting(Duration::toSeconds).containsExactly(1L, 2L, 4L, 8L);
  }

  @Test
  void outagesAreNotWaitedForForEver() {
    for (int i = 0; i < 10; i++) {
      provider.answer(503, "down");
    }
    refused(RnsError.UNAVAILABLE, "503");
    assertThat(pauses).hasSize(5);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "{\"access_token\":\"a\"}", "{\"access_token\":\"\",\"token_type\":\"Bearer\"}",
      "{\"access_token\":\"a\\nb\",\"token_type\":\"Bearer\"}", "{\"access_token\":\"a\",\"token_type\":\"mac\"}",
      "{\"access_token\":\"a\",\"token_type\":\"Bearer\",\"refresh_token\":\"a b\"}", "\"a\"", ""})
  void anAnswerWithoutABearerTokenIsNone(String json) {
    for (int i = 0; i < 10; i++) {
      provider.answer(200, json);
    }
    assertThatThrownBy(this::signIn)
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.UNAVAILABLE));
  }

  @Test
  void theDiscoveryDocumentIsOfTheIssuerAndItsAddressesAreSafe() {
    assertThatThrownBy(() -> OpenIdProvider.discover(provider.url() + "/", calls()))
        .hasMessageContaining("calls itself '" + provider.url() + "'");
    assertThatThrownBy(() -> OpenIdProvider.discover(provider.url() + "/realm", calls()))
        .hasMessageContaining("404");
    for (String issuer : List.of("http://iam.example/", "ftp://127.0.0.1/", "iam", "https://a@iam.example/", "")) {
      assertThatThrownBy(() -> OpenIdProvider.discover(issuer, calls()))
          .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.INVALID_REQUEST));
    }
    provider.issuer().endpoint("revocation_endpoint\":\"http://other.example/\",\"x", "/x", form -> null);
    assertThatThrownBy(() -> OpenIdProvider.discover(provider.url(), calls()))
        .hasMessageContaining("its revocation endpoint 'http://other.example/' is no https address");
  }

  @Test
  void answersAreBoundedInBytesAndTime() {
    URI keys = URI.create(provider.url() + "/keys");
    provider.issuer().behave(Behaviour.HUGE);
    assertThatThrownBy(() -> calls().get(keys)).hasMessageContaining("more than 262144 bytes");
    provider.issuer().behave(Behaviour.STALLING);
    assertThatThrownBy(() -> new ProviderCalls(TlsTrust.SYSTEM, Duration.ofMillis(200)).get(keys))
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.UNAVAILABLE));
  }
}
