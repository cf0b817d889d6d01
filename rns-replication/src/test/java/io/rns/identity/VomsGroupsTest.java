package io.rns.identity;

import static org.assertj.core.api.Assertions.assertThat;

import eu.emi.security.authn.x509.X509Credential;
import eu.emi.security.authn.x509.impl.KeyAndCertCredential;
import io.rns.api.Caller;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.grid.TestAuthority;
import io.rns.grid.TestAuthority.Credential;
import io.rns.grid.TestAuthority.Wish;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStoreException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.bouncycastle.asn1.ASN1EncodableVector;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.cert.X509AttributeCertificateHolder;
import org.italiangrid.voms.asn1.VOMSACGenerator;
import org.italiangrid.voms.asn1.VOMSACGenerator.ACGenerationProperties;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Attributes of VOMS servers in proxies, made by test servers, and attacks on them. */
class VomsGroupsTest {
  private static final String ALICE = "x509:/DC=org/DC=test/CN=Alice";
  private static final String EXTENSION = "1.3.6.1.4.1.8005.100.100.5";
  private static final String HOST = "voms.test.org";
  private static final TestAuthority AUTHORITY = authority();
  private static final Credential USER = AUTHORITY.issue("DC=org", "DC=test", "CN=Alice");
  private static final Credential SERVER =
      AUTHORITY.issue(new Wish().key("RSA", 2_048), "DC=org", "DC=test", "CN=" + HOST);
  private static final List<String> FQANS =
      List.of(
          "/cms/Role=production/Capability=NULL", "/cms/Role=NULL/Capability=NULL", "/cms/physics/higgs",
          "/cms/physics/higgs/Role=NULL");

  @TempDir private Path temporary;
  private Path authorities;
  private Path voms;
  private final ManualTime clock = new ManualTime();

  /** How an attribute certificate is to be. */
  private record Attributes(
      Credential server, List<String> fqans, X509Certificate holder, Instant begin, Instant end, String vo, String host,
      List<String> targets, EnumSet<ACGenerationProperties> properties) {
    static Attributes usual() {
      Instant now = Instant.now();
      return new Attributes(
          SERVER, FQANS, USER.certificate(), now.minusSeconds(600), now.plus(Duration.ofHours(1)), "cms", HOST,
          List.of(), EnumSet.noneOf(ACGenerationProperties.class));
    }

    Attributes by(Credential other) {
      return new Attributes(other, fqans, holder, begin, end, vo, host, targets, properties);
    }

    Attributes with(String... others) {
      return new Attributes(server, List.of(others), holder, begin, end, vo, host, targets, properties);
    }

    Attributes of(X509Certificate other) {
      return new Attributes(server, fqans, other, begin, end, vo, host, targets, properties);
    }

    Attributes within(Instant from, Instant until) {
      return new Attributes(server, fqans, holder, from, until, vo, host, targets, properties);
    }

    Attributes in(String organisation, String at) {
      return new Attributes(server, fqans, holder, begin, end, organisation, at, targets, properties);
    }

    Attributes to(String target) {
      return new Attributes(server, fqans, holder, begin, end, vo, host, List.of(target), properties);
    }

    Attributes but(ACGenerationProperties property) {
      return new Attributes(server, fqans, holder, begin, end, vo, host, targets, EnumSet.of(property));
    }

    X509AttributeCertificateHolder make() {
      try {
        X509Credential signing =
            new KeyAndCertCredential(server.key(), new X509Certificate[]{server.certificate()});
        return new VOMSACGenerator(signing).generateVOMSAttributeCertificate(
            properties, fqans, List.of(), targets, holder, BigInteger.ONE, Date.from(begin), Date.from(end), vo, host,
            15_000);
      } catch (KeyStoreException e) {
        throw new IllegalStateException(e);
      }
    }

    Credential proxy() {
      return VomsGroupsTest.proxy(USER, make());
    }
  }

  /** The generator of attributes signs as the authority does, with the key of the server. */
  private static TestAuthority authority() {
    return TestAuthority.make(new Wish().asAuthority().key("RSA", 2_048), "DC=org", "DC=test", "CN=Grid CA");
  }

