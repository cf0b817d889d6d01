package io.rns.identity;

import eu.emi.security.authn.x509.CrlCheckingMode;
import eu.emi.security.authn.x509.NamespaceCheckingMode;
import eu.emi.security.authn.x509.OCSPCheckingMode;
import eu.emi.security.authn.x509.OCSPParametes;
import eu.emi.security.authn.x509.ProxySupport;
import eu.emi.security.authn.x509.RevocationParameters;
import eu.emi.security.authn.x509.StoreUpdateListener;
import eu.emi.security.authn.x509.X509CertChainValidatorExt;
import eu.emi.security.authn.x509.impl.CRLParameters;
import eu.emi.security.authn.x509.impl.InMemoryKeystoreCertChainValidator;
import eu.emi.security.authn.x509.impl.OpensslCertChainValidator;
import eu.emi.security.authn.x509.impl.RevocationParametersExt;
import eu.emi.security.authn.x509.impl.ValidatorParams;
import eu.emi.security.authn.x509.impl.ValidatorParamsExt;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes what validates certificate chains, including proxy certificates, by files of authorities. */
final class TrustedAuthorities {
  private static final Pattern ANCHOR = Pattern.compile("[0-9a-f]{8}\\.[0-9]+");
  private static final long MOST_BYTES = 4L << 20;

  /** Files are read when needed; a change makes another validator, so that none has to look again. */
  private static final long NEVER_MILLIS = Long.MAX_VALUE / 2;

  private static final Logger LOG = LoggerFactory.getLogger(TrustedAuthorities.class);

  private TrustedAuthorities() {}

  /**
   * A validator for the authorities in a directory or a PEM file.
   *
   * @throws IOException if there is none
   */
  static X509CertChainValidatorExt read(Path root, boolean revocationListsNeeded) throws IOException {
    RevocationParameters revocation =
        new RevocationParameters(
            revocationListsNeeded ? CrlCheckingMode.REQUIRE : CrlCheckingMode.IF_VALID,
            new OCSPParametes(OCSPCheckingMode.IGNORE));
    Thread current = Thread.currentThread();
    ClassLoader before = current.getContextClassLoader();
    // The library starts a thread, which must not keep this application after it was undeployed.
    current.setContextClassLoader(ClassLoader.getSystemClassLoader());
    try {
      return Files.isDirectory(root) ? ofDirectory(root, revocation) : ofFile(root, revocation);
    } finally {
      current.setContextClassLoader(before);
    }
  }

  private static X509CertChainValidatorExt ofDirectory(Path root, RevocationParameters revocation) throws IOException {
    try (Stream<Path> files = Files.list(root)) {
      if (files.noneMatch(file -> ANCHOR.matcher(String.valueOf(file.getFileName())).matches())) {
        throw new IOException(
            root + " has no certificate authority: a file HASH.0, as 'openssl rehash " + root + "' names it");
      }
    }
    return new OpensslCertChainValidator(
        root.toString(), true, NamespaceCheckingMode.EUGRIDPMA_GLOBUS, NEVER_MILLIS,
        new ValidatorParams(revocation, ProxySupport.ALLOW, List.of(TrustedAuthorities::note)), true);
  }

  private static X509CertChainValidatorExt ofFile(Path file, RevocationParameters revocation) throws IOException {
    if (Files.size(file) > MOST_BYTES) {
      throw new IOException(file + " has " + Files.size(file) + " bytes; allowed are " + MOST_BYTES);
    }
    try (InputStream in = Files.newInputStream(file)) {
      Collection<? extends Certificate> found = CertificateFactory.getInstance("X.509").generateCertificates(in);
      if (found.isEmpty()) {
        throw new IOException(file + " has no certificate");
      }
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      int number = 0;
      for (Certificate certificate : found) {
        store.setCertificateEntry("authority-" + number++, certificate);
      }
      return new InMemoryKeystoreCertChainValidator(
          store,
          new ValidatorParamsExt(
              new RevocationParametersExt(
                  revocation.getCrlCheckingMode(), new CRLParameters(), revocation.getOcspParameters()),
              ProxySupport.ALLOW));
    } catch (GeneralSecurityException e) {
      throw new IOException(file + " has no certificates in PEM: " + e.getMessage(), e);
    }
  }

  private static void note(String location, String type, StoreUpdateListener.Severity severity, Exception cause) {
    if (severity != StoreUpdateListener.Severity.NOTIFICATION) {
      LOG.warn("{} '{}' cannot be used: {}", type, location, String.valueOf(cause));
    }
  }
}
