package io.rns.client.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.CallContext;
import io.rns.api.Explanation;
import io.rns.api.Hop;
import io.rns.api.Position;
import io.rns.api.QueryRequest;
import io.rns.api.HopStep;
import io.rns.api.Target;
import io.rns.error.Limits;
import io.rns.wire.MessageHeaders;
import io.rns.wire.ReplyHeaders;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The way of a request, as headers ask for it and report it. */
class HopHeaderTest {
  private static final Position POSITION = new Position(1, 2, 3);

  private static Hop answered(int level, HopStep... steps) {
    return new Hop(
        level, Optional.empty(),
        Optional.of(
            new Hop.Answered(
                new Hop.Self("n&m<e", 1, "replica", Optional.of(POSITION)), Optional.empty(), 7, List.of(steps))));
  }

  private static Hop failed(String failure) {
    return new Hop(2, Optional.of(new Hop.Asked("http://h/r", "why", 9, Optional.of(failure))), Optional.empty());
  }

  private static String written(List<Hop> hops) {
    XmlBuffer out = new XmlBuffer(1_000);
    ReplyHeaders.NONE.explained(hops).writeTo(out);
    return out.toString();
  }

  private static List<Hop> read(String hops) {
    String header = "<Header xmlns:x='urn:rns:ext:1'>" + hops + "</Header>";
    try (XmlPull pull = XmlPull.answer(new ByteArrayInputStream(header.getBytes(StandardCharsets.UTF_8)))) {
      List<Hop> read = ReplyHeaders.read(pull).hops();
      pull.finish();
      return read;
    }
  }

  @Test
  void whatIsWrittenIsRead() {
    List<HopStep> steps = new ArrayList<>(List.of(
        new HopStep.Copy(0), new HopStep.Copy(3), new HopStep.Waited(POSITION, 12, true),
        new HopStep.Waited(POSITION, 0, false),
        new HopStep.Cut(2, 1, false), new HopStep.Cut(0, 0, true), new HopStep.Root(0),
        new HopStep.Passed("http://h/r", "\"best\"")));
    Stream.of(HopStep.Reason.values()).map(HopStep.Primary::new).forEach(steps::add);
    List<Hop> hops = List.of(answered(1, steps.toArray(HopStep[]::new)), failed("no \"answer\""), answered(2),
        answered(1, Stream.of(HopStep.Finding.values()).map(HopStep.Cache::new).toArray(HopStep[]::new)));
    assertThat(ReplyHeaders.NONE.explained(hops).isEmpty()).isFalse();
    assertThat(read(written(hops))).isEqualTo(hops);
  }

  @Test
  void whatANewerServerSaysAndNobodyHereUnderstandsIsPassedOver() {
    String hop = written(List.of(answered(1, new HopStep.Copy(1))));
    String more =
        hop.replace("<_x:Copy", "<_x:Later a='1'><_x:Copy statements='9'/></_x:Later><_x:Copy statements='many'/>"
            + "<_x:Primary reason='later'/><y:Copy xmlns:y='urn:y' statements='1'/><_x:Copy");
    assertThat(read(more)).containsExactly(answered(1, new HopStep.Copy(1)));
    assertThat(read("<x:Hop level='first'/><x:Hop/>" + hop)).as("two cannot be read").hasSize(1);
    assertThat(read(hop.replace("level=\"1\"", "level=\"2000000000\"")).get(0).level())
        .isEqualTo(Limits.EXPLAINED_HOPS);
  }

  @Test
  void anExplanationIsBounded() {
    HopStep[] steps = Collections.nCopies(100, new HopStep.Copy(1)).toArray(HopStep[]::new);
    List<Hop> most = read(written(Collections.nCopies(100, answered(1, steps))));
    assertThat(most).hasSize(Limits.EXPLAINED_HOPS).allMatch(
        hop -> hop.answered().orElseThrow().steps().size() == Limits.EXPLAINED_HOPS);
    Explanation explanation = new Explanation();
    for (int i = 0; i < 100; i++) {
      explanation.add(new HopStep.Copy(i));
      explanation.report(most);
      explanation.add(new Hop.Asked("u", "x".repeat(1_000), 1, Optional.empty()));
    }
    assertThat(explanation.hops()).hasSize(Limits.EXPLAINED_HOPS);
    assertThat(explanation.steps()).hasSize(Limits.EXPLAINED_HOPS);
    assertThat(written(explanation.of(new Hop.Self("", 0, "", Optional.empty()), Optional.empty(), 1)).length())
        .isLessThan(20_000);
  }

  @Test
  void aServerReportsItselfBeforeThoseThatItAsked() {
    Explanation explanation = new Explanation();
    explanation.add(new HopStep.Cut(1, 1, false));
    CallContext below = CallContext.ANONYMOUS.with(explanation).below(1);
    below.explanation().orElseThrow().report(List.of(answered(1, new HopStep.Cut(2, 2, true)), answered(2)));
    Hop.Asked asked = new Hop.Asked("http://h/r", "why", 9, Optional.empty());
    below.explanation().orElseThrow().add(asked);
    List<Hop> hops = explanation.of(new Hop.Self("me", 0, "primary", Optional.empty()), Optional.of(POSITION), 5);
    assertThat(hops).extracting(Hop::level).containsExactly(1, 2, 3);
    assertThat(hops.get(0).answered().orElseThrow().steps()).containsExactly(new HopStep.Cut(1, 1, false));
    assertThat(hops.get(1).asked()).contains(asked);
    assertThat(hops.get(1).answered().orElseThrow().steps()).as("in the words of the first server")
        .containsExactly(new HopStep.Cut(3, 2, true));
  }

  @Test
  void aFrontComesBeforeTheServersBehindIt() {
    Hop.Answered front =
        new Hop.Answered(new Hop.Self("front-1", 0, Hop.FRONT, Optional.empty()), Optional.empty(), 1, List.of());
    List<Hop> way = Explanation.through(front, List.of(answered(1), failed("none")));
    assertThat(way.get(0)).isEqualTo(new Hop(1, Optional.empty(), Optional.of(front)));
    assertThat(way).extracting(Hop::level).containsExactly(1, 2, 3);
    assertThat(Explanation.through(front, Collections.nCopies(100, answered(1)))).hasSize(Limits.EXPLAINED_HOPS);
  }

  @Test
  void onlyARequestThatIsToBeExplainedAsksForIt() {
    assertThat(message(CallContext.ANONYMOUS)).doesNotContain("Explain");
    assertThat(message(CallContext.ANONYMOUS.with(new Explanation()))).contains("<_x:Explain ");
    MessageHeaders.Reader headers = new MessageHeaders.Reader();
    try (XmlPull pull = XmlPull.document("<x:Explain xmlns:x='urn:rns:ext:1'/>")) {
      assertThat(headers.take(pull)).isTrue();
    }
    assertThat(headers.headers().explain()).isTrue();
    assertThat(headers.headers().wantsPosition()).isTrue();
  }

  private static String message(CallContext call) {
    XmlBuffer out = new XmlBuffer(1_000);
    RemoteCall.query(QueryRequest.of(Target.of("/a"))).writeTo(out, call);
    return out.toString();
  }
}
