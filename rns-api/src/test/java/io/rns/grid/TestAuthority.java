package io.rns.grid;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.bouncycastle.asn1.ASN1EncodableVector;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.DERSet;
import org.bouncycastle.asn1.DERUTF8String;
import org.bouncycastle.asn1.x500.AttributeTypeAndValue;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.CRLReason;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.X509v2CRLBuilder;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** A certificate authority of a grid, for tests: certificates of users and hosts, proxies, revocation lists. */
public final class TestAuthority {
  /** The policy of proxies that have all rights of their issuers. */
  public static final String INHERIT = "1.3.6.1.5.5.7.21.1";

  /** The policy of proxies for jobs. */
  public static final String LIMITED = "1.3.6.1.4.1.3536.1.1.1.9";

  private static final ASN1ObjectIdentifier PROXY = new ASN1ObjectIdentifier("1.3.6.1.5.5.7.1.14");
  private static final AtomicLong SERIALS = new AtomicLong(1_000);

  private final Credential own;
  private final List<BigInteger> revoked = new ArrayList<>();

  /**
   * A key and the chain of its certificate, that of the authority left out.
   *
   * @param chain the certificate first
   */
  public record Credential(List<X509Certificate> chain, PrivateKey key) {
    /** The certificate. */
    public X509Certificate certificate() {
      return chain.get(0);
    }

    /** Certificate, key and the rest of the chain, as a proxy's file has them. */
    public String pem() {
      StringBuilder pem = new StringBuilder();
      pem.append(TestAuthority.pem("CERTIFICATE", encoded(certificate())));
      pem.append(TestAuthority.pem("PRIVATE KEY", key.getEncoded()));
      chain.stream().skip(1).forEach(each -> pem.append(TestAuthority.pem("CERTIFICATE", encoded(each))));
      return pem.toString();
    }

    /** The same with other certificates after the first. */
    public Credential with(List<X509Certificate> issuers) {
      List<X509Certificate> other = new ArrayList<>(List.of(certificate()));
      other.addAll(issuers);
      return new Credential(List.copyOf(other), key);
    }
  }

  /** How a certificate is to be; changed before it is made. */
  public static final class Wish {
    private Instant begin = Instant.now().minusSeconds(600);
    private Instant end = Instant.now().plus(Duration.ofHours(12));
    private String keys = "EC";
    private int bits = 256;
    private String signature = "";
    private final List<Consumer<X509v3CertificateBuilder>> changes = new ArrayList<>();
    private boolean authority;
    private int usage = KeyUsage.digitalSignature | KeyUsage.keyEncipherment;
    private String policy = INHERIT;
    private int pathLength = -1;
    private String name = "";

    public Wish from(Instant instant) {
      begin = instant;
      return this;
    }

    public Wish until(Instant instant) {
      end = instant;
      return this;
    }

    public Wish key(String algorithm, int size) {
      keys = algorithm;
      bits = size;
      return this;
    }

    public Wish signedWith(String algorithm) {
      signature = algorithm;
      return this;
    }

    /** A certificate that may issue others. */
    public Wish asAuthority() {
      authority = true;
      usage = KeyUsage.keyCertSign | KeyUsage.cRLSign;
      return this;
    }

    /** The bits of its key usage; 0 for none. */
    public Wish usage(int keyUsage) {
      usage = keyUsage;
      return this;
    }

    /** The policy of a proxy; empty for a proxy as before RFC 3820. */
    public Wish policy(String oid) {
      policy = oid;
      return this;
    }

    /** How many proxies may follow a proxy. */
    public Wish pathLength(int most) {
      pathLength = most;
      return this;
    }

    /** The last part of a proxy's name. */
    public Wish named(String last) {
      name = last;
      return this;
    }

    public Wish extension(String oid, boolean critical, byte[] content) {
      changes.add(builder -> {
        try {
          X509v3CertificateBuilder unused =
              builder.addExtension(new ASN1ObjectIdentifier(oid), critical, content);
        } catch (CertIOException e) {
          throw new UncheckedIOException(e);
        }
      });
      return this;
    }
  }

