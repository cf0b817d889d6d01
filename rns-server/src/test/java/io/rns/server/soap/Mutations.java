package io.rns.server.soap;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.rns.wire.Namespaces;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Makes messages that nobody should send of such that some do. */
public final class Mutations {
  /** What is changed is the group "part". Possessive, since a message of thousands of attributes is matched often. */
  private static final Pattern ELEMENT =
      Pattern.compile("(?<part><(?<name>[A-Za-z_][\\w.:-]*+)[^<>]*+(?:(?<=/)>|>[^<>]*+</\\k<name>>))");

  private static final Pattern START = Pattern.compile("(?<part><[A-Za-z_][\\w:.-]*+)");
  private static final Pattern VALUE = Pattern.compile("(?:>|=[\"'])(?<part>[^<>\"']*+)(?=[<\"'])");
  private static final Pattern NAMESPACE = Pattern.compile("xmlns:?+\\w*+=[\"'](?<part>[^\"']*+)");

  private static final List<String> NAMESPACES =
      List.of(
          "", "urn:other", Namespaces.RNS, Namespaces.RNS_11, Namespaces.EXT, Namespaces.WSA, Namespaces.SOAP_11,
          Namespaces.SOAP_12, Namespaces.WSRP, Namespaces.WSRL, Namespaces.WSBF, Namespaces.NAMING);

  private static final List<String> VALUES =
      List.of(
          "", " ", "/", "//", "..", "/a/../b", "-1", "0", "1", "2147483648", "9223372036854775808", "1e9", "NaN",
          "true", "TRUE",
          "0000000000000001", "ffffffffffffffff", "\u0085", "\u2028", "\ud83d\ude00", "\ufffd", "&#0;", "&#x110000;",
          "&#38;#60;",
          "&nobody;", "]]>", "<!--", "<![CDATA[x]]>", "<?xml version='1.0'?>", "%s%n", "urn:ws-naming:epi:x", "0-0-0",
          "9-9-9",
          "2026-01-01T00:00:00Z", "a:b", "n:elementCount", "x".repeat(70_000), "<e/>".repeat(300));

  private final SplittableRandom random;

  /** Mutations drawn from a source. */
  public Mutations(SplittableRandom random) {
    this.random = random;
  }

  /** The message with some changes. */
  public byte[] of(byte[] message) {
    byte[] mutated = message;
    for (int i = random.nextInt(1, 4); i > 0; i--) {
      mutated = random.nextInt(3) == 0 ? bytes(mutated) : text(new String(mutated, UTF_8)).getBytes(UTF_8);
    }
    return switch (random.nextInt(60)) {
      case 0 -> new String(mutated, UTF_8).getBytes(ISO_8859_1);
      case 1 -> new String(mutated, UTF_8).getBytes(UTF_16LE);
      case 2 -> ("\ufeff" + new String(mutated, UTF_8)).getBytes(UTF_8);
      default -> mutated;
    };
  }

  private byte[] bytes(byte[] message) {
    if (message.length == 0) {
      return new byte[]{(byte) random.nextInt()};
    }
    byte[] mutated = message.clone();
    int at = random.nextInt(mutated.length);
    int to = Math.min(mutated.length, at + random.nextInt(1, 40));
    switch (random.nextInt(4)) {
      case 0 -> mutated[at] = (byte) random.nextInt();
      case 1 -> mutated[at] ^= (byte) (1 << random.nextInt(8));
      case 2 -> mutated = java.util.Arrays.copyOf(mutated, at);
      default -> {
        byte[] without = new byte[mutated.length - (to - at)];
        System.arraycopy(mutated, 0, without, 0, at);
        System.arraycopy(mutated, to, without, at, mutated.length - to);
        mutated = without;
      }
    }
    return mutated;
  }

  private String text(String message) {
    return switch (random.nextInt(9)) {
      case 0 -> replaced(message, NAMESPACE, oneOf(NAMESPACES));
      case 1, 2 -> replaced(message, VALUE, oneOf(VALUES));
      case 3 -> replaced(message, ELEMENT, "");
      case 4 -> {
        MatchResult element = any(message, ELEMENT);
        yield element == null ? message
            : inserted(message, element.end(), element.group().repeat(random.nextInt(1, 4)));
      }
      case 5 -> {
        MatchResult element = any(message, ELEMENT);
        MatchResult place = any(message, ELEMENT);
        yield element == null || place == null ? message : inserted(message, place.start(), element.group());
      }
      case 6 -> attribute(message, " xmlns:i='http://www.w3.org/2001/XMLSchema-instance' i:nil='true'");
      case 7 -> attribute(message, attributes(random.nextBoolean() ? 3 : 10_000));
      default -> {
        int depth = random.nextBoolean() ? 5 : 5_000;
        MatchResult place = any(message, ELEMENT);
        yield place == null ? message : inserted(message, place.start(), "<d>".repeat(depth) + "</d>".repeat(depth));
      }
    };
  }

  private static String attributes(int count) {
    StringBuilder attributes = new StringBuilder();
    for (int i = 0; i < count; i++) {
      attributes.append(" q").append(i).append("='").append(i).append('\'');
    }
    return attributes.toString();
  }

  private String attribute(String message, String attribute) {
    MatchResult start = any(message, START);
    return start == null ? message : inserted(message, start.end(), attribute);
  }

  private static String inserted(String message, int at, String what) {
    return message.substring(0, at) + what + message.substring(at);
  }

  private String replaced(String message, Pattern pattern, String by) {
    MatchResult match = any(message, pattern);
    return match == null ? message
        : message.substring(0, match.start("part")) + by + message.substring(match.end("part"));
  }

  private @org.jspecify.annotations.Nullable MatchResult any(String message, Pattern pattern) {
    List<MatchResult> all = pattern.matcher(message).results().toList();
    return all.isEmpty() ? null : oneOf(all);
  }

  private <T> T oneOf(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }
}
