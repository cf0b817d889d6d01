package io.rns.server.soap;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.rns.wire.HostileMessages;
import java.util.ArrayList;
import java.util.List;

/** Requests of RNS 1.0 as clients write them that know nothing of us, to be sent in order to an empty tree. */
final class StandardMessages {
  private static final String EPR =
      "<r:entry_reference><a:Address>http://h/f</a:Address><a:ReferenceParameters><k xmlns='urn:k'>1</k>"
          + "</a:ReferenceParameters></r:entry_reference>";

  private final List<byte[]> messages = new ArrayList<>();

  private StandardMessages() {}

  private void send(String headers, String body) {
    messages.add(HostileMessages.message(headers, body).getBytes(UTF_8));
  }

  static List<byte[]> all() {
    StandardMessages all = new StandardMessages();
    all.send("", "<r:add><r:entry_name>data</r:entry_name></r:add>");
    all.send("", "<r:add>\n  <r:entry_name>tmp</r:entry_name>\n  <r:entry_reference xsi:nil='true'"
        + " xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance'/>\n</r:add>");
    all.send("<x:Path>/data</x:Path>", "<r:add><r:entry_name>file</r:entry_name>" + EPR + "<kind>text</kind></r:add>");
    all.send("<x:Path>/data</x:Path>", "<r:add><r:entry_name>two &amp; more</r:entry_name>" + EPR + EPR + "</r:add>");
    all.send("<x:EntryId a:IsReferenceParameter='true'>0000000000000001</x:EntryId>", "<r:list/>");
    all.send("<x:Path>/data</x:Path>", "<r:list><r:entry_name_regexp>f.*</r:entry_name_regexp></r:list>");
    all.send("<x:Path>/data</x:Path>", "<r:list x:syntax='glob'><r:entry_name_regexp>f*</r:entry_name_regexp></r:list>");
    all.send("<x:Page size='1'/>", "<r:list><r:entry_name_regexp/></r:list>");
    all.send("", "<r:query/>");
    all.send("", "<r:query><r:entry-pattern>data/file</r:entry-pattern></r:query>");
    all.send("<x:Path>/data</x:Path><x:Extensions/>", "<r:query><r:entry-pattern>/file</r:entry-pattern></r:query>");
    all.send("<x:Path>/data/file</x:Path>", "<r:update><r:entry_name>renamed</r:entry_name><kind>binary</kind></r:update>");
    all.send("<x:Path>/data/renamed</x:Path>", "<r:move><r:entry_parent><a:Address>" + Entrances.URL
        + "</a:Address></r:entry_parent></r:move>");
    all.send("<x:Path>/renamed</x:Path>", "<r:update>" + EPR + "<x:metadata/></r:update>");
    all.send("<x:RequestId>r1</x:RequestId>", "<r:remove><r:entry_name>renamed</r:entry_name></r:remove>");
    all.send("<x:RequestId>r1</x:RequestId>", "<r:remove><r:entry_name>renamed</r:entry_name></r:remove>");
    all.send("<x:Path>/data</x:Path>", "<r:remove x:recursive='true'/>");
    all.send("", "<x:batch parents='true'><r:add x:path='/p/q'><r:entry_name>n</r:entry_name></r:add>"
        + "<r:add x:start='0000000000000001'><r:entry_name>o</r:entry_name></r:add></x:batch>");
    all.send("<x:Path>/p</x:Path>", "<x:batch counts='true'><r:query/><r:query x:path='/q'/></x:batch>");
    return all.messages;
  }
}
