package io.rns.loadtest;

import io.rns.api.Consistency;
import io.rns.loadtest.work.Call;
import io.rns.wire.Namespaces;
import io.rns.xml.XmlBuffer;

/** Operations by path as messages of RNS 1.0 with our extensions. Immutable. */
final class CallMessages {
  private static final int PAGE = 1_000;
  private static final String NAMESPACES =
      " xmlns:rns=\"" + Namespaces.RNS + "\" xmlns:ext=\"" + Namespaces.EXT + "\" xmlns:wsa=\"" + Namespaces.WSA + "\"";

  private final String consistency;
  private final References references;

  CallMessages(Consistency consistency, References references) {
    this.consistency =
        consistency instanceof Consistency.Session ? "" : "<ext:Consistency>" + consistency + "</ext:Consistency>";
    this.references = references;
  }

  /** The message of an operation that is no watch. */
  byte[] of(Call call) {
    return switch (call.kind()) {
      case QUERY ->
        Messages.message(NAMESPACES, header -> header.raw(consistency), body -> Messages.query(body, call.path()));
      case LIST ->
        Messages.message(
            NAMESPACES,
            header -> at(header, call.path()).raw("<ext:Page").attribute("size", PAGE).raw("/>").raw(consistency),
            body -> body.raw("<rns:list><rns:entry_name_regexp/></rns:list>"));
      case ADD -> add(call, true);
      case MKDIR -> add(call, false);
      case UPDATE -> update(call, out -> reference(out, "new-" + Call.nameOf(call.path())));
      case MOVE -> update(call, out -> destination(out, call.to()));
      case REMOVE -> remove(call);
      case WATCH -> throw new IllegalArgumentException("a watch is no message");
    };
  }

  private byte[] add(Call call, boolean junction) {
    String name = Call.nameOf(call.path());
    return Messages.message(
        NAMESPACES,
        header -> at(header, Call.directoryOf(call.path())),
        body -> {
          body.raw("<rns:add><rns:entry_name>").text(name).raw("</rns:entry_name>");
          if (junction) {
            reference(body, name);
          }
          body.raw("</rns:add>");
        });
  }

  private interface Part {
    void write(XmlBuffer out);
  }

  private static byte[] update(Call call, Part part) {
    return Messages.message(
        NAMESPACES,
        header -> at(header, call.path()),
        body -> {
          body.raw("<rns:update>");
          part.write(body);
          body.raw("</rns:update>");
        });
  }

  private void reference(XmlBuffer out, String name) {
    out.raw("<rns:entry_reference>").raw(references.content(name)).raw("</rns:entry_reference>");
  }

  private static void destination(XmlBuffer out, String path) {
    out.raw("<rns:entry_name>").text(Call.nameOf(path)).raw("</rns:entry_name>");
    out.raw("<ext:parent").attribute("path", Call.directoryOf(path)).raw("/>");
  }

  private static byte[] remove(Call call) {
    return Messages.message(
        NAMESPACES,
        header -> at(header, Call.directoryOf(call.path())),
        body -> body.raw("<rns:remove><rns:entry_name>").text(Call.nameOf(call.path()))
            .raw("</rns:entry_name></rns:remove>"));
  }

  private static XmlBuffer at(XmlBuffer header, String path) {
    return header.raw("<ext:Path>").text(path).raw("</ext:Path>");
  }
}
