package io.rns.identity;

import com.nimbusds.jwt.JWTClaimsSet;
import io.rns.api.Right;
import io.rns.api.RnsPath;
import io.rns.api.Scope;
import io.rns.error.RnsException;
import java.text.ParseException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the claims of a verified token say of its caller.
 *
 * @param name {@code jwt:ISSUER#SUBJECT}
 * @param groups of the claims {@code wlcg.groups} and {@code groups}, as {@code jwt:ISSUER#GROUP}
 * @param limits the storage scopes of the WLCG profile, if the token has any capability
 */
record TokenClaims(String name, Set<String> groups, List<Set<Scope>> limits) {
  private static final String METHOD = "jwt:";
  private static final int MOST_GROUPS = 256;

  /** Longest subject or group that is read. */
  static final int MOST_CHARACTERS = 256;

  private static final Set<Right> READING = Set.of(Right.LIST, Right.READ);
  private static final Set<Right> MODIFYING = Set.of(Right.LIST, Right.READ, Right.ADD, Right.CHANGE, Right.REMOVE);

  static TokenClaims of(JWTClaimsSet claims) {
    String prefix = METHOD + claims.getIssuer() + "#";
    return new TokenClaims(
        prefix + claims.getSubject(),
        Stream.of("wlcg.groups", "groups").flatMap(claim -> texts(claims, claim))
            .filter(group -> !group.isEmpty() && group.length() <= MOST_CHARACTERS && isName(group))
            .limit(MOST_GROUPS)
            .map(prefix::concat)
            .collect(Collectors.toUnmodifiableSet()),
        limits(claims));
  }

  /** Whether a text may be in the name of a caller or group: others could look like a different one. */
  static boolean isName(String text) {
    return text.equals(text.strip()) && text.chars().noneMatch(Character::isISOControl);
  }

  private static Stream<String> texts(JWTClaimsSet claims, String name) {
    try {
      List<String> texts = claims.getStringListClaim(name);
      return texts == null ? Stream.empty() : texts.stream().filter(text -> text != null);
    } catch (ParseException e) {
      // Not a list of texts: then it names no group.
      return Stream.empty();
    }
  }

  /** A token that has capabilities is good for these only; what is no capability of names grants none. */
  private static List<Set<Scope>> limits(JWTClaimsSet claims) {
    String text;
    try {
      text = Optional.ofNullable(claims.getStringClaim("scope")).orElse("");
    } catch (ParseException e) {
      text = "";
    }
    boolean limited = false;
    Set<Scope> scopes = new HashSet<>();
    for (String word : text.split(" ", -1)) {
      limited |= word.startsWith("storage.") || word.startsWith("compute.");
      scope(word).ifPresent(scopes::add);
    }
    return limited ? List.of(scopes) : List.of();
  }

  private static Optional<Scope> scope(String word) {
    int colon = word.indexOf(':');
    if (colon < 0) {
      return Optional.empty();
    }
    Set<Right> rights = switch (word.substring(0, colon)) {
      case "storage.read", "storage.stage" -> READING;
      case "storage.modify" -> MODIFYING;
      case "storage.create" -> Set.of(Right.ADD);
      default -> Set.of();
    };
    if (rights.isEmpty()) {
      return Optional.empty();
    }
    try {
      String path = word.substring(colon + 1);
      boolean slash = path.length() > 1 && path.endsWith("/");
      return Optional.of(new Scope(RnsPath.parse(slash ? path.substring(0, path.length() - 1) : path), rights));
    } catch (RnsException e) {
      // What is no path of names, such as one with "..", opens nothing.
      return Optional.empty();
    }
  }
}
