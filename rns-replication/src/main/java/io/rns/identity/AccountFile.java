package io.rns.identity;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The file of local accounts: one per line, {@code #} begins a comment. Readable by its owner only. */
public final class AccountFile {
  /** Largest file that is read. */
  static final int MOST_BYTES = 4 << 20;

  private static final Set<PosixFilePermission> OWNER = PosixFilePermissions.fromString("rw-------");

  private AccountFile() {}

  /**
   * Reads the accounts, by name.
   *
   * @throws IOException if the file cannot be read, or a line is wrong: then none of it holds
   */
  static Map<String, Account> read(Path file) throws IOException {
    if (Files.size(file) > MOST_BYTES) {
      throw new IOException(file + " has " + Files.size(file) + " bytes; allowed are " + MOST_BYTES);
    }
    Map<String, Account> accounts = new LinkedHashMap<>();
    List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
    for (int number = 1; number <= lines.size(); number++) {
      String line = lines.get(number - 1).strip();
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      try {
        Account account = Account.parse(line);
        if (accounts.put(account.name(), account) != null) {
          throw new IllegalArgumentException("account '" + account.name() + "' is there twice");
        }
      } catch (IllegalArgumentException e) {
        throw new IOException(file + ", line " + number + ": " + e.getMessage(), e);
      }
    }
    return accounts;
  }

  /**
   * Adds an account to a file, or replaces it; the file is created if absent, and replaced as a whole.
   *
   * @throws IOException if it cannot be read or written
   * @throws IllegalArgumentException if a name is not allowed
   */
  public static void put(Path file, String name, Set<String> groups, String password) throws IOException {
    Map<String, Account> accounts = Files.exists(file) ? read(file) : new LinkedHashMap<>();
    accounts.put(name, new Account(name, groups, PasswordHash.of(password)));
    Path part = Files.createTempFile(
        file.toAbsolutePath().getParent(), file.getFileName() + ".", ".part",
        PosixFilePermissions.asFileAttribute(OWNER));
    try {
      Files.write(part, accounts.values().stream().map(Account::line).toList());
      Path unused = Files.move(part, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      boolean unused = Files.deleteIfExists(part);
    }
  }
}
