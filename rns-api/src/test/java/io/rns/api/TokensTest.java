package io.rns.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.error.Limits;
import io.rns.error.RnsError;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The small values with a text form that clients handle: ids, positions, cursors, request ids. */
class TokensTest {
  @Test
  void entryIdsSurviveTheirTextForm() {
    RandomCases.check(
        random -> {
          EntryId id = new EntryId(RandomCases.between(random, 1, Long.MAX_VALUE));

          assertThat(id.toString()).hasSize(16).matches("[0-9a-f]+");
          assertThat(EntryId.parse(id.toString())).isEqualTo(id);
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1", "0000000000000000", "ffffffffffffffff", "8000000000000000", "00000000000000001",
      "+000000000000001",
      "-000000000000001", "000000000000000g", " 00000000000001 ",
      "\uff10\uff10\uff10\uff10\uff10\uff10\uff10\uff10\uff10\uff10\uff10\uff10\uff10\uff10\uff10\uff11"})
  void otherTextIsNotAnEntryId(String text) {
    Refused.with(RnsError.INVALID_REQUEST, () -> EntryId.parse(text), "entry id", "16 hexadecimal digits");
  }

  @Test
  void entryIdsArePositive() {
    assertThat(EntryId.parse("7FFFFFFFFFFFFFFF").value()).isEqualTo(Long.MAX_VALUE);
    assertThat(EntryId.ROOT).hasToString("0000000000000001");
    Refused.with(RnsError.INVALID_REQUEST, () -> new EntryId(0), "entry id 0");
    Refused.with(RnsError.INVALID_REQUEST, () -> new EntryId(-1), "entry id -1");
  }

  @Test
  void positionsSurviveTheirTextForm() {
    RandomCases.check(
        random -> {
          Position position =
              new Position(
                  (int) RandomCases.between(random, 0, 32_767),
                  (int) RandomCases.between(random, 0, Integer.MAX_VALUE),
                  RandomCases.between(random, 0, Long.MAX_VALUE));

          assertThat(Position.parse(position.toString())).isEqualTo(position);
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1", "1-2", "1-2-3-4", "a-b-c", "--", "1--2", "-1-2-3", "1-2--3", "+1-2-3", "1-2-3 ",
      "32768-0-0", "99999-0-0", "1-2-", "000001-2-3", "1-00000000002-3", "1-2-00000000000000000003",
      "0-2147483648-0", "0-4294967295-0", "0-0-9223372036854775808", "0-0-18446744073709551615", "\u0663-0-0",
      "1-2-0x3"})
  void otherTextIsNotAPosition(String text) {
    Refused.with(RnsError.INVALID_REQUEST, () -> Position.parse(text), "position");
  }

  @Test
  void positionsHaveBounds() {
    Refused.with(RnsError.INVALID_REQUEST, () -> new Position(-1, 0, 0), "-1-0-0");
    Refused.with(RnsError.INVALID_REQUEST, () -> new Position(32_768, 0, 0), "32768");
    Refused.with(RnsError.INVALID_REQUEST, () -> new Position(0, -1, 0), "0--1-0");
    Refused.with(RnsError.INVALID_REQUEST, () -> new Position(0, 0, -1), "0-0--1");
  }

  @Test
  void positionsOfAGroupAreOrderedByEpochThenSequence() {
    assertThat(new Position(1, 2, 5))
        .isGreaterThan(new Position(1, 2, 4))
        .isGreaterThan(new Position(1, 1, 99))
        .isLessThan(new Position(1, 3, 1))
        .isEqualByComparingTo(new Position(1, 2, 5));
    Position other = new Position(2, 0, 0);
    assertThatThrownBy(() -> new Position(1, 0, 0).compareTo(other))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("groups 1 and 2");
  }

  @Test
  void aPositionCoversEarlierOnesOfItsGroupAndItself() {
    Position position = new Position(1, 2, 5);
    assertThat(List.of(position, new Position(1, 2, 4), new Position(1, 1, 99))).allMatch(position::covers);
    assertThat(List.of(new Position(1, 2, 6), new Position(1, 3, 1), new Position(2, 1, 1)))
        .noneMatch(position::covers);
  }

  @Test
  void positionsOfASessionKeepTheLatestOfEachGroup() {
    Position low = new Position(0, 1, 9);
    Position high = new Position(7, 3, 2);
    Positions both = Positions.of(high).with(low);
    assertThat(both.each()).containsExactly(low, high);
    assertThat(both.of(0)).contains(low);
    assertThat(both.of(7)).contains(high);
    assertThat(both.of(3)).isEmpty();
    assertThat(both.with(new Position(7, 3, 1)).with(low)).isSameAs(both);
    assertThat(both.with(new Position(7, 4, 1))).hasToString("0-1-9,7-4-1");
    assertThat(both.with(Positions.parse("3-1-1,0-1-10,7-1-1"))).hasToString("0-1-10,3-1-1,7-3-2");
    assertThat(List.of(low, high, new Position(7, 2, 99))).allMatch(both::covers);
    assertThat(List.of(new Position(0, 2, 1), new Position(1, 0, 0))).noneMatch(both::covers);
    assertThat(Positions.NONE.isEmpty()).isTrue();
    assertThatThrownBy(() -> new Positions(List.of(high, low))).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0-1-9 follows 7-3-2");
  }

  @Test
  void positionsOfASessionSurviveTheirTextForm() {
    RandomCases.check(
        random -> {
          Positions positions = Positions.NONE;
          for (long i = RandomCases.between(random, 1, 9); i > 0; i--) {
            positions = positions.with(
                new Position((int) RandomCases.between(random, 0, 20), 1, RandomCases.between(random, 0, 1_000)));
          }
          assertThat(Positions.parse(positions.toString())).isEqualTo(positions);
        });
    assertThat(Positions.parse("3-1-9,0-1-1,3-2-1")).hasToString("0-1-1,3-2-1");
  }

  @Test
  void positionsKeepTheLastChangeOfCutsThatBelongsToThem() {
    Positions seen = Positions.parse("cuts-0-1-9-1-5,0-1-9,3-1-7");
    assertThat(seen).hasToString("0-1-9,3-1-7,cuts-0-1-9-1-5");
    assertThat(seen.cutsOf(0)).contains(new Position(0, 1, 5));
    assertThat(seen.cutsOf(3)).as("not known to be earlier").contains(new Position(3, 1, 7));
    assertThat(seen.cutsOf(4)).isEmpty();
    assertThat(seen.with(Positions.parse("0-1-10,cuts-0-1-10-1-6"))).hasToString("0-1-10,3-1-7,cuts-0-1-10-1-6");
    assertThat(seen.with(Positions.parse("0-1-8,cuts-0-1-8-1-8"))).isEqualTo(seen);
    assertThat(seen.with(Positions.parse("0-1-10"))).hasToString("0-1-10,3-1-7");
    assertThat(seen.with(new Position(0, 2, 1))).hasToString("0-2-1,3-1-7");
    assertThat(seen.with(Positions.parse("0-1-10,3-1-8,cuts-3-1-8-1-2"))).hasToString("0-1-10,3-1-8,cuts-3-1-8-1-2");
    assertThat(seen.without(0)).as("as in an answer, whose own position is kept apart").hasToString("3-1-7,cuts-0-1-5");
    assertThat(seen.without(0).with(new Position(0, 1, 9))).isEqualTo(seen);
    assertThat(Positions.ofStored("cuts-0-1-5").with(Positions.parse("0-1-9"))).hasToString("0-1-9");
    assertThat(Positions.ofStored("3-1-7,cuts-0-1-5")).isEqualTo(seen.without(0));
    Position own = new Position(0, 1, 9);
    String answer = Positions.toText(own, seen.without(0));
    assertThat(answer).isEqualTo("0-1-9,3-1-7,cuts-0-1-9-1-5");
    assertThat(Positions.parse(answer)).isEqualTo(seen);
    assertThat(Positions.parseOthers("3-1-7,cuts-0-1-9-1-5", own)).isEqualTo(seen.without(0));
    assertThat(Positions.parse("0-2-1,cuts-0-2-1-1-5").cutsOf(0)).contains(new Position(0, 1, 5));
  }

  @ParameterizedTest
  @ValueSource(strings = {
      "0-1-10,cuts-0-1-9-1-5", "cuts-0-1-9-1-5,0-1-9,0-1-10", "0-1-10,cuts-0-1-5", "0-1-10,cuts-3-1-9-1-5",
      "0-1-10,cuts-0-1-11-1-5", "0-1-10,cuts-0-2-10-1-5", "0-1-10,cuts-3-1-5"})
  void theLastChangeOfCutsOfAnotherPositionIsIgnored(String text) {
    Positions strict = Positions.of(new Position(0, 1, 10));
    assertThat(Positions.parse(text)).isEqualTo(strict);
    int end = text.indexOf(",cuts");
    if (end > 0) {
      assertThat(Positions.parseOthers(text.substring(end + 1), new Position(0, 1, 10))).isEqualTo(Positions.NONE);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ",", "0-1-1,", ",0-1-1", "0-1-1,,1-1-1", "0-1-1, 1-1-1", "0-1-1;1-1-1", "0-1-1,1-1",
      "0-1-1,cuts-", "0-1-1,cuts-0-1", "0-1-1,cuts-0-1-1-1", "0-1-1,cuts-0-1-1-1-1-1", "0-1-1,cuts-0-1-1-"})
  void otherTextIsNotPositionsOfASession(String text) {
    Refused.with(RnsError.INVALID_REQUEST, () -> Positions.parse(text), "position");
  }

  @Test
  void positionsOfASessionAreBounded() {
    String most = positions(Limits.SESSION_GROUPS);
    assertThat(Positions.parse(most)).hasToString(most);
    assertThat(Positions.parse(positions(Limits.SESSION_GROUPS - 1)).each()).hasSize(Limits.SESSION_GROUPS - 1);
    Refused.with(
        RnsError.LIMIT_EXCEEDED, () -> Positions.parse(positions(Limits.SESSION_GROUPS + 1)), "65 server groups",
        "limit is 64");
  }

  private static String positions(int groups) {
    return IntStream.range(0, groups).mapToObj(group -> group + "-1-1").collect(Collectors.joining(","));
  }

  @Test
  void cursorsSurviveTheirTextForm() {
    RandomCases.check(
        random -> {
          EntryId directory = new EntryId(RandomCases.between(random, 1, Long.MAX_VALUE));
          Cursor cursor = new Cursor(directory, EntryName.of(Texts.name(random)));

          assertThat(cursor.toString()).matches("[A-Za-z0-9_-]+");
          assertThat(Cursor.parse(cursor.toString())).isEqualTo(cursor);
        });
  }

  @Test
  void otherTextIsNotACursor() {
    String good = new Cursor(new EntryId(258), EntryName.of("\u00e9t\u00e9")).toString();
    for (String text : new String[]{
        "", "!", "a", "\u00e9", good + "=", good + " ", good.substring(1), good.substring(0, 8), good + "AAAA",
        cursor(0, 'a'), cursor(-1, 'a'),
        cursor(1), cursor(1, '/'), cursor(1, '.'), cursor(1, 0), cursor(1, 0xff), cursor(1, 0xc0, 0xaf)
    }) {
      Refused.with(RnsError.INVALID_CURSOR, () -> Cursor.parse(text), "cursor '");
    }
    assertThat(Cursor.parse(cursor(1, 'a'))).isEqualTo(new Cursor(EntryId.ROOT, EntryName.of("a")));
  }

  private static String cursor(long directory, int... name) {
    ByteBuffer bytes = ByteBuffer.allocate(8 + name.length).putLong(directory);
    for (int b : name) {
      bytes.put((byte) b);
    }
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
  }

  @Test
  void requestIdsAreOfVisibleAscii() {
    assertThat(new RequestId("!~a&<>\"'")).hasToString("!~a&<>\"'");
    for (String text : new String[]{"", " ", "a b", "a\n", "\u007f", "\u00e9", "\ud83d\ude00"}) {
      Refused.with(RnsError.INVALID_REQUEST, () -> new RequestId(text), "visible ASCII");
    }
  }

  @Test
  void requestIdsAreBounded() {
    assertThat(new RequestId("x".repeat(Limits.REQUEST_ID_CHARS - 1)).text()).hasSize(Limits.REQUEST_ID_CHARS - 1);
    assertThat(new RequestId("x".repeat(Limits.REQUEST_ID_CHARS)).text()).hasSize(Limits.REQUEST_ID_CHARS);
    Refused.with(
        RnsError.LIMIT_EXCEEDED, () -> new RequestId("x".repeat(Limits.REQUEST_ID_CHARS + 1)), "65 characters",
        "limit is 64");
    assertThat(RequestId.random()).isNotEqualTo(RequestId.random());
  }
}
