package io.rns.client.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.EntryFilter;
import io.rns.api.EntryFilter.Kind;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.Metadata;
import io.rns.api.NamePattern;
import io.rns.api.Outcome;
import io.rns.api.Position;
import io.rns.api.Refusal;
import io.rns.api.Refused;
import io.rns.api.RnsPath;
import io.rns.api.SubtreePage;
import io.rns.api.SubtreePage.Visit;
import io.rns.api.SubtreePosition;
import io.rns.api.SubtreeRequest;
import io.rns.api.SubtreeRequest.Order;
import io.rns.api.Target;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.wire.Envelope;
import io.rns.wire.Fault;
import io.rns.wire.Faults;
import io.rns.wire.MessageHeaders;
import io.rns.wire.OperationCodec.Place;
import io.rns.wire.ReplyForm;
import io.rns.wire.ReplyHeaders;
import io.rns.wire.SoapVersion;
import io.rns.wire.operation.RequestReader;
import io.rns.wire.rns.EntryOperations;
import io.rns.wire.rns.SubtreePageRequest;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import java.io.ByteArrayInputStream;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Pages of subtrees survive the way to a server and back. */
class SubtreeMessagesTest {
  private static final Target DIRECTORY = new Target(new EntryId((3L << 48) + 7), RnsPath.parse("/a \"<"));
  private static final SubtreeRequest PLAIN =
      new SubtreeRequest(DIRECTORY, Order.NAMES, Limits.PATH_DEPTH, EntryFilter.ALL, 500, Optional.empty());

  private static SubtreeRequest received(SubtreeRequest request) {
    XmlBuffer message = new XmlBuffer(1_000);
    RemoteCall.subtree(request).writeTo(message, CallContext.ANONYMOUS);
    return read(message);
  }

  private static SubtreeRequest read(XmlBuffer message) {
    try (XmlPull pull = XmlPull.document(message.toByteArray(), message.length())) {
      assertThat(Envelope.enter(pull)).isTrue();
      MessageHeaders.Reader headers = new MessageHeaders.Reader();
      while (pull.nextChild()) {
        assertThat(headers.take(pull)).isTrue();
      }
      assertThat(pull.nextChild()).isTrue();
      Envelope.enterBody(pull);
      SubtreePageRequest request = (SubtreePageRequest) RequestReader.read(pull, headers.headers(), "http://here");
      Envelope.leaveBody(pull);
      return request.request();
    }
  }

  @Test
  void requestsArriveAsTheyAre() {
    assertThat(received(PLAIN)).isEqualTo(PLAIN);
    RnsPath at = RnsPath.parse("/a \"</b&");
    for (SubtreePosition after : List.of(new SubtreePosition(at, false), new SubtreePosition(at, true),
        SubtreePosition.past(at))) {
      for (NamePattern pattern : List.of(NamePattern.glob("*<x>"), NamePattern.regex("[a-z]+"))) {
        EntryFilter filter = new EntryFilter(Optional.of(pattern), Optional.of(Kind.DIRECTORY), Map.of("k\"", "v<"));
        SubtreeRequest request = new SubtreeRequest(DIRECTORY, Order.LINES, 3, filter, 9, Optional.of(after));
        assertThat(received(request)).isEqualTo(request);
      }
    }
  }

  @Test
  void whatIsWrongWithARequestIsSaid() {
    for (String wrong : List.of("order='sideways'", "kind='pool'", "syntax='sql' pattern='x'", "depth='0'",
        "size='10001'", "size='x'")) {
      Refused.with(
          wrong.startsWith("size='1") ? RnsError.LIMIT_EXCEEDED : RnsError.INVALID_REQUEST,
          () -> subtree(wrong, ""));
    }
    Refused.with(RnsError.INVALID_CURSOR, () -> subtree("after='/'", ""));
    Refused.with(RnsError.INVALID_REQUEST, () -> subtree("", "<x:meta key='k'/>"));
    Refused.with(RnsError.INVALID_REQUEST, () -> subtree("", "<x:more/>"));
  }

  private static void subtree(String attributes, String children) {
    String body = "<x:subtree xmlns:x='urn:rns:ext:1' " + attributes + ">" + children + "</x:subtree>";
    XmlBuffer out = new XmlBuffer(1_000);
    Envelope.open(out, MessageHeaders.NONE);
    out.raw(body);
    Envelope.close(out);
    try (XmlPull pull = XmlPull.document(out.toByteArray(), out.length())) {
      assertThat(Envelope.enter(pull)).isTrue();
      Envelope.enterBody(pull);
      assertThat(RequestReader.read(pull, MessageHeaders.NONE, "http://here")).isNull();
    }
  }

  private static Answer<Outcome<SubtreePage>> answered(Consumer<XmlBuffer> payload) {
    XmlBuffer out = new XmlBuffer(1_000);
    ReplyHeaders headers = new ReplyHeaders(Optional.of(new Position(3, 1, 4)), false, Optional.empty(), 0);
    Envelope.open(out, SoapVersion.V1_1, headers, "");
    payload.accept(out);
    Envelope.close(out);
    return RemoteCall.subtree(PLAIN).read(new ByteArrayInputStream(out.toByteArray()));
  }

  @Test
  void pagesArriveAsTheyAre() {
    Instant now = Instant.parse("2026-01-02T03:04:05.678901Z");
    Entry directory = new Entry.VirtualDirectory(
        new Entry.Binding(new EntryId(9), EntryName.of("b<")), new EntryId(10), 3, now, now, Metadata.NONE, -1);
    Entry junction = new Entry.Junction(
        new Entry.Binding(new EntryId(10), EntryName.of("c")), new EntryId(11), 4, now, now,
        Metadata.of(Map.of("k", "v")), List.of(EndpointReference.ofAddress("http://x/?a&b")));
    List<Visit> visits = List.of(
        new Visit(RnsPath.parse("/a \"</b<"), directory, 1, false),
        new Visit(RnsPath.parse("/a \"</b</c"), junction, 2, true));
    SubtreePage page =
        new SubtreePage(visits, Optional.of(SubtreePosition.past(RnsPath.parse("/a \"</b<"))), 4_711);
    for (SubtreePage each : List.of(page, new SubtreePage(List.of(), Optional.empty(), 0))) {
      Answer<Outcome<SubtreePage>> answer = answered(
          out -> EntryOperations.SUBTREE.writeResponse(out, each, new ReplyForm(true, ""), Place.PAYLOAD));
      assertThat(answer.value()).isEqualTo(Outcome.done(each));
      assertThat(answer.position()).isEqualTo(new Position(3, 1, 4));
    }
  }

  @Test
  void aRefusalIsAnOutcome() {
    Refusal refusal = new Refusal.NotDirectory(DIRECTORY, 1);
    assertThat(
        answered(out -> Faults.write(out, SoapVersion.V1_1, Fault.of(refusal), true, Instant.EPOCH)).value())
        .isEqualTo(Outcome.refused(refusal));
  }
}
