package io.rns.wire;

import io.rns.error.Limits;
import io.rns.error.RnsError;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import javax.xml.XMLConstants;

/** Messages that must be rejected, each with its expected error code. */
public final class HostileMessages {
  /** A message that must be rejected. */
  public static final class Hostile {
    private final String name;
    private final byte[] bytes;
    private final RnsError error;

    private Hostile(String name, byte[] bytes, RnsError error) {
      this.name = name;
      this.bytes = bytes;
      this.error = error;
    }

    /** The defect. */
    public String name() {
      return name;
    }

    /** The message. */
    public byte[] bytes() {
      return bytes.clone();
    }

    /** The expected error code. */
    public RnsError error() {
      return error;
    }

    /** The expected fault code in SOAP 1.1. */
    public String faultCode() {
      return name.startsWith("envelope ") ? "VersionMismatch" : "Client";
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private static final String OPEN = "<s:Envelope xmlns:s=\"" + Namespaces.SOAP_11 + "\" xmlns:r=\"" + Namespaces.RNS
      + "\" xmlns:x=\"" + Namespaces.EXT + "\" xmlns:a=\"" + Namespaces.WSA + "\" xmlns:n=\"" + Namespaces.RNS_11
      + "\" xmlns:p=\"" + Namespaces.WSRP + "\" xmlns:l=\"" + Namespaces.WSRL + "\" xmlns:w=\"" + Namespaces.NAMING
      + "\" xmlns:v=\"" + Namespaces.NAMING_WSDL + "\" xmlns:i=\"" + XMLConstants.W3C_XML_SCHEMA_INSTANCE_NS_URI
      + "\">";
  private static final String CLOSE = "</s:Envelope>";
  private static final String EPR = "<r:entry_reference><a:Address>http://h/</a:Address></r:entry_reference>";

  private static final String POOL_ELEMENT = "handle='/p' policy='rr' element='1' lifetime-millis='1'";

  private final List<Hostile> messages = new ArrayList<>();

  private HostileMessages() {}

  /** A message with the given headers and body. */
  public static String message(String headers, String body) {
    return OPEN + (headers.isEmpty() ? "" : "<s:Header>" + headers + "</s:Header>") + "<s:Body>" + body + "</s:Body>"
        + CLOSE;
  }

  public static List<Hostile> all() {
    HostileMessages all = new HostileMessages();
    all.brokenXml();
    all.dangerousXml();
    all.brokenSoap();
    all.brokenRequests();
    all.tooMuch();
    all.badHeaders();
    all.brokenRequests11();
    all.brokenPools();
    return List.copyOf(all.messages);
  }

  private void add(String name, RnsError error, String message) {
    messages.add(new Hostile(name, message.getBytes(StandardCharsets.UTF_8), error));
  }

  private void body(String name, RnsError error, String body) {
    add(name, error, message("", body));
  }

  private void brokenXml() {
    add("nothing", RnsError.MALFORMED_MESSAGE, "");
    add("white space", RnsError.MALFORMED_MESSAGE, " \n\n ");
    add("not XML", RnsError.MALFORMED_MESSAGE, "hello");
    String good = message("", "<r:add><r:entry_name>n</r:entry_name></r:add>");
    for (int length = 1; length < good.length(); length += 17) {
      add("truncated after " + length, RnsError.MALFORMED_MESSAGE, good.substring(0, length));
    }
    add("two roots", RnsError.MALFORMED_MESSAGE, good + good);
    add("trailing text", RnsError.MALFORMED_MESSAGE, good + "x");
    body("unbound prefix", RnsError.MALFORMED_MESSAGE, "<q:add/>");
    body("duplicate attribute", RnsError.MALFORMED_MESSAGE, "<r:query x:start='1' x:start='1'/>");
    body("overlapping elements", RnsError.MALFORMED_MESSAGE, "<r:add><r:entry_name></r:add></r:entry_name>");
    body("character reference of NUL", RnsError.MALFORMED_MESSAGE, "<r:add><r:entry_name>a&#0;</r:entry_name></r:add>");
    body("control character", RnsError.MALFORMED_MESSAGE, "<r:add><r:entry_name>a\u0001</r:entry_name></r:add>");
    body("unterminated CDATA", RnsError.MALFORMED_MESSAGE, "<r:add><r:entry_name><![CDATA[x</r:entry_name></r:add>");
    bytes("invalid UTF-8 byte", 0xff);
    bytes("invalid UTF-8 continuation", 0xc3, 0x28);
    bytes("overlong UTF-8", 0xc0, 0xaf);
    bytes("surrogate in UTF-8", 0xed, 0xa0, 0x80);
    bytes("UTF-8 beyond Unicode", 0xf5, 0x80, 0x80, 0x80);
  }

  private void bytes(String name, int... bad) {
    String[] halves = message("", "<r:add><r:entry_name>a|</r:entry_name></r:add>").split("\\|", -1);
    byte[] head = halves[0].getBytes(StandardCharsets.UTF_8);
    byte[] tail = halves[1].getBytes(StandardCharsets.UTF_8);
    byte[] message = new byte[head.length + bad.length + tail.length];
    System.arraycopy(head, 0, message, 0, head.length);
    for (int i = 0; i < bad.length; i++) {
      message[head.length + i] = (byte) bad[i];
    }
    System.arraycopy(tail, 0, message, head.length + bad.length, tail.length);
    messages.add(new Hostile(name, message, RnsError.MALFORMED_MESSAGE));
  }

  private void dangerousXml() {
    String good = message("", "<r:query/>");
    add("DTD", RnsError.MALFORMED_MESSAGE, "<!DOCTYPE s:Envelope>" + good);
    add(
        "external DTD",
        RnsError.MALFORMED_MESSAGE,
        "<!DOCTYPE s:Envelope SYSTEM \"http://127.0.0.1:1/x.dtd\">" + good);
    add(
        "external entity",
        RnsError.MALFORMED_MESSAGE,
        "<!DOCTYPE x [<!ENTITY e SYSTEM \"file:///etc/hostname\">]>"
            + message("", "<r:add><r:entry_name>&e;</r:entry_name></r:add>"));
    StringBuilder laughs = new StringBuilder("<!DOCTYPE x [<!ENTITY l0 \"ha\">");
    for (int i = 1; i < 30; i++) {
      laughs.append("<!ENTITY l").append(i).append(" \"").append(("&l" + (i - 1) + ";").repeat(10)).append("\">");
    }
    add("billion laughs", RnsError.MALFORMED_MESSAGE, laughs + "]>" + message("", "<r:add>&l29;</r:add>"));
    body("undeclared entity", RnsError.MALFORMED_MESSAGE, "<r:add><r:entry_name>&nbsp;</r:entry_name></r:add>");
    body("10,000 attributes", RnsError.LIMIT_EXCEEDED, "<r:query" + numbered(10_000, " a|='1'") + "/>");
    body("100,000 names", RnsError.LIMIT_EXCEEDED, "<r:add>" + numbered(100_000, "<n|/>") + "</r:add>");
    body("100,000 instructions", RnsError.LIMIT_EXCEEDED, "<r:add>" + numbered(100_000, "<?n|?>") + "</r:add>");
    String declarations = numbered(Limits.XML_ATTRIBUTES, " xmlns:n|='urn:n'");
    body("1,000 namespaces", RnsError.LIMIT_EXCEEDED,
        "<r:add>" + ("<n" + declarations + ">").repeat(10) + "</n>".repeat(10) + "</r:add>");
    body("name of 1 MiB", RnsError.LIMIT_EXCEEDED, "<r:query " + "n".repeat(1_048_576) + "='1'/>");
    add("XML 1.1", RnsError.MALFORMED_MESSAGE, "<?xml version='1.1'?>" + good);
    body("100,000 levels", RnsError.LIMIT_EXCEEDED,
        "<r:add>" + "<a>".repeat(100_000) + "</a>".repeat(100_000) + "</r:add>");
    body("100,000 levels, unclosed", RnsError.LIMIT_EXCEEDED, "<r:add>" + "<a>".repeat(100_000));
  }

  private static String numbered(int count, String markup) {
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < count; i++) {
      all.append(markup.replace("|", String.valueOf(i)));
    }
    return all.toString();
  }

