package io.rns.loadtest.contest;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.rns.client.http.ClientCertificate;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.loadtest.launcher.Io;
import io.rns.loadtest.launcher.LoadtestEnvironment;
import io.rns.loadtest.launcher.Scratch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * An authority for one run of a contest, made with the keytool of this JVM, and a client certificate of it.
 *
 * @param authority a PEM file with the certificate of the authority
 */
record CertificateIssuer(Scratch scratch, Path authority, ClientCertificate client) implements AutoCloseable {
  private static final String PASSWORD = "bench-password";

  /** Makes the authority and its certificate. */
  static CertificateIssuer make() throws InterruptedException {
    Scratch scratch = Scratch.of("rns-certificates");
    Path store = scratch.path().resolve("keys.p12");
    keytool(store, "-alias", "ca", "-dname", "CN=Bench authority", "-ext", "bc:c=ca:true");
    keytool(store, "-alias", "client", "-dname", "CN=Bench client", "-signer", "ca");
    return Io.get("making a client certificate", () -> read(scratch, store));
  }

  private static CertificateIssuer read(Scratch scratch, Path store) throws IOException {
    Path authority = scratch.path().resolve("ca.pem");
    Path client = scratch.path().resolve("client.pem");
    try {
      KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
      Files.writeString(authority, pem("CERTIFICATE", keys.getCertificate("ca").getEncoded()));
      Files.createFile(client, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.writeString(
          client,
          pem("CERTIFICATE", keys.getCertificate("client").getEncoded())
              + pem("PRIVATE KEY", keys.getKey("client", PASSWORD.toCharArray()).getEncoded()));
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
    return new CertificateIssuer(scratch, authority, ClientCertificate.file(client));
  }

  private static void keytool(Path store, String... arguments) throws InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                LoadtestEnvironment.tool("keytool"), "-genkeypair", "-keyalg", "EC",
                "-groupname", "secp256r1", "-storetype", "PKCS12", "-keystore", store.toString(), "-storepass",
                PASSWORD));
    command.addAll(List.of(arguments));
    Process process =
        Io.get("starting keytool", () -> new ProcessBuilder(command).redirectErrorStream(true).start());
    String out = Io.get("reading from keytool", () -> new String(process.getInputStream().readAllBytes(), UTF_8));
    if (process.waitFor() != 0) {
      throw new RnsException(RnsError.UNAVAILABLE, "keytool cannot make a certificate: " + out.strip());
    }
  }

  private static String pem(String kind, byte[] content) {
    String lines = Base64.getMimeEncoder().encodeToString(content);
    return "-----BEGIN " + kind + "-----\n" + lines + "\n-----END " + kind + "-----\n";
  }

  @Override
  public void close() {
    Io.run("removing the certificates", scratch::close);
  }
}
