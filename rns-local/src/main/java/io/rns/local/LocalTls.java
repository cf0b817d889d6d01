package io.rns.local;

import io.rns.certificate.CertificateAuthority;
import io.rns.certificate.CertifiedKey;
import io.rns.certificate.UnusableCertificateException;
import io.rns.client.http.TlsTrust;
import io.rns.error.RnsException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The certificate of the servers on a data directory, in its subdirectory {@code tls}: {@code server.pem} and {@code
 * server.key}, which GlassFish serves, and {@code ca.pem}, which clients trust. Kept up to date while the service runs.
 * Thread-safe.
 */
final class LocalTls implements AutoCloseable {
  /** Certificates of our authority are renewed this long before they expire. */
  static final Duration RENEWAL = Duration.ofDays(30);

  private static final long LOOK_SECONDS = 60;
  private static final String LOOPBACK = "127.0.0.1";
  private static final String LOCALHOST = "localhost";

  private final Path directory;
  private final Source source;
  private final InstantSource clock;
  private final String host;
  private final CountDownLatch closing = new CountDownLatch(1);

  /**
   * Where certificates come from.
   *
   * @param certificate the file of a certificate chain in PEM; null to have our authority issue it
   * @param key the file of its key; null exactly if {@code certificate} is
   * @param names further names and addresses by which clients reach the service
   */
  record Source(@Nullable Path certificate, @Nullable Path key, List<String> names) {
    /** Our authority, for names in the settings of servers. */
    static Source authority(Map<String, String> environment) {
      Set<String> names = new LinkedHashSet<>();
      for (String name : environment.getOrDefault("RNS_HOSTS", "").split(",", -1)) {
        host("https://" + name.strip()).ifPresent(names::add);
      }
      host(environment.getOrDefault("RNS_PUBLIC_URL", "")).ifPresent(names::add);
      return new Source(null, null, List.copyOf(names));
    }

    /** Files of the user. */
    static Source files(Path certificate, Path key) {
      return new Source(certificate.toAbsolutePath().normalize(), key.toAbsolutePath().normalize(), List.of());
    }

    private static Optional<String> host(String url) {
      try {
        return Optional.ofNullable(URI.create(url).getHost()).map(host -> host.replaceAll("^\\[|]$", ""));
      } catch (IllegalArgumentException e) {
        // The server refuses the setting, with a message.
        return Optional.empty();
      }
    }
  }

  private LocalTls(Path directory, Source source, InstantSource clock) {
    this.directory = directory;
    this.source = source;
    this.clock = clock;
    this.host = host(refresh().names());
  }

  /**
   * Makes or checks all files.
   *
   * @throws LocalServiceException if a certificate or key cannot be used; the message says what to do
   */
  static LocalTls prepare(DataDirectory data, Source source, InstantSource clock) {
    Path directory = data.root().resolve("tls");
    try {
      FileTrees.createPrivate(directory);
      return new LocalTls(directory, source, clock);
    } catch (UnusableCertificateException e) {
      throw new LocalServiceException(String.valueOf(e.getMessage()), e);
    } catch (IOException e) {
      throw new LocalServiceException(directory + " cannot be created: " + e.getMessage(), e);
    }
  }

  /** For a service that wants HTTPS, with its files looked after; null for one that does not. */
  static @Nullable LocalTls of(DataDirectory data, @Nullable Source source, Consumer<String> progress) {
    if (source == null) {
      return null;
    }
    LocalTls tls = prepare(data, source, InstantSource.system());
    tls.keep(progress);
    return tls;
  }

  /** What clients of servers with or without HTTPS trust. */
  static TlsTrust trustOf(@Nullable LocalTls tls) {
    return tls == null ? TlsTrust.SYSTEM : tls.trust();
  }

  /** The certificate chain for GlassFish. */
  Path certificate() {
    return directory.resolve("server.pem");
  }

  /** Its key, in PKCS#8. */
  Path key() {
    return directory.resolve("server.key");
  }

  /** The certificate that clients trust. */
  Path authority() {
    return directory.resolve("ca.pem");
  }

  /** The settings of servers: whom they trust among each other, and TLS of their registrars. */
  Map<String, String> settings() {
    return Map.of(
        "RNS_TLS_CA", authority().toString(), "RNS_POOL_CERTIFICATE", certificate().toString(), "RNS_POOL_KEY",
        key().toString());
  }

  /** The host in the addresses of servers without HTTPS, else that of their certificate. */
  static String hostOf(@Nullable LocalTls tls) {
    return tls == null ? LOOPBACK : tls.host();
  }

