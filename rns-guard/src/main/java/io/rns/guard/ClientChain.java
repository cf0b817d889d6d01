package io.rns.guard;

import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.glassfish.grizzly.Connection;
import org.glassfish.grizzly.Grizzly;
import org.glassfish.grizzly.attributes.Attribute;
import org.glassfish.grizzly.http.server.Request;
import org.glassfish.grizzly.ssl.SSLUtils;

/**
 * Hands the certificate chain that a client has presented on to the application, as a request attribute of its own: the
 * standard one has Grizzly parse the chain anew for each request. The chain is found once per connection, since
 * connections are not renegotiated.
 */
final class ClientChain {
  /** The attribute: an array of certificates, that of the client first. Unverified, but the client has its key. */
  static final String ATTRIBUTE = "io.rns.guard.ClientChain";

  private static final X509Certificate[] NONE = {};

  private static final Attribute<X509Certificate[]> OF_CONNECTION =
      Grizzly.DEFAULT_ATTRIBUTE_BUILDER.createAttribute(ATTRIBUTE);

  private ClientChain() {}

  /** Sets the attribute if the client has presented a chain. */
  static void handOn(Request request) {
    Connection<?> connection = request.getContext().getConnection();
    X509Certificate[] chain = OF_CONNECTION.get(connection);
    if (chain == null) {
      chain = presented(connection);
      OF_CONNECTION.set(connection, chain);
    }
    if (chain.length > 0) {
      request.setAttribute(ATTRIBUTE, chain);
    }
  }

  private static X509Certificate[] presented(Connection<?> connection) {
    SSLEngine engine = SSLUtils.getSSLEngine(connection);
    if (engine == null) {
      return NONE;
    }
    try {
      Certificate[] chain = engine.getSession().getPeerCertificates();
      return Arrays.copyOf(chain, chain.length, X509Certificate[].class);
    } catch (SSLPeerUnverifiedException e) {
      // The client has presented none.
      return NONE;
    }
  }
}
