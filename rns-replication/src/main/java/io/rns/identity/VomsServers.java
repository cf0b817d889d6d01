package io.rns.identity;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import javax.security.auth.x500.X500Principal;
import org.italiangrid.voms.VOMSError;
import org.italiangrid.voms.store.LSCInfo;
import org.italiangrid.voms.store.VOMSTrustStore;
import org.italiangrid.voms.store.VOMSTrustStoreStatusListener;
import org.italiangrid.voms.store.impl.DefaultLSCFileParser;
import org.jspecify.annotations.Nullable;

/**
 * The VOMS servers of virtual organisations (VOs), from files {@code VO/HOST.lsc}. Certificates of servers, which such
 * directories may have as well, do not count: they do not say for which VO. Immutable.
 */
final class VomsServers implements VOMSTrustStore {
  private static final String SUFFIX = ".lsc";
  private static final long MOST_BYTES = 1 << 20;

  private final Path root;
  private final Map<String, Set<LSCInfo>> byVo;

  private VomsServers(Path root, Map<String, Set<LSCInfo>> byVo) {
    this.root = root;
    this.byVo = Map.copyOf(byVo);
  }

  /**
   * Reads a directory.
   *
   * @throws IOException if it has no usable file
   */
  static VomsServers read(Path root) throws IOException {
    Map<String, Set<LSCInfo>> byVo = new HashMap<>();
    for (Path vo : listed(root)) {
      if (Files.isDirectory(vo)) {
        for (Path file : listed(vo)) {
          String name = String.valueOf(file.getFileName());
          if (name.endsWith(SUFFIX)) {
            String ofVo = String.valueOf(vo.getFileName());
            LSCInfo server = parse(ofVo, name.substring(0, name.length() - SUFFIX.length()), file);
            boolean unused = byVo.computeIfAbsent(ofVo, absent -> new HashSet<>()).add(server);
          }
        }
      }
    }
    if (byVo.isEmpty()) {
      throw new IOException(root + " has no VOMS server: a file VO/HOST.lsc");
    }
    return new VomsServers(root, byVo);
  }

  private static List<Path> listed(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.sorted().toList();
    }
  }

  private static LSCInfo parse(String vo, String host, Path file) throws IOException {
    if (Files.size(file) > MOST_BYTES) {
      throw new IOException(file + " has " + Files.size(file) + " bytes; allowed are " + MOST_BYTES);
    }
    try {
      LSCInfo server = new DefaultLSCFileParser().parse(vo, host, file.toFile());
      if (server.getCertificateChainDescription().size() < 2) {
        throw new IOException(file + " does not have two lines, the names of a VOMS server and of its issuer");
      }
      return server;
    } catch (VOMSError e) {
      throw new IOException(file + " cannot be used: " + e.getMessage(), e);
    }
  }

  /** Whether attributes of an organisation mean anything here. */
  boolean knows(String vo) {
    return byVo.containsKey(vo);
  }

  @Override
  public @Nullable LSCInfo getLSC(String vo, String host) {
    return byVo.getOrDefault(vo, Set.of()).stream().filter(server -> server.getHostname().equals(host)).findFirst()
        .orElse(null);
  }

  @Override
  public Map<String, Set<LSCInfo>> getAllLSCInfo() {
    return byVo;
  }

  @Override
  public List<String> getLocalTrustedDirectories() {
    return List.of(root.toString());
  }

  @Override
  public List<X509Certificate> getLocalAACertificates() {
    return List.of();
  }

  @Override
  public @Nullable X509Certificate getAACertificateBySubject(X500Principal subject) {
    return null;
  }

  /** It is made anew instead. */
  @Override
  public void loadTrustInformation() {}

  @Override
  public void setStatusListener(VOMSTrustStoreStatusListener listener) {}
}
