package io.rns.local;

import io.rns.grid.TestAuthority.Credential;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A client with connections of its own, which presents a certificate or none. */
final class CertificateClient implements AutoCloseable {
  private final HttpClient http;

  /**
   * A client.
   *
   * @param authority file of the certificate that it trusts
   * @param credential what it presents; nothing if empty
   */
  CertificateClient(Path authority, Credential... credential) throws Exception {
    http =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).sslContext(context(authority, credential)).build();
  }

  /** The same for other protocols. */
  static SSLContext context(Path authority, Credential... credential) throws Exception {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    try (InputStream in = Files.newInputStream(authority)) {
      trusted.setCertificateEntry("ca", CertificateFactory.getInstance("X.509").generateCertificate(in));
    }
    TrustManagerFactory trusts = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trusts.init(trusted);
    KeyStore own = KeyStore.getInstance("PKCS12");
    own.load(null, null);
    for (Credential each : credential) {
      own.setKeyEntry("client", each.key(), new char[0], each.chain().toArray(Certificate[]::new));
    }
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(own, new char[0]);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trusts.getTrustManagers(), null);
    return context;
  }

  /** An answer. */
  record Answer(int status, String body) {}

  /**
   * Sends a request.
   *
   * @param header lines such as {@code Name: value}
   */
  Answer send(String method, String url, String body, String... header) throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url))
            .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    for (String each : header) {
      int colon = each.indexOf(':');
      request.header(each.substring(0, colon), each.substring(colon + 1).strip());
    }
    HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
    return new Answer(response.statusCode(), response.body());
  }

  /** Where a front sends a request that accepts it; empty if it answers itself. */
  Optional<String> location(String url, String... header) throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url)).header("RNS-Direct", "accept");
    for (String each : header) {
      int colon = each.indexOf(':');
      request.header(each.substring(0, colon), each.substring(colon + 1).strip());
    }
    return http.send(request.build(), BodyHandlers.ofString()).headers().firstValue("Location");
  }

  @Override
  public void close() {
    http.close();
  }
}
