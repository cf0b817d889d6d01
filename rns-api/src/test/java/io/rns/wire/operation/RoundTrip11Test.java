package io.rns.wire.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.Consistency;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.Entry.Junction;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.Metadata;
import io.rns.api.Outcome;
import io.rns.api.Positions;
import io.rns.api.Refused;
import io.rns.api.Routing;
import io.rns.api.Target;
import io.rns.error.RnsError;
import io.rns.wire.BatchOptions;
import io.rns.wire.Envelope;
import io.rns.wire.MessageHeaders;
import io.rns.wire.Messages11;
import io.rns.wire.Namespaces;
import io.rns.wire.OperationCodec.Place;
import io.rns.wire.ReplyForm;
import io.rns.wire.Request;
import io.rns.wire.ResourceTarget;
import io.rns.wire.WireValues;
import io.rns.wire.WsNames;
import io.rns.wire.resource.FoundEntry;
import io.rns.wire.resource.IterateRequest;
import io.rns.wire.resource.IteratedBlock;
import io.rns.wire.resource.Lifetime;
import io.rns.wire.resource.PropertiesCodec;
import io.rns.wire.resource.Property;
import io.rns.wire.resource.PropertyValues;
import io.rns.wire.resource.QueryExpressionCodec;
import io.rns.wire.resource.ResourceOperationCodec;
import io.rns.wire.resource.ResourceOperations;
import io.rns.wire.resource.ResourceRequest;
import io.rns.wire.resource.SearchRequest;
import io.rns.wire.resource.SetTerminationTimeCodec;
import io.rns.wire.resource.TerminationTime;
import io.rns.wire.rns.DirectoryOperationCodec;
import io.rns.wire.rns.EntryOperations;
import io.rns.wire.rns.EntryRequest;
import io.rns.wire.rns.EntryResponse;
import io.rns.wire.rns.Items11;
import io.rns.wire.rns.ListingRequest;
import io.rns.wire.rns.SupportsRns;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import java.io.ByteArrayInputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.Period;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Messages of RNS 1.1 and its companion specifications survive the round trip: {@code decode(encode(x)) = x}. */
class RoundTrip11Test {
  private static final int ROUNDS = 1_000;
  private static final String URL = "http://localhost:8080/rns/services/rns";
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05.678901Z");
  private static final WsNames NAMES = names(URL, NOW);

  private static WsNames names(String url, Instant made) {
    return new WsNames(url, new VirtualDirectory(null, EntryId.ROOT, 1, made, made, Metadata.NONE, 0));
  }

