package io.rns.loadtest;

import io.rns.api.Cursor;
import io.rns.api.EntryId;
import io.rns.loadtest.work.Call;
import io.rns.loadtest.yardstick.NullOperation;
import io.rns.wire.Namespaces;
import io.rns.xml.XmlBuffer;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The messages of the raw load: RNS 1.0 as any SOAP toolkit would send it, our extensions only where they are the
 * point.
 */
final class Messages {
  private static final String RNS = " xmlns:rns=\"" + Namespaces.RNS + "\"";
  private static final String EXT = " xmlns:ext=\"" + Namespaces.EXT + "\"";
  private static final String WSA = " xmlns:wsa=\"" + Namespaces.WSA + "\"";

  private Messages() {}

  /** Looks up one path from the root. */
  static byte[] query(String path) {
    return message(RNS, header -> {}, body -> query(body, path));
  }

  /** Looks up many paths from the root. */
  static byte[] queryBatch(List<String> paths) {
    return message(
        RNS + EXT,
        header -> {},
        body -> {
          body.raw("<ext:batch>");
          paths.forEach(path -> query(body, path));
          body.raw("</ext:batch>");
        });
  }

  static void query(XmlBuffer body, String path) {
    body.raw("<rns:query><rns:entry-pattern>").text(path).raw("</rns:entry-pattern></rns:query>");
  }

  /** Resolves a server pool. */
  static byte[] poolResolve(String handle) {
    return message(EXT, header -> {}, body -> body.raw("<ext:poolResolve").attribute("handle", handle).raw("/>"));
  }

  /** Looks up names in a directory, by RNS 1.1. */
  static byte[] lookup(EntryId directory, List<String> names) {
    return message(
        " xmlns:n=\"" + Namespaces.RNS_11 + "\"" + EXT,
        header -> directory(header, directory),
        body -> {
          body.raw("<n:LookupRequest>");
          names.forEach(name -> body.raw("<n:entry-name>").text(name).raw("</n:entry-name>"));
          body.raw("</n:LookupRequest>");
        });
  }

  /** Adds a junction to a directory. */
  static byte[] add(EntryId directory, String name) {
    return message(RNS + EXT + WSA, header -> directory(header, directory), body -> add(body, name));
  }

  /** Adds junctions to a directory. */
  static byte[] addBatch(EntryId directory, List<String> names) {
    return message(
        RNS + EXT + WSA,
        header -> directory(header, directory),
        body -> {
          body.raw("<ext:batch>");
          names.forEach(name -> add(body, name));
          body.raw("</ext:batch>");
        });
  }

  private static void add(XmlBuffer body, String name) {
    body.raw("<rns:add><rns:entry_name>").text(name).raw("</rns:entry_name>");
    body.raw("<rns:entry_reference><wsa:Address>").text(address(name));
    body.raw("</wsa:Address></rns:entry_reference></rns:add>");
  }

  /** The address that the junction of a name has. */
  static String address(String name) {
    return Call.addressOf(name);
  }

  /** Lists a page of a directory. */
  static byte[] list(EntryId directory, int pageSize, Optional<Cursor> cursor) {
    return message(
        RNS + EXT,
        header -> {
          directory(header, directory);
          header.raw("<ext:Page").attribute("size", pageSize);
          cursor.ifPresent(from -> header.attribute("cursor", from.toString()));
          header.raw("/>");
        },
        body -> body.raw("<rns:list><rns:entry_name_regexp/></rns:list>"));
  }

  private static void directory(XmlBuffer header, EntryId id) {
    header.raw("<ext:EntryId>").raw(id.toString()).raw("</ext:EntryId>");
  }

  /** Calls the operation of the yardstick that does nothing. */
  static byte[] nullOperation(String text) {
    String operation = "<y:nothing xmlns:y=\"" + NullOperation.NAMESPACE + "\"><y:text>";
    return message("", header -> {}, body -> body.raw(operation).text(text).raw("</y:text></y:nothing>"));
  }

  static byte[] message(String namespaces, Consumer<XmlBuffer> header, Consumer<XmlBuffer> body) {
    XmlBuffer out = new XmlBuffer(1_024);
    out.raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
    out.raw("<soap:Envelope xmlns:soap=\"" + Namespaces.SOAP_11 + "\"" + namespaces + ">");
    XmlBuffer headers = new XmlBuffer(256);
    header.accept(headers);
    if (headers.length() > 0) {
      out.raw("<soap:Header>").raw(headers.toByteArray()).raw("</soap:Header>");
    }
    out.raw("<soap:Body>");
    body.accept(out);
    out.raw("</soap:Body></soap:Envelope>");
    return out.toByteArray();
  }
}
