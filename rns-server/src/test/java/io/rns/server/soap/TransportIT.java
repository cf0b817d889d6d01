package io.rns.server.soap;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.rns.error.Limits;
import io.rns.server.SharedService;
import io.rns.wire.HostileMessages;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The service in GlassFish for clients of HTTP/1.0 and of gzip, by both entrances and in both versions of SOAP; and
 * what GET gives.
 */
class TransportIT {
  private static final String LOOKUP = HostileMessages.message("<x:Path>/many</x:Path>", "<n:LookupRequest/>");
  private static final String QUERY = HostileMessages.message("", "<r:query/>");
  /** A header that nobody knows and nobody must: it sends a message by way of JAX-WS. */
  private static final String FOREIGN = "<f:foreign xmlns:f='urn:foreign'>1</f:foreign>";

  private static SharedService service;
  private static HttpClient http;

  /** A message and how it is sent. */
  private record Form(String type, String message) {}

  /** The fast path, JAX-WS, and SOAP 1.2. */
  private static List<Form> forms(String message) {
    String foreign =
        message.contains("<s:Header>")
            ? message.replace("<s:Header>", "<s:Header>" + FOREIGN)
            : message.replace("<s:Body>", "<s:Header>" + FOREIGN + "</s:Header><s:Body>");
    String in12 =
        message.replace("http://schemas.xmlsoap.org/soap/envelope/", "http://www.w3.org/2003/05/soap-envelope");
    return List.of(new Form("text/xml", message), new Form("text/xml", foreign),
        new Form("application/soap+xml", in12));
  }

  @BeforeAll
  static void start() throws Exception {
    service = SharedService.empty();
    http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    StringBuilder entries = new StringBuilder();
    for (int i = 0; i < 800; i++) {
      entries.append("<n:entry entry-name='n").append(i).append("'/>");
    }
    post(
        new Form("text/xml", HostileMessages.message("", "<n:AddRequest><n:entry entry-name='many'/></n:AddRequest>")));
    post(new Form("text/xml",
        HostileMessages.message("<x:Path>/many</x:Path>", "<n:AddRequest>" + entries + "</n:AddRequest>")));
  }

  @AfterAll
  static void stop() {
    http.close();
  }

  private static HttpResponse<byte[]> post(Form form, String... headers) throws Exception {
    return post(form.type(), form.message().getBytes(UTF_8), headers);
  }

