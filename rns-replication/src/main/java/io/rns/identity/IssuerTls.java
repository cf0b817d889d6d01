package io.rns.identity;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * TLS to issuers: trusts what this Java trusts. The default of an application server is not used, since that has stores
 * of its own, which may be locked.
 */
final class IssuerTls {
  private IssuerTls() {}

  static SSLContext context() {
    Path security = Path.of(System.getProperty("java.home"), "lib", "security");
    Path store =
        List.of(security.resolve("jssecacerts"), security.resolve("cacerts")).stream().filter(Files::isReadable)
            .findFirst()
            .orElseThrow(() -> new IllegalStateException("there are no trusted certificates in " + security));
    try {
      TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      char @Nullable [] unlocked = null;
      trusted.init(KeyStore.getInstance(store.toFile(), unlocked));
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trusted.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("the trusted certificates in " + store + " cannot be read", e);
    }
  }
}
