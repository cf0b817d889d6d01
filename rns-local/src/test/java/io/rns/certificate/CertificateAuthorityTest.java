package io.rns.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.bouncycastle.asn1.ASN1Primitive;
import org.bouncycastle.asn1.pkcs.EncryptedPrivateKeyInfo;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemWriter;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CertificateAuthorityTest {
  private static final Instant NOW = Instant.parse("2026-11-26T12:00:00Z");

  @TempDir private Path directory;
  private CertificateAuthority authority;
  private Path chain;
  private Path key;

  @BeforeEach
  void make() {
    authority = authority(NOW);
    chain = directory.resolve("server.pem");
    key = directory.resolve("server.key");
  }

  private CertificateAuthority authority(Instant now) {
    return CertificateAuthority.in(directory.resolve("ca.pem"), directory.resolve("ca.key"), now);
  }

  @Test
  void authorityIsKept() throws Exception {
    assertThat(authority(NOW).certificate()).isEqualTo(authority.certificate());
    assertThat(authority.certificate().getBasicConstraints()).isZero();
    assertThat(authority.certificate().getNotAfter()).isEqualTo(NOW.plus(CertificateAuthority.LIFE));
    assertThat(((ECPublicKey) authority.certificate().getPublicKey()).getParams().toString()).contains("secp256r1");
    authority.certificate().verify(authority.certificate().getPublicKey());
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve("ca.key"))))
        .isEqualTo("rw-------");
    assertThatThrownBy(() -> authority(NOW.plus(CertificateAuthority.LIFE))).hasMessageContaining("expired");
  }

  @Test
  void issuesCertificatesForNamesAndAddresses() throws Exception {
    List<String> names = List.of("127.0.0.1", "localhost", "rns.example.org", "0:0:0:0:0:0:0:1");
    CertifiedKey issued = authority.issue(names, NOW);
    issued.leaf().verify(authority.certificate().getPublicKey());
    assertThat(issued.names()).containsExactlyElementsOf(names);
    assertThat(issued.expiry()).isEqualTo(NOW.plus(CertificateAuthority.SERVER_LIFE));
    assertThat(issued.leaf().getBasicConstraints()).isEqualTo(-1);
    assertThat(issued.leaf().getExtendedKeyUsage()).contains("1.3.6.1.5.5.7.3.1");
    assertThat(issued.chain()).endsWith(authority.certificate());

    issued.write(chain, key);
    assertThat(CertifiedKey.read(chain, key)).isEqualTo(issued);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key))).isEqualTo("rw-------");
  }

  @Test
  void noCertificateOutlivesItsAuthority() {
    Instant late = NOW.plus(CertificateAuthority.LIFE).minus(Duration.ofDays(5));
    assertThat(authority(late).issue(List.of("localhost"), late).expiry())
        .isEqualTo(authority.certificate().getNotAfter().toInstant());
  }

  @Test
  void readsKeysInTheFormatsOfOpenSsl() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    KeyPair rsa = generator.generateKeyPair();
    CertifiedKey issued = authority.issue(List.of("localhost"), NOW);
    issued.write(chain, key);
    ECPrivateKey secret = (ECPrivateKey) issued.key();
    write(
        key, "EC PRIVATE KEY",
        new org.bouncycastle.asn1.sec.ECPrivateKey(256, secret.getS(), SECObjectIdentifiers.secp256r1).getEncoded());
    assertThat(CertifiedKey.read(chain, key).chain()).isEqualTo(issued.chain());

    write(
        key, "RSA PRIVATE KEY",
        PrivateKeyInfo.getInstance(rsa.getPrivate().getEncoded()).parsePrivateKey().toASN1Primitive().getEncoded());
    assertThatThrownBy(() -> CertifiedKey.read(chain, key))
        .hasMessageContaining(key + " is not that of the first certificate in " + chain);
  }

  @Test
  void saysWhatIsWrongWithFiles() throws Exception {
    CertifiedKey issued = authority.issue(List.of("localhost"), NOW);
    issued.write(chain, key);
    Path none = directory.resolve("none");
    assertThatThrownBy(() -> CertifiedKey.read(none, key)).hasMessage("there is no file " + none);
    assertThatThrownBy(() -> CertifiedKey.read(chain, none)).hasMessage("there is no file " + none);
    assertThatThrownBy(() -> CertifiedKey.read(key, key)).hasMessageContaining("has no certificate in PEM");
    assertThatThrownBy(() -> CertifiedKey.read(chain, chain)).hasMessageContaining("has no private key in PEM");

    CertifiedKey others = authority.issue(List.of("localhost"), NOW);
    others.write(none, key);
    assertThatThrownBy(() -> CertifiedKey.read(chain, key)).hasMessageContaining("is not that of the first");

    issued.write(chain, key);
    CertifiedKey.writeCertificates(chain, List.of(issued.leaf(), others.leaf()));
    assertThatThrownBy(() -> CertifiedKey.read(chain, key)).hasMessageContaining("is not in order");

    issued.write(chain, key);
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));
    assertThatThrownBy(() -> CertifiedKey.read(chain, key)).hasMessageContaining("chmod 600 " + key);
  }

  @Test
  void refusesEncryptedKeys() throws Exception {
    CertifiedKey issued = authority.issue(List.of("localhost"), NOW);
    issued.write(chain, key);
    String scheme = "PBEWithHmacSHA256AndAES_128";
    Cipher cipher = Cipher.getInstance(scheme);
    cipher.init(
        Cipher.ENCRYPT_MODE,
        SecretKeyFactory.getInstance(scheme).generateSecret(new PBEKeySpec("secret".toCharArray())));
    byte[] encrypted = cipher.doFinal(issued.key().getEncoded());
    AlgorithmIdentifier pbes2 =
        new AlgorithmIdentifier(
            PKCSObjectIdentifiers.id_PBES2, ASN1Primitive.fromByteArray(cipher.getParameters().getEncoded()));
    write(key, "ENCRYPTED PRIVATE KEY", new EncryptedPrivateKeyInfo(pbes2, encrypted).getEncoded());
    assertThatThrownBy(() -> CertifiedKey.read(chain, key)).hasMessageContaining("is encrypted; decrypt it with");
  }

  @Test
  void certificatesAreValidInTheirTimeOnly() {
    CertifiedKey issued = authority.issue(List.of("localhost"), NOW, Duration.ofDays(1));
    issued.requireValid(chain, NOW);
    assertThatThrownBy(() -> issued.requireValid(chain, NOW.plus(Duration.ofDays(1))))
        .hasMessageContaining("expired at 2026-11-27T12:00:00Z");
    assertThatThrownBy(() -> issued.requireValid(chain, NOW.minus(Duration.ofDays(1))))
        .hasMessageContaining("is not valid before");
  }

  private static void write(Path file, String kind, byte[] content) throws IOException {
    StringWriter text = new StringWriter();
    try (PemWriter writer = new PemWriter(text)) {
      writer.writeObject(new PemObject(kind, content));
    }
    Files.writeString(file, text.toString());
  }
}
