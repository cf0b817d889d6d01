package io.rns.local;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * Where the build puts the parts of the local service.
 *
 * @param staged the directory {@code rns-local/target/local}
 * @param cache for files unpacked once per user: {@code RNS_CACHE}, or {@code rns} below {@code XDG_CACHE_HOME}, or
 *        {@code ~/.cache/rns}
 */
record LocalInstallation(Path staged, Path cache) {
  static final String REMEDY = "; build it with: mvn -q -DskipTests package";

  /** The installation from which this class was loaded. */
  static LocalInstallation find() {
    return new LocalInstallation(staged(classes()), cache(LocalEnvironment.variables()));
  }

  private static Path classes() {
    try {
      return Path.of(LocalInstallation.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new LocalServiceException("cannot find where RNS is installed: " + e.getMessage(), e);
    }
  }

  /** From {@code target/local/lib/rns-local.jar}, {@code target/classes} or {@code target/rns-local.jar}. */
  static Path staged(Path classes) {
    Path directory = classes.toAbsolutePath().getParent();
    return directory.endsWith("lib") ? directory.getParent() : directory.resolve("local");
  }

  static Path cache(Map<String, String> environment) {
    return given(environment, "RNS_CACHE")
        .or(() -> given(environment, "XDG_CACHE_HOME").map(path -> path.resolve("rns")))
        .orElseGet(() -> LocalEnvironment.home().resolve(".cache/rns"));
  }

  /** Where MySQL is unpacked: {@code RNS_MYSQL}, or the default directory of docker/mysql-debian.sh. */
  static Path mySql(Map<String, String> environment) {
    return given(environment, "RNS_MYSQL")
        .or(() -> given(environment, "XDG_CACHE_HOME").map(path -> path.resolve("rns/mysql-debian")))
        .orElseGet(() -> LocalEnvironment.home().resolve(".cache/rns/mysql-debian"));
  }

  private static Optional<Path> given(Map<String, String> environment, String name) {
    return Optional.ofNullable(environment.get(name)).filter(text -> !text.isBlank()).map(Path::of);
  }

  /** The unpacked GlassFish, never written to. */
  Path glassFish() {
    return required(staged.resolve("glassfish8"), "GlassFish");
  }

  /** The WAR of the service. */
  Path war() {
    return required(checkout().resolve("rns-server/target/rns.war"), "the WAR of the service");
  }

  /** The WAR of the yardstick. */
  Path yardstickWar() {
    return required(checkout().resolve("loadtest/target/yardstick.war"), "the yardstick WAR");
  }

  /** The directory of the libraries of a front. */
  Path front() {
    return required(checkout().resolve("rns-front/target/front/lib"), "the front");
  }

  private Path checkout() {
    return staged.toAbsolutePath().resolve("../../..").normalize();
  }

  private static Path required(Path path, String what) {
    if (!Files.exists(path)) {
      throw new LocalServiceException(what + " is not at " + path + REMEDY);
    }
    return path;
  }
}