  private static Request read(XmlBuffer message) {
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
      Envelope.leaveBody(pull);
      return request;
    }
  }

  private static <I> void requests(DirectoryOperationCodec<I> codec, Function<Messages11, List<I>> make) {
    for (long seed = 1; seed <= ROUNDS; seed++) {
      Messages11 messages = new Messages11(seed);
      List<I> items = make.apply(messages);
      XmlBuffer message = messages.message(codec, items);
      EntryRequest<?> got = (EntryRequest<?>) read(message);
      assertThat(got.codec()).isEqualTo(codec);
      List<Object> expected = new ArrayList<>();
      items.forEach(item -> expected.add(Outcome.done(item)));
      assertThat(new ArrayList<Object>(got.items())).as("seed %d: %s", seed, message).isEqualTo(expected);
      assertThat(got.names()).isEqualTo(items.stream().map(item -> codec.name(item).toString()).toList());
      assertThat(got.options().allOrNothing()).isEqualTo(seed % 3 == 0);
      assertThat(codec.target(items.get(0))).isEqualTo(messages.directory());
    }
  }

  @Test
  void addRequests() {
    requests(EntryOperations.ADD_11, Messages11::entries);
  }

  @Test
  void lookupRequests() {
    requests(EntryOperations.LOOKUP_11, Messages11::names);
  }

  @Test
  void renameRequests() {
    requests(EntryOperations.RENAME_11, Messages11::renamings);
  }

  @Test
  void setMetadataRequests() {
    requests(EntryOperations.SET_METADATA_11, Messages11::metadata);
  }

  @Test
  void removeRequests() {
    requests(EntryOperations.REMOVE_11, Messages11::removals);
  }

  @Test
  void aLookupWithoutNamesIsAListing() {
    Messages11 messages = new Messages11(7);
    ListingRequest got = (ListingRequest) read(messages.message(EntryOperations.LOOKUP_11, List.of()));
    assertThat(got.request().directory()).isEqualTo(messages.directory());
    assertThat(got.form()).isEqualTo(EntryOperations.LOOKUP_11);
  }

  private static List<EntryResponse> answered(List<Outcome<Entry>> outcomes, ReplyForm form) {
    List<String> names = new ArrayList<>();
    outcomes.forEach(outcome -> names.add("asked <for> " + names.size()));
    EntryRequest<Target> request =
        new EntryRequest<>(EntryOperations.LOOKUP_11, List.of(), BatchOptions.NONE, true, names);
    XmlBuffer out = new XmlBuffer(16);
    request.startBatchResponse(out);
    for (int i = 0; i < outcomes.size(); i++) {
      request.writeBatchItem(out, i, outcomes.get(i), form, NOW);
    }
    request.endBatchResponse(out);
    try (XmlPull pull = XmlPull.answer(new ByteArrayInputStream(out.toByteArray()))) {
      assertThat(pull.is(Namespaces.RNS_11, "LookupResponse")).isTrue();
      List<EntryResponse> responses = Items11.readResponse(pull);
      pull.finish();
      assertThat(responses).as("%s", out).hasSameSizeAs(outcomes);
      return responses;
    }
  }

  private static List<Outcome<Entry>> outcomes(long seed) {
    WireValues values = new WireValues(seed);
    List<Outcome<Entry>> outcomes = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      outcomes.add(values.outcome());
    }
    return outcomes;
  }

  @Test
  void extendedResponsesAreComplete() {
    for (long seed = 0; seed < ROUNDS; seed++) {
      List<Outcome<Entry>> outcomes = outcomes(seed);
      List<Outcome<Entry>> got = new ArrayList<>();
      for (EntryResponse response : answered(outcomes, new ReplyForm(true, URL))) {
        got.add(
            response.fault().isPresent()
                ? Outcome.refused(response.fault().get().refusal().orElseThrow())
                : Outcome.done(response.entry().orElseThrow()));
      }
      assertThat(got).as("seed %d", seed).isEqualTo(outcomes);
    }
  }

  @Test
  void plainResponsesFollowTheSpecification() {
    for (long seed = 0; seed < ROUNDS; seed++) {
      List<Outcome<Entry>> outcomes = outcomes(seed);
      List<EntryResponse> got = answered(outcomes, new ReplyForm(false, NAMES));
      for (int i = 0; i < outcomes.size(); i++) {
        EntryResponse response = got.get(i);
        if (outcomes.get(i) instanceof Outcome.Refused<Entry> refused) {
          assertThat(response.fault().orElseThrow().error()).isEqualTo(refused.refusal().error());
          assertThat(response.references()).isEmpty();
        } else {
          same(response, outcomes.get(i).orThrow());
        }
      }
    }
  }

  private static void same(EntryResponse response, Entry entry) {
    assertThat(response.name()).isEqualTo(entry.displayName());
    assertThat(response.metadata()).isEqualTo(entry.metadata());
    assertThat(response.fault()).isEmpty();
    if (entry instanceof Junction junction) {
      assertThat(response.references()).isEqualTo(junction.references());
      assertThat(response.supportsRns()).isEqualTo(SupportsRns.UNKNOWN);
    } else {
      assertThat(response.references()).containsExactly(NAMES.reference(entry.id()));
      assertThat(response.supportsRns()).isEqualTo(SupportsRns.TRUE);
    }
  }

  private static MessageHeaders headers(Optional<String> iterator) {
    return new MessageHeaders(
        Target.ROOT, Optional.empty(), OptionalLong.empty(), Positions.NONE, Optional.empty(), false, iterator,
        Consistency.SESSION, Routing.FORWARD);
  }

  private static <I, O> I item(ResourceOperationCodec<I, O> codec, I item, Optional<String> iterator) {
    XmlBuffer out = new XmlBuffer(16);
    Envelope.open(out, headers(iterator));
    codec.writeRequest(out, item, Place.PAYLOAD);
    Envelope.close(out);
    ResourceRequest<?, ?> request = (ResourceRequest<?, ?>) read(out);
    assertThat(request.codec()).isEqualTo(codec);
    @SuppressWarnings("unchecked") // it is an item of the codec
    I got = (I) request.item();
    return got;
  }

  private static <O> O result(ResourceOperationCodec<?, O> codec, O result) {
    XmlBuffer out = new XmlBuffer(16);
    codec.writeResponse(out, result, new ReplyForm(true, NAMES), Place.PAYLOAD);
    try (XmlPull pull = XmlPull.document(out.toByteArray(), out.length())) {
      assertThat(pull.localName()).isEqualTo(codec.responseElement());
      O got = codec.readResponse(pull);
      pull.finish();
      return got;
    }
  }

  private static void properties(ResourceTarget resource, List<Property> properties) {
    Optional<String> iterator = resource.iterator();
    PropertiesCodec.Asked one = new PropertiesCodec.Asked(resource, List.of(properties.get(0)));
    assertThat(item(ResourceOperations.GET_PROPERTY, one, iterator)).isEqualTo(one);
    PropertiesCodec.Asked all = new PropertiesCodec.Asked(resource, properties);
    assertThat(item(ResourceOperations.GET_PROPERTIES, all, iterator)).isEqualTo(all);
    assertThat(item(ResourceOperations.GET_PROPERTY_DOCUMENT, resource, iterator)).isEqualTo(resource);
    List<PropertyValues.Value> values = new ArrayList<>();
    for (Property property : properties) {
      values.add(new PropertyValues.Value(property, Optional.of("<" + property.localName())));
      values.add(new PropertyValues.Value(property, Optional.empty()));
    }
    PropertyValues result = new PropertyValues(values);
    assertThat(result(ResourceOperations.GET_PROPERTY, result)).isEqualTo(result);
    assertThat(result(ResourceOperations.GET_PROPERTIES, result)).isEqualTo(result);
    assertThat(result(ResourceOperations.GET_PROPERTY_DOCUMENT, result)).isEqualTo(result);
  }

  @Test
  void properties() {
    ResourceTarget directory = ResourceTarget.of(Target.ROOT);
    properties(directory, Property.of(directory));
    ResourceTarget iterator = ResourceTarget.ofIterator("<i>");
    properties(iterator, Property.of(iterator));
    assertThat(Property.of(directory)).doesNotContain(Property.ITERATOR_SIZE);
  }

  @Test
  void termination() {
    Duration rest = Duration.parse("PT4H5M6.789S");
    Optional<Period> days = Optional.of(Period.of(1, 2, 3));
    for (Lifetime lifetime : List.of(
        Lifetime.ENDLESS, Lifetime.until(NOW), new Lifetime(Optional.empty(), days, Duration.ZERO),
        new Lifetime(Optional.empty(), days, rest),
        new Lifetime(Optional.empty(), days.map(Period::negated), rest.negated()),
        new Lifetime(Optional.empty(), Optional.of(Period.ZERO), rest))) {
      for (Optional<String> iterator : List.of(Optional.<String>empty(), Optional.of("i"))) {
        SetTerminationTimeCodec.Asked asked =
            new SetTerminationTimeCodec.Asked(new ResourceTarget(Target.ROOT, iterator), lifetime);
        assertThat(item(ResourceOperations.SET_TERMINATION_TIME, asked, iterator)).isEqualTo(asked);
      }
    }
    for (Optional<Instant> end : List.of(Optional.<Instant>empty(), Optional.of(NOW))) {
      TerminationTime result = new TerminationTime(end, NOW.plusSeconds(1));
      assertThat(result(ResourceOperations.SET_TERMINATION_TIME, result)).isEqualTo(result);
    }
  }

  @Test
  void lifetimes() {
    Map<String, String> ends =
        Map.of(
            "P1M", "2026-02-02T03:04:05.678901Z", "-P1D", "2026-01-01T03:04:05.678901Z", "P1DT1S",
            "2026-01-03T03:04:06.678901Z",
            "PT0S", NOW.toString(), "P0Y", NOW.toString());
    ends.forEach((text, end) -> assertThat(Lifetime.ofDuration(text).end(NOW)).contains(Instant.parse(end)));
    for (String none : List.of("", "P", "PT", "P1DT", "1D", "P1H", "PT1D", "P-1D", "P1.5D", "P99999999999D")) {
      Refused.with(RnsError.INVALID_REQUEST, () -> Lifetime.ofDuration(none), "is not a duration");
    }
    Refused.with(RnsError.LIMIT_EXCEEDED, () -> Lifetime.ofDuration("P999999999Y").end(NOW), "exceeds the calendar");
    assertThat(Lifetime.ofDateTime("2026-01-02T04:04:05.678901+01:00").end(NOW)).contains(NOW);
    assertThat(Lifetime.ofDateTime("2026-01-02T03:04:05.678901").end(NOW)).contains(NOW);
    Refused.with(RnsError.INVALID_REQUEST, () -> Lifetime.ofDateTime("tomorrow"), "is not a date");
  }

  @Test
  void searches() {
    for (Optional<List<EntryName>> names : List.of(Optional.<List<EntryName>>empty(),
        Optional.of(List.of(EntryName.of("a<"), EntryName.of("b"))))) {
      SearchRequest request = new SearchRequest(Target.ROOT, names, "/*[@a < 'b' and \"c\"]");
      XmlBuffer out = new XmlBuffer(16);
      Envelope.open(out, MessageHeaders.NONE);
      ResourceOperations.SEARCH.writeRequest(out, request, Place.PAYLOAD);
      Envelope.close(out);
      assertThat(read(out)).isEqualTo(request);
    }
    List<FoundEntry> found = List.of(new FoundEntry("a <", ""), new FoundEntry("b", "<x xmlns=\"urn:x\">&lt;</x><y/>"));
    XmlBuffer answer = new XmlBuffer(16);
    ResourceOperations.SEARCH.writeResponse(answer, found, new ReplyForm(false, NAMES), Place.PAYLOAD);
    try (XmlPull pull = XmlPull.document(answer.toByteArray(), answer.length())) {
      assertThat(ResourceOperations.SEARCH.readResponse(pull)).isEqualTo(found);
    }
    for (FoundEntry entry : found) {
      assertThat(FoundEntry.parse(entry.element())).isEqualTo(entry);
    }
  }

  @Test
  void expressions() {
    ResourceTarget root = ResourceTarget.of(Target.ROOT);
    QueryExpressionCodec.Asked asked =
        new QueryExpressionCodec.Asked(root, "/a:b/c < 'd:e' and self::a:x", Map.of("a", "urn:a", "d", "urn:d"));
    assertThat(item(ResourceOperations.QUERY_PROPERTIES, asked, Optional.empty())).isEqualTo(asked);
    for (String result : List.of("", "true", "a &lt; b", "<a xmlns=\"urn:a\">1</a><b/>")) {
      assertThat(result(ResourceOperations.QUERY_PROPERTIES, result)).isEqualTo(result);
    }
  }

  @Test
  void iterations() {
    for (long number : new long[]{0, 1, 1_000, Long.MAX_VALUE}) {
      IterateRequest request = new IterateRequest(Optional.of("i"), number, number);
      XmlBuffer out = new XmlBuffer(16);
      Envelope.open(out, headers(request.iterator()));
      ResourceOperations.ITERATE.writeRequest(out, request, Place.PAYLOAD);
      Envelope.close(out);
      assertThat(read(out)).isEqualTo(request);
      IteratedBlock.Element some = new IteratedBlock.Element(number, "<a xmlns=\"urn:a\">&lt;</a>");
      IteratedBlock block = new IteratedBlock(number, List.of(some, new IteratedBlock.Element(1, "<b/><c/>")));
      XmlBuffer answer = new XmlBuffer(16);
      ResourceOperations.ITERATE.writeResponse(answer, block, new ReplyForm(false, NAMES), Place.PAYLOAD);
      try (XmlPull pull = XmlPull.document(answer.toByteArray(), answer.length())) {
        assertThat(ResourceOperations.ITERATE.readResponse(pull)).isEqualTo(block);
      }
    }
  }

  @Test
  void theEndOfADirectory() {
    ResourceTarget root = ResourceTarget.of(Target.ROOT);
    assertThat(item(ResourceOperations.DESTROY, root, Optional.empty())).isEqualTo(root);
    assertThat(result(ResourceOperations.DESTROY, Optional.empty())).isEmpty();
    for (long seed = 0; seed < ROUNDS; seed++) {
      Entry entry = new WireValues(seed).entry();
      assertThat(result(ResourceOperations.DESTROY, Optional.of(entry))).contains(entry);
    }
  }

  @Test
  void names() {
    ResourceTarget root = ResourceTarget.of(Target.ROOT);
    assertThat(item(ResourceOperations.RESOLVE, root, Optional.empty())).isEqualTo(root);
    assertThat(item(ResourceOperations.RESOLVE_EPI, "urn:a<b>&c", Optional.empty())).isEqualTo("urn:a<b>&c");
    for (long seed = 0; seed < ROUNDS; seed++) {
      EndpointReference reference = new WireValues(seed).reference();
      assertThat(result(ResourceOperations.RESOLVE, reference)).isEqualTo(reference);
      assertThat(result(ResourceOperations.RESOLVE_EPI, reference)).isEqualTo(reference);
    }
  }

  @Test
  void identifiersBelongToOneTree() {
    for (long id : new long[]{1, 2, 0x1234_5678_9abcL, Long.MAX_VALUE}) {
      String identifier = NAMES.identifier(new EntryId(id));
      assertThat(identifier).matches("urn:ws-naming:epi:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
      assertThat(NAMES.directory(identifier)).contains(new EntryId(id));
      assertThat(names("http://elsewhere/", NOW).directory(identifier)).contains(new EntryId(id));
      assertThat(names(URL, NOW.plusNanos(1_000)).directory(identifier)).isEmpty();
    }
    EndpointReference reference = NAMES.reference(new EntryId(2));
    assertThat(reference.address()).isEqualTo(URL);
    assertThat(reference.endpointIdentifier()).contains(NAMES.identifier(new EntryId(2)));
    for (String other : List.of("", "urn:ws-naming:epi:", "urn:ws-naming:epi:1-1-1-1-1", "urn:ws-naming:epi:x",
        "http://h/")) {
      assertThat(NAMES.directory(other)).as(other).isEmpty();
    }
  }

  @Test
  void supportForRnsIsStoredInTheMetadataOfALink() {
    String rest = "<a/><b>supports</b>";
    for (SupportsRns mark : SupportsRns.values()) {
      Metadata kept = mark.with(List.of(rest));
      assertThat(SupportsRns.split(kept)).isEqualTo(new SupportsRns.Split(mark, rest));
      // As a client of RNS 1.0 may write it.
      String foreign =
          "<s:supports-rns xmlns:s='" + Namespaces.RNS_11 + "' value=' " + mark.text() + " '> </s:supports-rns>";
      assertThat(SupportsRns.split(Metadata.parse("<a/>" + foreign + "<b>supports</b>")))
          .isEqualTo(new SupportsRns.Split(mark, rest));
    }
    assertThat(SupportsRns.UNKNOWN.with(List.of(rest)).xml()).isEqualTo(rest);
    assertThat(SupportsRns.split(Metadata.parse("<supports-rns value='true'/>")))
        .isEqualTo(new SupportsRns.Split(SupportsRns.UNKNOWN, "<supports-rns value=\"true\"/>"));
  }
}
