package io.rns.client.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.CallContext;
import io.rns.api.RnsPath;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.pool.ElementPage;
import io.rns.pool.ElementsRequest;
import io.rns.pool.ElementExperience;
import io.rns.pool.PolicyType;
import io.rns.pool.PoolPage;
import io.rns.pool.PoolResolution;
import io.rns.pool.PoolService;
import io.rns.pool.PoolsRequest;
import io.rns.pool.Registered;
import io.rns.pool.Registration;
import io.rns.wire.Envelope;
import io.rns.wire.Fault;
import io.rns.wire.Faults;
import io.rns.wire.HostileMessages;
import io.rns.wire.MessageHeaders;
import io.rns.wire.PoolWireValues;
import io.rns.wire.ReplyHeaders;
import io.rns.wire.Request;
import io.rns.wire.SoapVersion;
import io.rns.wire.operation.RequestReader;
import io.rns.wire.pool.PoolRequest;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What one side writes about pools, the other reads: requests as they were asked, answers as they were given. */
class PoolRoundTripTest {
  private static final int ROUNDS = 1_000;

  /** Remembers what was asked and gives what it was told to. */
  private static final class Fixed implements PoolService {
    private final PoolWireValues values;
    private List<Object> asked = List.of();
    private Object given = "none";

    Fixed(PoolWireValues values) {
      this.values = values;
    }

    private <A> A give(A answer, Object... question) {
      asked = List.of(question);
      given = answer;
      return answer;
    }

    @Override
    public Registered register(RnsPath handle, PolicyType policy, Registration registration) {
      return give(values.registered(), handle, policy, registration);
    }

    @Override
    public boolean deregister(RnsPath handle, int id) {
      return give((id & 1) == 0, handle, id);
    }

    @Override
    public PoolResolution resolve(RnsPath handle, int items) {
      return give(values.resolution(), handle, items);
    }

    @Override
    public void unreachable(RnsPath handle, int id) {
      Object unused = give(true, handle, id);
    }

    @Override
    public void experienced(RnsPath handle, List<ElementExperience> experiences) {
      Object unused = give(true, handle, experiences);
    }

    @Override
    public PoolPage pools(PoolsRequest request) {
      return give(values.pools(), request);
    }

    @Override
    public ElementPage elements(ElementsRequest request) {
      return give(values.elements(), request);
    }
  }

  private static PoolRequest<?, ?> read(XmlBuffer message) {
    try (XmlPull pull = XmlPull.document(message.toByteArray(), message.length())) {
      assertThat(Envelope.enter(pull)).isTrue();
      MessageHeaders.Reader headers = new MessageHeaders.Reader();
      while (pull.nextChild()) {
        assertThat(headers.take(pull)).isTrue();
      }
      assertThat(pull.nextChild()).isTrue();
      Envelope.enterBody(pull);
      assertThat(RequestReader.knows(pull)).isTrue();
      Request request = RequestReader.read(pull, headers.headers(), "http://h/");
      Envelope.leaveBody(pull);
      return (PoolRequest<?, ?>) request;
    }
  }

  /** One call over the wire; both sides have to see the same. */
  private static void call(PoolWireValues values, RemoteCall<?> call, Object... question) {
    XmlBuffer asked = new XmlBuffer(16);
    call.writeTo(asked, CallContext.ANONYMOUS);
    Fixed service = new Fixed(values);
    XmlBuffer answer = answer(read(asked), service);
    assertThat(service.asked).as("%s", asked).isEqualTo(List.of(question));
    Object got = call.readIfExtended(new ByteArrayInputStream(answer.toByteArray())).orElseThrow().value();
    assertThat(got).as("%s", answer).isEqualTo(service.given);
  }

  private static <O> XmlBuffer answer(PoolRequest<?, O> request, PoolService service) {
    XmlBuffer out = new XmlBuffer(16);
    Envelope.open(out, SoapVersion.V1_1, ReplyHeaders.NONE, "");
    request.writeResponse(out, request.ask(service));
    Envelope.close(out);
    return out;
  }