  private void brokenSoap() {
    add("no envelope", RnsError.MALFORMED_MESSAGE, "<r:query xmlns:r=\"" + Namespaces.RNS + "\"/>");
    add("envelope in a foreign namespace", RnsError.MALFORMED_MESSAGE,
        "<s:Envelope xmlns:s=\"urn:x\"><s:Body/></s:Envelope>");
    add("envelope without a namespace", RnsError.MALFORMED_MESSAGE, "<Envelope><Body/></Envelope>");
    add("no body", RnsError.MALFORMED_MESSAGE, OPEN + "<s:Header/>" + CLOSE);
    add("empty envelope", RnsError.MALFORMED_MESSAGE, OPEN + CLOSE);
    add("other element instead of a body", RnsError.MALFORMED_MESSAGE, OPEN + "<r:query/>" + CLOSE);
    body("empty body", RnsError.MALFORMED_MESSAGE, "");
    body("two requests", RnsError.MALFORMED_MESSAGE, "<r:query/><r:query/>");
    body("unknown operation", RnsError.UNKNOWN_OPERATION, "<r:destroy/>");
    body("wrong namespace", RnsError.UNKNOWN_OPERATION, "<query xmlns=\"http://schemas.ogf.org/rns/2009/12/rns\"/>");
    body("no namespace", RnsError.UNKNOWN_OPERATION, "<query/>");
    body("response as request", RnsError.UNKNOWN_OPERATION, "<r:queryResponse/>");
    body("unknown extension operation", RnsError.UNKNOWN_OPERATION, "<x:query/>");
  }