  /** The host in the addresses of the servers: a name of this host in the certificate. */
  String host() {
    return host;
  }

  /** What clients on this machine trust. */
  TlsTrust trust() {
    try {
      return TlsTrust.file(authority());
    } catch (RnsException e) {
      throw new LocalServiceException(String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * Looks after the certificate until closed.
   *
   * @param progress receives a line about each renewal, and about what prevents one
   */
  void keep(Consumer<String> progress) {
    Thread.ofVirtual().name("certificates").start(() -> watch(progress));
  }

  private void watch(Consumer<String> progress) {
    Instant known = refresh().expiry();
    String said = "";
    try {
      while (!closing.await(LOOK_SECONDS, TimeUnit.SECONDS)) {
        try {
          Instant expiry = refresh().expiry();
          if (!expiry.equals(known)) {
            progress.accept("the certificate was renewed; it expires at " + expiry);
            known = expiry;
          }
          said = "";
        } catch (UnusableCertificateException e) {
          String problem = "the certificate was not renewed: " + e.getMessage();
          if (!problem.equals(said)) {
            progress.accept(problem);
            said = problem;
          }
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Makes the files what they should be now, and returns the certificate. */
  CertifiedKey refresh() {
    Path ofUser = source.certificate();
    Path keyOfUser = source.key();
    return ofUser == null || keyOfUser == null ? ofAuthority() : ofUser(ofUser, keyOfUser);
  }

  private CertifiedKey ofUser(Path certificate, Path key) {
    CertifiedKey given = CertifiedKey.read(certificate, key);
    given.requireValid(certificate, clock.instant());
    String unused = host(given.names());
    return kept(given, given.chain().getLast());
  }

  private CertifiedKey ofAuthority() {
    Instant now = clock.instant();
    CertificateAuthority own =
        CertificateAuthority.in(directory.resolve("authority.pem"), directory.resolve("authority.key"), now);
    Set<String> names = new LinkedHashSet<>(List.of(LOOPBACK, LOCALHOST));
    names.addAll(source.names());
    if (Files.exists(certificate()) && Files.exists(key())) {
      CertifiedKey present = CertifiedKey.read(certificate(), key());
      boolean lasts = present.expiry().isAfter(now.plus(RENEWAL))
          // It cannot outlive the authority.
          || present.expiry().equals(own.certificate().getNotAfter().toInstant());
      if (present.chain().getLast().equals(own.certificate()) && Set.copyOf(present.names()).equals(names) && lasts) {
        present.requireValid(certificate(), now);
        return kept(present, own.certificate());
      }
    }
    return kept(own.issue(List.copyOf(names), now), own.certificate());
  }

  /** Writes what has changed. */
  private CertifiedKey kept(CertifiedKey wanted, X509Certificate trusted) {
    try {
      if (!isKept(wanted)) {
        wanted.write(certificate(), key());
      }
      if (!Files.exists(authority()) || !CertifiedKey.certificates(authority()).equals(List.of(trusted))) {
        CertifiedKey.writeCertificates(authority(), List.of(trusted));
      }
      return wanted;
    } catch (IOException e) {
      throw new UnusableCertificateException(directory + " cannot be written: " + e.getMessage(), e);
    }
  }

  private boolean isKept(CertifiedKey wanted) {
    try {
      // Keys need no comparison: the one that is read fits its certificate.
      return CertifiedKey.read(certificate(), key()).chain().equals(wanted.chain());
    } catch (UnusableCertificateException e) {
      // Absent, or left by an interrupted renewal.
      return false;
    }
  }

  private static String host(List<String> names) {
    for (String usual : List.of(LOOPBACK, LOCALHOST)) {
      if (names.contains(usual)) {
        return usual;
      }
    }
    return names.stream()
        .filter(LocalTls::isHere)
        .findFirst()
        .orElseThrow(
            () -> new UnusableCertificateException(
                "the certificate is for " + (names.isEmpty() ? "no host" : String.join(", ", names)) + ", not for "
                    + LOOPBACK + ", where the service listens; use one for " + LOOPBACK + " or " + LOCALHOST
                    + ", or have one of its names lead to " + LOOPBACK + " (/etc/hosts)",
                null));
  }

  private static boolean isHere(String name) {
    try {
      return !name.startsWith("*") && InetAddress.getByName(name).getHostAddress().equals(LOOPBACK);
    } catch (UnknownHostException e) {
      return false;
    }
  }

  @Override
  public void close() {
    closing.countDown();
  }
}