  private TestAuthority(Credential own) {
    this.own = own;
  }

  /** An authority with a key of its own. */
  public static TestAuthority make(String... name) {
    return make(new Wish().asAuthority(), name);
  }

  /** The same as wished. */
  public static TestAuthority make(Wish wish, String... name) {
    KeyPair pair = pair(wish);
    X500Name subject = name(name);
    return new TestAuthority(
        new Credential(List.of(sign(wish, subject, pair.getPublic(), subject, pair.getPrivate(), pair.getPublic())),
            pair.getPrivate()));
  }

  /** An authority below this one. */
  public TestAuthority below(String... name) {
    return new TestAuthority(issue(new Wish().asAuthority(), name));
  }

  /** Its certificate. */
  public X509Certificate certificate() {
    return own.certificate();
  }

  /** What it signs with. */
  public Credential credential() {
    return own;
  }

  /** A certificate that is valid for 12 hours. */
  public Credential issue(String... name) {
    return issue(new Wish(), name);
  }

  /** The same as wished. */
  public Credential issue(Wish wish, String... name) {
    return issue(wish, name(name));
  }

  /** The same for any name. */
  public Credential issue(Wish wish, X500Name subject) {
    KeyPair pair = pair(wish);
    X509Certificate made =
        sign(wish, X500Name.getInstance(own.certificate().getSubjectX500Principal().getEncoded()), pair.getPublic(),
            subject, own.key(), own.certificate().getPublicKey());
    List<X509Certificate> chain = new ArrayList<>(List.of(made));
    if (!own.certificate().getIssuerX500Principal().equals(own.certificate().getSubjectX500Principal())) {
      chain.addAll(own.chain());
    }
    return new Credential(List.copyOf(chain), pair.getPrivate());
  }

  /** A proxy certificate (RFC 3820) with all rights of its issuer. */
  public static Credential proxy(Credential of) {
    return proxy(of, new Wish());
  }

  /** The same as wished. */
  public static Credential proxy(Credential of, Wish wish) {
    KeyPair pair = pair(wish);
    X500Name issuer = X500Name.getInstance(of.certificate().getSubjectX500Principal().getEncoded());
    List<RDN> parts = new ArrayList<>(List.of(issuer.getRDNs()));
    String last = wish.name.isEmpty() ? Long.toString(SERIALS.incrementAndGet()) : wish.name;
    parts.add(new RDN(BCStyle.CN, new DERUTF8String(last)));
    if (!wish.policy.isEmpty()) {
      ASN1EncodableVector info = new ASN1EncodableVector();
      if (wish.pathLength >= 0) {
        info.add(new ASN1Integer(wish.pathLength));
      }
      info.add(new DERSequence(new ASN1ObjectIdentifier(wish.policy)));
      Wish unused = wish.extension(PROXY.getId(), true, der(new DERSequence(info)));
    }
    X509Certificate made =
        sign(wish, issuer, pair.getPublic(), new X500Name(parts.toArray(RDN[]::new)), of.key(),
            of.certificate().getPublicKey());
    List<X509Certificate> chain = new ArrayList<>(List.of(made));
    chain.addAll(of.chain());
    return new Credential(List.copyOf(chain), pair.getPrivate());
  }

