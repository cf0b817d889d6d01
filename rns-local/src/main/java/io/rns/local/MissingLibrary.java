package io.rns.local;

import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Turns the dynamic linker's error about a missing library into a remedy for the user. */
final class MissingLibrary {
  private static final Pattern LIBRARY = Pattern.compile("error while loading shared libraries: ([^:\\s]+):");
  private static final Pattern VERSION = Pattern.compile("version `(GLIBC(?:XX)?_[0-9.]+)' not found");

  /** The libraries linked by the database's program, directly or through libsystemd, and their Debian 12 packages. */
  private static final Map<String, String> PACKAGES =
      Map.ofEntries(
          Map.entry("libcrypt.so.1", "libcrypt1"),
          Map.entry("libsystemd.so.0", "libsystemd0"),
          Map.entry("libstdc++.so.6", "libstdc++6"),
          Map.entry("libgcc_s.so.1", "libgcc-s1"),
          Map.entry("libcap.so.2", "libcap2"),
          Map.entry("libgcrypt.so.20", "libgcrypt20"),
          Map.entry("libgpg-error.so.0", "libgpg-error0"),
          Map.entry("liblzma.so.5", "liblzma5"),
          Map.entry("libzstd.so.1", "libzstd1"),
          Map.entry("liblz4.so.1", "liblz4-1"));

  private MissingLibrary() {}

  /** An explanation, if {@code output} is that of a program that could not be loaded. */
  static Optional<String> explain(String output) {
    Matcher library = LIBRARY.matcher(output);
    if (library.find()) {
      String name = library.group(1);
      String remedy =
          PACKAGES.containsKey(name)
              ? "on Debian and Ubuntu: apt-get install " + PACKAGES.get(name)
              : "install the package that provides it";
      return Optional.of("the embedded database needs the library " + name + ", which is not installed; " + remedy);
    }
    Matcher version = VERSION.matcher(output);
    if (version.find()) {
      return Optional.of(
          "the embedded database needs " + version.group(1)
              + "; this system's C library is older. Debian 12 and newer have it");
    }
    return Optional.empty();
  }
}
