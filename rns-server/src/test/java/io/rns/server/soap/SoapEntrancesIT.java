package io.rns.server.soap;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.rns.error.Limits;
import io.rns.server.SharedService;
import io.rns.wire.HostileMessages;
import io.rns.wire.HostileMessages.Hostile;
import jakarta.xml.ws.Dispatch;
import jakarta.xml.ws.Service;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringReader;
import java.io.StringWriter;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamException;
import javax.xml.transform.Source;
import javax.xml.transform.TransformerException;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.stream.StreamResult;
import javax.xml.transform.stream.StreamSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The service in GlassFish, over HTTP: each message by both entrances, and what must be refused. */
class SoapEntrancesIT {
  private static final String TEXT_XML = "text/xml; charset=utf-8";
  /** A header that nobody knows and nobody must: it sends a message by way of JAX-WS. */
  private static final String FOREIGN = "<f:foreign xmlns:f='urn:foreign'>1</f:foreign>";

  private static SharedService service;
  private static HttpClient http;

  @BeforeAll
  static void start() {
    service = SharedService.empty();
    http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  }

  @AfterAll
  static void stop() {
    http.close();
  }

  private static HttpResponse<byte[]> send(String method, String type, BodyPublisher body, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(service.soapUrl())).method(method, body).header("Content-Type", type);
    if (headers.length > 0) {
      request.headers(headers);
    }
    return http.send(request.build(), BodyHandlers.ofByteArray());
  }

  private static HttpResponse<byte[]> post(byte[] message) throws IOException, InterruptedException {
    return send("POST", TEXT_XML, BodyPublishers.ofByteArray(message));
  }

  private static String text(HttpResponse<byte[]> response) {
    return new String(response.body(), UTF_8);
  }

  private static String withHeader(String message, String header) {
    return message.contains("<s:Header>")
        ? message.replace("<s:Header>", "<s:Header>" + header)
        : message.replace("<s:Body>", "<s:Header>" + header + "</s:Header><s:Body>");
  }

  /** What an answer says, but for the time and which incident a defect has. */
  private static List<String> said(HttpResponse<byte[]> response) throws XMLStreamException {
    List<String> lines = new ArrayList<>(Infoset.of(response.body(), true));
    for (String time : List.of("<{http://docs.oasis-open.org/wsrf/bf-2}Timestamp",
        "<{http://docs.oasis-open.org/wsrf/rl-2}CurrentTime")) {
      int at = lines.indexOf(time);
      if (at >= 0) {
        lines.remove(at + 1);
      }
    }
    lines.add("HTTP " + response.statusCode());
    return lines;
  }

  @Test
  void bothEntrancesGiveTheSameAnswers() throws Exception {
    int number = 0;
    for (byte[] standard : StandardMessages.all()) {
      String message = new String(standard, UTF_8).replace(Entrances.URL, service.soapUrl());
      boolean once = message.contains("<x:RequestId>");
      // The same write with the same request id must get the same answer, whichever way it came first.
      String fast = once ? message : withHeader(message, "<x:RequestId>both-" + number + "</x:RequestId>");
      String slow = withHeader(fast, FOREIGN);
      boolean fastFirst = number++ % 2 == 0;
      HttpResponse<byte[]> first = post((fastFirst ? fast : slow).getBytes(UTF_8));
      HttpResponse<byte[]> second = post((fastFirst ? slow : fast).getBytes(UTF_8));
      assertThat(first.statusCode()).as(message + text(first)).isEqualTo(200);
      assertThat(said(second)).as(message).isEqualTo(said(first));
    }
  }

  @Test
  void hostileMessagesAreRefusedByBothEntrances() throws Exception {
    for (Hostile hostile : HostileMessages.all()) {
      HttpResponse<byte[]> fast = post(hostile.bytes());
      assertThat(fast.statusCode()).as(hostile.name()).isEqualTo(500);
      assertThat(text(fast)).as(hostile.name()).contains(":" + hostile.faultCode() + "<", ">" + hostile.error() + "<");
      // Byte by byte: not all of them are UTF-8.
      byte[] foreign = withHeader(new String(hostile.bytes(), ISO_8859_1), FOREIGN).getBytes(ISO_8859_1);
      HttpResponse<byte[]> slow = post(foreign);
      assertThat(slow.statusCode()).as(hostile.name()).isEqualTo(500);
      assertThat(text(slow)).as(hostile.name()).contains(":" + hostile.faultCode() + "<", "ErrorCode")
          .doesNotContain(">INTERNAL<");
    }
    assertThat(text(post(HostileMessages.message("", "<r:list/>").getBytes(UTF_8)))).contains("EntryList");
  }

  @Test
  void largeLookupsAndSearchesGoOnWithAnIterator() throws Exception {
    StringBuilder entries = new StringBuilder();
    for (int i = 0; i < 1_500; i++) {
      entries.append("<n:entry entry-name='n").append(i).append("'><n:endpoint><a:Address>http://h/").append(i)
          .append("</a:Address></n:endpoint><n:metadata><rnskv key='k'>v</rnskv></n:metadata></n:entry>");
    }
    post(HostileMessages.message("", "<n:AddRequest><n:entry entry-name='large'/></n:AddRequest>").getBytes(UTF_8));
    String directory = "<x:Path>/large</x:Path>";
    post(HostileMessages.message(directory, "<n:AddRequest>" + entries + "</n:AddRequest>").getBytes(UTF_8));
    String search =
        "<q:SearchRequest xmlns:q='http://schemas.ogf.org/rns/2010/11/metadata-search'><q:query>/*[//rnskv = 'v']</q:query></q:SearchRequest>";
    for (String first : List.of("<n:LookupRequest/>", search)) {
      for (String more : List.of("", FOREIGN)) {
        String block = text(post(HostileMessages.message(directory + more, first).getBytes(UTF_8)));
        Set<String> names = new HashSet<>(Conversation.names(block));
        // On a busy machine a search answers earlier with what it has until then, if anything.
        assertThat(names).as(first).hasSizeBetween(first.equals(search) ? 0 : 1_000, 1_000);
        String id = Conversation.iterator(block);
        while (names.size() < 1_500) {
          String body = Conversation.iterateBody(names.size(), 1_000);
          List<String> further = Conversation
              .names(text(post(HostileMessages.message(Conversation.header(id) + more, body).getBytes(UTF_8))));
          assertThat(further).as(first + id).doesNotContainAnyElementsOf(names);
          assertThat(first.equals(search) || !further.isEmpty()).as(first + id).isTrue();
          names.addAll(further);
        }
        assertThat(names).as(first).hasSize(1_500);
      }
    }
  }

  @Test
  void aUrlNamesATarget() throws Exception {
    post(HostileMessages.message("", "<r:add><r:entry_name>by url</r:entry_name></r:add>").getBytes(UTF_8));
    post(HostileMessages.message("<x:Path>/by url</x:Path>", "<r:add><r:entry_name>in</r:entry_name></r:add>")
        .getBytes(UTF_8));
    String plain = HostileMessages.message("", "<n:LookupRequest><n:entry-name>in</n:entry-name></n:LookupRequest>");
    for (String rest : List.of("/by%20url", "/by%20url/", "?path=/by%20url", "/?path=%2Fby%20url")) {
      for (String message : List.of(plain, withHeader(plain, FOREIGN))) {
        HttpResponse<byte[]> answer = postTo(service.soapUrl() + rest, message);
        assertThat(answer.statusCode()).as(rest + text(answer)).isEqualTo(200);
        assertThat(text(answer)).contains("entry-name=\"in\"", "Address>" + service.soapUrl() + "</")
            .doesNotContain("fault");
      }
    }
    for (String bad : List.of("?id=x", "?path=a")) {
      assertThat(text(postTo(service.soapUrl() + bad, plain))).as(bad).contains(":Client<", "INVALID_");
    }
    assertThat(text(postTo(service.soapUrl() + "/none", plain))).contains("ResourceUnknownFault");
  }

  private static HttpResponse<byte[]> postTo(String url, String message) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url))
            .POST(BodyPublishers.ofString(message))
            .header("Content-Type", TEXT_XML)
            .build();
    return http.send(request, BodyHandlers.ofByteArray());
  }

  @Test
  void whatIsNoSoapIsRefused() throws Exception {
    byte[] query = HostileMessages.message("", "<r:query/>").getBytes(UTF_8);
    assertThat(send("POST", "application/json", BodyPublishers.ofString("{}")).statusCode()).isEqualTo(415);
    assertThat(send("POST", TEXT_XML, BodyPublishers.ofByteArray(query), "Content-Encoding", "br").statusCode())
        .isEqualTo(415);
    for (String method : List.of("GET", "PUT", "DELETE")) {
      HttpResponse<byte[]> refused = send(method, TEXT_XML, BodyPublishers.noBody());
      assertThat(refused.statusCode()).isEqualTo(405);
      assertThat(refused.headers().firstValue("Allow")).contains("POST");
    }
  }

  @Test
  void aRequestThatIsTooLargeIsRefused() throws Exception {
    String announced =
        "POST /rns/services/rns HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/xml\r\nContent-Length: "
            + (Limits.REQUEST_BYTES + 1L) + "\r\n\r\n";
    assertThat(raw(announced.getBytes(ISO_8859_1))).startsWith("HTTP/1.1 413").contains("the limit is 16777216 bytes");
    byte[] large =
        HostileMessages.message("", "<r:query>" + " ".repeat(Limits.REQUEST_BYTES) + "</r:query>").getBytes(UTF_8);
    BodyPublisher chunked = BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(large));
    assertThat(send("POST", TEXT_XML, chunked).statusCode()).isEqualTo(413);
    byte[] fits = HostileMessages.message("", "<r:query>" + " ".repeat(8_000_000) + "</r:query>").getBytes(UTF_8);
    assertThat(post(fits).statusCode()).isEqualTo(200);
  }

  @Test
  void aRequestThatEndsInTheMiddleDoesNothing() throws Exception {
    String body = HostileMessages.message("", "<r:add><r:entry_name>half</r:entry_name></r:add>");
    String head = "POST /rns/services/rns HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/xml\r\nContent-Length: ";
    byte[] cut = (head + body.length() + "\r\n\r\n" + body.substring(0, body.length() - 1)).getBytes(UTF_8);
    for (int i = 0; i < 20; i++) {
      try (Socket socket = connect()) {
        socket.getOutputStream().write(cut);
        // Hangs up, in turn with a reset and with an orderly end.
        socket.setSoLinger(i % 2 == 0, 0);
      }
    }
    String half = HostileMessages.message("", "<r:query><r:entry-pattern>/half</r:entry-pattern></r:query>");
    assertThat(text(post(half.getBytes(UTF_8)))).contains(">NO_SUCH_ENTRY<");
  }

  @Test
  void idleConnectionsAreInNobodysWay() throws Exception {
    List<Socket> idle = new ArrayList<>();
    try {
      for (int i = 0; i < 2_000; i++) {
        Socket socket = connect();
        idle.add(socket);
        if (i % 2 == 0) {
          socket.getOutputStream().write("POST /rns/services/rns HTTP/1.1\r\nHos".getBytes(ISO_8859_1));
        }
      }
      byte[] query = HostileMessages.message("", "<r:query/>").getBytes(UTF_8);
      for (int i = 0; i < 50; i++) {
        assertThat(post(query).statusCode()).isEqualTo(200);
      }
    } finally {
      for (Socket socket : idle) {
        socket.close();
      }
    }
  }

  private static Socket connect() throws IOException {
    URI uri = URI.create(service.soapUrl());
    Socket socket = new Socket(uri.getHost(), uri.getPort());
    socket.setSoTimeout(20_000);
    return socket;
  }

  private static String raw(byte[] request) throws IOException {
    try (Socket socket = connect()) {
      OutputStream out = socket.getOutputStream();
      out.write(request);
      out.flush();
      return read(socket.getInputStream());
    }
  }

  /**
   * Reads until the end of a message, or of the connection: a server may wait for the rest of a request it has refused.
   */
  private static String read(InputStream in) throws IOException {
    StringBuilder text = new StringBuilder();
    byte[] bytes = new byte[4_096];
    int count = in.read(bytes);
    while (count >= 0) {
      text.append(new String(bytes, 0, count, UTF_8));
      count = text.toString().endsWith("Envelope>") ? -1 : in.read(bytes);
    }
    return text.toString();
  }

  @Test
  void otherEncodingsMeanTheSame() throws Exception {
    String add = HostileMessages.message("", "<r:add><r:entry_name>Gr\u00fc\u00dfe</r:entry_name></r:add>");
    String query =
        HostileMessages.message("", "<r:query><r:entry-pattern>/Gr\u00fc\u00dfe</r:entry-pattern></r:query>");
    String latin = "<?xml version='1.0' encoding='ISO-8859-1'?>" + add;
    HttpResponse<byte[]> added =
        send("POST", "text/xml; charset=iso-8859-1", BodyPublishers.ofByteArray(latin.getBytes(ISO_8859_1)));
    assertThat(added.statusCode()).as(text(added)).isEqualTo(200);
    assertThat(text(post(query.getBytes(UTF_8)))).contains("<_r:entry_name>Gr\u00fc\u00dfe</_r:entry_name>");
    // The declaration counts where the content type says nothing, by both entrances.
    String declared = "<?xml version='1.0' encoding='ISO-8859-1'?>" + query;
    for (String message : List.of(declared, withHeader(declared, FOREIGN))) {
      HttpResponse<byte[]> found = send("POST", "text/xml", BodyPublishers.ofByteArray(message.getBytes(ISO_8859_1)));
      assertThat(text(found)).as(message).contains("<_r:entry_name>Gr\u00fc\u00dfe</_r:entry_name>");
      HttpResponse<byte[]> unlike = send("POST", TEXT_XML, BodyPublishers.ofByteArray(message.getBytes(UTF_8)));
      assertThat(text(unlike)).as(message).contains("<_r:entry_name>Gr\u00fc\u00dfe</_r:entry_name>");
    }
    HttpResponse<byte[]> wide =
        send("POST", "text/xml; charset=utf-16", BodyPublishers.ofByteArray(query.getBytes(UTF_16)));
    assertThat(wide.statusCode()).as(text(wide)).isEqualTo(200);
  }

  @Test
  void attachmentsAreTakenAlong() throws Exception {
    String parts = "--b\r\nContent-Type: text/xml; charset=utf-8\r\nContent-ID: <root>\r\n\r\n"
        + HostileMessages.message("", "<r:query/>")
        + "\r\n--b\r\nContent-Type: text/plain\r\nContent-ID: <a>\r\n\r\nattached\r\n--b--\r\n";
    HttpResponse<byte[]> answer =
        send("POST", "multipart/related; type=\"text/xml\"; start=\"<root>\"; boundary=b",
            BodyPublishers.ofString(parts));
    assertThat(answer.statusCode()).as(text(answer)).isEqualTo(200);
    assertThat(text(answer)).contains("queryResponse");
  }

  @Test
  void soap12IsAnsweredInKind() throws Exception {
    String query =
        HostileMessages.message("", "<r:query/>")
            .replace("http://schemas.xmlsoap.org/soap/envelope/", "http://www.w3.org/2003/05/soap-envelope");
    HttpResponse<byte[]> answer = send("POST", "application/soap+xml; charset=utf-8", BodyPublishers.ofString(query));
    assertThat(answer.statusCode()).as(text(answer)).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Type").orElse("")).startsWith("application/soap+xml");
    assertThat(text(answer)).contains("queryResponse", ">" + service.soapUrl() + "<");
  }

  @Test
  void faultsOfSoap12HaveTheStatusesOfItsBinding() throws Exception {
    String none = in12(HostileMessages.message("", "<r:query><r:entry-pattern>/none</r:entry-pattern></r:query>"));
    String unheard = in12(HostileMessages.message("", "<r:unheard/>"));
    for (String bad : List.of(none, withHeader(none, FOREIGN), unheard, "<x", "", none + "<x/>")) {
      HttpResponse<byte[]> answer = send("POST", "application/soap+xml", BodyPublishers.ofString(bad));
      assertThat(answer.statusCode()).as(bad + text(answer)).isEqualTo(400);
      assertThat(answer.headers().firstValue("Content-Type").orElse("")).startsWith("application/soap+xml");
      assertThat(text(answer)).contains("http://www.w3.org/2003/05/soap-envelope", ":Sender<", "ErrorCode");
    }
    String foreign = "<f:foreign xmlns:f='urn:foreign' s:mustUnderstand='true'/>";
    HttpResponse<byte[]> notUnderstood =
        send("POST", "application/soap+xml", BodyPublishers.ofString(withHeader(none, foreign)));
    assertThat(notUnderstood.statusCode()).isEqualTo(500);
    assertThat(text(notUnderstood)).contains(":MustUnderstand<", "NotUnderstood ");
    HttpResponse<byte[]> mismatch =
        send("POST", "application/soap+xml", BodyPublishers.ofString(in12(none).replace("2003/05", "2001/06")));
    assertThat(mismatch.statusCode()).isEqualTo(500);
    assertThat(text(mismatch)).contains(":VersionMismatch<", "Upgrade");
  }

  private static String in12(String message) {
    return message.replace("http://schemas.xmlsoap.org/soap/envelope/", "http://www.w3.org/2003/05/soap-envelope");
  }

  @Test
  void clientsOfTheDescriptionWork() throws Exception {
    for (String[] one : new String[][]{{"wsdl", "RNS10Port"}, {"wsdl=soap12", "RNS10Soap12Port"}}) {
      URI wsdl = URI.create(service.soapUrl() + "?" + one[0]);
      Service described = Service.create(wsdl.toURL(), new QName("urn:rns:service:1", "RNSService"));
      Dispatch<Source> dispatch =
          described.createDispatch(new QName("urn:rns:service:1", one[1]), Source.class, Service.Mode.PAYLOAD);
      String request = "<r:add xmlns:r='http://schemas.ggf.org/rns/2006/05/rns'><r:entry_name>by " + one[1]
          + "</r:entry_name></r:add>";
      Source answer = dispatch.invoke(new StreamSource(new StringReader(request)));
      assertThat(text(answer)).contains("addResponse", service.soapUrl());
    }
  }

  private static String text(Source source) throws TransformerException {
    StringWriter text = new StringWriter();
    TransformerFactory.newDefaultInstance().newTransformer().transform(source, new StreamResult(text));
    return text.toString();
  }

  @Test
  void aWholeDirectoryIsListedByBothEntrances() throws Exception {
    StringBuilder items = new StringBuilder();
    for (int i = 0; i < 2_500; i++) {
      items.append("<r:add x:path='/many'><r:entry_name>n").append(i).append("</r:entry_name></r:add>");
    }
    byte[] batch = HostileMessages.message("", "<x:batch parents='true'>" + items + "</x:batch>").getBytes(UTF_8);
    assertThat(post(batch).statusCode()).isEqualTo(200);
    String list = HostileMessages.message("<x:Path>/many</x:Path>", "<r:list/>");
    HttpResponse<byte[]> fast = post(list.getBytes(UTF_8));
    HttpResponse<byte[]> slow = post(withHeader(list, FOREIGN).getBytes(UTF_8));
    assertThat(text(fast).split("<_r:entry>", -1)).hasSize(2_501);
    assertThat(said(slow)).isEqualTo(said(fast));
  }
}