  private static KeyPair pair(Wish wish) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance(wish.keys);
      generator.initialize(wish.bits);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static X509Certificate sign(
      Wish wish, X500Name issuer, PublicKey of, X500Name subject, PrivateKey key, PublicKey issuing) {
    try {
      X509v3CertificateBuilder builder =
          new JcaX509v3CertificateBuilder(
              issuer, BigInteger.valueOf(SERIALS.incrementAndGet()), Date.from(wish.begin), Date.from(wish.end),
              subject, of);
      JcaX509ExtensionUtils identifiers = new JcaX509ExtensionUtils();
      builder.addExtension(Extension.subjectKeyIdentifier, false, identifiers.createSubjectKeyIdentifier(of));
      builder.addExtension(
          Extension.authorityKeyIdentifier, false, identifiers.createAuthorityKeyIdentifier(issuing));
      if (wish.authority) {
        builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
      }
      if (wish.usage != 0) {
        builder.addExtension(Extension.keyUsage, true, new KeyUsage(wish.usage));
      }
      wish.changes.forEach(change -> change.accept(builder));
      return new JcaX509CertificateConverter().getCertificate(
          builder.build(new JcaContentSignerBuilder(algorithm(wish, key)).build(key)));
    } catch (IOException | GeneralSecurityException | OperatorCreationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String algorithm(Wish wish, PrivateKey key) {
    return !wish.signature.isEmpty() ? wish.signature
        : key.getAlgorithm().equals("RSA") ? "SHA256withRSA" : "SHA256withECDSA";
  }

  /** A name of parts such as {@code DC=org}, the outermost first. */
  public static X500Name name(String... parts) {
    X500NameBuilder builder = new X500NameBuilder(BCStyle.INSTANCE);
    for (String part : parts) {
      int at = part.indexOf('=');
      builder.addRDN(BCStyle.INSTANCE.attrNameToOID(part.substring(0, at)), part.substring(at + 1));
    }
    return builder.build();
  }

  /** Puts its certificate into a directory as OpenSSL looks for it. */
  public void install(Path directory) {
    write(directory.resolve(hash() + ".0"), pem("CERTIFICATE", encoded(certificate())));
  }

  /** Revokes a certificate by the next revocation list. */
  public void revoke(X509Certificate certificate) {
    revoked.add(certificate.getSerialNumber());
  }

  /** Puts a revocation list into a directory. */
  public void publish(Path directory, Instant nextUpdate) {
    try {
      X509v2CRLBuilder builder =
          new X509v2CRLBuilder(
              X500Name.getInstance(certificate().getSubjectX500Principal().getEncoded()),
              Date.from(Instant.now().minusSeconds(3_600)));
      builder.setNextUpdate(Date.from(nextUpdate));
      for (BigInteger serial : revoked) {
        builder.addCRLEntry(serial, Date.from(Instant.now().minusSeconds(1_800)), CRLReason.keyCompromise);
      }
      byte[] list = builder.build(new JcaContentSignerBuilder(algorithm(new Wish(), own.key())).build(own.key()))
          .getEncoded();
      write(directory.resolve(hash() + ".r0"), pem("X509 CRL", list));
    } catch (IOException | OperatorCreationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The name of its files: OpenSSL's hash of its name, for names in plain ASCII. */
  public String hash() {
    try {
      MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
      for (RDN part : X500Name.getInstance(certificate().getSubjectX500Principal().getEncoded()).getRDNs()) {
        AttributeTypeAndValue value = part.getFirst();
        String text = value.getValue().toString().strip().toLowerCase(Locale.ROOT).replaceAll("\\s+", " ");
        sha1.update(der(new DERSet(new AttributeTypeAndValue(value.getType(), new DERUTF8String(text)))));
      }
      byte[] digest = sha1.digest();
      StringBuilder hash = new StringBuilder();
      for (int i = 3; i >= 0; i--) {
        hash.append(String.format("%02x", digest[i]));
      }
      return hash.toString();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Replaces a file at once. */
  public static void write(Path file, String text) {
    try {
      Path draft = Files.writeString(file.resolveSibling(file.getFileName() + ".new"), text);
      Path unused = Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** An object in PEM. */
  public static String pem(String kind, byte[] content) {
    return "-----BEGIN " + kind + "-----\n"
        + Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(content) + "\n-----END "
        + kind + "-----\n";
  }

  private static byte[] encoded(X509Certificate certificate) {
    try {
      return certificate.getEncoded();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] der(org.bouncycastle.asn1.ASN1Object object) {
    try {
      return object.getEncoded("DER");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
