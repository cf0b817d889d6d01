package io.rns.server.dns;

import io.rns.api.EntryName;
import io.rns.api.RnsPath;
import io.rns.error.RnsException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.xbill.DNS.Name;

/**
 * What the names of the zone stand for. A path is written backwards, one label per entry name; small letters, digits
 * and {@code -} stand for themselves, every other byte of UTF-8 is {@code _} and two hexadecimal digits. Labels hold no
 * case, so capitals of a label are read as small ones. A path does not fit if one of its labels has more than 63 bytes,
 * or the whole name 255.
 *
 * <p>{@code servers}, {@code ip4} and {@code ip6} at the top are not pools; a pool of such a name is reached with its
 * first letter as {@code _} and digits. {@code _tcp} is never a part of a path, since {@code t} is no hexadecimal
 * digit.
 */
final class ZoneNames {
  /** The label of the hosts of the servers. */
  static final String SERVERS = "servers";

  private static final String TCP = "_tcp";
  private static final String RNS = "_rns";

  private final Name zone;
  private final HostNames hosts;

  ZoneNames(Name zone, HostNames hosts) {
    this.zone = zone;
    this.hosts = hosts;
  }

  /** What a name stands for. */
  Meaning meaningOf(Name name) {
    if (!name.subdomain(zone)) {
      return new Meaning.Foreign();
    }
    int depth = name.labels() - zone.labels();
    List<String> labels = new ArrayList<>(depth);
    for (int i = 0; i < depth; i++) {
      labels.add(text(name.getLabel(i)));
    }
    return meaningOf(labels);
  }

  /** The bytes of a label one by one as characters, in small letters. */
  private static String text(byte[] label) {
    // dnsjava's first byte is the length.
    return new String(label, 1, label.length - 1, StandardCharsets.ISO_8859_1).toLowerCase(Locale.ROOT);
  }

  private Meaning meaningOf(List<String> labels) {
    int depth = labels.size();
    if (depth == 0) {
      return new Meaning.Apex();
    }
    if (labels.get(0).equals(TCP)) {
      return depth == 1 || path(labels.subList(1, depth)).isPresent() ? new Meaning.Between() : new Meaning.Nothing();
    }
    if (depth > 1 && labels.get(1).equals(TCP)) {
      return service(labels.get(0), labels.subList(2, depth));
    }
    return switch (labels.get(depth - 1)) {
      case SERVERS -> depth == 1 ? new Meaning.ServerHosts() : new Meaning.Nothing();
      case HostNames.V4, HostNames.V6 -> host(labels);
      default -> path(labels).<Meaning>map(Meaning.Pool::new).orElse(new Meaning.Nothing());
    };
  }

  private static Meaning service(String service, List<String> owner) {
    if (owner.isEmpty()) {
      return service.equals(RNS) ? new Meaning.ServerService() : new Meaning.Nothing();
    }
    if (!service.startsWith("_")) {
      return new Meaning.Nothing();
    }
    return path(owner)
        .<Meaning>map(path -> new Meaning.PoolService(path, service.substring(1)))
        .orElse(new Meaning.Nothing());
  }

  private Meaning host(List<String> labels) {
    return switch (labels.size()) {
      case 1 -> new Meaning.Between();
      case 2 ->
        hosts.addressOf(labels.get(0), labels.get(1)).<Meaning>map(Meaning.Host::new).orElse(new Meaning.Nothing());
      default -> new Meaning.Nothing();
    };
  }

  private static Optional<RnsPath> path(List<String> labels) {
    String top = labels.get(labels.size() - 1);
    if (top.equals(SERVERS) || top.equals(HostNames.V4) || top.equals(HostNames.V6)) {
      return Optional.empty();
    }
    try {
      List<EntryName> names = new ArrayList<>(labels.size());
      for (int i = labels.size() - 1; i >= 0; i--) {
        names.add(EntryName.of(unescaped(labels.get(i))));
      }
      return Optional.of(RnsPath.of(names));
    } catch (RnsException | CharacterCodingException | IllegalArgumentException | IndexOutOfBoundsException e) {
      return Optional.empty();
    }
  }

  /** The entry name of a label; whatever may not stand for itself in a label is refused. */
  private static String unescaped(String label) throws CharacterCodingException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(label.length());
    for (int i = 0; i < label.length(); i++) {
      char c = label.charAt(i);
      if (c == '_') {
        bytes.write(HexFormat.fromHexDigits(label, i + 1, i + 3));
        i += 2;
      } else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-') {
        bytes.write(c);
      } else {
        throw new IllegalArgumentException("label " + label + " has a byte that has to be escaped");
      }
    }
    return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes.toByteArray())).toString();
  }
}
