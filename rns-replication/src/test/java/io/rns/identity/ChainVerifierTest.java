package io.rns.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.Caller;
import io.rns.api.Right;
import io.rns.api.RnsPath;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.grid.TestAuthority;
import io.rns.grid.TestAuthority.Credential;
import io.rns.grid.TestAuthority.Wish;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Certificates and proxies of clients, and attacks on them. */
class ChainVerifierTest {
  private static final String ALICE = "x509:/DC=org/DC=test/CN=Alice";
  private static final TestAuthority AUTHORITY = TestAuthority.make("DC=org", "DC=test", "CN=Grid CA");
  private static final Credential USER = AUTHORITY.issue("DC=org", "DC=test", "CN=Alice");

  @TempDir private Path directory;
  private final ManualTime clock = new ManualTime();

  @BeforeEach
  void install() {
    AUTHORITY.install(directory);
  }

  private Identification start() {
    return start(new X509Settings(Optional.of(directory), false, Optional.empty()));
  }

  private Identification start(X509Settings settings) {
    return new IdentitySettings(Optional.empty(), IssuerSettings.NONE, settings).start(clock);
  }

  private static Caller caller(Identification identification, Credential credential) {
    return identification.caller(null, credential.chain());
  }

  private static String refusal(Identification identification, Credential credential) {
    return refusal(identification, credential.chain());
  }

  private static String refusal(Identification identification, List<X509Certificate> chain) {
    try {
      Caller taken = identification.caller(null, chain);
      return "taken for " + taken.name();
    } catch (RnsException e) {
      assertThat(e.error()).isEqualTo(RnsError.NOT_AUTHENTICATED);
      return String.valueOf(e.getMessage());
    }
  }

  @Test
  void aCertificateProvesItsName() {
    Identification identification = start();
    assertThat(caller(identification, USER)).isEqualTo(new Caller(ALICE, Set.of()));
    assertThat(identification.caller(null, List.of())).isEqualTo(Caller.ANONYMOUS);
    List<X509Certificate> withRoot = new ArrayList<>(USER.chain());
    withRoot.add(AUTHORITY.certificate());
    assertThat(identification.caller(null, withRoot).name()).isEqualTo(ALICE);
    Credential below = AUTHORITY.below("DC=org", "DC=test", "CN=Sub CA").issue("DC=org", "DC=test", "CN=Bob");
    assertThat(caller(identification, below).name()).isEqualTo("x509:/DC=org/DC=test/CN=Bob");
  }

  @Test
  void aProxyStandsForWhomItWasIssuedBy() {
    Identification identification = start();
    Credential proxy = TestAuthority.proxy(USER);
    Credential ofProxy = TestAuthority.proxy(proxy);
    Credential third = TestAuthority.proxy(ofProxy, new Wish().pathLength(0));
    for (Credential each : List.of(proxy, ofProxy, third)) {
      assertThat(caller(identification, each)).isEqualTo(new Caller(ALICE, Set.of()));
    }
    Credential legacy = TestAuthority.proxy(USER, new Wish().policy("").named("proxy"));
    assertThat(caller(identification, legacy)).isEqualTo(new Caller(ALICE, Set.of()));
  }

  @Test
  void aLimitedProxyAdministratesNothing() {
    Identification identification = start();
    Credential limited = TestAuthority.proxy(USER, new Wish().policy(TestAuthority.LIMITED));
    Credential ofLimited = TestAuthority.proxy(limited, new Wish().policy(TestAuthority.LIMITED));
    Credential legacy = TestAuthority.proxy(USER, new Wish().policy("").named("limited proxy"));
    for (Credential each : List.of(limited, ofLimited, legacy)) {
      Caller caller = caller(identification, each);
      assertThat(caller.name()).isEqualTo(ALICE);
      for (Right right : Right.values()) {
        assertThat(caller.isWithinLimits(right, RnsPath.parse("/a/b"))).as(right.text())
            .isEqualTo(right != Right.ADMIN);
      }
    }
  }

