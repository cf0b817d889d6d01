package io.rns.server.soap;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.rns.wire.HostileMessages;
import java.util.ArrayList;
import java.util.List;

/**
 * Requests as clients write them that know nothing of us, to be sent in order to an empty tree; all of them are done.
 */
public final class StandardMessages {
  private static final String EPR =
      "<r:entry_reference><a:Address>http://h/f</a:Address><a:ReferenceParameters><k xmlns='urn:k'>1</k>"
          + "</a:ReferenceParameters></r:entry_reference>";

  private final List<byte[]> messages = new ArrayList<>();

  private StandardMessages() {}

  private void send(String headers, String body) {
    messages.add(HostileMessages.message(headers, body).getBytes(UTF_8));
  }

  /** Requests of RNS 1.0, then those of RNS 1.1 and its companions. */
  public static List<byte[]> all() {
    List<byte[]> all = new ArrayList<>(rns10());
    all.addAll(rns11());
    return all;
  }

  /** Requests of RNS 1.1, resource properties, lifetime and naming. */
  static List<byte[]> rns11() {
    StandardMessages all = new StandardMessages();
    String meta = "<n:metadata><n:supports-rns value='false'/><rnskv key='k'>v</rnskv></n:metadata>";
    String root = "<k:RNSID xmlns:k='http://naregi.org/rns/2010/10/rns' a:IsReferenceParameter='true'>ROOT</k:RNSID>";
    all.send(root, "<n:AddRequest><n:entry entry-name='eleven'><n:metadata><n:supports-rns value='true'/></n:metadata>"
        + "</n:entry><n:entry entry-name='nil'><n:endpoint i:nil='true'/><n:metadata i:nil='true'/></n:entry></n:AddRequest>");
    String directory = "<x:Path>/eleven</x:Path>";
    all.send(directory,
        "<n:AddRequest>" + link("a", meta) + link("b", "") + link("c &amp; d", meta) + "</n:AddRequest>");
    all.send(directory, "<n:LookupRequest/>");
    all.send(directory, "<n:LookupRequest i:nil='true'/>");
    all.send(directory, "<n:LookupRequest>" + name("a") + name("c &amp; d") + name("b") + "</n:LookupRequest>");
    all.send(directory + "<x:Page size='2'/>", "<n:LookupRequest/>");
    all.send(directory + "<x:Extensions/>", "<n:LookupRequest>" + name("a") + "</n:LookupRequest>");
    all.send(directory + "<x:Extensions/>", "<n:LookupRequest/>");
    all.send(directory, "<n:RenameRequest><n:rename-request source-name='a' target-name='z'/>"
        + "<n:rename-request source-name='b' target-name='a'/></n:RenameRequest>");
    all.send(directory, "<n:SetMetadataRequest><n:set-metadata-request entry-name='z'><n:supports-rns value='unknown'/>"
        + "<m:size xmlns:m='urn:m'>1</m:size></n:set-metadata-request></n:SetMetadataRequest>");
    all.send(directory, "<p:GetResourceProperty>n:elementCount</p:GetResourceProperty>");
    all.send(directory, "<p:GetMultipleResourceProperties xmlns:q='http://schemas.ogf.org/rns/2009/12/rns'>"
        + "<p:ResourceProperty>q:readable</p:ResourceProperty><p:ResourceProperty> n:accessTime\n</p:ResourceProperty>"
        + "<p:ResourceProperty xmlns='http://schemas.ogf.org/rns/2009/12/rns'>writable</p:ResourceProperty>"
        + "</p:GetMultipleResourceProperties>");
    all.send(directory, "<p:GetResourcePropertyDocument/>");
    all.send(directory,
        "<p:QueryResourceProperties><p:QueryExpression Dialect='http://www.w3.org/TR/1999/REC-xpath-19991116'>"
            + "/n:RNSRP/n:elementCount</p:QueryExpression></p:QueryResourceProperties>");
    all.send(directory, "<l:SetTerminationTime><l:RequestedTerminationTime i:nil='true'/></l:SetTerminationTime>");
    all.send(directory, "<v:resolve/>");
    all.send(directory, "<n:RemoveRequest>" + name("a") + name("z") + "</n:RemoveRequest>");
    all.send("<x:Path>/nil</x:Path>", "<l:Destroy/>");
    all.send("", "<n:RemoveRequest>" + name("nil") + "</n:RemoveRequest>");
    all.send("", "<n:RemoveRequest><n:entry-name x:recursive='true'>eleven</n:entry-name></n:RemoveRequest>");
    return all.messages;
  }

  private static String name(String name) {
    return "<n:entry-name>" + name + "</n:entry-name>";
  }

  private static String link(String name, String metadata) {
    String address = "<a:Address>http://h/" + name.replace(" ", "") + "</a:Address>";
    return "<n:entry entry-name='" + name + "'><n:endpoint>" + address + "</n:endpoint>" + metadata + "</n:entry>";
  }

  /** Requests of RNS 1.0. */
  static List<byte[]> rns10() {
    StandardMessages all = new StandardMessages();
    all.send("", "<r:add><r:entry_name>data</r:entry_name></r:add>");
    all.send("", "<r:add>\n  <r:entry_name>tmp</r:entry_name>\n  <r:entry_reference xsi:nil='true'"
        + " xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance'/>\n</r:add>");
    all.send("<x:Path>/data</x:Path>", "<r:add><r:entry_name>file</r:entry_name>" + EPR + "<kind>text</kind></r:add>");
    all.send("<x:Path>/data</x:Path>", "<r:add><r:entry_name>two &amp; more</r:entry_name>" + EPR + EPR + "</r:add>");
    all.send("<x:EntryId a:IsReferenceParameter='true'>0000000000000001</x:EntryId>", "<r:list/>");
    all.send("<x:Path>/data</x:Path>", "<r:list><r:entry_name_regexp>f.*</r:entry_name_regexp></r:list>");
    all.send("<x:Path>/data</x:Path>",
        "<r:list x:syntax='glob'><r:entry_name_regexp>f*</r:entry_name_regexp></r:list>");
    all.send("<x:Page size='1'/>", "<r:list><r:entry_name_regexp/></r:list>");
    all.send("", "<r:query/>");
    all.send("", "<r:query><r:entry-pattern>data/file</r:entry-pattern></r:query>");
    all.send("<x:Path>/data</x:Path><x:Extensions/>", "<r:query><r:entry-pattern>/file</r:entry-pattern></r:query>");
    all.send("<x:Path>/data/file</x:Path>",
        "<r:update><r:entry_name>renamed</r:entry_name><kind>binary</kind></r:update>");
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
