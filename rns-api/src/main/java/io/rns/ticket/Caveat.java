package io.rns.ticket;

import io.rns.api.Right;
import io.rns.api.RnsPath;
import io.rns.api.Scope;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What narrows a ticket. {@code path:}, {@code activity:} and {@code before:} are those of dCache. */
public sealed interface Caveat {
  /** The text in the token. */
  String text();

  /** Good for a subtree only: {@code path:/a/b}. */
  record Below(RnsPath path) implements Caveat {
    @Override
    public String text() {
      return "path:" + path;
    }
  }

  /** Good for some rights only: {@code rights:list,read}. */
  record Only(Set<Right> rights) implements Caveat {
    public Only {
      rights = Set.copyOf(rights);
    }

    @Override
    public String text() {
      return "rights:" + words(rights);
    }
  }

  /** Good for what its maker's credential was limited to: any of some scopes. */
  record Within(Set<Scope> scopes) implements Caveat {
    public Within {
      scopes = Set.copyOf(scopes);
    }

    @Override
    public String text() {
      return "scopes:"
          + scopes.stream()
              .map(
                  scope -> words(scope.rights()) + "@"
                      + URLEncoder.encode(scope.path().toString(), StandardCharsets.UTF_8))
              .sorted()
              .collect(Collectors.joining(" "));
    }
  }

  /** Good until a time only: {@code before:2026-11-26T18:00:00Z}. */
  record Before(Instant time) implements Caveat {
    @Override
    public String text() {
      return "before:" + time;
    }
  }

  private static String words(Set<Right> rights) {
    return rights.stream().sorted().map(Right::text).collect(Collectors.joining(","));
  }

  /**
   * Reads a text.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST} if it is another one: what is not understood may not be
   *         ignored
   */
  static Caveat parse(String text) {
    int colon = text.indexOf(':');
    String content = text.substring(colon + 1);
    try {
      return switch (text.substring(0, Math.max(0, colon))) {
        case "path" -> new Below(RnsPath.parse(content));
        case "rights" -> new Only(rights(content));
        case "activity" -> new Only(activities(content));
        case "scopes" -> new Within(scopes(content));
        case "before" -> new Before(Instant.parse(content));
        default -> throw unknown(text);
      };
    } catch (DateTimeException | IllegalArgumentException | RnsException e) {
      throw unknown(text);
    }
  }

  private static RnsException unknown(String text) {
    String shown = text.length() > 100 ? text.substring(0, 100) + "..." : text;
    return new RnsException(
        RnsError.INVALID_REQUEST, "the ticket has a caveat that is not understood: '" + shown + "'");
  }

  /**
   * Reads rights, comma-separated: {@code list,read}.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST} if there is none, or one is unknown
   */
  static Set<Right> rights(String text) {
    return Stream.of(text.split(",", -1))
        .map(
            word -> Right.parse(word.strip())
                .orElseThrow(
                    () -> new RnsException(
                        RnsError.INVALID_REQUEST,
                        "'" + word.strip() + "' is none of " + words(EnumSet.allOf(Right.class)))))
        .collect(Collectors.toUnmodifiableSet());
  }

  private static Set<Right> activities(String text) {
    Set<Right> rights = EnumSet.noneOf(Right.class);
    for (String word : text.split(",", -1)) {
      rights.addAll(switch (word.strip()) {
        case "LIST" -> Set.of(Right.LIST);
        case "DOWNLOAD" -> Set.of(Right.READ);
        case "READ_METADATA" -> Set.of(Right.LIST, Right.READ);
        case "UPLOAD" -> Set.of(Right.ADD);
        case "UPDATE_METADATA" -> Set.of(Right.CHANGE);
        case "DELETE" -> Set.of(Right.REMOVE);
        case "MANAGE" -> Set.of(Right.ADD, Right.CHANGE, Right.REMOVE);
        case "STAGE" -> Set.<Right>of();
        default -> throw new IllegalArgumentException(word);
      });
    }
    return rights;
  }

  private static Set<Scope> scopes(String text) {
    Set<Scope> scopes = new HashSet<>();
    for (String word : text.isEmpty() ? new String[0] : text.split(" ", -1)) {
      int at = word.indexOf('@');
      if (at < 0) {
        throw new IllegalArgumentException(word);
      }
      RnsPath path = RnsPath.parse(URLDecoder.decode(word.substring(at + 1), StandardCharsets.UTF_8));
      scopes.add(new Scope(path, at == 0 ? Set.of() : rights(word.substring(0, at))));
    }
    return scopes;
  }
}
