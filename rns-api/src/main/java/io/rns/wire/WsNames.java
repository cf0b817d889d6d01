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
 * when it moves, and with the resolvers that map it to the current reference. Both appear twice, in the published
 * namespace and in that of the draft. Immutable.
 *
 * <p>An EPI is a UUID: its lower half is the id of the entry, its upper half identifies the tree by its creation time.
 */
public final class WsNames {
  private static final String EPI = "urn:ws-naming:epi:";

  private final String serviceUrl;
  private final long tree;
  private final List<String> others;
  private final byte[][] pieces;

  /**
   * The names of a tree at an address.
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
   * @param resolvers further addresses that resolve identifiers if the service does not answer
   */
  public WsNames at(String url, List<String> resolvers) {
    return new WsNames(url, tree, resolvers);
  }

  /** The further addresses that resolve identifiers. */
  public List<String> others() {
    return others;
  }

  /** The reference without the identifiers, split at their places: {@code #} the id of the entry, {@code %} its EPI. */
  private static byte[][] template(String url, List<String> others) {
    String address = "<_a:Address>" + url + "</_a:Address>";
    String parameters = "<_a:ReferenceParameters><_x:EntryId>\n#\n</_x:EntryId></_a:ReferenceParameters>";
    String all =
        address + parameters
            + ("<_a:Metadata xmlns:_w=\"" + Namespaces.NAMING + "\" xmlns:_o=\"" + Namespaces.OLD_NAMING + "\">")
            + metadata("_w", address, parameters, others)
            + metadata("_o", address, parameters, others)
            + "</_a:Metadata>";
    // A URL contains no line end.
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

  /** The directory of an identifier; empty if it is not from this tree. */
  public Optional<EntryId> directory(String identifier) {
    if (!identifier.startsWith(EPI)) {
      return Optional.empty();
    }
    try {
      UUID uuid = UUID.fromString(identifier.substring(EPI.length()));
      EntryId id = new EntryId(Math.max(1, uuid.getLeastSignificantBits()));
      // Reject other spellings of the same number: we never issue them.
      return identifier(id).equalsIgnoreCase(identifier) ? Optional.of(id) : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Appends the content of a directory's reference; the prefixes of RNS 1.1 must be declared. */
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
