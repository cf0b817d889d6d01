package io.rns.front;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.error.RnsError;
import io.rns.grid.TestAuthority;
import io.rns.grid.TestAuthority.Credential;
import io.rns.grid.TestAuthority.Wish;
import io.rns.identity.RequestPassing;
import io.rns.identity.X509Settings;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How long what a front found out about a certificate holds. */
@Timeout(60)
class CertificateCallersTest {
  private static final TestAuthority GRID = TestAuthority.make("DC=org", "DC=test", "CN=Grid CA");
  private static final Credential USER = GRID.issue("DC=org", "DC=test", "CN=Alice");

  @TempDir private Path trust;
  private final AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
  private final InstantSource clock = now::get;
  private CertificateCallers callers;

  @BeforeEach
  void start() {
    GRID.install(trust);
    callers =
        new CertificateCallers(
            new X509Settings(Optional.of(trust), false, Optional.empty()), "secret", "front", clock);
  }

  @AfterEach
  void stop() {
    callers.close();
  }

  private void advance(Duration time) {
    now.updateAndGet(before -> before.plus(time));
  }

  private CertificateCaller find(List<X509Certificate> chain) throws Exception {
    CompletableFuture<CertificateCaller> found = new CompletableFuture<>();
    callers.find(chain, "192.0.2.1", found::complete);
    return found.get(30, TimeUnit.SECONDS);
  }

  private CertificateCaller.Decided decided(Credential credential) throws Exception {
    return (CertificateCaller.Decided) find(credential.chain());
  }

  @Test
  void isVerifiedAgainAfterTenMinutes() throws Exception {
    CertificateCaller.Decided known = decided(USER);
    assertThat(callers.holds(known)).isTrue();
    advance(Duration.ofMinutes(10).minusMillis(1));
    Waiting.until(() -> callers.holds(known));
    advance(Duration.ofMillis(1));
    assertThat(callers.holds(known)).isFalse();
    assertThat(callers.holds(decided(USER))).isTrue();
  }

  @Test
  void holdsUntilTheProxyExpires() throws Exception {
    Credential proxy = TestAuthority.proxy(USER, new Wish().until(now.get().plusSeconds(300)));
    CertificateCaller.Decided known = decided(proxy);
    advance(Duration.ofSeconds(301));
    assertThat(callers.holds(known)).isFalse();
    CertificateCaller.Decided refused = decided(proxy);
    assertThat(refused.text()).startsWith("!");
    assertThat(callers.holds(refused)).isTrue();
    advance(Duration.ofSeconds(10));
    assertThat(callers.holds(refused)).isFalse();
  }

  @Test
  void endsWithTheRevocation() throws Exception {
    TestAuthority authority = TestAuthority.make("DC=org", "DC=test", "CN=Revoking CA");
    Credential carol = authority.issue("DC=org", "DC=test", "CN=Carol");
    CertificateCaller.Decided unknown = decided(carol);
    assertThat(unknown.text()).startsWith("!");
    authority.install(trust);
    advance(Duration.ofSeconds(10));
    Waiting.until(() -> !callers.holds(unknown));
    CertificateCaller.Decided known = decided(carol);
    assertThat(known.text()).doesNotStartWith("!");
    authority.revoke(carol.certificate());
    authority.publish(trust, Instant.now().plus(Duration.ofDays(1)));
    advance(Duration.ofSeconds(9));
    assertThat(callers.holds(known)).as("before the files are looked at").isTrue();
    advance(Duration.ofSeconds(1));
    Waiting.until(() -> !callers.holds(known));
    assertThat(decided(carol).text()).isEqualTo(
        RequestPassing.refused("the certificate, or one of its issuers, was revoked"));
  }

  @Test
  void longChainsAreRefused() throws Exception {
    List<X509Certificate> chain = new ArrayList<>(List.of(USER.certificate()));
    while (chain.size() <= CertificateCallers.MOST_CERTIFICATES) {
      chain.add(GRID.certificate());
    }
    assertThat(((CertificateCaller.Decided) find(chain)).text())
        .isEqualTo(RequestPassing.refused("the chain has 9 certificates; allowed are 8"));
  }

  @Test
  void anOriginWithManyConnectionsDoesNotKeepOthersWaiting() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    List<String> order = Collections.synchronizedList(new ArrayList<>());
    callers.find(USER.chain(), "192.0.2.1", found -> {
      try {
        assertThat(go.await(30, TimeUnit.SECONDS)).isTrue();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    });
    CountDownLatch done = new CountDownLatch(101);
    for (int i = 0; i < 100; i++) {
      callers.find(USER.chain(), "192.0.2.1", found -> {
        order.add("many");
        done.countDown();
      });
    }
    callers.find(USER.chain(), "192.0.2.2", found -> {
      order.add("one");
      done.countDown();
    });
    go.countDown();
    assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(order).hasSize(101);
    assertThat(order.indexOf("one")).as("its turn comes after at most one other").isLessThan(2);
  }

  @Test
  void aFrontThatStopsDecidesNothing() throws Exception {
    callers.close();
    assertThat(find(USER.chain())).isInstanceOfSatisfying(
        CertificateCaller.Undecided.class, e -> assertThat(e.error()).isEqualTo(RnsError.UNAVAILABLE));
  }
}
