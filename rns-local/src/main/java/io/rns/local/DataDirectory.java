package io.rns.local;

import io.rns.identity.AccountFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The data directory of a local service, accessible only to its owner.
 *
 * @param root the directory, as a real path
 */
record DataDirectory(Path root) {
  private static final int PASSWORD_BYTES = 18;
  private static final String ADMINISTRATOR = "admin";
  private static final String ACCESS = "RNS_ACCESS";
  private static final String AUDIT = "RNS_AUDIT";

  /** The name of the file of local accounts. */
  static final String ACCOUNTS = "accounts";

  /** Opens the directory, creating it if absent. */
  static DataDirectory create(Path path) {
    try {
      FileTrees.createPrivate(path);
      return new DataDirectory(path.toRealPath());
    } catch (IOException e) {
      throw new LocalServiceException("the data directory " + path + " cannot be created: " + e, e);
    }
  }

  /** The default directory: {@code RNS_DATA}, or {@code ~/.rns}. */
  static Path usual(Map<String, String> environment) {
    return Optional.ofNullable(environment.get("RNS_DATA"))
        .filter(text -> !text.isBlank())
        .map(Path::of)
        .orElseGet(() -> LocalEnvironment.home().resolve(".rns"));
  }

  Path database() {
    return root.resolve("database");
  }

  Path glassFish() {
    return root.resolve("glassfish");
  }

  Path runFile() {
    return root.resolve("run.json");
  }

  Path supervisorLog() {
    return root.resolve("up.log");
  }

  /** The directory of one server of a group. The servers of all groups are numbered through. */
  DataDirectory member(int number) {
    return create(root.resolve(memberName(number)));
  }

  /** The name of a server in a group, such as {@code server-1}. */
  static String memberName(int number) {
    return "server-" + number;
  }

  /** The directories of the servers of all groups; empty without a group. */
  List<DataDirectory> members() {
    return IntStream.rangeClosed(1, groups() * (replicas().orElse(-1) + 1))
        .mapToObj(number -> root.resolve(memberName(number)))
        .filter(Files::isDirectory)
        .map(DataDirectory::new)
        .toList();
  }

  /** The number of replicas of each group; empty without a group. */
  OptionalInt replicas() {
    return Files.exists(groupFile()) ? OptionalInt.of(number(groupFile())) : OptionalInt.empty();
  }

  /** The number of groups. */
  int groups() {
    return Files.exists(groupFile()) && Files.exists(groupsFile()) ? number(groupsFile()) : 1;
  }

  private static int number(Path file) {
    try {
      return Integer.parseInt(Files.readString(file).strip());
    } catch (IOException | NumberFormatException e) {
      throw new LocalServiceException(file + " cannot be read: " + e.getMessage(), e);
    }
  }

  /**
   * Checks that the directory has no data of a group.
   *
   * @throws LocalServiceException if it has
   */
  void requireNoGroup() {
    if (replicas().isPresent()) {
      throw new LocalServiceException(
          root + " has the data of " + (groups() > 1 ? groups() + " groups" : "a group") + " of servers"
              + startWith(groups(), replicas().getAsInt(), databaseOptions()));
    }
  }

  /**
   * Makes this the data directory of groups. The database of a single server becomes that of the first server, once and
   * for all; the other servers of its group have to copy it. May be interrupted and repeated.
   *
   * @param groups the number of groups, which may only grow
   * @param replicas of each group
   * @return whether a single server's database became the first server's
   * @throws LocalServiceException if it belongs to more groups, to groups with another number of replicas or other
   *         databases, or to a single server whose database cannot be a member of such a group
   */
  boolean requireGroups(int groups, int replicas, LocalDatabases databases) {
    int present = replicas().orElse(replicas);
    int most = Math.max(groups, groups());
    String options = replicas().isPresent() ? databaseOptions() : databases.options();
    if (present != replicas) {
      throw new LocalServiceException(
          root + " has the data of " + (groups() > 1 ? "groups" : "a group") + " with " + present + " replicas, not "
              + replicas + startWith(most, present, options));
    }
    if (groups() > groups) {
      throw new LocalServiceException(
          root + " has the data of " + groups() + " groups, not " + groups + startWith(most, present, options));
    }
    if (!options.equals(databases.options())) {
      throw new LocalServiceException(
          root + " has the data of a group with other databases" + startWith(most, present, options));
    }
    boolean single = Files.exists(database());
    if (single && !databases.equals(LocalDatabases.EMBEDDED)) {
      throw new LocalServiceException(
          root + " has the data of a single server in an embedded MariaDB, which cannot become a group with"
              + databases.options() + "; choose another directory with --data, and restore a backup there");
    }
    try {
      FileTrees.writePrivate(databasesFile(), options + "\n");
      FileTrees.writePrivate(groupsFile(), groups + "\n");
      FileTrees.writePrivate(groupFile(), replicas + "\n");
      if (single) {
        giveToFirst();
      }
      return single;
    } catch (IOException e) {
      throw new LocalServiceException(groupFile() + " cannot be written: " + e.getMessage(), e);
    }
  }

