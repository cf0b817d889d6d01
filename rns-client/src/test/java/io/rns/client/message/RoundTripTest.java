package io.rns.client.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Consistency;
import io.rns.api.Entry;
import io.rns.api.Outcome;
import io.rns.api.Page;
import io.rns.api.Position;
import io.rns.api.Positions;
import io.rns.api.QueryRequest;
import io.rns.api.RequestId;
import io.rns.api.Routing;
import io.rns.wire.Envelope;
import io.rns.wire.Fault;
import io.rns.wire.Faults;
import io.rns.wire.MessageHeaders;
import io.rns.wire.OperationCodec;
import io.rns.wire.ReplyForm;
import io.rns.wire.ReplyHeaders;
import io.rns.wire.Request;
import io.rns.wire.SoapVersion;
import io.rns.wire.WireValues;
import io.rns.wire.operation.RequestReader;
import io.rns.wire.rns.EntryOperations;
import io.rns.wire.rns.EntryRequest;
import io.rns.wire.rns.ListingRequest;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import java.io.ByteArrayInputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What one side writes, the other reads: {@code decode(encode(x)) = x} for every message. */
class RoundTripTest {
  private static final int ROUNDS = 2_000;
  private static final String URL = "http://localhost:8080/rns/services/rns";
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05.678901Z");

  private record Read(MessageHeaders headers, Request request) {}

  private static Read read(XmlBuffer message) {
    try (XmlPull pull = XmlPull.document(message.toByteArray(), message.length())) {
      assertThat(Envelope.enter(pull)).isTrue();
      MessageHeaders.Reader headers = new MessageHeaders.Reader();
      if (Envelope.atHeader(pull)) {
        while (pull.nextChild()) {
          assertThat(headers.take(pull)).as("header " + pull.localName()).isTrue();
        }
        assertThat(pull.nextChild()).isTrue();
      }
      Envelope.enterBody(pull);
      assertThat(RequestReader.knows(pull)).isTrue();
      Request request = RequestReader.read(pull, headers.headers(), URL);
      pull.finish();
      return new Read(headers.headers(), request);
    }
  }

  private static final List<Consistency> CONSISTENCIES =
      List.of(Consistency.SESSION, Consistency.PRIMARY, Consistency.ANY, Consistency.bounded(Duration.ofMillis(250)));

  private static final List<Routing> ROUTINGS = List.of(Routing.values());

  private static <R> void requests(Function<WireValues, R> make, Function<R, RemoteCall<?>> call) {
    for (long seed = 0; seed < ROUNDS; seed++) {
      WireValues values = new WireValues(seed);
      R request = make.apply(values);
      RequestId id = values.requestId();
      Positions seen =
          seed % 2 == 0 ? Positions.of(values.position()) : Positions.of(values.position()).with(values.position());
      Consistency consistency = CONSISTENCIES.get((int) (seed % CONSISTENCIES.size()));
      Routing routing = ROUTINGS.get((int) (seed % ROUTINGS.size()));
      CallContext context = CallContext.ANONYMOUS.with(id).withSeen(seen).with(consistency).with(routing);
      XmlBuffer message = new XmlBuffer(16);
      call.apply(request).writeTo(message, context);
      Read read = read(message);
      assertThat(received(read.request())).as("seed %d: %s", seed, message).isEqualTo(request);
      assertThat(read.headers().requestId()).contains(id);
      assertThat(read.headers().seen()).isEqualTo(seen);
      assertThat(read.headers().consistency()).isEqualTo(consistency);
      assertThat(read.headers().routing()).isEqualTo(routing);
      assertThat(read.headers().extended()).isTrue();
    }
  }

  private static Object received(Request request) {
    if (request instanceof ListingRequest listing) {
      assertThat(listing.paged()).isTrue();
      return listing.request();
    }
    return ((EntryRequest<?>) request).valid().orElseThrow();
  }

  @Test
  void addRequests() {
    requests(WireValues::addRequest, RemoteCall::add);
  }

  @Test
  void queryRequests() {
    requests(WireValues::queryRequest, RemoteCall::query);
  }

  @Test
  void updateRequests() {
    requests(WireValues::updateRequest, RemoteCall::update);
  }

  @Test
  void removeRequests() {
    requests(WireValues::removeRequest, RemoteCall::remove);
  }

  @Test
  void listRequests() {
    requests(WireValues::listRequest, RemoteCall::list);
  }

  /** Outcomes as a server writes them, read as a client does: single answers, faults and batches. */
  @Test
  void outcomes() {
    for (long seed = 0; seed < ROUNDS; seed++) {
      WireValues values = new WireValues(seed);
      QueryRequest query = values.queryRequest();
      List<Outcome<Entry>> outcomes = new ArrayList<>();
      query.targets().forEach(target -> outcomes.add(values.outcome()));
      RemoteCall<List<Outcome<Entry>>> call = RemoteCall.query(query);
      XmlBuffer asked = new XmlBuffer(16);
      call.writeTo(asked, CallContext.ANONYMOUS);
      EntryRequest<?> request = (EntryRequest<?>) read(asked).request();
      Position position = values.position();
      XmlBuffer answer = answer(request, outcomes, position);
      Answer<List<Outcome<Entry>>> got = call.read(new ByteArrayInputStream(answer.toByteArray()));
      assertThat(got.value()).as("seed %d: %s", seed, answer).isEqualTo(outcomes);
      assertThat(got.position()).isEqualTo(position);
    }
  }

  private static XmlBuffer answer(EntryRequest<?> request, List<Outcome<Entry>> outcomes, Position position) {
    XmlBuffer out = new XmlBuffer(16);
    ReplyForm form = new ReplyForm(true, URL);
    Envelope.open(out, SoapVersion.V1_1, new ReplyHeaders(Optional.of(position), false, Optional.empty(), 0), "");
    if (request.batch()) {
      request.startBatchResponse(out);
      for (int i = 0; i < outcomes.size(); i++) {
        request.writeBatchItem(out, i, outcomes.get(i), form, NOW);
      }
      request.endBatchResponse(out);
    } else if (outcomes.get(0) instanceof Outcome.Done<Entry> done) {
      request.writeResponse(out, done.value(), form);
    } else {
      Faults.write(out, SoapVersion.V1_1, Fault.of(((Outcome.Refused<Entry>) outcomes.get(0)).refusal()), true, NOW);
    }
    Envelope.close(out);
    return out;
  }

  @Test
  void pages() {
    for (long seed = 0; seed < ROUNDS; seed++) {
      WireValues values = new WireValues(seed);
      Page page = values.page();
      Position position = values.position();
      XmlBuffer out = new XmlBuffer(16);
      Envelope.open(out, SoapVersion.V1_1, new ReplyHeaders(Optional.of(position), true, page.next(), seed), "");
      EntryOperations.LIST.writeResponse(out, page, new ReplyForm(true, URL), OperationCodec.Place.PAYLOAD);
      Envelope.close(out);
      RemoteCall<Outcome<Page>> call = RemoteCall.list(values.listRequest());
      Answer<Outcome<Page>> got = call.read(new ByteArrayInputStream(out.toByteArray()));
      assertThat(got).as("seed %d: %s", seed, out).isEqualTo(new Answer.Served<>(Outcome.done(page), position, seed));
    }
  }
}
