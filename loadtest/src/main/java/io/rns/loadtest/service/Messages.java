package io.rns.loadtest.service;

import io.rns.api.Consistency;
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
 * The messages of the load generator: RNS 1.0 as any SOAP toolkit would send it, with our extensions only where they
 * are the subject. Immutable.
 *
 * @param consistency what a read by {@link #of} must see
 * @param references of the junctions that {@link #of} adds
 */
public record Messages(Consistency consistency, References references) {
  private static final String RNS = " xmlns:rns=\"" + Namespaces.RNS + "\"";
  private static final String EXT = " xmlns:ext=\"" + Namespaces.EXT + "\"";
  private static final String WSA = " xmlns:wsa=\"" + Namespaces.WSA + "\"";
  private static final int PAGE = 1_000;

  /** The message of an operation by path; a watch has none. */
  public byte[] of(Call call) {
    String name = Call.nameOf(call.path());
    return switch (call.kind()) {
      case QUERY -> message(RNS + EXT + WSA, this::level, body -> query(body, call.path()));
      case LIST ->
        at(call.path(), header -> level(header.raw("<ext:Page").attribute("size", PAGE).raw("/>")), Messages::anyName);
      case ADD ->
        at(Call.directoryOf(call.path()), Messages::noHeader, body -> add(body, name, references.content(name)));
      case MKDIR ->
        at(Call.directoryOf(call.path()), Messages::noHeader,
            body -> body.raw("<rns:add><rns:entry_name>").text(name).raw("</rns:entry_name></rns:add>"));
      case UPDATE ->
        at(call.path(), Messages::noHeader, body -> body.raw("<rns:update><rns:entry_reference>")
            .raw(references.content("new-" + name)).raw("</rns:entry_reference></rns:update>"));
      case MOVE ->
        at(call.path(), Messages::noHeader,
            body -> body.raw("<rns:update><rns:entry_name>").text(Call.nameOf(call.to()))
                .raw("</rns:entry_name><ext:parent").attribute("path", Call.directoryOf(call.to()))
                .raw("/></rns:update>"));
      case REMOVE ->
        at(Call.directoryOf(call.path()), Messages::noHeader,
            body -> body.raw("<rns:remove><rns:entry_name>").text(name).raw("</rns:entry_name></rns:remove>"));
      case WATCH -> throw new IllegalArgumentException("a watch is no message");
    };
  }

  private static void noHeader(XmlBuffer header) {}

  private static void anyName(XmlBuffer body) {
    body.raw("<rns:list><rns:entry_name_regexp/></rns:list>");
  }

  private void level(XmlBuffer header) {
    if (!(consistency instanceof Consistency.Session)) {
      header.raw("<ext:Consistency>").raw(consistency.toString()).raw("</ext:Consistency>");
    }
  }

  private static byte[] at(String path, Consumer<XmlBuffer> more, Consumer<XmlBuffer> body) {
    return message(RNS + EXT + WSA, header -> more.accept(header.raw("<ext:Path>").text(path).raw("</ext:Path>")),
        body);
  }

  /** Looks up one path from the root. */
  public static byte[] query(String path) {
    return message(RNS, Messages::noHeader, body -> query(body, path));
  }

  private static void query(XmlBuffer body, String path) {
    body.raw("<rns:query><rns:entry-pattern>").text(path).raw("</rns:entry-pattern></rns:query>");
  }

  /** Looks up many paths from the root. */
  public static byte[] queryBatch(List<String> paths) {
    return message(RNS + EXT, Messages::noHeader, batch(body -> paths.forEach(path -> query(body, path))));
  }

  private static Consumer<XmlBuffer> batch(Consumer<XmlBuffer> items) {
    return body -> {
      body.raw("<ext:batch>");
      items.accept(body);
      body.raw("</ext:batch>");
    };
  }

  /** Resolves a server pool. */
  public static byte[] poolResolve(String handle) {
    return message(EXT, Messages::noHeader, body -> body.raw("<ext:poolResolve").attribute("handle", handle).raw("/>"));
  }

  /** Looks up names in a directory, by RNS 1.1. */
  public static byte[] lookup(EntryId directory, List<String> names) {
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
  public static byte[] add(EntryId directory, String name) {
    return message(RNS + EXT + WSA, header -> directory(header, directory),
        body -> add(body, name, References.SHORT.content(name)));
  }

  /** Adds junctions to a directory. */
  public static byte[] addBatch(EntryId directory, List<String> names) {
    return message(RNS + EXT + WSA, header -> directory(header, directory),
        batch(body -> names.forEach(name -> add(body, name, References.SHORT.content(name)))));
  }

  private static void add(XmlBuffer body, String name, String reference) {
    body.raw("<rns:add><rns:entry_name>").text(name).raw("</rns:entry_name><rns:entry_reference>").raw(reference)
        .raw("</rns:entry_reference></rns:add>");
  }

  /** Lists a page of a directory. */
  public static byte[] list(EntryId directory, int pageSize, Optional<Cursor> cursor) {
    return message(
        RNS + EXT,
        header -> {
          directory(header, directory);
          header.raw("<ext:Page").attribute("size", pageSize);
          cursor.ifPresent(from -> header.attribute("cursor", from.toString()));
          header.raw("/>");
        },
        Messages::anyName);
  }

  private static void directory(XmlBuffer header, EntryId id) {
    header.raw("<ext:EntryId>").raw(id.toString()).raw("</ext:EntryId>");
  }

  /** Calls the yardstick's operation that does nothing. */
  public static byte[] nullOperation(String text) {
    String operation = "<y:nothing xmlns:y=\"" + NullOperation.NAMESPACE + "\"><y:text>";
    return message("", Messages::noHeader, body -> body.raw(operation).text(text).raw("</y:text></y:nothing>"));
  }

  private static byte[] message(String namespaces, Consumer<XmlBuffer> header, Consumer<XmlBuffer> body) {
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
