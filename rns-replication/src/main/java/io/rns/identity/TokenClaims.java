package io.rns.identity;

import com.nimbusds.jwt.JWTClaimsSet;
import io.rns.api.EntryName;
import io.rns.api.Right;
import io.rns.api.RnsPath;
import io.rns.api.Scope;
import io.rns.error.RnsException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
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
  private static final String SCOPE = "scope";
  private static final String STORAGE = "storage.";
  /** What decoders put in place of bytes that are no text. */
  private static final char REPLACEMENT = '\uFFFD';
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

  /** Why a token is refused for its scopes, which would otherwise be read as fewer limits; empty if it is not. */
  static Optional<String> problem(JWTClaimsSet claims) {
    try {
      return scopes(claims).stream()
          .filter(scope -> scope.startsWith(STORAGE) && path(scope).isEmpty())
          .findFirst().map(scope -> "the token has a storage scope without a path");
    } catch (ParseException e) {
      return Optional.of("the token's claim 'scope' is neither a text nor a list of texts");
    }
  }

  /** The scopes: a text with spaces between them, as RFC 8693 has it, or a list, as some issuers write it. */
  private static List<String> scopes(JWTClaimsSet claims) throws ParseException {
    if (claims.getClaim(SCOPE) instanceof List<?>) {
      return List.of(claims.getStringArrayClaim(SCOPE));
    }
    String text = claims.getStringClaim(SCOPE);
    return text == null ? List.of() : List.of(text.split(" ", -1));
  }

  /** What is behind the colon. */
  private static String path(String scope) {
    int colon = scope.indexOf(':');
    return colon < 0 ? "" : scope.substring(colon + 1);
  }

  /** A token that has capabilities is good for these only; what is no capability of names grants none. */
  private static List<Set<Scope>> limits(JWTClaimsSet claims) {
    boolean limited = false;
    Set<Scope> scopes = new HashSet<>();
    try {
      for (String word : scopes(claims)) {
        limited |= word.startsWith(STORAGE) || word.startsWith("compute.");
        scope(word).ifPresent(scopes::add);
      }
    } catch (ParseException e) {
      throw new IllegalArgumentException("refused by its problem before", e);
    }
    return limited ? List.of(scopes) : List.of();
  }

  private static Optional<Scope> scope(String word) {
    Set<Right> rights = switch (word.substring(0, Math.max(0, word.indexOf(':')))) {
      case "storage.read", "storage.stage" -> READING;
      case "storage.modify" -> MODIFYING;
      case "storage.create" -> Set.of(Right.ADD);
      default -> Set.of();
    };
    if (rights.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(new Scope(names(path(word)), rights));
    } catch (RnsException | IllegalArgumentException e) {
      // What is no path of names, such as one with "..", opens nothing.
      return Optional.empty();
    }
  }

  /** The path of a scope, whose components are percent-encoded: a slash in one separates nothing. */
  private static RnsPath names(String path) {
    if (!path.startsWith("/")) {
      throw new IllegalArgumentException("no absolute path");
    }
    if (path.equals("/")) {
      return RnsPath.ROOT;
    }
    String inner = path.substring(1, path.length() - (path.endsWith("/") ? 1 : 0));
    return RnsPath.of(Stream.of(inner.split("/", -1)).map(TokenClaims::decoded).map(EntryName::of).toList());
  }

  private static String decoded(String component) {
    String decoded = URLDecoder.decode(component.replace("+", "%2B"), StandardCharsets.UTF_8);
    if (decoded.indexOf(REPLACEMENT) >= 0) {
      throw new IllegalArgumentException("not UTF-8");
    }
    return decoded;
  }
}