  @Test
  void everyCallGoesThere() {
    for (long seed = 0; seed < ROUNDS; seed++) {
      PoolWireValues values = new PoolWireValues(seed);
      RnsPath handle = values.handle();
      int id = values.id();
      PolicyType policy = values.policy();
      Registration registration = values.registration();
      call(values, PoolCalls.register(handle, policy, registration), handle, policy, registration);
      call(values, PoolCalls.deregister(handle, id), handle, id);
      call(values, PoolCalls.resolve(handle, 1 + (int) (seed % 128)), handle, 1 + (int) (seed % 128));
      call(values, PoolCalls.unreachable(handle, id), handle, id);
      List<ElementExperience> experiences = values.experiences();
      call(values, PoolCalls.experienced(handle, experiences), handle, experiences);
      PoolsRequest pools = values.poolsRequest();
      call(values, PoolCalls.pools(pools), pools);
      ElementsRequest elements = values.elementsRequest();
      call(values, PoolCalls.elements(elements), elements);
    }
  }

  @Test
  void faultsComeBackAsTheirError() {
    XmlBuffer out = new XmlBuffer(16);
    Envelope.open(out, SoapVersion.V1_1, ReplyHeaders.NONE, "");
    RnsException taken = new RnsException(RnsError.ELEMENT_ID_TAKEN, "id 7 is taken");
    Faults.write(out, SoapVersion.V1_1, Fault.of(taken, RnsPath.ROOT), true, Instant.EPOCH);
    Envelope.close(out);
    RemoteCall<?> call = PoolCalls.deregister(RnsPath.parse("/p"), 7);
    assertThatThrownBy(() -> call.readIfExtended(new ByteArrayInputStream(out.toByteArray())))
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.ELEMENT_ID_TAKEN))
        .hasMessage("id 7 is taken");
  }

  /** What another make of server says to a message that it does not know. */
  @Test
  void aForeignFaultIsNoAnswer() {
    String fault = "<s:Fault><faultcode>s:Client</faultcode><faultstring>No such operation</faultstring></s:Fault>";
    byte[] message = HostileMessages.message("", fault).getBytes(StandardCharsets.UTF_8);
    assertThat(PoolCalls.resolve(RnsPath.parse("/p"), 3).readIfExtended(new ByteArrayInputStream(message)))
        .isEmpty();
  }

  @Test
  void answersThatMakeNoSenseAreRefused() {
    String endpoint = "<x:endpoint><a:Address>http://h/</a:Address></x:endpoint>";
    List<String> bad =
        List.of(
            "<x:poolResolveResponse handle='/p' policy='rr'/>",
            "<x:poolResolveResponse handle='/p' policy='sideways'><x:element id='1'>" + endpoint
                + "</x:element></x:poolResolveResponse>",
            "<x:poolResolveResponse handle='/p' policy='rr'><x:element id='1'/></x:poolResolveResponse>",
            "<x:poolResolveResponse handle='/p' policy='rr'><x:element id='0'>" + endpoint
                + "</x:element></x:poolResolveResponse>",
            "<x:poolResolveResponse handle='/p' policy='rr'>"
                + ("<x:element id='1'>" + endpoint + "</x:element>").repeat(129)
                + "</x:poolResolveResponse>",
            "<x:poolListResponse/>");
    for (String answer : bad) {
      byte[] message = HostileMessages.message("", answer).getBytes(StandardCharsets.UTF_8);
      assertThatThrownBy(() -> PoolCalls.resolve(RnsPath.parse("/p"), 3).read(new ByteArrayInputStream(message)))
          .as(answer)
          .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.UNAVAILABLE));
    }
  }

  /** What a later version adds to answers is passed over. */
  @Test
  void answersMayHaveMore() {
    String answer =
        "<x:poolResolveResponse handle='/p' policy='rr' shade='blue'><x:weather/><x:element id='1' mood='good'><x:new/>"
            + "<x:endpoint><a:Address>http://h/</a:Address></x:endpoint></x:element></x:poolResolveResponse>";
    byte[] message = HostileMessages.message("", answer).getBytes(StandardCharsets.UTF_8);
    PoolResolution got = PoolCalls.resolve(RnsPath.parse("/p"), 3).read(new ByteArrayInputStream(message)).value();
    assertThat(got.elements()).hasSize(1);
    assertThat(got.ttlMillis()).isZero();
  }

  @Test
  void resolutionsAreBounded() {
    assertThatThrownBy(() -> PoolCalls.resolve(RnsPath.parse("/p"), 0)).hasMessageContaining("is invalid");
    assertThatThrownBy(() -> PoolCalls.resolve(RnsPath.parse("/p"), 129))
        .hasMessageContaining("limit is 128 elements");
  }
}