  @Test
  void hostileChainsAreRefused() {
    Identification identification = start();
    TestAuthority stranger = TestAuthority.make("DC=org", "DC=other", "CN=Grid CA");
    TestAuthority impostor = TestAuthority.make("DC=org", "DC=test", "CN=Grid CA");
    Credential mallory = AUTHORITY.issue("DC=org", "DC=test", "CN=Mallory");
    Instant now = Instant.now();
    Credential proxy = TestAuthority.proxy(USER);
    Credential limited = TestAuthority.proxy(USER, new Wish().policy(TestAuthority.LIMITED));
    Credential last = TestAuthority.proxy(USER, new Wish().pathLength(0));
    Credential one = TestAuthority.proxy(USER, new Wish().pathLength(1));
    Credential caProxy = new Credential(List.of(AUTHORITY.certificate()), AUTHORITY.credential().key());
    Credential asIfAlices = new Credential(USER.chain(), mallory.key());
    Map<String, Credential> hostile = new LinkedHashMap<>();
    hostile.put("expired", AUTHORITY.issue(new Wish().until(now.minusSeconds(1)), "DC=org", "DC=test", "CN=Alice"));
    hostile.put("future", AUTHORITY.issue(new Wish().from(now.plusSeconds(600)), "DC=org", "DC=test", "CN=Alice"));
    hostile.put("expired proxy", TestAuthority.proxy(USER, new Wish().until(now.minusSeconds(1))));
    hostile.put("proxy of an expired one",
        TestAuthority.proxy(TestAuthority.proxy(USER, new Wish().until(now.minusSeconds(1)))));
    hostile.put("future proxy", TestAuthority.proxy(USER, new Wish().from(now.plusSeconds(600))));
    hostile.put("unknown authority", stranger.issue("DC=org", "DC=test", "CN=Alice"));
    hostile.put("authority of the same name", impostor.issue("DC=org", "DC=test", "CN=Alice"));
    hostile.put("self-signed",
        new Credential(List.of(TestAuthority.make(new Wish(), "DC=org", "DC=test", "CN=Alice").certificate()),
            USER.key()));
    hostile.put("issued by a user",
        new Credential(
            List.of(
                TestAuthority.proxy(mallory, new Wish().policy("").named("Alice")).certificate(),
                mallory.certificate()),
            mallory.key()));
    hostile.put("proxy that another signed", TestAuthority.proxy(asIfAlices));
    hostile.put("proxy of another user's certificate", proxy.with(mallory.chain()));
    hostile.put("proxy without its issuer", proxy.with(List.of()));
    hostile.put("proxy whose issuer is missing", TestAuthority.proxy(proxy).with(USER.chain()));
    hostile.put("more proxies than allowed", TestAuthority.proxy(last));
    hostile.put("more proxies than allowed, later", TestAuthority.proxy(TestAuthority.proxy(one)));
    hostile.put("proxy that lifts a limit", TestAuthority.proxy(limited));
    hostile.put("independent proxy", TestAuthority.proxy(USER, new Wish().policy("1.3.6.1.5.5.7.21.2")));
    hostile.put("proxy of an unknown policy", TestAuthority.proxy(USER, new Wish().policy("1.2.3.4")));
    hostile.put("proxies of two kinds", TestAuthority.proxy(proxy, new Wish().policy("").named("proxy")));
    hostile.put("proxy that is an authority",
        TestAuthority.proxy(USER, new Wish().asAuthority().usage(KeyUsage.digitalSignature)));
    hostile.put("proxy of an authority", TestAuthority.proxy(caProxy));
    hostile.put("an authority itself", AUTHORITY.below("DC=org", "DC=test", "CN=Sub CA").credential());
    hostile.put("the trusted authority itself", caProxy);
    hostile.put("proxy for one address",
        TestAuthority.proxy(USER, new Wish().extension("1.2.840.113612.5.5.1.1.2.1", false, new byte[]{0x30, 0})));
    hostile.put("unknown critical extension",
        AUTHORITY.issue(new Wish().extension("1.2.3.4", true, new byte[]{5, 0}), "DC=org", "DC=test", "CN=Alice"));
    hostile.put("unknown critical extension of a proxy",
        TestAuthority.proxy(USER, new Wish().extension("1.2.3.4", true, new byte[]{5, 0})));
    hostile.put("malformed proxy extension",
        TestAuthority.proxy(
            USER, new Wish().policy("").named("x").extension("1.3.6.1.5.5.7.1.14", true, new byte[]{0x30, 1, 5})));
    hostile.put("for key agreement only",
        AUTHORITY.issue(new Wish().usage(KeyUsage.keyAgreement), "DC=org", "DC=test", "CN=Alice"));
    hostile.put("for servers only",
        AUTHORITY.issue(
            new Wish().extension(
                "2.5.29.37", false, new byte[]{0x30, 10, 6, 8, 0x2b, 6, 1, 5, 5, 7, 3, 1}),
            "DC=org", "DC=test", "CN=Alice"));
    hostile.put("short key", AUTHORITY.issue(new Wish().key("RSA", 1_024), "DC=org", "DC=test", "CN=Alice"));
    hostile.put("proxy with a short key", TestAuthority.proxy(USER, new Wish().key("RSA", 1_024)));
    hostile.put("weak signature",
        AUTHORITY.issue(new Wish().signedWith("SHA1withECDSA"), "DC=org", "DC=test", "CN=Alice"));
    hostile.forEach((what, chain) -> {
      assertThat(refusal(identification, chain)).as(what).doesNotContain("taken");
      assertThat(refusal(identification, chain)).as(what + ", again").doesNotContain("taken");
    });
    assertThat(caller(identification, USER).name()).isEqualTo(ALICE);
  }

