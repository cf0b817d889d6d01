package io.rns.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.Caller;
import io.rns.api.Right;
import io.rns.api.RnsPath;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.issuer.TestIssuer;
import io.rns.issuer.TestIssuer.Behaviour;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tokens of a real issuer, and those of attackers. */
class TokenVerifierTest {
  private static final String AUDIENCE = "https://rns.example.org";

  private final ManualTime clock = new ManualTime();
  private final TestIssuer issuer = new TestIssuer();
  private final TestIssuer stranger = new TestIssuer();
  private Identification identification = start();

  @BeforeEach
  void restart() {
    identification.close();
    identification = start();
  }

  private Identification start() {
    IssuerSettings issuers = new IssuerSettings(Set.of(issuer.url()), Set.of(AUDIENCE, "other"));
    return new IdentitySettings(Optional.empty(), issuers, X509Settings.NONE).start(clock);
  }

  @AfterEach
  void close() {
    identification.close();
    issuer.close();
    stranger.close();
  }

  private String claims() {
    return issuer.claims("alice", AUDIENCE, seconds());
  }

  private long seconds() {
    return clock.instant().getEpochSecond();
  }

  private Caller caller(String token) {
    return identification.caller("Bearer " + token);
  }

  private void refused(String token, String why) {
    assertThatThrownBy(() -> caller(token))
        .isInstanceOfSatisfying(
            RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.NOT_AUTHENTICATED))
        .hasMessageContaining(why)
        .message().doesNotContain(token.length() < 10 ? "Authorization: " : token);
  }

  @Test
  void aTokenProvesNameAndGroups() {
    Caller caller = caller(
        issuer.token(claims() + ",\"wlcg.groups\":[\"/atlas\",\"/atlas/prod\"],\"groups\":[\"staff\"]"));
    String prefix = "jwt:" + issuer.url() + "#";
    assertThat(caller.name()).isEqualTo(prefix + "alice");
    assertThat(caller.groups())
        .containsExactlyInAnyOrder(prefix + "/atlas", prefix + "/atlas/prod", prefix + "staff");
    assertThat(caller.limits()).isEmpty();
  }

  @Test
  void aTokenIsVerifiedOnceWithinItsLife() {
    String token = issuer.token(claims());
    Caller first = caller(token);
    issuer.behave(Behaviour.FAILING);
    for (int i = 0; i < 100; i++) {
      assertThat(caller(token)).isSameAs(first);
    }
    assertThat(issuer.fetches()).isEqualTo(1);
    clock.advance(Duration.ofMinutes(62));
    refused(token, "expired");
  }

  @Test
  void unsignedAndForgedTokensAreRefused() throws GeneralSecurityException {
    String body = TestIssuer.text("{" + claims() + "}");
    refused(TestIssuer.text("{\"alg\":\"none\"}") + "." + body + ".", "");
    refused(TestIssuer.text("{\"alg\":\"none\"}") + "." + body + ".AAAA", "");
    refused(issuer.signed("{\"alg\":\"none\",\"kid\":\"key-1\"}", "{" + claims() + "}"), "");
    // Key confusion: the public key as the secret of an HMAC.
    for (String kid : List.of("", ",\"kid\":\"key-1\"")) {
      String content = TestIssuer.text("{\"alg\":\"HS256\"" + kid + "}") + "." + body;
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(issuer.publicKey(), "HmacSHA256"));
      String signature =
          Base64.getUrlEncoder().withoutPadding().encodeToString(mac.doFinal(content.getBytes(StandardCharsets.UTF_8)));
      refused(content + "." + signature, "signature");
    }
    // Signed by another key, that the token itself names.
    String own = "{\"alg\":\"RS256\",\"jku\":\"" + stranger.url() + "/keys\",\"kid\":\"key-1\"}";
    refused(stranger.signed(own, "{" + claims() + "}"), "signature");
    refused(stranger.token(claims()), "signature");
    // Claims changed after signing.
    String token = issuer.token(claims());
    String[] parts = token.split("\\.", -1);
    refused(parts[0] + "." + TestIssuer.text("{" + claims().replace("alice", "root") + "}") + "." + parts[2],
        "signature");
    assertThat(caller(token).name()).endsWith("#alice");
  }

  @Test
  void tokensForOthersAreRefused() {
    refused(stranger.token(stranger.claims("alice", AUDIENCE, seconds())), "does not trust");
    refused(issuer.token(issuer.claims("alice", "https://elsewhere.example", seconds())), "audience");
    refused(issuer.token(claims().replace("\"aud\":\"" + AUDIENCE + "\",", "")), "audience");
    refused(issuer.token(claims().replace(issuer.url(), issuer.url() + "/")), "does not trust");
    refused(issuer.token(claims().replaceFirst("\"iss\":\"[^\"]*\",", "")), "does not trust");
    refused(issuer.signed("{\"alg\":\"RS256\",\"typ\":\"logout+jwt\",\"kid\":\"key-1\"}", "{" + claims() + "}"), "");
    assertThat(caller(issuer.signed("{\"alg\":\"RS256\",\"typ\":\"at+jwt\",\"kid\":\"key-1\"}", "{" + claims() + "}"))
        .name()).endsWith("#alice");
    assertThat(caller(issuer.token(issuer.claims("bob", "other", seconds()))).name()).endsWith("#bob");
  }

  @Test
  void timesHoldWithinASkew() {
    long now = seconds();
    refused(issuer.token(issuer.claims("alice", AUDIENCE, now - 3_600 - 61)), "expired");
    refused(issuer.token(issuer.claims("alice", AUDIENCE, now + 62)), "not valid yet");
    refused(issuer.token(claims() + ",\"nbf\":" + (now + 62)), "not valid yet");
    refused(issuer.token(claims().replaceFirst(",\"exp\":[0-9]+", "")), "expires");
    refused(issuer.token(claims().replaceFirst("\"exp\":[0-9]+", "\"exp\":" + (now + 31L * 86_400))), "30 days");
    refused(issuer.token(claims().replaceFirst("\"sub\":\"alice\"", "\"sub\":\"\"")), "subject");
    for (String subject : List.of("a\\u0000b", "a\\nb", " a", "a ", "x".repeat(257))) {
      refused(issuer.token(issuer.claims(subject, AUDIENCE, now)), "subject");
    }
    assertThat(caller(issuer.token(issuer.claims("late", AUDIENCE, now - 3_600 - 30))).name()).endsWith("#late");
    assertThat(caller(issuer.token(issuer.claims("early", AUDIENCE, now + 30))).name()).endsWith("#early");
  }

  @Test
  void malformedTokensAreRefused() {
    for (String token : List.of("a.b.c", "..", "\u00e9.b.c", "a.b.c.d", "x", "", "\" or 1=1")) {
      refused(token, "");
    }
    refused(issuer.token(claims() + ",\"x\":\"" + "y".repeat(8_000) + "\""), "8000");
    assertThat(issuer.fetches()).isZero();
  }

  @Test
  void keysAreRotated() {
    assertThat(caller(issuer.token(claims())).name()).endsWith("#alice");
    String before = issuer.token(claims() + ",\"jti\":\"unused before\"");
    issuer.rotate();
    // The first fetch was just now; after a pause the new key is found.
    String after = issuer.token(claims() + ",\"jti\":\"2\"");
    Eventual.until(Duration.ofSeconds(20), () -> {
      try {
        return caller(after).name().endsWith("#alice");
      } catch (RnsException e) {
        assertThat(e.error()).isEqualTo(RnsError.UNAVAILABLE);
        return false;
      }
    });
    // It is not looked for again at once, and not accepted meanwhile.
    assertThatThrownBy(() -> caller(before))
        .isInstanceOfSatisfying(
            RnsException.class,
            e -> assertThat(e.error()).isIn(RnsError.UNAVAILABLE, RnsError.NOT_AUTHENTICATED));
  }

  @Test
  void anIssuerThatDoesNotAnswerLetsNobodyIn() {
    for (Behaviour behaviour : List.of(Behaviour.FAILING, Behaviour.HUGE, Behaviour.STALLING)) {
      restart();
      issuer.behave(behaviour);
      String token = issuer.token(claims() + ",\"jti\":\"" + behaviour + "\"");
      long began = System.nanoTime();
      assertThatThrownBy(() -> caller(token))
          .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.UNAVAILABLE));
      assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(20));
    }
  }

  @Test
  void duringAnOutageKnownKeysServeAndOthersAreNotCalledWrong() {
    assertThat(caller(issuer.token(claims())).name()).endsWith("#alice");
    String known = issuer.token(claims() + ",\"jti\":\"known\"");
    issuer.behave(Behaviour.FAILING);
    issuer.rotate();
    String unknown = issuer.token(claims() + ",\"jti\":\"unknown\"");
    // For the first 5 s because keys were fetched just now, later because they cannot be.
    Eventual.until(Duration.ofSeconds(20), () -> {
      assertThatThrownBy(() -> caller(unknown))
          .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.UNAVAILABLE));
      return issuer.fetches() > 1;
    });
    assertThatThrownBy(() -> caller(unknown))
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.UNAVAILABLE));
    assertThat(caller(known).name()).endsWith("#alice");
    refused(known.substring(0, known.lastIndexOf('.') + 1) + "AAAA", "signature");
  }

  @Test
  void storageScopesAreLimits() {
    Caller caller =
        caller(
            issuer.token(
                claims()
                    + ",\"scope\":\"openid storage.read:/data storage.modify:/data/mine/ storage.create:/in compute.read\""));
    assertThat(caller.limits()).hasSize(1);
    assertThat(caller.isWithinLimits(Right.READ, RnsPath.parse("/data/x"))).isTrue();
    assertThat(caller.isWithinLimits(Right.LIST, RnsPath.parse("/data"))).isTrue();
    assertThat(caller.isWithinLimits(Right.ADD, RnsPath.parse("/data/x"))).isFalse();
    assertThat(caller.isWithinLimits(Right.REMOVE, RnsPath.parse("/data/mine/x"))).isTrue();
    assertThat(caller.isWithinLimits(Right.ADMIN, RnsPath.parse("/data/mine"))).isFalse();
    assertThat(caller.isWithinLimits(Right.ADD, RnsPath.parse("/in/a"))).isTrue();
    assertThat(caller.isWithinLimits(Right.READ, RnsPath.parse("/in/a"))).isFalse();
    assertThat(caller.isWithinLimits(Right.READ, RnsPath.parse("/database"))).isFalse();
    assertThat(caller.isWithinLimits(Right.READ, RnsPath.parse("/DATA"))).isFalse();
    assertThat(caller.isWithinLimits(Right.READ, RnsPath.ROOT)).isFalse();
  }

  @Test
  void scopesThatAreNoPathsOpenNothing() {
    for (String scope : List.of("storage.read:/data/../secret", "storage.read:/data//x", "storage.read:data",
        "storage.write:/", "storage.read:/a/./b", "compute.create", "storage.read:/%2e%2e", "storage.read:/a%2Fb",
        "storage.read:/a%", "storage.read:/a%zz", "storage.read:/a%ff", "storage.read:/a%00",
        "storage.read://")) {
      Caller caller = caller(issuer.token(claims() + ",\"scope\":\"" + scope + "\""));
      assertThat(caller.limits()).as(scope).containsExactly(Set.of());
      assertThat(caller.isWithinLimits(Right.READ, RnsPath.parse("/data"))).isFalse();
    }
  }

  @Test
  void pathsOfScopesArePercentEncoded() {
    String scopes = ",\"scope\":\"storage.read:/my%20data/%C3%A9+%25\"";
    Caller caller = caller(issuer.token(claims() + scopes));
    assertThat(caller.isWithinLimits(Right.READ, RnsPath.parse("/my data/\u00e9+%/x"))).isTrue();
    assertThat(caller.isWithinLimits(Right.READ, RnsPath.parse("/my%20data/%C3%A9+%25"))).isFalse();
    assertThat(caller.isWithinLimits(Right.READ, RnsPath.parse("/my data"))).isFalse();
  }

  @Test
  void scopesWithoutAPathRefuseTheToken() {
    for (String scope : List.of("storage.read", "storage.read:", "storage.modify:/a storage.read")) {
      refused(issuer.token(claims() + ",\"scope\":\"" + scope + "\""), "storage scope without a path");
    }
  }

  @Test
  void scopesOfAnotherFormLimitOrRefuseTheToken() {
    Caller caller = caller(issuer.token(claims() + ",\"scope\":[\"openid\",\"storage.read:/data\"]"));
    assertThat(caller.limits()).hasSize(1);
    assertThat(caller.isWithinLimits(Right.READ, RnsPath.parse("/data/x"))).isTrue();
    assertThat(caller.isWithinLimits(Right.READ, RnsPath.parse("/other"))).isFalse();
    // A space in a member of a list is part of its path.
    Caller spaced = caller(issuer.token(claims() + ",\"scope\":[\"storage.read:/my data\"]"));
    assertThat(spaced.isWithinLimits(Right.READ, RnsPath.parse("/my"))).isFalse();
    for (String scope : List.of("5", "{\"storage.read\":\"/data\"}", "[\"storage.read:/data\",5]", "true")) {
      refused(issuer.token(claims() + ",\"scope\":" + scope), "neither a text nor a list");
    }
  }

  @Test
  void certificatesAreTrustedAsJavaDoesWhateverStoresAnApplicationServerHas() {
    String name = "javax.net.ssl.trustStore";
    String before = System.getProperty(name);
    System.setProperty(name, "/none");
    try {
      assertThat(IssuerTls.context().getProtocol()).isEqualTo("TLS");
    } finally {
      if (before == null) {
        System.clearProperty(name);
      } else {
        System.setProperty(name, before);
      }
    }
  }

  @Test
  void issuersHaveSafeAddressesAndAnAudience() {
    for (String address : List.of("http://iam.example.org", "ftp://iam.example.org", "iam.example.org",
        "https://user@iam.example.org", "https://iam.example.org/#x")) {
      assertThatThrownBy(() -> new IssuerSettings(Set.of(address), Set.of(AUDIENCE)))
          .isInstanceOf(IllegalArgumentException.class).hasMessageContaining(address);
    }
    assertThatThrownBy(() -> new IssuerSettings(Set.of("https://iam.example.org"), Set.of()))
        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("audience");
  }
}
