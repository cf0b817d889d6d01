package io.rns.client.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.Position;
import io.rns.api.Positions;
import io.rns.wire.ReplyHeaders;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The positions of an answer as its header has them. */
class PositionHeaderTest {
  private static final Position OWN = new Position(0, 1, 9);

  private static ReplyHeaders read(String children) {
    String header = "<Header xmlns:x='urn:rns:ext:1'>" + children + "</Header>";
    try (XmlPull pull = XmlPull.answer(new ByteArrayInputStream(header.getBytes(StandardCharsets.UTF_8)))) {
      ReplyHeaders read = ReplyHeaders.read(pull);
      pull.finish();
      return read;
    }
  }

  @Test
  void positionsOfAllGroupsAndTheirCutsAreRead() {
    Positions others = Positions.parse("0-1-9,3-1-7,cuts-0-1-9-1-5,cuts-3-1-7-1-2").without(0);
    ReplyHeaders answer =
        new ReplyHeaders(Optional.of(OWN), false, Optional.empty(), 0, List.of(), others, List.of());
    XmlBuffer out = new XmlBuffer(200);
    answer.writeTo(out);
    assertThat(out.toString()).contains(">0-1-9,3-1-7,cuts-0-1-9-1-5,cuts-3-1-7-1-2<");
    assertThat(read(out.toString())).isEqualTo(answer);
  }

  @Test
  void cutsOfAnotherPositionAreIgnored() {
    ReplyHeaders read = read("<x:Position>0-1-9,3-1-7,cuts-0-1-8-1-5,cuts-3-1-9</x:Position>");
    assertThat(read.position()).contains(OWN);
    assertThat(read.others()).isEqualTo(Positions.of(new Position(3, 1, 7)));
  }
}
