package io.rns.server.soap;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.rns.wire.Envelope;
import io.rns.wire.HostileMessages;
import io.rns.wire.SoapVersion;
import io.rns.wire.resource.IteratedBlock;
import io.rns.wire.resource.ResourceOperations;
import io.rns.xml.XmlPull;
import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.stream.XMLStreamException;

/** A client that asks an endpoint through one of its entrances. */
final class Conversation {
  private static final Pattern NAME = Pattern.compile("entry-name=\"([^\"]*)\"");
  private static final Pattern ITERATOR = Pattern.compile("Iterator>([^<]+)</");

  /** By which way messages come in. */
  enum Entrance {
    FILTER, JAX_WS
  }

  private final SoapEndpoint endpoint;
  private final Entrance entrance;

  Conversation(SoapEndpoint endpoint, Entrance entrance) {
    this.endpoint = endpoint;
    this.entrance = entrance;
  }

  byte[] bytes(String headers, String body) {
    byte[] message = HostileMessages.message(headers, body).getBytes(UTF_8);
    if (entrance == Entrance.FILTER) {
      byte[] answer = Entrances.fast(endpoint, message);
      assertThat(answer).as(body).isNotNull();
      return answer;
    }
    try {
      return Entrances.jaxWs(endpoint, message, SoapVersion.V1_1);
    } catch (XMLStreamException e) {
      throw new IllegalStateException(e);
    }
  }

  String ask(String headers, String body) {
    return new String(bytes(headers, body), UTF_8);
  }

  /** What an answer to a lookup has: the names of the entries, and the iterator or nothing. */
  record Block(List<String> names, String iterator) {}

  Block lookup(String headers) {
    String answer = ask(headers, "<n:LookupRequest/>");
    return new Block(names(answer), iterator(answer));
  }

  /** The iterator that an answer names, or nothing. */
  static String iterator(String answer) {
    Matcher iterator = ITERATOR.matcher(answer);
    return iterator.find() ? iterator.group(1) : "";
  }

  static List<String> names(String xml) {
    List<String> names = new ArrayList<>();
    Matcher matcher = NAME.matcher(xml);
    while (matcher.find()) {
      names.add(matcher.group(1));
    }
    return names;
  }

  static String header(String iterator) {
    return "<x:Iterator a:IsReferenceParameter='true'>" + iterator + "</x:Iterator>";
  }

  static String iterateBody(long start, long count) {
    return "<t:IterateRequestType xmlns:t='http://schemas.ogf.org/ws-iterator/2008/06/iterator'><t:start-offset>"
        + start
        + "</t:start-offset><t:element-count>" + count + "</t:element-count></t:IterateRequestType>";
  }

  String askNext(String iterator, long start, long count) {
    return ask(header(iterator), iterateBody(start, count));
  }

  IteratedBlock iterate(String iterator, long start, long count) {
    byte[] answer = bytes(header(iterator), iterateBody(start, count));
    try (XmlPull pull = XmlPull.answer(new ByteArrayInputStream(answer))) {
      assertThat(Envelope.enter(pull)).isTrue();
      if (Envelope.atHeader(pull)) {
        pull.skip();
        pull.nextChild();
      }
      Envelope.enterBody(pull);
      assertThat(pull.localName()).as(new String(answer, UTF_8)).isEqualTo("IterateResponseType");
      return ResourceOperations.ITERATE.readResponse(pull);
    }
  }

  private static void add(List<String> names, IteratedBlock block, long firstIndex) {
    for (IteratedBlock.Element element : block.elements()) {
      assertThat(element.index()).isEqualTo(firstIndex++);
      assertThat(element.xml()).contains("RNSEntryResponseType");
      names.addAll(names(element.xml()));
    }
  }

  /** Lists a directory as RENKEI's clients do: offsets count all entries, a block that is not full is the last. */
  List<String> listCountingAll(String headers, int blockSize) {
    Block first = lookup(headers);
    List<String> names = new ArrayList<>(first.names());
    IteratedBlock block;
    do {
      block = iterate(first.iterator(), names.size(), blockSize);
      assertThat(block.size()).isGreaterThanOrEqualTo(names.size() + block.elements().size());
      add(names, block, names.size());
    } while (block.elements().size() == blockSize);
    assertThat(block.size()).isEqualTo(names.size());
    return names;
  }

  /** Lists a directory as Genesis II does: offsets count what is behind the first block; then it ends the iterator. */
  List<String> listCountingRest(String headers, int blockSize) {
    Block first = lookup(headers);
    List<String> names = new ArrayList<>(first.names());
    long start = 0;
    IteratedBlock block;
    do {
      block = iterate(first.iterator(), start, blockSize);
      add(names, block, start);
      start += block.elements().size();
    } while (start < block.size());
    assertThat(start).isEqualTo(block.size());
    assertThat(ask(header(first.iterator()), "<l:Destroy/>")).contains("DestroyResponse");
    return names;
  }
}