  private String startWith(int groups, int replicas, String databaseOptions) {
    return "; start it with: ./rns up" + (groups > 1 ? " --groups " + groups : "")
        + (replicas > 0 ? " --replicas " + replicas : "") + databaseOptions + " --data " + root;
  }

  /** From here on the directory is a group's, so no single server starts on it with an empty database. */
  private void giveToFirst() throws IOException {
    DataDirectory first = member(1);
    if (Files.exists(first.database())) {
      throw new LocalServiceException(
          root + " has the data of a single server (" + database() + ") and of a group (" + first.database()
              + "); move one of them elsewhere");
    }
    // Re-created for each server.
    FileTrees.delete(glassFish());
    Files.move(database(), first.database(), StandardCopyOption.ATOMIC_MOVE);
  }

  /** The database options with which the group was created. */
  private String databaseOptions() {
    try {
      return Files.exists(databasesFile()) ? Files.readString(databasesFile()).stripTrailing() : "";
    } catch (IOException e) {
      throw new LocalServiceException(databasesFile() + " cannot be read: " + e.getMessage(), e);
    }
  }

  private Path databasesFile() {
    return root.resolve("group.databases");
  }

  private Path groupsFile() {
    return root.resolve("group.count");
  }

  private Path groupFile() {
    return root.resolve("group.replicas");
  }

  /** The password of the database user, created at the first call. */
  String password() {
    return secret("database.password");
  }

  /** The password of the account that controls replication, created at the first call. */
  String controlPassword() {
    return secret("control.password");
  }

  /** The file of {@link #groupSecret}. */
  Path groupSecretFile() {
    return root.resolve("group.secret");
  }

  /** The secret shared by operators and the members of a group, created at the first call. */
  String groupSecret() {
    return secret("group.secret");
  }

  /**
   * Makes the servers of this directory closed, also when they start again, with one administrator, whose credential is
   * a file here. Does nothing if they are.
   */
  void secure() {
    if (Files.exists(administrator())) {
      return;
    }
    String password = randomPassword();
    try {
      AccountFile.put(accounts(), ADMINISTRATOR, Set.of(), password);
      // Last: what reads it finds the account.
      FileTrees.writePrivate(administrator(), ADMINISTRATOR + ":" + password + "\n");
    } catch (IOException e) {
      throw new LocalServiceException(accounts() + " cannot be written: " + e.getMessage(), e);
    }
  }

  /**
   * Settings of access. A closed service keeps an audit log. Any other is open, since it listens on loopback only,
   * unless the environment has the access mode, or names a file that may have it.
   *
   * @param inherited the environment of this process, which may say where the audit log is, or that there is none
   */
  Map<String, String> accessSettings(Map<String, String> inherited) {
    if (!Files.exists(administrator())) {
      return inherited.containsKey(ACCESS) || !inherited.getOrDefault("RNS_CONFIG", "").isBlank()
          ? Map.of()
          : Map.of(ACCESS, "open");
    }
    return Map.of(
        ACCESS, "closed", "RNS_ACCOUNTS", accounts().toString(), "RNS_ADMINISTRATORS", "local:" + ADMINISTRATOR,
        AUDIT, inherited.getOrDefault(AUDIT, root.resolve("audit/{name}").toString()));
  }

  private Path accounts() {
    return root.resolve(ACCOUNTS);
  }

  /** Whether services on it are closed, and commands find their administrator here. */
  boolean isSecure() {
    return Files.exists(administrator());
  }

  /** Where commands find the credential of the administrator. */
  private Path administrator() {
    return root.resolve("administrator");
  }

  /** A password that cannot be guessed: 24 characters. */
  static String randomPassword() {
    byte[] random = new byte[PASSWORD_BYTES];
    new SecureRandom().nextBytes(random);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(random);
  }

  private String secret(String name) {
    Path file = root.resolve(name);
    try {
      if (!Files.exists(file)) {
        FileTrees.writePrivate(file, randomPassword());
      }
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new LocalServiceException(file + " cannot be read: " + e.getMessage(), e);
    }
  }

  /**
   * Locks the directory for one supervisor; the kernel releases the lock when the process ends, for whatever reason.
   *
   * @return empty if another supervisor holds the lock
   */
  Optional<Lock> tryLock() {
    FileChannel channel = null;
    try {
      channel = FileChannel.open(root.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      FileLock lock = channel.tryLock();
      if (lock != null) {
        return Optional.of(new Lock(channel));
      }
      channel.close();
      return Optional.empty();
    } catch (OverlappingFileLockException e) {
      // Held by another service in this JVM.
      closeAfter(channel, e);
      return Optional.empty();
    } catch (IOException e) {
      closeAfter(channel, e);
      throw new LocalServiceException("the data directory " + root + " cannot be locked: " + e.getMessage(), e);
    }
  }

  private static void closeAfter(@Nullable FileChannel channel, Exception cause) {
    if (channel != null) {
      try {
        channel.close();
      } catch (IOException e) {
        cause.addSuppressed(e);
      }
    }
  }

  /** A held lock, released on close. */
  record Lock(FileChannel channel) implements AutoCloseable {
    @Override
    public void close() {
      try {
        channel.close();
      } catch (IOException e) {
        throw new LocalServiceException("the lock of the data directory cannot be released: " + e.getMessage(), e);
      }
    }
  }
}
