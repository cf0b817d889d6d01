package io.rns.local;

import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.zip.ZipFile;

/**
 * A GlassFish domain: the directory of one server, created from the installation's template. Caches that speed up a
 * start (bundle cache, unpacked applications) are kept; the configuration is rewritten at each start.
 *
 * @param installation the unpacked GlassFish, never written to
 * @param directory of the domain
 */
record GlassFishDomain(Path installation, Path directory) {
  private static final List<String> DIRECTORIES =
      List.of("applications", "autodeploy/bundles", "config", "docroot", "lib/applibs", "lib/classes", "lib/ext",
          "logs");
  private static final String LOG_HANDLER = "org.glassfish.main.jul.handler.GlassFishLogHandler";

  /**
   * Code that runs only during startup is left to the fast compiler: the optimizing one spent a third of the processor
   * time of a start on it, most of it on a single method of the module resolver.
   */
  private static final String COMPILER_DIRECTIVES =
      """
      [
        {
          match: ["org/apache/felix/*.*", "org/objectweb/asm/*.*", "org/glassfish/hk2/classmodel/*.*"],
          c2: { Exclude: true }
        }
      ]
      """;

  /**
   * Prepares the domain for a start.
   *
   * @return the JVM options required by GlassFish
   */
  List<String> prepare(int port, Map<String, Path> wars) {
    try {
      dropCacheOfOtherInstallation();
      for (String name : DIRECTORIES) {
        Files.createDirectories(directory.resolve(name));
      }
      // Files in the default temporary directory would never be deleted.
      FileTrees.delete(temporary());
      Files.createDirectories(temporary());
      copySettings();
      writeLogging();
      Files.writeString(compilerDirectives(), COMPILER_DIRECTIVES);
      unpackChanged(wars);
      DomainXml settings = DomainXml.read(template().resolve("domain.xml"));
      List<String> options = settings.jvmOptions();
      settings.listen(port);
      settings.silence();
      settings.deploy(wars.keySet());
      settings.write(directory.resolve("config/domain.xml"));
      return options.stream().map(this::resolved).toList();
    } catch (IOException e) {
      throw new LocalServiceException(
          "GlassFish's directory " + directory + " cannot be created: " + e.getMessage(), e);
    }
  }

  Path log() {
    return directory.resolve("logs/server.log");
  }

  /** For the JVM, written by {@link #prepare}. */
  Path compilerDirectives() {
    return directory.resolve("config/compiler-directives.json");
  }

  Path temporary() {
    return directory.resolve("tmp");
  }

  /** GlassFish's {@code lib}, {@code modules} and the rest are one level below the root of its archive. */
  Path home() {
    return installation.resolve("glassfish");
  }

  private Path template() {
    return home().resolve("domains/domain1/config");
  }

  private String resolved(String option) {
    return option
        .replace("${com.sun.aas.instanceRoot}", directory.toString())
        .replace("${com.sun.aas.installRoot}", home().toString());
  }

  /** The bundle cache refers to files of the installation it was built from. */
  private void dropCacheOfOtherInstallation() throws IOException {
    Files.createDirectories(directory);
    Path stamp = directory.resolve("installation");
    if (!Files.exists(guard())) {
      throw new LocalServiceException("the guard is not at " + guard() + LocalInstallation.REMEDY);
    }
    String identity = identity();
    if (!identity.equals(content(stamp))) {
      FileTrees.delete(BundleCache.of(directory));
      Files.writeString(stamp, identity);
    }
    BundleCache.beside(installation).give(directory, identity);
  }

  private String identity() throws IOException {
    return home() + " " + Files.getLastModifiedTime(home().resolve("modules")) + " "
        + Files.getLastModifiedTime(guard());
  }

  private Path guard() {
    return home().resolve("modules/rns-guard.jar");
  }

  /** Keeps what spares later new domains a part of their first start; GlassFish was stopped after it had served. */
  void keepCache() {
    try {
      BundleCache.beside(installation).keep(directory, identity());
    } catch (IOException e) {
      // Later domains start as this one did; the installation may belong to another user.
    }
  }

  private void copySettings() throws IOException {
    try (var files = Files.list(template())) {
      for (Path file : files.toList()) {
        Path name = file.getFileName();
        if (!name.toString().equals("domain.xml")) {
          Files.copy(file, directory.resolve("config").resolve(name), StandardCopyOption.REPLACE_EXISTING);
        }
      }
    }
  }

  /** One log with one line per message: the current file and 4 archived ones, 16 MB each. */
  private void writeLogging() throws IOException {
    Properties logging = new Properties();
    Path file = directory.resolve("config/logging.properties");
    try (Reader reader = Files.newBufferedReader(template().resolve("logging.properties"))) {
      logging.load(reader);
    }
    logging.setProperty("handlers", LOG_HANDLER);
    logging.setProperty(LOG_HANDLER + ".formatter", "org.glassfish.main.jul.formatter.OneLineFormatter");
    logging.setProperty(LOG_HANDLER + ".rotation.limit.megabytes", "16");
    logging.setProperty(LOG_HANDLER + ".rotation.maxArchiveFiles", "4");
    try (Writer writer = Files.newBufferedWriter(file)) {
      logging.store(writer, null);
    }
  }

  private void unpackChanged(Map<String, Path> wars) throws IOException {
    for (Map.Entry<String, Path> war : wars.entrySet()) {
      Path target = directory.resolve("applications").resolve(war.getKey());
      Path stamp = directory.resolve(war.getKey() + ".war.stamp");
      Path source = war.getValue();
      String identity = source + " " + Files.size(source) + " " + Files.getLastModifiedTime(source);
      if (identity.equals(content(stamp)) && Files.isDirectory(target)) {
        continue;
      }
      FileTrees.delete(target);
      FileTrees.delete(directory.resolve("generated"));
      try (ZipFile archive = new ZipFile(source.toFile())) {
        FileTrees.unpack(archive, target, name -> name);
      }
      Files.writeString(stamp, identity);
    }
  }

  private static String content(Path file) throws IOException {
    return Files.exists(file) ? Files.readString(file) : "";
  }
}
