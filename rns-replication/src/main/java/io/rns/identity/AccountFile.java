package io.rns.identity;

import io.rns.file.PrivateFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/**
 * The file of local accounts: one per line, {@code #} begins a comment. It is replaced as a whole, keeps comments and
 * the order of its lines, and is readable by its owner only, unless its group could read it before. Processes that
 * change it take turns. Immutable.
 *
 * @param path the file, which may be a link to it
 */
public record AccountFile(Path path) {
  /** Largest file that is read. */
  static final int MOST_BYTES = 4 << 20;

  /** How long another process may take to change it. */
  private static final Duration TURN = Duration.ofSeconds(10);

  /**
   * Reads the accounts, by name.
   *
   * @throws IOException if the file cannot be read, or a line is wrong: then none of it holds
   */
  static Map<String, Account> read(Path file) throws IOException {
    if (Files.size(file) > MOST_BYTES) {
      throw new IOException(file + " has " + Files.size(file) + " bytes; allowed are " + MOST_BYTES);
    }
    return parse(file, Files.readAllLines(file, StandardCharsets.UTF_8));
  }

  private static Map<String, Account> parse(Path file, List<String> lines) throws IOException {
    Map<String, Account> accounts = new LinkedHashMap<>();
    for (int number = 1; number <= lines.size(); number++) {
      try {
        Optional<Account> account = account(lines.get(number - 1));
        if (account.isPresent() && accounts.put(account.get().name(), account.get()) != null) {
          throw new IllegalArgumentException("account '" + account.get().name() + "' is there twice");
        }
      } catch (IllegalArgumentException e) {
        throw new IOException(file + ", line " + number + ": " + e.getMessage(), e);
      }
    }
    return accounts;
  }

  private static Optional<Account> account(String line) {
    String text = line.strip();
    return text.isEmpty() || text.startsWith("#") ? Optional.empty() : Optional.of(Account.parse(text));
  }

  /**
   * Adds an account to a file, or replaces it; the file is created if absent.
   *
   * @throws IOException if it cannot be read or written
   * @throws IllegalArgumentException if a name is not allowed
   */
  public static void put(Path file, String name, Set<String> groups, String password) throws IOException {
    Account account = new Account(name, groups, PasswordHash.of(password));
    boolean unused = new AccountFile(file).change(name, former -> Optional.of(account));
  }

  /**
   * The groups of each account, by name.
   *
   * @throws IOException if the file cannot be read, or a line is wrong
   */
  public SortedMap<String, Set<String>> accounts() throws IOException {
    SortedMap<String, Set<String>> groups = new TreeMap<>();
    read(path).values().forEach(account -> groups.put(account.name(), new TreeSet<>(account.groups())));
    return groups;
  }

  /**
   * Adds an account; the file is created if absent.
   *
   * @return false if the account is there
   * @throws IOException if the file cannot be read or written, or a line is wrong
   * @throws IllegalArgumentException if a name is not allowed
   */
  public boolean add(String name, Set<String> groups, String password) throws IOException {
    Account account = new Account(name, groups, PasswordHash.of(password));
    return change(name, former -> former.isPresent() ? former : Optional.of(account));
  }

  /**
   * Gives an account another password.
   *
   * @return false if there is no such account
   * @throws IOException if the file cannot be read or written, or a line is wrong
   */
  public boolean setPassword(String name, String password) throws IOException {
    PasswordHash hash = PasswordHash.of(password);
    return Files.exists(path)
        && change(name, former -> former.map(account -> new Account(account.name(), account.groups(), hash)));
  }

  /**
   * Removes an account.
   *
   * @return false if there is no such account
   * @throws IOException if the file cannot be read or written, or a line is wrong
   */
  public boolean remove(String name) throws IOException {
    return Files.exists(path) && change(name, former -> Optional.empty());
  }

  /** Changes the line of an account, in its place; a new one comes last. Returns whether it changed. */
  private boolean change(String name, UnaryOperator<Optional<Account>> change) throws IOException {
    PrivateFile file = new PrivateFile(Files.exists(path) ? path.toRealPath() : path);
    file.createIfAbsent();
    try (PrivateFile.Lock turn =
        file.lock(TURN).orElseThrow(() -> new IOException("another command changes " + path))) {
      List<String> present = turn.read(MOST_BYTES).lines().toList();
      Optional<Account> former = Optional.ofNullable(parse(file.path(), present).get(name));
      Optional<Account> next = change.apply(former);
      if (next.equals(former)) {
        return false;
      }
      List<String> lines = new ArrayList<>();
      for (String line : present) {
        if (account(line).filter(account -> account.name().equals(name)).isEmpty()) {
          lines.add(line);
        } else {
          next.ifPresent(account -> lines.add(account.line()));
        }
      }
      if (former.isEmpty()) {
        next.ifPresent(account -> lines.add(account.line()));
      }
      turn.replace(String.join("\n", lines) + (lines.isEmpty() ? "" : "\n"));
      return true;
    }
  }
}
