package io.rns.local;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Whose certificates prove who a client is, for what terminates TLS: servers read the same variables themselves.
 *
 * @param trust value of {@code RNS_X509_TRUST}; empty if clients are not asked for certificates
 * @param revocation value of {@code RNS_X509_CRL}
 * @param voms value of {@code RNS_VOMS}
 */
record CertificateSettings(String trust, String revocation, String voms) {
  /**
   * The settings of a server.
   *
   * @param own variables that come before those of this process
   */
  static CertificateSettings of(Map<String, String> own) {
    return new CertificateSettings(
        value(own, "RNS_X509_TRUST"), value(own, "RNS_X509_CRL"), value(own, "RNS_VOMS"));
  }

  private static String value(Map<String, String> own, String name) {
    return own.getOrDefault(name, LocalEnvironment.variables().getOrDefault(name, "")).strip();
  }

  /** Whether clients are asked for certificates. */
  boolean asks() {
    return !trust.isEmpty();
  }

  /** The options of a front. */
  List<String> options() {
    List<String> options = new ArrayList<>();
    if (asks()) {
      options.add("--x509-trust=" + trust);
      if (!revocation.isEmpty()) {
        options.add("--x509-crl=" + revocation);
      }
      if (!voms.isEmpty()) {
        options.add("--voms=" + voms);
      }
    }
    return options;
  }
}
