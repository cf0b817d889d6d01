package io.rns.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * The cache that GlassFish makes of its modules at the first start of a domain (98 MB, a tenth of the processor time of
 * the start). It depends on the installation and on nothing of the domain, so one copy beside the installation serves
 * later new domains. Processes may use it at the same time: it appears at once, and a new one replaces it as a whole.
 *
 * @param shared where that copy is kept
 */
record BundleCache(Path shared) {
  private static final String NAME = "osgi-cache";
  /** Says, in each cache, of which installation it is. */
  private static final String STAMP = "installation";

  static BundleCache beside(Path installation) {
    return new BundleCache(installation.resolveSibling(NAME));
  }

  static Path of(Path domain) {
    return domain.resolve(NAME);
  }

  /**
   * Gives a new domain the kept cache, if it is of this installation. Without it GlassFish makes one.
   *
   * @param identity of the installation
   */
  void give(Path domain, String identity) throws IOException {
    if (Files.exists(of(domain)) || !isOf(identity)) {
      return;
    }
    Path aside = domain.resolve(NAME + ".new");
    try {
      FileTrees.delete(aside);
      FileTrees.copy(shared, aside);
      Files.move(aside, of(domain), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      // Another process has just replaced it.
      FileTrees.delete(aside);
    }
  }

  /** Keeps the cache of a domain whose GlassFish has started and was stopped, unless there is one already. */
  void keep(Path domain, String identity) throws IOException {
    // The servers of a group stop at the same time.
    synchronized (BundleCache.class) {
      if (!isOf(identity) && Files.isDirectory(of(domain))) {
        replace(of(domain), identity);
      }
    }
  }

  private void replace(Path cache, String identity) throws IOException {
    Path aside = Files.createTempDirectory(shared.toAbsolutePath().getParent(), NAME);
    Path old = aside.resolveSibling(aside.getFileName() + ".old");
    try {
      FileTrees.copy(cache, aside);
      Files.writeString(aside.resolve(STAMP), identity);
      if (Files.exists(shared)) {
        Files.move(shared, old, StandardCopyOption.ATOMIC_MOVE);
      }
      Files.move(aside, shared, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      FileTrees.delete(aside);
      FileTrees.delete(old);
    }
  }

  private boolean isOf(String identity) throws IOException {
    Path stamp = shared.resolve(STAMP);
    return Files.exists(stamp) && Files.readString(stamp).equals(identity);
  }
}
