package io.rns.front;

import io.netty.buffer.ByteBuf;
import io.rns.error.RnsException;
import io.rns.front.message.SharedRead;
import io.rns.wire.Envelope;
import io.rns.wire.MessageHeaders;
import io.rns.wire.Namespaces;
import io.rns.wire.SoapVersion;
import io.rns.xml.XmlPull;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What a front needs to know of SOAP messages. Stateless. */
final class SoapMessages {
  /** Bytes of a message that are searched for headers, at most. */
  private static final int SEARCHED = 8_192;

  /** Length of a message that others may ask for, too, at most. */
  private static final int MOST_SHARED = 4_096;

  private static final String POSITION = "Position";
  private static final String POSITION_CHARACTERS = "0123456789-,cuts"; // as in cuts-0-1-4711-1-4200

  /** Headers of a lookup that change nothing of what it finds. */
  private static final Pattern ADDED =
      Pattern.compile("<([\\w.-]+:)?(Explain|Servers)(\\s[^<>]*)?/>|<_x:Site [^<>]*>[^<]*</_x:Site>");

  /** Requests that may be repeated: reads, and those about pools; {@code x:batch} if its items are queries. */
  private static final Set<String> READS =
      Set.of(
          name(Namespaces.RNS, "list"), name(Namespaces.RNS, "query"), name(Namespaces.RNS_11, "LookupRequest"),
          name(Namespaces.EXT, "subtree"), name(Namespaces.EXT, "poolRegister"),
          name(Namespaces.EXT, "poolDeregister"), name(Namespaces.EXT, "poolResolve"), name(Namespaces.EXT, "poolList"),
          name(Namespaces.EXT, "poolElements"), name(Namespaces.WSRP, "GetResourceProperty"),
          name(Namespaces.WSRP, "GetMultipleResourceProperties"), name(Namespaces.WSRP, "GetResourcePropertyDocument"),
          name(Namespaces.WSRP, "QueryResourceProperties"), name(Namespaces.NAMING, "EndpointIdentifier"),
          name(Namespaces.OLD_NAMING, "EndpointIdentifier"), name(Namespaces.NAMING_WSDL, "resolve"));

  /** Operations that read names: without a position, a client sees its own writes at the primary only. */
  private static final Set<String> NAME_READS =
      Set.of("list", "query", "LookupRequest", "subtree", "GetResourceProperty", "GetMultipleResourceProperties",
          "GetResourcePropertyDocument", "QueryResourceProperties", "EndpointIdentifier", "resolve");

  private SoapMessages() {}

  private static String name(String namespace, String local) {
    return "{" + namespace + "}" + local;
  }

  /**
   * What a message says by names of elements, whatever their namespaces: hints only.
   *
   * @param tracksPosition whether it has a header that says what its response must show ({@code x:Position},
   *        {@code x:Consistency}), so that any server can answer it. Not so for iterators and requests that create
   *        some: these stay at one server
   * @param reads whether it reads names
   * @param explained whether its way is to be reported ({@code x:Explain})
   * @param path what it is about, if that is the path in {@code x:Path} and any server can answer; else empty
   */
  record Hints(boolean tracksPosition, boolean reads, boolean explained, String path) {}

  /** Looks at the headers of a message, and for its operation. */
  static Hints hints(ByteBuf message) {
    int at = message.readerIndex();
    int end = Math.min(message.writerIndex(), at + SEARCHED);
    boolean tracks = false;
    boolean explained = false;
    boolean byId = false;
    String path = "";
    boolean body = false;
    while (true) {
      at = message.indexOf(at, end, (byte) '<');
      if (at < 0 || ++at >= end) {
        return new Hints(false, false, explained, "");
      }
      int nameEnd = at;
      int local = at;
      while (nameEnd < end && isName(message.getByte(nameEnd))) {
        local = message.getByte(nameEnd) == ':' ? nameEnd + 1 : local;
        nameEnd++;
      }
      // A batch is what its first item is.
      if (body && !is(message, local, nameEnd, "batch")) {
        String operation = message.toString(local, nameEnd - local, StandardCharsets.ISO_8859_1);
        boolean iterates = operation.equals("LookupRequest") || operation.equals("SearchRequest");
        boolean any = tracks && !iterates;
        return new Hints(any, NAME_READS.contains(operation), explained, any && !byId ? path : "");
      }
      if (is(message, local, nameEnd, "Iterator")) {
        return new Hints(false, false, explained, "");
      }
      if (is(message, local, nameEnd, "Path")) {
        path = text(message, nameEnd, end);
      }
      byId |= is(message, local, nameEnd, "EntryId");
      explained |= is(message, local, nameEnd, "Explain");
      body |= is(message, local, nameEnd, "Body");
      tracks |= is(message, local, nameEnd, "Position") || is(message, local, nameEnd, "Consistency");
      at = nameEnd;
    }
  }

