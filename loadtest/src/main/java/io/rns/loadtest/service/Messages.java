package io.rns.loadtest.service;

import io.rns.api.Consistency;
import io.rns.api.Cursor;
import io.rns.api.EntryId;
import io.rns.loadtest.work.Call;
import io.rns.loadtest.yardstick.NullOperation;
import io.rns.wire.Namespaces;
import io.rns.xml.XmlBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The messages of the load generator: RNS 1.0 as any SOAP toolkit would send it, with our extensions only where they
 * are the subject. Immutable.
 */
public record Messages(Consistency consistency, References references) {
  private static final String RNS = " xmlns:rns=\"" + Namespaces.RNS + "\"";
  private static final String EXT = " xmlns:ext=\"" + Namespaces.EXT + "\"";
  private static final String ALL = RNS + EXT + " xmlns:wsa=\"" + Namespaces.WSA + "\"";
  private static final String ANY_NAME = "<rns:list><rns:entry_name_regexp/></rns:list>";
  private static final int PAGE = 1_000;

  /** The message of an operation by path; a watch has none. */
  public byte[] of(Call call) {
    String name = Call.nameOf(call.path());
    String itself = element("ext:Path", call.path());
    String parent = element("ext:Path", Call.directoryOf(call.path()));
    return switch (call.kind()) {
      case QUERY -> message(ALL, level(), querying(call.path()));
      case LIST -> message(ALL, itself + "<ext:Page size=\"" + PAGE + "\"/>" + level(), ANY_NAME);
      case ADD -> message(ALL, parent, adding(name, references.content(name)));
      case MKDIR -> message(ALL, parent, "<rns:add>" + element("rns:entry_name", name) + "</rns:add>");
      case UPDATE ->
        message(ALL, itself, "<rns:update>" + reference(references.content("new-" + name)) + "</rns:update>");
      case MOVE ->
        message(ALL, itself, "<rns:update>" + element("rns:entry_name", Call.nameOf(call.to())) + "<ext:parent"
            + new XmlBuffer(64).attribute("path", Call.directoryOf(call.to())) + "/></rns:update>");
      case REMOVE -> message(ALL, parent, "<rns:remove>" + element("rns:entry_name", name) + "</rns:remove>");
      case WATCH -> throw new IllegalArgumentException("a watch is no message");
    };
  }

  private String level() {
    return consistency instanceof Consistency.Session ? "" : element("ext:Consistency", consistency.toString());
  }

  /** Looks up paths from the root; as a batch if they are several. */
  public static byte[] query(List<String> paths) {
    return paths.size() == 1 ? message(RNS, "", querying(paths.get(0)))
        : message(RNS + EXT, "", batch(paths.stream().map(Messages::querying)));
  }

  private static String querying(String path) {
    return "<rns:query>" + element("rns:entry-pattern", path) + "</rns:query>";
  }

  private static String batch(Stream<String> items) {
    return items.collect(Collectors.joining("", "<ext:batch>", "</ext:batch>"));
  }

  public static byte[] poolResolve(String handle) {
    return message(EXT, "", "<ext:poolResolve" + new XmlBuffer(64).attribute("handle", handle) + "/>");
  }

  /** Looks up names in a directory, by RNS 1.1. */
  public static byte[] lookup(EntryId directory, List<String> names) {
    return message(" xmlns:n=\"" + Namespaces.RNS_11 + "\"" + EXT, element("ext:EntryId", directory.toString()),
        names.stream().map(name -> element("n:entry-name", name))
            .collect(Collectors.joining("", "<n:LookupRequest>", "</n:LookupRequest>")));
  }

  /** Adds junctions to a directory; as a batch if they are several. */
  public static byte[] add(EntryId directory, List<String> names) {
    List<String> items = names.stream().map(name -> adding(name, References.SHORT.content(name))).toList();
    return message(ALL, element("ext:EntryId", directory.toString()),
        items.size() == 1 ? items.get(0) : batch(items.stream()));
  }

  private static String adding(String name, String reference) {
    return "<rns:add>" + element("rns:entry_name", name) + reference(reference) + "</rns:add>";
  }

  private static String reference(String content) {
    return "<rns:entry_reference>" + content + "</rns:entry_reference>";
  }

  public static byte[] list(EntryId directory, int pageSize, Optional<Cursor> cursor) {
    String from = cursor.map(at -> new XmlBuffer(64).attribute("cursor", at.toString()).toString()).orElse("");
    return message(RNS + EXT,
        element("ext:EntryId", directory.toString()) + "<ext:Page size=\"" + pageSize + "\"" + from + "/>", ANY_NAME);
  }

  /** Calls the yardstick's operation that does nothing. */
  public static byte[] nullOperation(String text) {
    return message("", "", "<y:nothing xmlns:y=\"" + NullOperation.NAMESPACE + "\">" + element("y:text", text)
        + "</y:nothing>");
  }

  /** An element with a text, which is escaped. */
  private static String element(String name, String text) {
    return "<" + name + ">" + new XmlBuffer(text.length() + 16).text(text) + "</" + name + ">";
  }

  private static byte[] message(String namespaces, String header, String body) {
    String message =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><soap:Envelope xmlns:soap=\"" + Namespaces.SOAP_11 + "\""
            + namespaces + ">" + (header.isEmpty() ? "" : "<soap:Header>" + header + "</soap:Header>") + "<soap:Body>"
            + body
            + "</soap:Body></soap:Envelope>";
    return message.getBytes(StandardCharsets.UTF_8);
  }
}
