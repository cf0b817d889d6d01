package io.rns.identity;

import io.rns.api.Caller;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A local account: a line {@code NAME:GROUP,GROUP:HASH} of the file of accounts.
 *
 * @param name letters, digits, {@code . _ -} and {@code @}, 1 to 64
 * @param groups names of the same form
 */
record Account(String name, Set<String> groups, PasswordHash hash) {
  private static final String METHOD = "local:";
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._@-]{1,64}");

  /** An account of which all names are checked. */
  Account {
    groups = Set.copyOf(groups);
    Stream.concat(Stream.of(name), groups.stream()).forEach(Account::check);
  }

  private static void check(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException("'" + name + "' is no name of 1 to 64 letters, digits and . _ - @");
    }
  }

  /**
   * Reads a line.
   *
   * @throws IllegalArgumentException saying what is wrong with it, without the hash
   */
  static Account parse(String line) {
    String[] parts = line.split(":", -1);
    if (parts.length != 3) {
      throw new IllegalArgumentException("not of the form NAME:GROUP,GROUP:HASH");
    }
    Set<String> groups =
        Stream.of(parts[1].split(",")).map(String::strip).filter(group -> !group.isEmpty())
            .collect(Collectors.toUnmodifiableSet());
    return new Account(parts[0].strip(), groups, PasswordHash.parse(parts[2].strip()));
  }

  /** The line. */
  String line() {
    return name + ":" + String.join(",", new TreeSet<>(groups)) + ":" + hash.text();
  }

  /** The caller that proves to be this account. */
  Caller caller() {
    return new Caller(METHOD + name, groups.stream().map(METHOD::concat).collect(Collectors.toUnmodifiableSet()));
  }
}
