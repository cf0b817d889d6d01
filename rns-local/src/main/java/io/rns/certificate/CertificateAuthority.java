package io.rns.certificate;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.regex.Pattern;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * A certificate authority for the servers of one service, with keys on P-256. Its certificate is valid for 10 years,
 * those of servers for a year at most.
 */
public final class CertificateAuthority {
  /** How long the certificate of an authority is valid. */
  static final Duration LIFE = Duration.ofDays(3653);

  /** How long the certificate of a server is valid at most. */
  static final Duration SERVER_LIFE = Duration.ofDays(365);

  /** For clocks that are a little slow. */
  private static final Duration SLACK = Duration.ofHours(1);

  private static final int SERIAL_BITS = 127;
  private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");

  private final CertifiedKey own;

  private CertificateAuthority(CertifiedKey own) {
    this.own = own;
  }

  /**
   * The authority whose certificate and key are in two files; a new one if neither exists.
   *
   * @throws UnusableCertificateException if the files cannot be used or written, or its certificate has expired
   */
  public static CertificateAuthority in(Path certificate, Path key, Instant now) {
    try {
      if (!Files.exists(certificate) && !Files.exists(key)) {
        make(now).write(certificate, key);
      }
      CertifiedKey own = CertifiedKey.read(certificate, key);
      own.requireValid(certificate, now);
      return new CertificateAuthority(own);
    } catch (IOException e) {
      throw CertifiedKey.unusable(certificate + " cannot be written: " + e.getMessage(), e);
    }
  }

  private static CertifiedKey make(Instant now) {
    KeyPair pair = pair();
    BigInteger serial = serial();
    // Two authorities of one host must not have the same name: clients look issuers up by it.
    String name = "RNS certificate authority " + serial.toString(Character.MAX_RADIX).substring(0, 8);
    Maker maker = new Maker(subject(name), pair.getPrivate(), pair.getPublic());
    return new CertifiedKey(
        List.of(maker.make(pair.getPublic(), subject(name), serial, now, now.plus(LIFE), List.of())),
        pair.getPrivate());
  }

  /** Its certificate, which clients have to trust. */
  public X509Certificate certificate() {
    return own.leaf();
  }

  /**
   * A new key with a certificate.
   *
   * @param names names of hosts and addresses; at least one
   */
  public CertifiedKey issue(List<String> names, Instant now) {
    return issue(names, now, SERVER_LIFE);
  }

  /** The same with another life; the certificate does not outlive that of the authority. */
  public CertifiedKey issue(List<String> names, Instant now, Duration life) {
    KeyPair pair = pair();
    Instant end = own.expiry().isBefore(now.plus(life)) ? own.expiry() : now.plus(life);
    Maker maker = new Maker(own.leaf().getSubjectX500Principal(), own.key(), own.leaf().getPublicKey());
    X509Certificate made = maker.make(pair.getPublic(), subject("RNS server"), serial(), now, end, names);
    return new CertifiedKey(List.of(made, own.leaf()), pair.getPrivate());
  }

  private static X500Principal subject(String name) {
    return new X500Principal("CN=" + name);
  }

  private static KeyPair pair() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no keys on P-256", e);
    }
  }

  private static BigInteger serial() {
    return new BigInteger(SERIAL_BITS, new SecureRandom()).setBit(SERIAL_BITS - 1);
  }

  /** Makes certificates of one issuer. */
  private record Maker(X500Principal issuer, PrivateKey key, PublicKey publicKey) {
    /** Without names, the certificate of an authority. */
    X509Certificate make(
        PublicKey of, X500Principal subject, BigInteger serial, Instant now, Instant end, List<String> names) {
      try {
        JcaX509v3CertificateBuilder builder =
            new JcaX509v3CertificateBuilder(
                issuer, serial, Date.from(now.minus(SLACK)), Date.from(end), subject, of);
        JcaX509ExtensionUtils identifiers = new JcaX509ExtensionUtils();
        builder.addExtension(Extension.subjectKeyIdentifier, false, identifiers.createSubjectKeyIdentifier(of));
        builder.addExtension(
            Extension.authorityKeyIdentifier, false, identifiers.createAuthorityKeyIdentifier(publicKey));
        if (names.isEmpty()) {
          builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(0));
          builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
        } else {
          builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
          builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
          builder.addExtension(
              Extension.extendedKeyUsage, false,
              new ExtendedKeyUsage(new KeyPurposeId[]{KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_clientAuth}));
          builder.addExtension(
              Extension.subjectAlternativeName, false,
              new GeneralNames(names.stream().map(Maker::name).toArray(GeneralName[]::new)));
        }
        return new JcaX509CertificateConverter().getCertificate(
            builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(key)));
      } catch (IOException | GeneralSecurityException | OperatorCreationException e) {
        throw CertifiedKey.unusable("a certificate cannot be made: " + e.getMessage(), e);
      }
    }

    private static GeneralName name(String name) {
      return new GeneralName(ADDRESS.matcher(name).matches() ? GeneralName.iPAddress : GeneralName.dNSName, name);
    }
  }
}
