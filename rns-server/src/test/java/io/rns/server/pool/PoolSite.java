package io.rns.server.pool;

import io.rns.client.http.ClientCertificate;
import io.rns.client.http.TlsTrust;
import io.rns.grid.TestAuthority;
import io.rns.grid.TestAuthority.Credential;
import io.rns.grid.TestAuthority.Wish;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;

/** Certificates of a site whose registrars are at 127.0.0.1, in files of a directory. */
final class PoolSite {
  static final String HERE = "127.0.0.1";
  static final TestAuthority CA = TestAuthority.make("DC=org", "DC=test", "CN=Site CA");

  private final Path directory;
  private final Path authority;
  private int files;

  PoolSite(Path directory) throws IOException {
    this.directory = directory;
    this.authority = directory.resolve("ca.pem");
    try {
      Files.writeString(authority, TestAuthority.pem("CERTIFICATE", CA.certificate().getEncoded()));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Adds a name of a host. */
  static Wish named(Wish wish, int kind, String name) {
    try {
      return wish.extension("2.5.29.17", false, new GeneralNames(new GeneralName(kind, name)).getEncoded("DER"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Credential server(TestAuthority issuer) {
    return issuer.issue(named(new Wish(), GeneralName.iPAddress, HERE), "DC=org", "DC=test", "CN=server");
  }

  Path write(Credential credential) throws IOException {
    Path file = directory.resolve("server-" + files++ + ".pem");
    replace(file, credential);
    return file;
  }

  static void replace(Path file, Credential credential) throws IOException {
    TestAuthority.write(file, credential.pem());
    Path unused = Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  /** TLS of a registrar that trusts the site. */
  PoolTls tls(Path certificate, boolean asks) {
    return new PoolTls(ClientCertificate.file(certificate), TlsTrust.file(authority), List.of(HERE), asks);
  }

  /** What a client presents, if anything, to servers of the site. */
  static SSLSocketFactory client(Credential... credential) {
    try {
      KeyStore trusted = KeyStore.getInstance("PKCS12");
      trusted.load(null, null);
      trusted.setCertificateEntry("ca", CA.certificate());
      TrustManagerFactory trusts = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trusts.init(trusted);
      KeyStore own = KeyStore.getInstance("PKCS12");
      own.load(null, null);
      for (Credential each : credential) {
        own.setKeyEntry("client", each.key(), new char[0], each.chain().toArray(Certificate[]::new));
      }
      // The other kind of factory presents no certificate that has expired, or is for other uses.
      KeyManagerFactory keys = KeyManagerFactory.getInstance("SunX509");
      keys.init(own, new char[0]);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(
          credential.length == 0 ? new KeyManager[0] : keys.getKeyManagers(), trusts.getTrustManagers(), null);
      return context.getSocketFactory();
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