  @Test
  void chainsOutOfOrderAndRepeatedAreNoOtherCallers() {
    Identification identification = start();
    Credential mallory = AUTHORITY.issue("DC=org", "DC=test", "CN=Mallory");
    Credential proxy = TestAuthority.proxy(USER);
    for (List<X509Certificate> chain : List.of(
        List.of(mallory.certificate(), USER.certificate()),
        List.of(mallory.certificate(), proxy.certificate(), USER.certificate()),
        List.of(mallory.certificate(), AUTHORITY.certificate(), USER.certificate()),
        List.of(mallory.certificate(), mallory.certificate()))) {
      assertThat(refusal(identification, chain)).doesNotContain("Alice");
    }
    assertThat(refusal(identification, List.of(USER.certificate(), proxy.certificate()))).doesNotContain("Mallory");
  }

  @Test
  void aChainIsRememberedUntilItExpiresAndNotForAnotherOne() {
    Identification identification = start();
    Credential brief =
        AUTHORITY.issue(new Wish().until(clock.instant().plusSeconds(60)), "DC=org", "DC=test", "CN=Alice");
    Credential proxy = TestAuthority.proxy(brief);
    assertThat(caller(identification, brief).name()).isEqualTo(ALICE);
    assertThat(caller(identification, proxy).name()).isEqualTo(ALICE);
    // The same first certificate, with other ones after it.
    assertThat(refusal(identification, proxy.with(USER.chain()))).doesNotContain("taken");
    assertThat(caller(identification, proxy).name()).isEqualTo(ALICE);
    clock.advance(Duration.ofSeconds(61));
    assertThat(refusal(identification, brief)).contains("expired");
    assertThat(refusal(identification, proxy)).contains("expired");
  }

  @Test
  void revokedCertificatesAreRefusedOnceTheListIsThere() throws IOException {
    TestAuthority authority = TestAuthority.make("DC=org", "DC=test", "CN=Revoking CA");
    authority.install(directory);
    TestAuthority below = authority.below("DC=org", "DC=test", "CN=Revoking Sub CA");
    Credential user = authority.issue("DC=org", "DC=test", "CN=Carol");
    Credential proxy = TestAuthority.proxy(user);
    Credential ofSub = below.issue("DC=org", "DC=test", "CN=Dave");
    Credential kept = authority.issue("DC=org", "DC=test", "CN=Erin");
    Identification identification = start();
    List<Credential> all = List.of(user, proxy, ofSub, kept);
    all.forEach(each -> assertThat(caller(identification, each).name()).startsWith("x509:/DC=org/DC=test/CN="));
    authority.revoke(user.certificate());
    authority.revoke(below.certificate());
    authority.publish(directory, Instant.now().plus(Duration.ofDays(1)));
    // Looked at again after a while, for chains that are remembered too.
    clock.advance(WatchedFiles.LOOK);
    assertThat(refusal(identification, user)).contains("revoked");
    assertThat(refusal(identification, proxy)).contains("revoked");
    assertThat(refusal(identification, ofSub)).contains("revoked");
    assertThat(caller(identification, kept).name()).endsWith("Erin");
    assertThat(caller(identification, USER).name()).isEqualTo(ALICE);
  }

  @Test
  void revocationListsMayBeNeeded() {
    Identification identification = start(new X509Settings(Optional.of(directory), true, Optional.empty()));
    assertThat(refusal(identification, USER)).doesNotContain("taken");
    AUTHORITY.publish(directory, Instant.now().minusSeconds(60));
    clock.advance(WatchedFiles.LOOK);
    assertThat(refusal(identification, USER)).as("with an expired list").doesNotContain("taken");
    AUTHORITY.publish(directory, Instant.now().plus(Duration.ofDays(1)));
    clock.advance(WatchedFiles.LOOK);
    assertThat(caller(identification, TestAuthority.proxy(USER)).name()).isEqualTo(ALICE);
  }

  @Test
  void anAuthorityIssuesNamesOfItsNamespaceOnly() throws IOException {
    Files.writeString(
        directory.resolve(AUTHORITY.hash() + ".signing_policy"),
        """
            access_id_CA X509 '/DC=org/DC=test/CN=Grid CA'
            pos_rights globus CA:sign
            cond_subjects globus '"/DC=org/DC=test/*"'
            """);
    Identification identification = start();
    assertThat(caller(identification, USER).name()).isEqualTo(ALICE);
    assertThat(caller(identification, TestAuthority.proxy(USER)).name()).isEqualTo(ALICE);
    assertThat(refusal(identification, AUTHORITY.issue("DC=org", "DC=elsewhere", "CN=Alice")))
        .doesNotContain("taken").contains("ns");
  }

