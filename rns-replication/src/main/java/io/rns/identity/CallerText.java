package io.rns.identity;

import io.rns.api.Caller;
import io.rns.api.Scope;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.ticket.Caveat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/** A caller as text that fits into a header: name, groups and limits, compressed. */
final class CallerText {
  /** Longest text: what headers of requests may have. */
  static final int MOST_CHARACTERS = 5_000;

  private static final int MOST_BYTES = 1 << 20;
  private static final String GROUP = "g ";
  private static final String LIMIT = "l ";

  private CallerText() {}

  /**
   * Writes a caller.
   *
   * @throws RnsException {@link RnsError#LIMIT_EXCEEDED} if it has too many groups or limits
   */
  static String of(Caller caller) {
    List<String> lines = new ArrayList<>();
    lines.add(URLEncoder.encode(caller.name(), StandardCharsets.UTF_8));
    new TreeSet<>(caller.groups())
        .forEach(group -> lines.add(GROUP + URLEncoder.encode(group, StandardCharsets.UTF_8)));
    for (Set<Scope> limit : caller.limits()) {
      lines.add(LIMIT + new Caveat.Within(limit).text());
    }
    Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION);
    try {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      try (DeflaterOutputStream zipped = new DeflaterOutputStream(out, deflater)) {
        zipped.write(String.join("\n", lines).getBytes(StandardCharsets.UTF_8));
      }
      String text = Base64.getUrlEncoder().withoutPadding().encodeToString(out.toByteArray());
      if (text.length() > MOST_CHARACTERS) {
        throw new RnsException(
            RnsError.LIMIT_EXCEEDED,
            "groups and limits of the caller have " + text.length() + " characters; allowed are " + MOST_CHARACTERS);
      }
      return text;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } finally {
      deflater.end();
    }
  }

  /**
   * Reads a text of an authenticated sender.
   *
   * @throws IllegalArgumentException if it is malformed
   */
  static Caller parse(String text) {
    byte[] bytes = Base64.getUrlDecoder().decode(text);
    String content;
    try (InflaterInputStream in = new InflaterInputStream(new java.io.ByteArrayInputStream(bytes))) {
      byte[] read = in.readNBytes(MOST_BYTES + 1);
      if (read.length > MOST_BYTES) {
        throw new IllegalArgumentException("too long");
      }
      content = new String(read, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalArgumentException("not compressed", e);
    }
    String[] lines = content.split("\n", -1);
    Set<String> groups = new HashSet<>();
    List<Set<Scope>> limits = new ArrayList<>();
    for (int i = 1; i < lines.length; i++) {
      if (lines[i].startsWith(GROUP)) {
        groups.add(URLDecoder.decode(lines[i].substring(GROUP.length()), StandardCharsets.UTF_8));
      } else if (lines[i].startsWith(LIMIT)
          && Caveat.parse(lines[i].substring(LIMIT.length())) instanceof Caveat.Within within) {
        limits.add(within.scopes());
      } else {
        throw new IllegalArgumentException("an unknown line");
      }
    }
    return new Caller(URLDecoder.decode(lines[0], StandardCharsets.UTF_8), groups, limits);
  }
}
