package io.rns.wire;

import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.EntryId;
import io.rns.xml.XmlBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
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
  private final List<String> others;
  private final byte[][] pieces;

  /**
   * The names of one tree at one address.
   *
   * @param serviceUrl the address of the service
   * @param root the root of the tree
   */
  public WsNames(String serviceUrl, Entry root) {
    this(serviceUrl, tree(root), List.of());
  }

  private WsNames(String serviceUrl, long tree, List<String> others) {
    this.serviceUrl = serviceUrl;
    this.tree = tree;
    this.others = List.copyOf(others);
    this.pieces = template(escaped(serviceUrl), others.stream().map(WsNames::escaped).toList());
  }

  private static long tree(Entry root) {
    String made = "rns tree " + root.created();
    return UUID.nameUUIDFromBytes(made.getBytes(StandardCharsets.UTF_8)).getMostSignificantBits();
  }

  private static String escaped(String url) {
    return new XmlBuffer(64).text(url).toString();
  }

  /**
   * The names of the same tree at another address.
   *
   * @param url the address of the service there
   * @param resolvers addresses at which identifiers are resolved, too, should that not answer
   */
  public WsNames at(String url, List<String> resolvers) {
    return new WsNames(url, tree, resolvers);
  }

  /** The addresses, besides that of the service, at which identifiers are resolved. */
  public List<String> others() {
    return others;
  }

  /** The reference without the identifiers, cut where they belong: {@code #} the entry's id, {@code %} its EPI. */
  private static byte[][] template(String url, List<String> others) {
    String address = "<_a:Address>" + url + "</_a:Address>";
    String parameters = "<_a:ReferenceParameters><_x:EntryId>\n#\n</_x:EntryId></_a:ReferenceParameters>";
    String all =
        address + parameters
            + ("<_a:Metadata xmlns:_w=\"" + Namespaces.NAMING + "\" xmlns:_o=\"" + Namespaces.OLD_NAMING + "\">")
            + metadata("_w", address, parameters, others)
            + metadata("_o", address, parameters, others)
            + "</_a:Metadata>";
    // A URL has no line end.
    return Stream.of(all.split("\n", -1)).map(piece -> piece.getBytes(StandardCharsets.UTF_8)).toArray(byte[][]::new);
  }

  private static String metadata(String prefix, String address, String parameters, List<String> others) {
    StringBuilder more = new StringBuilder();
    for (String other : others) {
      more.append(resolver(prefix, "<_a:Address>" + other + "</_a:Address>"));
    }
    return "<" + prefix + ":EndpointIdentifier>\n%\n</" + prefix + ":EndpointIdentifier>"
        + resolver(prefix, address)
        + more
        + ("<" + prefix + ":ReferenceResolver>" + address + parameters + "</" + prefix + ":ReferenceResolver>");
  }

  private static String resolver(String prefix, String address) {
    return "<" + prefix + ":EndpointIdentifierResolver>" + address + "</" + prefix + ":EndpointIdentifierResolver>";
  }

  /** The address of the service. */
  public String serviceUrl() {
    return serviceUrl;
  }

  /** The identifier of a directory. */
  public String identifier(EntryId id) {
    return EPI + new UUID(tree, id.value());
  }

  /** The directory that an identifier means; empty if it is none of this tree. */
  public Optional<EntryId> directory(String identifier) {
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
  public EndpointReference reference(EntryId id) {
    XmlBuffer out = new XmlBuffer(1_024);
    out.raw("<_a:EndpointReference").raw(Markup.DECLARATIONS_11).raw(">");
    write(out, id);
    out.raw("</_a:EndpointReference>");
    return EndpointReference.parse(out.toString());
  }
}
