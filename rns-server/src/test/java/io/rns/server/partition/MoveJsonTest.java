package io.rns.server.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.Answer;
import io.rns.api.ArriveRequest;
import io.rns.api.CallContext;
import io.rns.api.Caller;
import io.rns.api.DepartRequest;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.Metadata;
import io.rns.api.Outcome;
import io.rns.api.Position;
import io.rns.api.Positions;
import io.rns.api.Precondition;
import io.rns.api.Refusal;
import io.rns.api.RequestId;
import io.rns.api.Right;
import io.rns.api.RnsPath;
import io.rns.api.Scope;
import io.rns.api.Target;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.server.http.ServerJson;
import io.rns.server.partition.MoveJson.MovedJson;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MoveJsonTest {
  private static final EntryName NAME = EntryName.of("ä b");
  private static final List<EndpointReference> REFERENCES =
      List.of(EndpointReference.ofAddress("http://example.org/"));
  private static final Entry ENTRY =
      new Entry.Junction(
          new Entry.Binding(new EntryId(7), NAME), new EntryId(8), 9, Instant.EPOCH, Instant.EPOCH.plusSeconds(1),
          Metadata.of(Map.of("k", "v")), REFERENCES);

  private static final Caller CALLER =
      new Caller(
          "local:alice", Set.of("/cms", "/cms/prod"),
          List.of(
              Set.of(new Scope(RnsPath.parse("/a"), Set.of(Right.READ, Right.LIST)), new Scope(RnsPath.ROOT, Set.of())),
              Set.of()));

  private static <T> T sent(T value, Class<T> type) throws IOException {
    return ServerJson.MAPPER.readValue(ServerJson.MAPPER.writeValueAsBytes(value), type);
  }

  @Test
  void aDepartureArrivesAsItWasSent() throws IOException {
    CallContext call = new CallContext(CALLER, Optional.of(new RequestId("r-1")));
    Target parent = new Target(new EntryId(3), Target.of("/b").path());
    EntryChange least = EntryChange.move(Target.of("/a/x"), parent, NAME);
    EntryChange most =
        new EntryChange(
            Target.of("/a/x"), Optional.empty(), Optional.of(parent), Optional.of(REFERENCES),
            Optional.of(Metadata.of(Map.of("k", "v"))), Precondition.ifVersion(5));
    for (EntryChange change : List.of(least, most)) {
      DepartRequest request = new DepartRequest(change, 2);
      MoveJson read = sent(MoveJson.of(call, request), MoveJson.class);
      assertThat(read.departure()).isEqualTo(request).hasToString(request.toString());
      assertThat(read.call()).isEqualTo(call);
    }
  }

  @Test
  void anArrivalAndItsAnswersArriveAsTheyWereSent() throws IOException {
    Position departed = new Position(1, 2, 3);
    Positions reflected = Positions.of(new Position(2, 0, 9));
    ArriveRequest request = new ArriveRequest(ENTRY, Target.of("/d"), departed, reflected, CALLER);
    ArriveRequest read = sent(MoveJson.of(request), MoveJson.class).arrival();
    assertThat(read).isEqualTo(request).hasToString(request.toString());
    for (Outcome<Entry> outcome : List.of(
        Outcome.done(ENTRY), Outcome.<Entry>refused(new Refusal.NoSuchEntry(Target.of("/d"), 1)))) {
      Answer<Outcome<Entry>> answer = new Answer.Served<>(outcome, new Position(0, 4, 5), reflected, 0);
      assertThat(sent(MovedJson.of(request, answer), MovedJson.class).answer(request)).isEqualTo(answer);
    }
  }
}
