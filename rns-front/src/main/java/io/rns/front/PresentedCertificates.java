package io.rns.front;

import io.netty.channel.Channel;
import io.netty.handler.ssl.SslHandler;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/**
 * The certificates that a client has presented on its connection, and who it is by them. Used by the thread of its loop
 * only.
 */
final class PresentedCertificates {
  private final List<X509Certificate> chain;
  private CertificateCaller.@Nullable Decided known;

  private PresentedCertificates(List<X509Certificate> chain) {
    this.chain = chain;
  }

  /** Those of a connection of TLS, after its handshake; it has no other later. */
  static PresentedCertificates of(Channel channel) {
    SslHandler tls = channel.pipeline().get(SslHandler.class);
    if (tls == null) {
      return new PresentedCertificates(List.of());
    }
    try {
      Certificate[] presented = tls.engine().getSession().getPeerCertificates();
      return new PresentedCertificates(
          List.of(Arrays.copyOf(presented, presented.length, X509Certificate[].class)));
    } catch (SSLPeerUnverifiedException e) {
      return new PresentedCertificates(List.of());
    }
  }

  /** The client's own first, which it has the key of; empty if it has presented none. */
  List<X509Certificate> chain() {
    return chain;
  }

  /** What servers are told; null if that is not known, or no longer holds. */
  @Nullable
  String text(CertificateCallers callers) {
    CertificateCaller.Decided decided = known;
    return decided != null && callers.holds(decided) ? decided.text() : null;
  }

  void decide(CertificateCaller.Decided decided) {
    known = decided;
  }
}