  private static HttpResponse<byte[]> post(String type, byte[] body, String... headers) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(service.soapUrl())).header("Content-Type", type);
    if (headers.length > 0) {
      request.headers(headers);
    }
    return http.send(request.POST(BodyPublishers.ofByteArray(body)).build(), BodyHandlers.ofByteArray());
  }

  private static byte[] zip(byte[] plain) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream zip = new GZIPOutputStream(out)) {
      zip.write(plain);
    }
    return out.toByteArray();
  }

  private static byte[] unzip(byte[] zipped) throws IOException {
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(zipped))) {
      return in.readAllBytes();
    }
  }

  @Test
  void answersAreZippedForThoseWhoAsk() throws Exception {
    for (Form form : forms(LOOKUP)) {
      HttpResponse<byte[]> plain = post(form);
      assertThat(plain.headers().firstValue("Content-Encoding")).isEmpty();
      HttpResponse<byte[]> zipped = post(form, "Accept-Encoding", "deflate, gzip;q=0.5");
      assertThat(zipped.headers().firstValue("Content-Encoding")).as(form.type()).contains("gzip");
      assertThat(zipped.headers().firstValue("Vary")).contains("Accept-Encoding");
      assertThat(zipped.body().length).isLessThan(plain.body().length / 5);
      assertThat(unzip(zipped.body())).isEqualTo(plain.body());
      assertThat(new String(plain.body(), UTF_8)).contains("entry-name=\"n799\"").endsWith("Envelope>");
      HttpResponse<byte[]> not = post(form, "Accept-Encoding", "gzip;q=0");
      assertThat(not.headers().firstValue("Content-Encoding")).isEmpty();
    }
    // Not worth it.
    HttpResponse<byte[]> little = post(forms(QUERY).get(0), "Accept-Encoding", "gzip");
    assertThat(little.headers().firstValue("Content-Encoding")).isEmpty();
    assertThat(new String(little.body(), UTF_8)).contains("queryResponse");
  }

  @Test
  void zippedRequestsAreUnderstood() throws Exception {
    for (Form form : forms(QUERY)) {
      HttpResponse<byte[]> answer = post(form.type(), zip(form.message().getBytes(UTF_8)), "Content-Encoding", "gzip");
      assertThat(answer.statusCode()).as(new String(answer.body(), UTF_8)).isEqualTo(200);
      assertThat(answer.body()).isEqualTo(post(form).body());
    }
  }

  @Test
  void bombsAreRefused() throws Exception {
    byte[] bomb = zip((QUERY + " ".repeat(Limits.REQUEST_BYTES)).getBytes(UTF_8));
    HttpResponse<byte[]> refused = post("text/xml", bomb, "Content-Encoding", "gzip");
    assertThat(refused.statusCode()).isEqualTo(413);
    assertThat(new String(refused.body(), UTF_8)).contains(">LIMIT_EXCEEDED<", "the limit is 16777216 bytes");
    HttpResponse<byte[]> broken = post("text/xml", QUERY.getBytes(UTF_8), "Content-Encoding", "gzip");
    assertThat(broken.statusCode()).isEqualTo(500);
    assertThat(new String(broken.body(), UTF_8)).contains(">MALFORMED_MESSAGE<", "not gzip");
    HttpResponse<byte[]> other = post("text/xml", bomb, "Content-Encoding", "br");
    assertThat(other.statusCode()).isEqualTo(415);
    assertThat(other.headers().firstValue("Accept-Encoding")).contains("gzip");
  }

  @Test
  void theDescriptionIsServedAndNothingElseIs() throws Exception {
    assertThat(get("/services/rns?wsdl").body()).contains("location=\"" + service.soapUrl() + "\"");
    assertThat(get("/wsdl/rns-11.xsd").body()).contains("targetNamespace=\"http://schemas.ogf.org/rns/2009/12/rns\"");
    assertThat(get("/services/rns/?wsdl=rns-1.1").body()).contains("location=\"" + service.soapUrl() + "\"");
    for (String none : List.of("/wsdl/", "/wsdl/none.xsd", "/services/rns-soap12?wsdl", "/services/", "/services/rnsx",
        "/services/other/rns")) {
      HttpResponse<String> answer = get(none);
      assertThat(answer.statusCode()).as(none).isEqualTo(404);
      assertThat(answer.body()).as(none).startsWith("<_s:Envelope").contains("faultstring");
    }
    for (String none : List.of("/services/rns", "/services/rns?xsd=1", "/services/rns/data?wsdl")) {
      assertThat(get(none).statusCode()).as(none).isEqualTo(405);
    }
    for (String method : List.of("POST", "PUT", "OPTIONS")) {
      HttpRequest other = HttpRequest.newBuilder(URI.create(service.url() + "/wsdl/rns.wsdl"))
          .method(method, BodyPublishers.noBody()).build();
      HttpResponse<String> answer = http.send(other, BodyHandlers.ofString());
      assertThat(answer.statusCode()).as(method).isEqualTo(405);
      assertThat(answer.body()).as(method).startsWith("<_s:Envelope");
    }
  }

  private static HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return http.send(HttpRequest.newBuilder(URI.create(service.url() + path)).build(), BodyHandlers.ofString());
  }

  @Test
  void clientsOfHttp10GetAWholeAnswerWithoutChunks() throws Exception {
    for (String message : List.of(QUERY, LOOKUP)) {
      for (Form form : forms(message)) {
        String answer = http10(form);
        String head = answer.substring(0, answer.indexOf("\r\n\r\n"));
        String body = answer.substring(head.length() + 4);
        assertThat(head).as(form.message()).contains(" 200 ").doesNotContainIgnoringCase("transfer-encoding");
        assertThat(body).isEqualTo(new String(post(form).body(), UTF_8));
        if (head.contains("Content-Length")) {
          assertThat(head).contains("Content-Length: " + body.getBytes(UTF_8).length);
        }
      }
    }
    // Faults as well.
    assertThat(http10(forms(HostileMessages.message("", "<l:Destroy/>")).get(0))).contains(" 500 ", "Content-Length: ",
        "Envelope>");
  }

  /** Sends a request of HTTP/1.0 and reads until the server ends the connection. */
  private static String http10(Form form) throws IOException {
    URI uri = URI.create(service.soapUrl());
    byte[] body = form.message().getBytes(UTF_8);
    String head = "POST " + uri.getPath() + " HTTP/1.0\r\nHost: " + uri.getAuthority() + "\r\nContent-Type: "
        + form.type() + "\r\nSOAPAction: \"\"\r\nContent-Length: "
        + body.length + "\r\n\r\n";
    try (Socket socket = new Socket(uri.getHost(), uri.getPort())) {
      socket.setSoTimeout(20_000);
      socket.getOutputStream().write(head.getBytes(ISO_8859_1));
      socket.getOutputStream().write(body);
      return new String(socket.getInputStream().readAllBytes(), UTF_8);
    }
  }
}
