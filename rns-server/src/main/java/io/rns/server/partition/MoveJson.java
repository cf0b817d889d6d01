package io.rns.server.partition;

import io.rns.api.Answer;
import io.rns.api.ArriveRequest;
import io.rns.api.CallContext;
import io.rns.api.Caller;
import io.rns.api.DepartRequest;
import io.rns.api.Entry;
import io.rns.api.Outcome;
import io.rns.api.Position;
import io.rns.api.Positions;
import io.rns.api.RequestId;
import io.rns.api.WriteRequest;
import io.rns.server.store.AnswerColumn;
import io.rns.server.store.MoveColumn;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A request of one server to another that concerns the move of an entry.
 *
 * @param caller whose request it is, by name
 * @param as the caller with everything that counts for its rights, in the form of {@link MoveColumn}, in base 64; null
 *        from servers that know no rights
 * @param requestId of the request
 * @param departed the position of the mark, if the entry has one
 * @param reflected positions of other server groups that the asking one reflects
 * @param request in the form of {@link MoveColumn}, in base 64
 */
record MoveJson(
    String caller, @Nullable String as, String requestId, Optional<Position> departed, List<Position> reflected,
    String request) {
  /**
   * What it is answered.
   *
   * @param answer in the form of {@link AnswerColumn}, in base 64
   * @param others positions of other server groups
   */
  record MovedJson(String answer, List<Position> others) {
    static MovedJson of(WriteRequest request, Answer<Outcome<Entry>> answer) {
      byte[] bytes = AnswerColumn.write(request, answer.map(List::of));
      return new MovedJson(
          Base64.getEncoder().encodeToString(bytes), answer.positions().without(answer.position().group()).each());
    }

    Answer<Outcome<Entry>> answer(WriteRequest request) {
      Answer<List<Outcome<Entry>>> read = AnswerColumn.read(request, Base64.getDecoder().decode(answer));
      return new Answer.Served<>(read.value().getFirst(), read.position(), new Positions(others), 0);
    }
  }

  static MoveJson of(CallContext call, DepartRequest request) {
    return new MoveJson(
        call.caller().name(), text(MoveColumn.write(call.caller())), call.requestId().orElseThrow().text(),
        Optional.empty(), List.of(),
        text(MoveColumn.write(request)));
  }

  static MoveJson of(ArriveRequest request) {
    return new MoveJson(
        "", null, "", Optional.of(request.departed()), request.reflected().each(), text(MoveColumn.write(request)));
  }

  private static String text(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }

  CallContext call() {
    Caller by =
        as == null ? new Caller(caller, Set.of()) : MoveColumn.readCaller(Base64.getDecoder().decode(as));
    return new CallContext(by, Optional.of(new RequestId(requestId)));
  }

  DepartRequest departure() {
    return MoveColumn.readDeparture(Base64.getDecoder().decode(request));
  }

  ArriveRequest arrival() {
    return MoveColumn.readArrival(Base64.getDecoder().decode(request), departed.orElseThrow())
        .with(new Positions(reflected));
  }
}
