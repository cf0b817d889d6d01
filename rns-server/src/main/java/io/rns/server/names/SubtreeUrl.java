package io.rns.server.names;

import io.rns.api.EntryFilter;
import io.rns.api.EntryFilter.Kind;
import io.rns.api.NamePattern;
import io.rns.api.RnsPath;
import io.rns.api.SubtreePosition;
import io.rns.api.SubtreeRequest;
import io.rns.api.SubtreeRequest.Order;
import io.rns.api.Target;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.server.http.JsonBody;
import io.rns.server.http.RequestUrl;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Reads the parameters of a request for a subtree. */
final class SubtreeUrl {
  /** Small, so that it comes soon. */
  private static final int FIRST_PAGE_ENTRIES = 500;

  private static final int PAGE_ENTRIES = 4_000;

  /** Parameters that a list does not have. */
  private static final List<String> OF_SUBTREES = List.of("order", "depth", "kind", "meta");

  private SubtreeUrl() {}

  /** The request for the first page. */
  static SubtreeRequest first(RnsPath path, RequestUrl url) {
    JsonBody.check(!url.has("list"), "the request has both 'list' and 'subtree'");
    return request(path, url, Optional.ofNullable(url.get("after")).map(SubtreePosition::parse));
  }

  /** Refuses parameters that would be wrong for a subtree, in a request that is not for one. */
  static void check(RequestUrl url) {
    if (OF_SUBTREES.stream().anyMatch(url::has)) {
      SubtreeRequest unused = request(RnsPath.ROOT, url, Optional.empty());
    }
  }

  private static SubtreeRequest request(RnsPath path, RequestUrl url, Optional<SubtreePosition> after) {
    int size = url.number("size", FIRST_PAGE_ENTRIES);
    return new SubtreeRequest(
        Target.of(path),
        value(url, "order", Order.class).orElse(Order.NAMES),
        url.number("depth", Limits.PATH_DEPTH),
        new EntryFilter(
            Optional.ofNullable(url.get("pattern")).map(NamePattern::glob), value(url, "kind", Kind.class),
            metadata(url)),
        size,
        after);
  }

  /** The request for the page that follows a position. */
  static SubtreeRequest next(SubtreeRequest first, SubtreePosition after) {
    return new SubtreeRequest(
        first.directory(), first.order(), first.depth(), first.filter(), PAGE_ENTRIES, Optional.of(after));
  }

  private static <E extends Enum<E>> Optional<E> value(RequestUrl url, String name, Class<E> type) {
    String text = url.get(name);
    if (text == null) {
      return Optional.empty();
    }
    StringBuilder names = new StringBuilder();
    for (E each : type.getEnumConstants()) {
      String known = each.name().toLowerCase(Locale.ROOT);
      if (known.equals(text)) {
        return Optional.of(each);
      }
      names.append(names.isEmpty() ? "" : " nor ").append(known);
    }
    throw new RnsException(
        RnsError.INVALID_REQUEST, "parameter '" + name + "' is '" + text + "', neither " + names);
  }

  private static Map<String, String> metadata(RequestUrl url) {
    Map<String, String> metadata = new LinkedHashMap<>();
    for (String pair : url.all("meta")) {
      int equals = pair.indexOf('=');
      JsonBody.check(equals > 0, "parameter 'meta' is '" + pair + "', not KEY=VALUE");
      metadata.put(pair.substring(0, equals), pair.substring(equals + 1));
    }
    return metadata;
  }
}
