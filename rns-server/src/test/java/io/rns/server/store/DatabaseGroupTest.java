package io.rns.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.server.store.DatabaseGroup.Seen;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the members that a database sees mean. */
class DatabaseGroupTest {
  /** The first is the one that was asked; {@code ONLINE SECONDARY}. */
  private static DatabaseGroup seen(String self, String... others) {
    List<Seen> members =
        Stream.concat(Stream.of(self), Stream.of(others))
            .map(text -> text.split(" ", -1))
            .map(
                words -> new Seen(words[0].equals("a"), words[0] + ":3306", words[1], words.length > 2 ? words[2] : ""))
            .toList();
    return new DatabaseGroup(members);
  }

  @Test
  void onePrimaryIsChosenByAMajority() {
    DatabaseGroup group = seen("a ONLINE PRIMARY", "b ONLINE SECONDARY", "c RECOVERING SECONDARY");
    assertThat(group.takesPart()).isTrue();
    assertThat(group.isPrimary()).isTrue();
    assertThat(group.otherPrimary()).isEmpty();
    assertThat(group.othersOnline()).isEqualTo(1);
    assertThat(group.trouble()).isEmpty();
  }

  @Test
  void aSecondaryKnowsThePrimary() {
    DatabaseGroup group = seen("a ONLINE SECONDARY", "b ONLINE PRIMARY");
    assertThat(group.isPrimary()).isFalse();
    assertThat(group.otherPrimary()).contains("b:3306");
  }

  @Test
  void halfIsNoMajority() {
    DatabaseGroup half = seen("a ONLINE PRIMARY", "b UNREACHABLE SECONDARY");
    assertThat(half.hasJoined()).isTrue();
    assertThat(half.isPrimary()).isTrue();
    assertThat(half.takesPart()).isFalse();
    assertThat(half.trouble()).hasValueSatisfying(text -> assertThat(text).contains("majority").contains("b:3306"));
    assertThat(seen("a ONLINE PRIMARY", "b ONLINE SECONDARY", "c UNREACHABLE SECONDARY").takesPart()).isTrue();
    assertThat(seen("a ONLINE PRIMARY", "b UNREACHABLE SECONDARY", "c UNREACHABLE SECONDARY").takesPart()).isFalse();
  }

  @Test
  void nobodyJoinsWithoutAMajorityNorWhileItsFormerLifeCounts() {
    assertThat(seen("a ONLINE PRIMARY", "b ONLINE SECONDARY").refusal("c:3306")).isEmpty();
    assertThat(seen("a ONLINE PRIMARY", "b ONLINE SECONDARY", "c UNREACHABLE SECONDARY").refusal("c:3306"))
        .hasValueSatisfying(text -> assertThat(text).contains("former life"));
    assertThat(seen("a ONLINE PRIMARY", "b UNREACHABLE SECONDARY").refusal("c:3306"))
        .hasValueSatisfying(text -> assertThat(text).contains("majority"));
    assertThat(seen("a ERROR").refusal("c:3306")).hasValueSatisfying(text -> assertThat(text).contains("thrown out"));
    assertThat(seen("a OFFLINE").refusal("c:3306"))
        .hasValueSatisfying(text -> assertThat(text).contains("not a member"));
  }

  @Test
  void whoHasNotJoinedOrWasThrownOutIsNoMember() {
    assertThat(seen("a OFFLINE").hasJoined()).isFalse();
    assertThat(seen("a OFFLINE").trouble()).isEmpty();
    assertThat(new DatabaseGroup(List.of()).takesPart()).isFalse();
    DatabaseGroup thrownOut = seen("a ERROR");
    assertThat(thrownOut.takesPart()).isFalse();
    assertThat(thrownOut.isPrimary()).isFalse();
    assertThat(thrownOut.trouble()).hasValueSatisfying(text -> assertThat(text).contains("thrown out"));
    assertThat(seen("a ERROR", "b ONLINE PRIMARY").otherPrimary()).isEmpty();
  }
}
