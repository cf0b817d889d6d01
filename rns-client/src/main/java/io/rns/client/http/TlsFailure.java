package io.rns.client.http;

import java.io.IOException;
import java.net.URI;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/** Explains why a TLS connection cannot be made, and what to do. */
public final class TlsFailure {
  /** Chains of causes are short; a bound in case one is a cycle. */
  private static final int MOST_CAUSES = 20;

  private TlsFailure() {}

  /** A failure with an explanation, or {@code failure} if TLS is not the reason. */
  static IOException explained(IOException failure, String host, int port) {
    String reason = reason(failure, host + ":" + port);
    return reason == null ? failure : new SSLException(reason, failure);
  }

  /**
   * Why a connection with TLS failed.
   *
   * @param place host and port of the server
   * @return null if TLS is not the reason
   */
  public static @Nullable String reason(IOException failure, String place) {
    if (!(failure instanceof SSLException)) {
      return null;
    }
    if (has(failure, CertificateExpiredException.class)) {
      return "the certificate of " + place + " has expired; the operator has to renew it" + detail(failure);
    }
    if (has(failure, CertificateNotYetValidException.class)) {
      return "the certificate of " + place + " is not valid yet; check the clocks of both hosts" + detail(failure);
    }
    if (has(failure, CertPathBuilderException.class) || has(failure, CertPathValidatorException.class)) {
      return "the certificate of " + place + " is not trusted; name its certificate authority"
          + " (--ca FILE, RNS_CA, or the builder's trustedCertificates)" + detail(failure);
    }
    if (has(failure, CertificateException.class)) {
      return "the certificate of " + place + " is for another name; use a name that is in it" + detail(failure);
    }
    if (failure instanceof SSLHandshakeException) {
      return "no TLS connection to " + place + ": " + failure.getMessage();
    }
    return place + " does not answer in TLS; if it is a plain HTTP server, use http:// in the URL" + detail(failure);
  }

  private static boolean has(Throwable failure, Class<? extends Throwable> kind) {
    Throwable at = failure;
    for (int i = 0; at != null && i < MOST_CAUSES; i++, at = at.getCause()) {
      if (kind.isInstance(at)) {
        return true;
      }
    }
    return false;
  }

  private static String detail(IOException failure) {
    return " (" + failure.getMessage() + ")";
  }

  /** What a server says by status 426 to plain HTTP; see RFC 9110, section 15.5.22. */
  public static String plain(URI address) {
    return address + " takes HTTPS only; use https:// in the URL";
  }
}
