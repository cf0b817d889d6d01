package io.rns.wire;

import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.EntryId;
import io.rns.xml.XmlBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * The endpoint references of our directories as WS-Names: with an endpoint identifier (EPI), which a directory keeps
 * wherever it moves, and with the resolvers that give its reference for it. Both stand there twice, in the published
 * namespace and in that of the draft. Immutable.
 *
 * <p>An EPI is a UUID: its lower half is the entry's id, its upper half tells the tree by the instant it was made.
 */
public final class WsNames {
  private static final String EPI = "urn:ws-naming:epi:";

  private final String serviceUrl;
  private final long tree;
  private final byte[][] pieces;

  /**
   * The names of one tree at one address.
   *
   * @param serviceUrl the address of the service
   * @param root the root of the tree
   */
  public WsNames(String serviceUrl, Entry root) {
    this.serviceUrl = serviceUrl;
    String made = "rns tree " + root.created();
    this.tree = UUID.nameUUIDFromBytes(made.getBytes(StandardCharsets.UTF_8)).getMostSignificantBits();
    this.pieces = template(new XmlBuffer(64).text(serviceUrl).toString());
  }

  /** The reference without the identifiers, cut where they belong: {@code #} the entry's id, {@code %} its EPI. */
  private static byte[][] template(String url) {
    String address = "<_a:Address>" + url + "</_a:Address>";
    String parameters = "<_a:ReferenceParameters><_x:EntryId>\n#\n</_x:EntryId></_a:ReferenceParameters>";
    String all =
        address + parameters
            + ("<_a:Metadata xmlns:_w=\"" + Namespaces.NAMING + "\" xmlns:_o=\"" + Namespaces.OLD_NAMING + "\">")
            + metadata("_w", address, parameters)
            + metadata("_o", address, parameters)
            + "</_a:Metadata>";
    // A URL has no line end.
    return Stream.of(all.split("\n", -1)).map(piece -> piece.getBytes(StandardCharsets.UTF_8)).toArray(byte[][]::new);
  }

  private static String metadata(String prefix, String address, String parameters) {
    return "<" + prefix + ":EndpointIdentifier>\n%\n</" + prefix + ":EndpointIdentifier>"
        + ("<" + prefix + ":EndpointIdentifierResolver>" + address + "</" + prefix + ":EndpointIdentifierResolver>")
        + ("<" + prefix + ":ReferenceResolver>" + address + parameters + "</" + prefix + ":ReferenceResolver>");
  }

  /** The address of the service. */
  public String serviceUrl() {
    return serviceUrl;
  }

  /** The identifier of a directory. */
  String identifier(EntryId id) {
    return EPI + new UUID(tree, id.value());
  }

  /** The directory that an identifier means; empty if it is none of this tree. */
  Optional<EntryId> directory(String identifier) {
    if (!identifier.startsWith(EPI)) {
      return Optional.empty();
    }
    try {
      UUID uuid = UUID.fromString(identifier.substring(EPI.length()));
      EntryId id = new EntryId(Math.max(1, uuid.getLeastSignificantBits()));
      // Other spellings of the same number are not what we gave.
      return identifier(id).equalsIgnoreCase(identifier) ? Optional.of(id) : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Appends what stands inside the reference of a directory; the prefixes of RNS 1.1 must be declared. */
  void write(XmlBuffer out, EntryId id) {
    String entry = id.toString();
    String epi = identifier(id);
    for (byte[] piece : pieces) {
      if (piece.length == 1) {
        out.raw(piece[0] == '#' ? entry : epi);
      } else {
        out.raw(piece);
      }
    }
  }

  /** The reference of a directory as a value. */
  EndpointReference reference(EntryId id) {
    XmlBuffer out = new XmlBuffer(1_024);
    out.raw("<_a:EndpointReference").raw(Markup.DECLARATIONS_11).raw(">");
    write(out, id);
    out.raw("</_a:EndpointReference>");
    return EndpointReference.parse(out.toString());
  }
}