  private void brokenRequests() {
    body("add without a name", RnsError.INVALID_REQUEST, "<r:add/>");
    body("two names", RnsError.INVALID_REQUEST,
        "<r:add><r:entry_name>a</r:entry_name><r:entry_name>b</r:entry_name></r:add>");
    name("empty name", RnsError.INVALID_NAME, "");
    name("name with /", RnsError.INVALID_NAME, "a/b");
    name("dot", RnsError.INVALID_NAME, ".");
    name("dots", RnsError.INVALID_NAME, "..");
    name("name with a line end", RnsError.INVALID_NAME, "a\nb");
    name("name with U+FFFE", RnsError.MALFORMED_MESSAGE, "a\ufffe");
    name("element in a name", RnsError.MALFORMED_MESSAGE, "a<b/>");
    body("reference without an address", RnsError.INVALID_REQUEST,
        "<r:add><r:entry_name>a</r:entry_name><r:entry_reference/></r:add>");
    body("address with a space", RnsError.INVALID_REQUEST,
        "<r:add><r:entry_name>a</r:entry_name><r:entry_reference><a:Address>a b</a:Address></r:entry_reference></r:add>");
    body("invalid boolean", RnsError.INVALID_REQUEST,
        "<r:add x:replace='maybe'><r:entry_name>a</r:entry_name></r:add>");
    body("version is not a number", RnsError.INVALID_REQUEST, "<r:remove x:if-version='x'/>");
    body("version 0", RnsError.INVALID_REQUEST, "<r:remove x:if-version='0'/>");
    body("unknown extension", RnsError.INVALID_REQUEST,
        "<r:add><r:entry_name>a</r:entry_name><x:y/></r:add>");
    body("update that changes nothing", RnsError.INVALID_REQUEST, "<r:update/>");
    body("parent in another service", RnsError.INVALID_REQUEST,
        "<r:update><r:entry_parent><a:Address>http://elsewhere/</a:Address></r:entry_parent></r:update>");
    body("bad expression", RnsError.INVALID_REQUEST, "<r:list><r:entry_name_regexp>[</r:entry_name_regexp></r:list>");
    body("unknown syntax", RnsError.INVALID_REQUEST, "<r:list x:syntax='sql'/>");
    body("bad path", RnsError.INVALID_PATH, "<r:query><r:entry-pattern>/a//b</r:entry-pattern></r:query>");
    body("path with dots", RnsError.INVALID_PATH, "<r:query><r:entry-pattern>/a/../b</r:entry-pattern></r:query>");
    body("empty batch", RnsError.INVALID_REQUEST, "<x:batch/>");
    body("mixed batch", RnsError.INVALID_REQUEST, "<x:batch><r:query/><r:remove/></x:batch>");
    body("batch of lists", RnsError.INVALID_REQUEST, "<x:batch><r:list/></x:batch>");
    body("batch in a batch", RnsError.INVALID_REQUEST, "<x:batch><x:batch><r:query/></x:batch></x:batch>");
  }

