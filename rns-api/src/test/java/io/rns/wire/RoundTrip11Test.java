package io.rns.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.Entry.Junction;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.EntryId;
import io.rns.api.Metadata;
import io.rns.api.Outcome;
import io.rns.api.Target;
import io.rns.wire.OperationCodec.Place;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import java.io.ByteArrayInputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What one side writes of RNS 1.1 and its companions, the other reads: {@code decode(encode(x)) = x}. */
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
    requests(Operations.ADD_11, Messages11::entries);
  }

  @Test
  void lookupRequests() {
    requests(Operations.LOOKUP_11, Messages11::names);
  }

  @Test
  void renameRequests() {
    requests(Operations.RENAME_11, Messages11::renamings);
  }

  @Test
  void setMetadataRequests() {
    requests(Operations.SET_METADATA_11, Messages11::metadata);
  }

  @Test
  void removeRequests() {
    requests(Operations.REMOVE_11, Messages11::removals);
  }

  @Test
  void aLookupWithoutNamesIsAListing() {
    Messages11 messages = new Messages11(7);
    ListingRequest got = (ListingRequest) read(messages.message(Operations.LOOKUP_11, List.of()));
    assertThat(got.request().directory()).isEqualTo(messages.directory());
    assertThat(got.form()).isEqualTo(Operations.LOOKUP_11);
  }

  private static List<EntryResponse> answered(List<Outcome<Entry>> outcomes, ReplyForm form) {
    List<String> names = new ArrayList<>();
    outcomes.forEach(outcome -> names.add("asked <for> " + names.size()));
    EntryRequest<Target> request =
        new EntryRequest<>(Operations.LOOKUP_11, List.of(), BatchOptions.NONE, true, names);
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
  void extendedAnswersTellAll() {
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
  void plainAnswersTellWhatTheStandardHas() {
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

  private static <I, O> I item(ResourceOperationCodec<I, O> codec, I item) {
    XmlBuffer out = new XmlBuffer(16);
    Envelope.open(out, MessageHeaders.NONE);
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

  @Test
  void properties() {
    PropertiesCodec.Asked one = new PropertiesCodec.Asked(Target.ROOT, List.of(Property.READABLE));
    assertThat(item(Operations.GET_PROPERTY, one)).isEqualTo(one);
    PropertiesCodec.Asked all = new PropertiesCodec.Asked(Target.ROOT, List.of(Property.values()));
    assertThat(item(Operations.GET_PROPERTIES, all)).isEqualTo(all);
    assertThat(item(Operations.GET_PROPERTY_DOCUMENT, Target.ROOT)).isEqualTo(Target.ROOT);
    List<PropertyValues.Value> values = new ArrayList<>();
    for (Property property : Property.values()) {
      values.add(new PropertyValues.Value(property, Optional.of("<" + property.localName())));
      values.add(new PropertyValues.Value(property, Optional.empty()));
    }
    PropertyValues result = new PropertyValues(values);
    assertThat(result(Operations.GET_PROPERTY, result)).isEqualTo(result);
    assertThat(result(Operations.GET_PROPERTIES, result)).isEqualTo(result);
    assertThat(result(Operations.GET_PROPERTY_DOCUMENT, result)).isEqualTo(result);
  }

  @Test
  void theEndOfADirectory() {
    assertThat(item(Operations.DESTROY, Target.ROOT)).isEqualTo(Target.ROOT);
    for (long seed = 0; seed < ROUNDS; seed++) {
      Entry entry = new WireValues(seed).entry();
      assertThat(result(Operations.DESTROY, entry)).isEqualTo(entry);
    }
  }

  @Test
  void names() {
    assertThat(item(Operations.RESOLVE, Target.ROOT)).isEqualTo(Target.ROOT);
    assertThat(item(Operations.RESOLVE_EPI, "urn:a<b>&c")).isEqualTo("urn:a<b>&c");
    for (long seed = 0; seed < ROUNDS; seed++) {
      EndpointReference reference = new WireValues(seed).reference();
      assertThat(result(Operations.RESOLVE, reference)).isEqualTo(reference);
      assertThat(result(Operations.RESOLVE_EPI, reference)).isEqualTo(reference);
    }
  }

  @Test
  void identifiersAreOfOneTree() {
    for (long id : new long[] {1, 2, 0x1234_5678_9abcL, Long.MAX_VALUE}) {
      String identifier = NAMES.identifier(new EntryId(id));
      assertThat(identifier).matches("urn:ws-naming:epi:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
      assertThat(NAMES.directory(identifier)).contains(new EntryId(id));
      assertThat(names("http://elsewhere/", NOW).directory(identifier)).contains(new EntryId(id));
      assertThat(names(URL, NOW.plusNanos(1_000)).directory(identifier)).isEmpty();
    }
    EndpointReference reference = NAMES.reference(new EntryId(2));
    assertThat(reference.address()).isEqualTo(URL);
    assertThat(reference.endpointIdentifier()).contains(NAMES.identifier(new EntryId(2)));
    for (String other : List.of("", "urn:ws-naming:epi:", "urn:ws-naming:epi:1-1-1-1-1", "urn:ws-naming:epi:x", "http://h/")) {
      assertThat(NAMES.directory(other)).as(other).isEmpty();
    }
  }

  @Test
  void whetherALinkSupportsRnsIsKeptWithItsMetadata() {
    String rest = "<a/><b>supports</b>";
    for (SupportsRns told : SupportsRns.values()) {
      Metadata kept = told.with(List.of(rest));
      assertThat(SupportsRns.split(kept)).isEqualTo(new SupportsRns.Split(told, rest));
      // As a caller of RNS 1.0 may write it.
      String foreign = "<s:supports-rns xmlns:s='" + Namespaces.RNS_11 + "' value=' " + told.text() + " '> </s:supports-rns>";
      assertThat(SupportsRns.split(Metadata.parse("<a/>" + foreign + "<b>supports</b>")))
          .isEqualTo(new SupportsRns.Split(told, rest));
    }
    assertThat(SupportsRns.UNKNOWN.with(List.of(rest)).xml()).isEqualTo(rest);
    assertThat(SupportsRns.split(Metadata.parse("<supports-rns value='true'/>")))
        .isEqualTo(new SupportsRns.Split(SupportsRns.UNKNOWN, "<supports-rns value=\"true\"/>"));
  }
}