  @Test
  void changedAuthoritiesAreTakenOver() throws IOException {
    TestAuthority other = TestAuthority.make("DC=org", "DC=new", "CN=New CA");
    Credential user = other.issue("DC=org", "DC=new", "CN=Alice");
    Identification identification = start();
    assertThat(refusal(identification, user)).contains("not issued by an authority");
    other.install(directory);
    clock.advance(WatchedFiles.LOOK);
    assertThat(caller(identification, user).name()).isEqualTo("x509:/DC=org/DC=new/CN=Alice");
    Files.delete(directory.resolve(other.hash() + ".0"));
    clock.advance(WatchedFiles.LOOK);
    assertThat(refusal(identification, user)).contains("not issued by an authority");
    assertThat(caller(identification, USER).name()).isEqualTo(ALICE);
  }

  /** As where authorities are mounted elsewhere. */
  @Test
  void filesThatChangeBehindALinkAreTakenOver(@TempDir Path elsewhere) throws IOException {
    TestAuthority authority = TestAuthority.make("DC=org", "DC=test", "CN=Linked CA");
    Path mounted = Files.createDirectory(elsewhere.resolve("mounted"));
    authority.install(mounted);
    authority.publish(mounted, Instant.now().plus(Duration.ofDays(1)));
    Path link = Files.createSymbolicLink(elsewhere.resolve("certificates"), mounted);
    Credential user = authority.issue("DC=org", "DC=test", "CN=Carol");
    Identification identification = start(new X509Settings(Optional.of(link), true, Optional.empty()));
    assertThat(caller(identification, user).name()).endsWith("Carol");
    // The list is written in place: the directory itself stays as it is.
    FileTime before = Files.getLastModifiedTime(mounted);
    authority.revoke(user.certificate());
    authority.publish(mounted, Instant.now().plus(Duration.ofDays(1)));
    Files.setLastModifiedTime(mounted, before);
    clock.advance(WatchedFiles.LOOK);
    assertThat(refusal(identification, user)).contains("revoked");
  }

  @Test
  void aFileOfAuthoritiesDoesToo(@TempDir Path other) throws Exception {
    Path file = other.resolve("ca.pem");
    TestAuthority.write(file, TestAuthority.pem("CERTIFICATE", AUTHORITY.certificate().getEncoded()));
    Identification identification = start(new X509Settings(Optional.of(file), false, Optional.empty()));
    assertThat(caller(identification, TestAuthority.proxy(USER)).name()).isEqualTo(ALICE);
    TestAuthority stranger = TestAuthority.make("DC=org", "DC=test", "CN=Grid CA");
    assertThat(refusal(identification, stranger.issue("DC=org", "DC=test", "CN=Alice"))).doesNotContain("taken");
  }

  @Test
  void aHeaderComesBeforeACertificate() throws IOException {
    Path accounts = directory.resolve("accounts");
    AccountFile.put(accounts, "bob", Set.of(), "word");
    Identification identification =
        new IdentitySettings(
            Optional.of(accounts), IssuerSettings.NONE,
            new X509Settings(Optional.of(directory), false, Optional.empty())).start(clock);
    Credential wrong = TestAuthority.make("CN=x").issue("CN=Alice");
    assertThat(identification.caller(AccountVerifierTest.basic("bob:word"), USER.chain()).name())
        .isEqualTo("local:bob");
    assertThat(identification.caller(AccountVerifierTest.basic("bob:word"), wrong.chain()).name())
        .isEqualTo("local:bob");
    assertThatThrownBy(() -> identification.caller(AccountVerifierTest.basic("bob:wrong"), USER.chain()))
        .isInstanceOf(RnsException.class);
  }

  @Test
  void withoutAuthoritiesNoCertificateIsAccepted() {
    assertThat(refusal(start(X509Settings.NONE), USER)).contains("accepts no such credential");
  }

  @Test
  void unusableFilesAreRefusedAtTheStart(@TempDir Path other) throws IOException {
    for (Path wrong : List.of(
        other, other.resolve("none"), Files.writeString(other.resolve("empty.pem"), ""),
        Files.writeString(other.resolve("text.pem"), "x"))) {
      assertThatThrownBy(() -> start(new X509Settings(Optional.of(wrong), false, Optional.empty())))
          .isInstanceOf(IllegalArgumentException.class).hasMessageContaining(wrong.toString());
    }
    assertThatThrownBy(() -> new X509Settings(Optional.empty(), false, Optional.of(other)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