  private void brokenRequests11() {
    body("unknown operation of 1.1", RnsError.UNKNOWN_OPERATION, "<n:ListRequest/>");
    body("response of 1.1 as request", RnsError.UNKNOWN_OPERATION, "<n:LookupResponse/>");
    body("empty add", RnsError.INVALID_REQUEST, "<n:AddRequest/>");
    body("empty remove", RnsError.INVALID_REQUEST, "<n:RemoveRequest i:nil='true'/>");
    body("item of another operation", RnsError.INVALID_REQUEST,
        "<n:RemoveRequest><n:entry entry-name='a'/></n:RemoveRequest>");
    body("unknown extension in 1.1", RnsError.INVALID_REQUEST,
        "<n:LookupRequest><x:entry-name/></n:LookupRequest>");
    body("element in a name of 1.1", RnsError.MALFORMED_MESSAGE,
        "<n:LookupRequest><n:entry-name><b/></n:entry-name></n:LookupRequest>");
    body("100,001 names", RnsError.LIMIT_EXCEEDED,
        "<n:LookupRequest>" + "<n:entry-name>a</n:entry-name>".repeat(100_001) + "</n:LookupRequest>");
    add("page of a look-up by name", RnsError.INVALID_REQUEST,
        message("<x:Page/>", "<n:LookupRequest><n:entry-name>a</n:entry-name></n:LookupRequest>"));
    add("version for a whole request", RnsError.INVALID_REQUEST,
        message("<x:IfVersion>1</x:IfVersion>", "<n:RemoveRequest><n:entry-name>a</n:entry-name></n:RemoveRequest>"));
    body("unknown property", RnsError.INVALID_REQUEST, "<p:GetResourceProperty>n:size</p:GetResourceProperty>");
    body("property without a namespace", RnsError.INVALID_REQUEST,
        "<p:GetResourceProperty>readable</p:GetResourceProperty>");
    body("property with an unbound prefix", RnsError.INVALID_REQUEST,
        "<p:GetResourceProperty>z:readable</p:GetResourceProperty>");
    body("no property", RnsError.INVALID_REQUEST, "<p:GetMultipleResourceProperties/>");
    body("too many properties", RnsError.LIMIT_EXCEEDED,
        "<p:GetMultipleResourceProperties>" + "<p:ResourceProperty>n:readable</p:ResourceProperty>".repeat(65)
            + "</p:GetMultipleResourceProperties>");
    body("search without a query", RnsError.INVALID_REQUEST, "<q:SearchRequest xmlns:q='" + Namespaces.SEARCH + "'/>");
    body("iteration without a count", RnsError.INVALID_REQUEST,
        "<t:IterateRequestType xmlns:t='" + Namespaces.ITERATOR
            + "'><t:start-offset>1</t:start-offset></t:IterateRequestType>");
    body("expression too long", RnsError.LIMIT_EXCEEDED,
        "<p:QueryResourceProperties><p:QueryExpression Dialect='http://www.w3.org/TR/1999/REC-xpath-19991116'>"
            + "1".repeat(Limits.EXPRESSION_CHARS + 1) + "</p:QueryExpression></p:QueryResourceProperties>");
    body("invalid termination time", RnsError.INVALID_REQUEST,
        "<l:SetTerminationTime><l:RequestedTerminationTime>soon</l:RequestedTerminationTime></l:SetTerminationTime>");
    add("iterator on a look-up", RnsError.INVALID_REQUEST, message("<x:Iterator>i</x:Iterator>", "<n:LookupRequest/>"));
    body("unknown lifetime operation", RnsError.UNKNOWN_OPERATION, "<l:Unheard/>");
    add("unknown RENKEI id", RnsError.NO_SUCH_ENTRY,
        message("<k:RNSID xmlns:k='" + Namespaces.RENKEI + "'>42</k:RNSID>", "<n:LookupRequest/>"));
  }