  /** The text behind a start tag, as it stands there; empty if it is not found. */
  private static String text(ByteBuf message, int tag, int end) {
    int from = message.indexOf(tag, end, (byte) '>') + 1;
    int to = from <= 0 ? -1 : message.indexOf(from, end, (byte) '<');
    return to < 0 ? "" : message.toString(from, to - from, StandardCharsets.UTF_8).strip();
  }

  private static boolean isName(byte octet) {
    return octet > ' ' && octet != '>' && octet != '/';
  }

  private static boolean is(ByteBuf message, int from, int to, String name) {
    return to - from == name.length()
        && message.toString(from, to - from, StandardCharsets.ISO_8859_1).equals(name);
  }

  /**
   * A message as a read that others may ask for, too: the text of its position apart, so that messages which differ in
   * that only have one key. {@link #headers} has to confirm what was found.
   *
   * @param head what its head says
   * @return null for a message that is no short one with one position or none
   */
  static @Nullable SharedRead read(SharedRead head, ByteBuf message) {
    return message.readableBytes() > MOST_SHARED ? null : read(head, message.toString(StandardCharsets.ISO_8859_1));
  }

  /** The read that a message which is to be explained would be if it were not, nor asked for servers. */
  static @Nullable SharedRead unexplained(SharedRead head, byte[] message) {
    return message.length > MOST_SHARED ? null
        : read(head, ADDED.matcher(new String(message, StandardCharsets.ISO_8859_1)).replaceAll(""));
  }

  private static @Nullable SharedRead read(SharedRead head, String text) {
    int name = text.indexOf(POSITION);
    if (name < 0) {
      return new SharedRead(head.key() + text, "", "", true);
    }
    int from = text.indexOf('>', name) + 1;
    int to = text.indexOf('<', from);
    int end = text.indexOf(POSITION, to);
    if (from == 0 || to <= from || text.charAt(from - 2) == '/' || end < 0 || text.indexOf(POSITION, end + 1) >= 0) {
      return null;
    }
    for (int i = from; i < to; i++) {
      if (POSITION_CHARACTERS.indexOf(text.charAt(i)) < 0) {
        return null;
      }
    }
    return new SharedRead(head.key() + text.substring(0, from) + text.substring(to), text.substring(from, to), "",
        true);
  }

  /** The headers of a message, if there are none but ours; null else, and for what cannot be read. */
  static @Nullable MessageHeaders headers(byte[] message, String contentType) {
    SoapVersion version = version(contentType);
    try (XmlPull pull = XmlPull.document(message, message.length)) {
      if (!Envelope.enter(pull, version) || !Envelope.atHeader(pull, version)) {
        return null;
      }
      MessageHeaders.Reader headers = new MessageHeaders.Reader();
      while (pull.nextChild()) {
        if (!headers.take(pull)) {
          return null;
        }
      }
      return headers.headers();
    } catch (RnsException e) {
      return null;
    }
  }

  private static SoapVersion version(String contentType) {
    return contentType.startsWith("application/soap+xml") ? SoapVersion.V1_2 : SoapVersion.V1_1;
  }

  /** Whether a message may be sent a second time: it reads, or has a request id. False for what cannot be read. */
  static boolean isRepeatable(byte[] message, String contentType) {
    SoapVersion version = version(contentType);
    try (XmlPull pull = XmlPull.document(message, message.length)) {
      if (!Envelope.enter(pull, version)) {
        return false;
      }
      if (Envelope.atHeader(pull, version)) {
        MessageHeaders.Reader headers = new MessageHeaders.Reader();
        while (pull.nextChild()) {
          if (!headers.take(pull)) {
            pull.skip();
          }
        }
        if (headers.headers().requestId().isPresent()) {
          return true;
        }
        if (!pull.nextChild()) {
          return false;
        }
      }
      Envelope.enterBody(pull, version);
      return isRead(pull);
    } catch (RnsException e) {
      return false;
    }
  }

  private static boolean isRead(XmlPull pull) {
    if (pull.is(Namespaces.EXT, "batch")) {
      return pull.nextChild() && pull.is(Namespaces.RNS, "query");
    }
    return READS.contains(name(pull.namespace(), pull.localName()));
  }
}