  private static Credential proxy(Credential of, X509AttributeCertificateHolder... certificates) {
    try {
      ASN1EncodableVector all = new ASN1EncodableVector();
      for (X509AttributeCertificateHolder each : certificates) {
        all.add(each.toASN1Structure());
      }
      return TestAuthority.proxy(
          of, new Wish().extension(EXTENSION, false, new DERSequence(new DERSequence(all)).getEncoded("DER")));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** An attribute certificate with other bytes than those that were signed, of the same number. */
  private static X509AttributeCertificateHolder changed(
      X509AttributeCertificateHolder certificate, String text, String other) {
    try {
      String bytes = new String(certificate.getEncoded(), StandardCharsets.ISO_8859_1);
      assertThat(bytes).contains(text);
      return new X509AttributeCertificateHolder(
          bytes.replace(text, other).getBytes(StandardCharsets.ISO_8859_1));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @BeforeEach
  void install() throws IOException {
    authorities = Files.createDirectory(temporary.resolve("certificates"));
    voms = Files.createDirectory(temporary.resolve("vomsdir"));
    AUTHORITY.install(authorities);
    trust("cms", HOST, SERVER);
  }

  private void trust(String vo, String host, Credential server) throws IOException {
    Path directory = Files.createDirectories(voms.resolve(vo));
    String name = DistinguishedName.text(server.certificate().getSubjectX500Principal()).orElseThrow();
    String issuer = DistinguishedName.text(server.certificate().getIssuerX500Principal()).orElseThrow();
    TestAuthority.write(directory.resolve(host + ".lsc"), name + "\n" + issuer + "\n");
  }

  private Identification start() {
    return new IdentitySettings(
        Optional.empty(), IssuerSettings.NONE, new X509Settings(Optional.of(authorities), false, Optional.of(voms)))
        .start(clock);
  }

  private static String refusal(Identification identification, Credential credential) {
    try {
      Caller taken = identification.caller(null, credential.chain());
      return "taken for " + taken;
    } catch (RnsException e) {
      assertThat(e.error()).isEqualTo(RnsError.NOT_AUTHENTICATED);
      return String.valueOf(e.getMessage());
    }
  }

  @Test
  void groupsAndRolesAreThoseOfTheAttributes() {
    Identification identification = start();
    Credential proxy = Attributes.usual().proxy();
    Caller expected =
        new Caller(ALICE, Set.of("voms:/cms", "voms:/cms/Role=production", "voms:/cms/physics/higgs"));
    assertThat(identification.caller(null, proxy.chain())).isEqualTo(expected);
    assertThat(identification.caller(null, TestAuthority.proxy(proxy).chain())).isEqualTo(expected);
    assertThat(identification.caller(null, TestAuthority.proxy(USER).chain())).isEqualTo(new Caller(ALICE, Set.of()));
  }

  @Test
  void theLastProxyWithAttributesCounts() {
    Identification identification = start();
    Credential first = Attributes.usual().proxy();
    Credential second = proxy(first, Attributes.usual().with("/cms").make());
    assertThat(identification.caller(null, second.chain()).groups()).containsExactly("voms:/cms");
  }

  @Test
  void attributesOfSeveralOrganisationsCount() throws IOException {
    trust("atlas", HOST, SERVER);
    Credential both =
        proxy(USER, Attributes.usual().with("/cms").make(), Attributes.usual().in("atlas", HOST).with("/atlas").make());
    assertThat(start().caller(null, both.chain()).groups()).containsExactlyInAnyOrder("voms:/cms", "voms:/atlas");
  }

  @Test
  void attributesOfUnknownOrganisationsMeanNothing() {
    Identification identification = start();
    Credential other = Attributes.usual().in("atlas", HOST).with("/atlas", "/cms").proxy();
    assertThat(identification.caller(null, other.chain())).isEqualTo(new Caller(ALICE, Set.of()));
  }

  @Test
  void wrongAttributesAreRefused() throws IOException {
    Identification identification = start();
    Instant now = clock.instant();
    TestAuthority stranger = authority();
    Credential impostor = stranger.issue(new Wish().key("RSA", 2_048), "DC=org", "DC=test", "CN=" + HOST);
    Credential other = AUTHORITY.issue(new Wish().key("RSA", 2_048), "DC=org", "DC=test", "CN=other.test.org");
    Credential expired =
        AUTHORITY.issue(
            new Wish().key("RSA", 2_048).until(now.minusSeconds(1)), "DC=org", "DC=test", "CN=" + HOST);
    Credential bob = AUTHORITY.issue("DC=org", "DC=test", "CN=Bob");
    Map<String, Credential> wrong = new LinkedHashMap<>();
    wrong.put("expired", Attributes.usual().within(now.minusSeconds(600), now.minusSeconds(1)).proxy());
    wrong.put("future", Attributes.usual().within(now.plusSeconds(600), now.plusSeconds(1_200)).proxy());
    wrong.put("another user's", Attributes.usual().of(bob.certificate()).proxy());
    wrong.put("stolen", proxy(bob, Attributes.usual().make()));
    wrong.put("changed", proxy(USER, changed(Attributes.usual().make(), "production", "productiox")));
    wrong.put("changed to another user's",
        proxy(AUTHORITY.issue("DC=org", "DC=test", "CN=Malic"), changed(Attributes.usual().make(), "Alice", "Malic")));
    wrong.put("signed by the user", Attributes.usual().by(rsaUser()).proxy());
    wrong.put("signed by another server of the authority", Attributes.usual().by(other).proxy());
    wrong.put("server of an unknown authority", Attributes.usual().by(impostor).proxy());
    wrong.put("expired server", Attributes.usual().by(expired).proxy());
    wrong.put("unknown server of the organisation", Attributes.usual().in("cms", "evil.test.org").proxy());
    wrong.put("group of another organisation", Attributes.usual().with("/cms", "/atlas").proxy());
    wrong.put("group that begins like the organisation", Attributes.usual().with("/cmsx").proxy());
    wrong.put("malformed group", Attributes.usual().with("/cms/../atlas").with("/cms/a b").proxy());
    wrong.put("group without a slash", Attributes.usual().with("cms").proxy());
    wrong.put("line end in a group", Attributes.usual().with("/cms\n/atlas").proxy());
    wrong.put("capability", Attributes.usual().with("/cms/Role=a/Capability=b").proxy());
    wrong.put("long group", Attributes.usual().with("/cms/" + "x".repeat(260)).proxy());
    wrong.put("too many groups",
        Attributes.usual().with(IntStream.range(0, 257).mapToObj(i -> "/cms/" + i).toArray(String[]::new)).proxy());
    wrong.put("for another server", Attributes.usual().to("elsewhere.test.org").proxy());
    for (ACGenerationProperties property : List.of(
        ACGenerationProperties.FAKE_SIGNATURE_BITS, ACGenerationProperties.SKIP_AC_CERTS_EXTENSION,
        ACGenerationProperties.INCLUDE_EMPTY_AC_CERTS_EXTENSION,
        ACGenerationProperties.INCLUDE_FAKE_CRITICAL_EXTENSION)) {
      wrong.put(property.name(), Attributes.usual().but(property).proxy());
    }
    wrong.put("no attribute certificate at all",
        TestAuthority.proxy(
            USER, new Wish().extension(EXTENSION, false, new byte[]{0x30, 2, 5, 0})));
    wrong.forEach((what, proxy) -> assertThat(refusal(identification, proxy)).as(what).doesNotContain("taken"));
  }

  /** The user with a key that VOMS servers could have. */
  private static Credential rsaUser() {
    return AUTHORITY.issue(new Wish().key("RSA", 2_048), "DC=org", "DC=test", "CN=Alice");
  }

  @Test
  void aServersCertificateInTheDirectoryIsNoTrust() throws Exception {
    Credential other = AUTHORITY.issue(new Wish().key("RSA", 2_048), "DC=org", "DC=test", "CN=other.test.org");
    TestAuthority.write(
        voms.resolve("cms/other.pem"), TestAuthority.pem("CERTIFICATE", other.certificate().getEncoded()));
    assertThat(refusal(start(), Attributes.usual().by(other).proxy())).doesNotContain("taken");
  }

  @Test
  void groupsEndWithTheAttributes() {
    Identification identification = start();
    Instant end = clock.instant().plusSeconds(60);
    Credential proxy = Attributes.usual().within(clock.instant().minusSeconds(60), end).proxy();
    assertThat(identification.caller(null, proxy.chain()).groups()).hasSize(3);
    clock.advance(Duration.ofSeconds(61));
    assertThat(refusal(identification, proxy)).contains("VOMS attributes");
  }

  @Test
  void changedServersAreTakenOver() throws IOException {
    Identification identification = start();
    Credential proxy = Attributes.usual().in("atlas", HOST).with("/atlas").proxy();
    assertThat(identification.caller(null, proxy.chain()).groups()).isEmpty();
    trust("atlas", HOST, SERVER);
    clock.advance(WatchedFiles.LOOK);
    assertThat(identification.caller(null, proxy.chain()).groups()).containsExactly("voms:/atlas");
  }
}