  private void brokenPools() {
    String endpoint = "<x:endpoint><a:Address>http://h/</a:Address></x:endpoint>";
    pool("no handle", RnsError.INVALID_REQUEST, "policy='rr' element='1' lifetime-millis='1'", endpoint);
    pool("handle is not a path", RnsError.INVALID_PATH, "handle='p' policy='rr' element='1' lifetime-millis='1'",
        endpoint);
    pool("unknown policy", RnsError.INVALID_REQUEST, "handle='/p' policy='x' element='1' lifetime-millis='1'",
        endpoint);
    pool("element 0", RnsError.INVALID_REQUEST, "handle='/p' policy='rr' element='0' lifetime-millis='1'", endpoint);
    pool("element -1", RnsError.INVALID_REQUEST, "handle='/p' policy='rr' element='-1' lifetime-millis='1'", endpoint);
    pool("element of 33 bits", RnsError.INVALID_REQUEST,
        "handle='/p' policy='rr' element='4294967296' lifetime-millis='1'", endpoint);
    pool("no lifetime", RnsError.INVALID_REQUEST, "handle='/p' policy='rr' element='1'", endpoint);
    pool("lifetime of 0", RnsError.INVALID_REQUEST, "handle='/p' policy='rr' element='1' lifetime-millis='0'",
        endpoint);
    pool("no endpoint", RnsError.INVALID_REQUEST, POOL_ELEMENT, "");
    pool("too many endpoints", RnsError.LIMIT_EXCEEDED, POOL_ELEMENT, endpoint.repeat(Limits.EPRS_PER_ENTRY + 1));
    pool("endpoint without an address", RnsError.INVALID_REQUEST, POOL_ELEMENT, "<x:endpoint/>");
    pool("duplicate parameters", RnsError.INVALID_REQUEST, POOL_ELEMENT, endpoint + "<x:parameters/>".repeat(2));
    pool("weight of 33 bits", RnsError.INVALID_REQUEST, POOL_ELEMENT, endpoint + "<x:parameters weight='4294967296'/>");
    pool("weight is not a number", RnsError.INVALID_REQUEST, POOL_ELEMENT,
        endpoint + "<x:parameters weight='heavy'/>");
    pool("negative limit", RnsError.INVALID_REQUEST, POOL_ELEMENT, endpoint + "<x:parameters limit='-1'/>");
    pool("duplicate control", RnsError.INVALID_REQUEST, POOL_ELEMENT,
        endpoint + endpoint.replace("endpoint", "control").repeat(2));
    pool("unknown extension in a registration", RnsError.INVALID_REQUEST, POOL_ELEMENT, endpoint + "<x:parameter/>");
    body("resolution of 0 elements", RnsError.INVALID_REQUEST, "<x:poolResolve handle='/p' items='0'/>");
    body("resolution of 129 elements", RnsError.LIMIT_EXCEEDED, "<x:poolResolve handle='/p' items='129'/>");
    body("resolution of 10^20 elements", RnsError.LIMIT_EXCEEDED,
        "<x:poolResolve handle='/p' items='99999999999999999999'/>");
    body("resolution with children", RnsError.INVALID_REQUEST, "<x:poolResolve handle='/p'><x:items/></x:poolResolve>");
    body("page of 0 pools", RnsError.INVALID_REQUEST, "<x:poolList size='0'/>");
    body("page of 1,001 pools", RnsError.LIMIT_EXCEEDED, "<x:poolList size='1001'/>");
    body("page of 1,001 elements", RnsError.LIMIT_EXCEEDED, "<x:poolElements handle='/p' size='1001'/>");
    body("pools after an invalid path", RnsError.INVALID_PATH, "<x:poolList after='p'/>");
    body("deregistration of an invalid id", RnsError.INVALID_REQUEST, "<x:poolDeregister handle='/p' element='x'/>");
    body("experience without an element", RnsError.INVALID_REQUEST, "<x:poolExperience handle='/p'/>");
    body("experience of nothing", RnsError.INVALID_REQUEST,
        "<x:poolExperience handle='/p'><x:element millis='1'/></x:poolExperience>");
    body("experience of too many", RnsError.LIMIT_EXCEEDED,
        "<x:poolExperience handle='/p'>" + "<x:element id='1' millis='1'/>".repeat(129) + "</x:poolExperience>");
    body("experience of a year", RnsError.LIMIT_EXCEEDED,
        "<x:poolExperience handle='/p'><x:element id='1' millis='31536000000'/></x:poolExperience>");
    body("unreachable report without an element", RnsError.INVALID_REQUEST, "<x:poolUnreachable handle='/p'/>");
    body("pool response as request", RnsError.UNKNOWN_OPERATION, "<x:poolResolveResponse/>");
    add("target on a pool operation", RnsError.INVALID_REQUEST,
        message("<x:Path>/p</x:Path>", "<x:poolResolve handle='/p'/>"));
    add("version on a pool operation", RnsError.INVALID_REQUEST,
        message("<x:IfVersion>1</x:IfVersion>", "<x:poolResolve handle='/p'/>"));
    add("page of a resolution", RnsError.INVALID_REQUEST, message("<x:Page/>", "<x:poolResolve handle='/p'/>"));
    add("iterator on a pool operation", RnsError.INVALID_REQUEST,
        message("<x:Iterator>i</x:Iterator>", "<x:poolResolve handle='/p'/>"));
    body("batch of pools", RnsError.INVALID_REQUEST, "<x:batch><x:poolResolve handle='/p'/></x:batch>");
  }

