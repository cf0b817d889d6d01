package io.rns.server.soap;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.CallContext;
import io.rns.api.EndpointReference;
import io.rns.api.ModelNameService;
import io.rns.api.Target;
import io.rns.error.RnsError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.xml.stream.XMLStreamException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The examples of docs/messages are sent, and answered as they say. */
class ProtocolDocTest {
  private static final Path DOC = Path.of("..", "docs", "protocol.md");
  private static final Path MESSAGES = Path.of("..", "docs", "messages");
  private static final String ITERATOR = ">ITERATOR<";
  private static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-01-02T03:04:05.678901Z"));

  record Exchange(String request, String response) {}

  /** The examples in their order. */
  static List<Exchange> exchanges() throws IOException {
    List<Exchange> exchanges = new ArrayList<>();
    List<Path> requests;
    try (Stream<Path> files = Files.list(MESSAGES)) {
      requests = files.filter(file -> file.toString().endsWith("-request.xml")).sorted().toList();
    }
    for (Path request : requests) {
      Path response = MESSAGES.resolve(request.getFileName().toString().replace("-request.", "-response."));
      exchanges.add(new Exchange(Files.readString(request), Files.readString(response)));
    }
    return exchanges;
  }

  @Test
  void everyExampleIsAnsweredAsItSays() throws IOException, XMLStreamException {
    SoapSettings settings = new SoapSettings(Optional.empty(), Duration.ofSeconds(1), 1, CLOCK);
    SoapEndpoint endpoint = new SoapEndpoint(SoapEndpoint.Parts.of(new ModelNameService(CLOCK), settings));
    List<Exchange> exchanges = exchanges();
    assertThat(exchanges).hasSizeGreaterThan(20);
    for (Exchange exchange : exchanges) {
      String request = exchange.request();
      byte[] answer =
          request.contains(ITERATOR) ? iterated(request) : Entrances.fast(endpoint, request.getBytes(UTF_8));
      assertThat(answer).isNotNull();
      assertThat(Infoset.of(answer, false))
          .as("%s is answered %s", request, new String(answer, UTF_8))
          .isEqualTo(Infoset.of(exchange.response().getBytes(UTF_8), false));
    }
  }

  @Test
  void theDocumentLinksEveryExample() throws IOException {
    String doc = Files.readString(DOC);
    try (Stream<Path> files = Files.list(MESSAGES)) {
      assertThat(files.map(file -> file.getFileName().toString()).filter(file -> file.endsWith("-request.xml")))
          .hasSizeGreaterThan(20).allSatisfy(file -> assertThat(doc).contains("(messages/" + file + ")"));
    }
  }

  /** The answer of an iterator over what the document says the directory has. */
  private static byte @Nullable [] iterated(String request) {
    ModelNameService large = new ModelNameService(CLOCK);
    List<NewEntry> links = new ArrayList<>();
    for (int i = 1; i <= 1_002; i++) {
      String name = String.format("n%04d", i);
      links.add(NewEntry.junction(Target.of("/" + name), EndpointReference.ofAddress("http://h.example/" + name)));
    }
    large.add(CallContext.ANONYMOUS, new AddRequest(links, false, false));
    SoapEndpoint endpoint =
        new SoapEndpoint(
            SoapEndpoint.Parts.of(large, new SoapSettings(Optional.empty(), Duration.ofSeconds(1), 1, CLOCK)));
    String id = new Conversation(endpoint, Conversation.Entrance.FILTER).lookup("").iterator();
    return Entrances.fast(endpoint, request.replace(ITERATOR, ">" + id + "<").getBytes(UTF_8));
  }

  @Test
  void everyErrorIsInTheTableOfFaults() throws IOException {
    String doc = Files.readString(DOC);
    for (RnsError error : RnsError.values()) {
      assertThat(doc).contains("`" + error + "`");
    }
  }
}
