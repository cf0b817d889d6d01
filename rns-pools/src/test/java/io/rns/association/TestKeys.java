package io.rns.association;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** TLS with a certificate of its own, which trusts everybody. */
final class TestKeys implements AssociationTls {
  private static final String KEY =
      "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgK7bhwzdyL4CZOtcv35XI+E7LjYtqjYJSNyGtpZDX0E6hRANCAAQP"
          + "Oh28uxOWyj0Mm2J4UxMJS4iCcSEcmcFaSLJ6xTYV4LVheHsXkZ0GMGRNXdlCxGRhRcxnyW5G8YjKJQ3kDfaz";

  /** Until 2126. */
  private static final String CERTIFICATE =
      "MIIBdTCCARugAwIBAgIUDXb5YqIhaC7/+N1tjE9rql2rAwUwCgYIKoZIzj0EAwIwDzENMAsGA1UEAwwEdGVzdDAgFw0yNjExMjcx"
          + "ODM1NTBaGA8yMTI2MTEwMzE4MzU1MFowDzENMAsGA1UEAwwEdGVzdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABA86Hby7E5bK"
          + "PQybYnhTEwlLiIJxIRyZwVpIsnrFNhXgtWF4exeRnQYwZE1d2ULEZGFFzGfJbkbxiMolDeQN9rOjUzBRMB0GA1UdDgQWBBQVQduQ"
          + "WJhAu5RBUl66u23Do+N2NTAfBgNVHSMEGDAWgBQVQduQWJhAu5RBUl66u23Do+N2NTAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49"
          + "BAMCA0gAMEUCIQCujl02qOdVfGF/FqY/IoFt5DStaZK2oVYv/GxYBFEgoAIgcpIBKlOhVFUNJIHXQHx9sldE58j+7kjQX0R5IqTz"
          + "uL0=";

  private final SSLContext context;

  TestKeys() throws GeneralSecurityException, IOException {
    Base64.Decoder base64 = Base64.getDecoder();
    PrivateKey key = KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(base64.decode(KEY)));
    Certificate own =
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(base64.decode(CERTIFICATE)));
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setKeyEntry("a", key, new char[0], new Certificate[]{own});
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, new char[0]);
    context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), new TrustManager[]{new Everybody()}, null);
  }

  SSLContext context() {
    return context;
  }

  @Override
  public SSLContext accepting(Protocol protocol) {
    return context;
  }

  @Override
  public SSLContext connecting(Protocol protocol) {
    return context;
  }

  @Override
  public boolean asksForCertificates() {
    return false;
  }

  private static final class Everybody extends X509ExtendedTrustManager {
    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}
  }
}