  private void pool(String what, RnsError error, String attributes, String children) {
    body(what, error, "<x:poolRegister " + attributes + ">" + children + "</x:poolRegister>");
  }

  private void name(String what, RnsError error, String name) {
    body(what, error, "<r:add><r:entry_name>" + name + "</r:entry_name></r:add>");
  }

  private void tooMuch() {
    name("name of " + (Limits.NAME_BYTES + 1) + " bytes", RnsError.LIMIT_EXCEEDED, "n".repeat(Limits.NAME_BYTES + 1));
    body("path too deep", RnsError.LIMIT_EXCEEDED,
        "<r:query><r:entry-pattern>" + "/a".repeat(Limits.PATH_DEPTH + 1) + "</r:entry-pattern></r:query>");
    body("path too long", RnsError.LIMIT_EXCEEDED,
        "<r:query><r:entry-pattern>" + ("/" + "a".repeat(1_000)).repeat(33) + "</r:entry-pattern></r:query>");
    body("reference of 1 MiB", RnsError.LIMIT_EXCEEDED,
        "<r:add><r:entry_name>a</r:entry_name><r:entry_reference><a:Address>http://h/" + "a".repeat(1_048_576)
            + "</a:Address></r:entry_reference></r:add>");
    body("too many references", RnsError.LIMIT_EXCEEDED,
        "<r:add><r:entry_name>a</r:entry_name>" + EPR.repeat(Limits.EPRS_PER_ENTRY + 1) + "</r:add>");
    body("too much metadata", RnsError.LIMIT_EXCEEDED,
        "<r:add><r:entry_name>a</r:entry_name>" + "<m>0123456789</m>".repeat(20_000) + "</r:add>");
    body("multiplying declarations", RnsError.LIMIT_EXCEEDED,
        "<r:add xmlns:q='urn:" + "q".repeat(100_000) + "'><r:entry_name>a</r:entry_name>" + "<q:m/>".repeat(100_000)
            + "</r:add>");
    body("pattern too long", RnsError.LIMIT_EXCEEDED,
        "<r:list><r:entry_name_regexp>" + "a".repeat(Limits.PATTERN_CHARS + 1) + "</r:entry_name_regexp></r:list>");
    body("batch of 100,001", RnsError.LIMIT_EXCEEDED, "<x:batch>" + "<r:query/>".repeat(100_001) + "</x:batch>");
  }

  private void badHeaders() {
    header("invalid id", RnsError.INVALID_REQUEST, "<x:EntryId>xyz</x:EntryId>");
    header("id twice", RnsError.INVALID_REQUEST, "<x:EntryId>0000000000000001</x:EntryId>".repeat(2));
    header("invalid path", RnsError.INVALID_PATH, "<x:Path>a</x:Path>");
    header("request id too long", RnsError.LIMIT_EXCEEDED, "<x:RequestId>" + "r".repeat(65) + "</x:RequestId>");
    header("invalid position", RnsError.INVALID_REQUEST, "<x:Position>here</x:Position>");
    header("version on a read", RnsError.INVALID_REQUEST, "<x:IfVersion>1</x:IfVersion>");
    header("page of a non-listing", RnsError.INVALID_REQUEST, "<x:Page size='1'/>");
    add("page of 0", RnsError.INVALID_REQUEST, message("<x:Page size='0'/>", "<r:list/>"));
    add("page too large", RnsError.LIMIT_EXCEEDED, message("<x:Page size='10001'/>", "<r:list/>"));
    add("invalid cursor", RnsError.INVALID_CURSOR, message("<x:Page cursor='###'/>", "<r:list/>"));
  }

  private void header(String name, RnsError error, String headers) {
    add(name, error, message(headers, "<r:query/>"));
  }
}
