package io.rns.api;

import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Grants rights to a subject. Nothing takes a right away: what no rule grants is not permitted.
 *
 * @param subject the name of a caller such as {@code local:alice}, a group as {@code group:NAME},
 *        {@link #AUTHENTICATED} or {@link #ANYONE}; at most {@value Limits#ACCESS_SUBJECT_BYTES} bytes
 * @param rights at least one; {@link Right#ADMIN} includes all others
 */
public record AccessRule(String subject, Set<Right> rights) implements Comparable<AccessRule> {
  /** Every caller, with or without a credential. */
  public static final String ANYONE = "anyone";

  /** Every caller with a valid credential. */
  public static final String AUTHENTICATED = "authenticated";

  /** What the name of a group begins with. */
  public static final String GROUP = "group:";

  /**
   * A rule.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST} without a subject or rights, {@link RnsError#LIMIT_EXCEEDED}
   */
  public AccessRule {
    checkSubject(subject);
    if (rights.isEmpty()) {
      throw invalid("the access rule of '" + subject + "' grants no right");
    }
    rights = Set.copyOf(rights);
  }

  private static void checkSubject(String subject) {
    Limits.check(
        "the subject of an access rule", subject.getBytes(StandardCharsets.UTF_8).length,
        Limits.ACCESS_SUBJECT_BYTES, "bytes");
    int colon = subject.indexOf(':');
    boolean named = colon > 0 && colon < subject.length() - 1;
    if (!named && !subject.equals(ANYONE) && !subject.equals(AUTHENTICATED)) {
      throw invalid(
          "'" + subject + "' is no subject of an access rule: a name like local:alice, group:NAME, " + AUTHENTICATED
              + " or " + ANYONE);
    }
    checkText(subject);
  }

  /** Refuses characters that would make two names look alike in a list of rules. */
  static void checkText(String name) {
    if (!name.equals(name.strip()) || name.chars().anyMatch(Character::isISOControl)) {
      throw invalid("a subject or owner in access rules has control characters, or space at an end");
    }
  }

  private static RnsException invalid(String why) {
    return new RnsException(RnsError.INVALID_REQUEST, why);
  }

  /**
   * Parses {@code SUBJECT=RIGHT,RIGHT...}.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST}
   */
  public static AccessRule parse(String text) {
    // The names of rights have no such character, those of callers may.
    int at = text.lastIndexOf('=');
    if (at < 0) {
      throw invalid("'" + text + "' is no access rule like group:/cms=list,read");
    }
    return new AccessRule(text.substring(0, at), rights(text.substring(at + 1), ","));
  }

  /**
   * Parses a list of rights.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST} for a word that is none
   */
  static Set<Right> rights(String text, String separator) {
    Set<Right> rights = EnumSet.noneOf(Right.class);
    for (String word : text.strip().split(separator, -1)) {
      rights.add(
          Right.parse(word.strip()).orElseThrow(
              () -> invalid(
                  "'" + word + "' is no right: "
                      + Arrays.stream(Right.values()).map(Right::text).collect(Collectors.joining(", ")))));
    }
    return rights;
  }

  /** The rights in their order, as words. */
  public String rightsText(String separator) {
    return new TreeSet<>(rights).stream().map(Right::text).collect(Collectors.joining(separator));
  }

  /** The form that {@link #parse} reads. */
  public String text() {
    return subject + "=" + rightsText(",");
  }

  /** Whether it grants a right. */
  public boolean grants(Right right) {
    return rights.contains(right) || rights.contains(Right.ADMIN);
  }

  @Override
  public int compareTo(AccessRule other) {
    return subject.compareTo(other.subject);
  }
}
