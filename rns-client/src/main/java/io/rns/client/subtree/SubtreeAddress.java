package io.rns.client.subtree;

import io.rns.api.EntryFilter;
import io.rns.api.EntryName;
import io.rns.api.RnsPath;
import io.rns.api.SubtreePosition;
import io.rns.api.SubtreeRequest;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/** The URLs of a subtree. */
final class SubtreeAddress {
  /** The longest URL, in characters: heads of requests are limited to 8 KiB by many servers. */
  static final int MOST_CHARS = 6_000;

  private SubtreeAddress() {}

  /**
   * The URL of what follows a position.
   *
   * @param server the server's address, without a slash at the end
   * @param after where to begin; empty for the beginning
   * @return for a position that is too long, the URL of one that is before it; empty if the request itself is too long
   */
  static Optional<URI> of(URI server, SubtreeRequest request, Optional<SubtreePosition> after) {
    String first = first(server, request);
    String longest = after.map(position -> first + "&after=" + encoded(position.toString())).orElse(first);
    for (RnsPath at = after.map(SubtreePosition::path).orElse(RnsPath.ROOT); longest.length() > MOST_CHARS;) {
      if (at.depth() <= request.directory().path().depth() + 1) {
        return first.length() > MOST_CHARS ? Optional.empty() : Optional.of(URI.create(first));
      }
      at = at.parent();
      longest = first + "&after=" + encoded(new SubtreePosition(at, true).toString());
    }
    return Optional.of(URI.create(longest));
  }

  private static String first(URI server, SubtreeRequest request) {
    StringBuilder url = new StringBuilder(server.toString()).append("/names");
    for (EntryName name : request.directory().path().names()) {
      url.append('/').append(encoded(name.toString()).replace("+", "%20"));
    }
    url.append("?subtree&order=").append(request.order().name().toLowerCase(Locale.ROOT));
    url.append("&depth=").append(request.depth());
    EntryFilter filter = request.filter();
    filter.pattern().ifPresent(pattern -> url.append("&pattern=").append(encoded(pattern.toString())));
    filter.kind().ifPresent(kind -> url.append("&kind=").append(kind.name().toLowerCase(Locale.ROOT)));
    filter.metadata().forEach((key, value) -> url.append("&meta=").append(encoded(key + "=" + value)));
    return url.toString();
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
