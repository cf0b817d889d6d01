package io.rns.front;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.rns.api.Consistency;
import io.rns.api.Position;
import io.rns.api.Positions;
import io.rns.api.Routing;
import io.rns.api.Target;
import io.rns.front.message.ServerHead;
import io.rns.front.message.SharedRead;
import io.rns.wire.MessageHeaders;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AnswerCacheTest {
  private static final int BYTES = 1 << 20;

  private long now = TimeUnit.HOURS.toNanos(1);
  private final AnswerCache cache = new AnswerCache(BYTES, () -> now);

  @BeforeEach
  void begin() {
    cache.begin(Position.parse("0-1-10"));
    advance("0-1-10", 0);
  }

  private void advance(String to, long ageMillis) {
    cache.advance(Position.parse(to), 0, now, ageMillis);
  }

  private static SharedRead read(String path, String position, String consistency) {
    return new SharedRead(path, position, consistency, false);
  }

  private void keep(String path, String position) {
    cache.keep(read(path, "", "any"),
        new ServerHead.Shared(position + "=" + path.replace("/", "%2F"), position,
            "HTTP/1.1 200 OK\r\n".getBytes(StandardCharsets.US_ASCII), false),
        "body".getBytes(StandardCharsets.US_ASCII), null);
  }

  private @Nullable String answer(String path, String position, String consistency) {
    ByteBuf answer = cache.answer(read(path, position, consistency), false, UnpooledByteBufAllocator.DEFAULT);
    return answer == null ? null : answer.toString(StandardCharsets.US_ASCII);
  }

  private boolean isKnown(String path) {
    return answer(path, "", "any") != null;
  }

  @Test
  void anAnswerHasThePositionAndAgeOfTheMoment() {
    keep("/a", "0-1-10");
    now += TimeUnit.MILLISECONDS.toNanos(20);
    assertThat(answer("/a", "", "any"))
        .isEqualTo("HTTP/1.1 200 OK\r\nRNS-Position: 0-1-10\r\nRNS-Age: 21\r\nContent-Length: 4\r\n\r\nbody");
    cache.note(0, "/b", 12);
    advance("0-1-12", 7);
    assertThat(answer("/a", "", "any")).contains("RNS-Position: 0-1-12\r\nRNS-Age: 8\r\n");
    advance("0-1-12", -1);
    now += TimeUnit.MILLISECONDS.toNanos(5);
    assertThat(answer("/a", "", "any")).as("no server has said how old").contains("RNS-Age: 13\r\n");
  }

  @ParameterizedTest
  @CsvSource({"'',any,true", "'',bounded(100ms),true", "'',bounded(99ms),false", "'',session,false",
      "'','',false", "0-1-10,'',true", "0-1-10,session,true", "0-1-11,session,false", "0-1-11,any,false",
      "0-2-1,'',false", "1-1-1,'',true", "'0-1-3,1-1-1','',true", "0-1-10,primary,false", "'',primary,false",
      "'',sometimes,false", "x,any,false", "0-1-9,bounded(1s),true"})
  void answersWhatAReplicaMay(String position, String consistency, boolean answered) {
    keep("/a", "0-1-10");
    now += TimeUnit.MILLISECONDS.toNanos(100);
    assertThat(answer("/a", position, consistency) != null).isEqualTo(answered);
  }

  @ParameterizedTest
  @CsvSource({"/a/b/c,true", "/a/b,true", "/a,true", "/,true", "/a/b/c/d,true", "/a/b/c/d/e,false", "/a/b/x,false",
      "/a/bc,false", "/b,false"})
  void aChangeAboveAtOrInsideIsSeen(String changed, boolean gone) {
    keep("/a/b/c", "0-1-10");
    cache.note(0, changed, 11);
    assertThat(isKnown("/a/b/c")).isEqualTo(!gone);
    advance("0-1-11", 0);
    assertThat(isKnown("/a/b/c")).isEqualTo(!gone);
  }

  @Test
  void theRootChangesWithWhatIsInIt() {
    keep("/", "0-1-10");
    assertThat(isKnown("/")).isTrue();
    cache.note(0, "/x/y", 11);
    assertThat(isKnown("/")).isTrue();
    cache.note(0, "/x", 12);
    assertThat(isKnown("/")).isFalse();
  }

  @Test
  void anAnswerThatAChangeHasOvertakenIsNotGiven() {
    cache.note(0, "/a", 12);
    advance("0-1-12", 0);
    keep("/a", "0-1-11");
    assertThat(isKnown("/a")).isFalse();
    keep("/a", "0-1-12");
    assertThat(isKnown("/a")).isTrue();
  }

  @Test
  void anAnswerThatIsAheadOfTheChangesSaysSo() {
    keep("/a", "0-1-15");
    assertThat(answer("/a", "0-1-15", "")).contains("RNS-Position: 0-1-15\r\n");
    cache.note(0, "/a", 15);
    advance("0-1-15", 0);
    assertThat(isKnown("/a")).isTrue();
    cache.note(0, "/a", 16);
    assertThat(isKnown("/a")).isFalse();
  }

  @Test
  void nothingOlderThanTheBeginningIsGiven() {
    keep("/a", "0-1-9");
    assertThat(isKnown("/a")).isFalse();
    keep("/a", "1-1-11");
    assertThat(isKnown("/a")).isFalse();
  }

  /** The answers of this front at another one, which began at a position. */
  private AnswerCache successor(String begun) throws IOException {
    ByteArrayOutputStream answers = new ByteArrayOutputStream();
    cache.write(new DataOutputStream(answers));
    AnswerCache successor = new AnswerCache(BYTES, () -> now);
    successor.begin(Position.parse(begun));
    successor.advance(Position.parse(begun), 0, now, 0);
    successor.read(new DataInputStream(new ByteArrayInputStream(answers.toByteArray())));
    return successor;
  }

  private static boolean isKnown(AnswerCache at, String path) {
    return at.find(read(path, "", "any")).kept() != null;
  }

  @Test
  void aSuccessorHasTheAnswersAsOfThePositionUpToWhichTheyAreCurrent() throws IOException {
    keep("/a", "0-1-10");
    keep("/b", "0-1-10");
    cache.note(0, "/b", 12);
    advance("0-1-12", 0);
    AnswerCache successor = successor("0-1-11");
    assertThat(isKnown(successor, "/a")).as("it began after the answer was given").isTrue();
    assertThat(isKnown(successor, "/b")).as("changed").isFalse();
    assertThat(successor.find(read("/a", "0-1-12", "")).position()).isEqualTo("0-1-12");
    successor.note(0, "/a", 12);
    assertThat(isKnown(successor, "/a")).as("the predecessor has seen this change").isTrue();
    successor.note(0, "/a", 13);
    assertThat(isKnown(successor, "/a")).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"0-1-13", "0-2-1", "1-1-1"})
  void aSuccessorThatMayHaveMissedAChangeTakesNoAnswer(String begun) throws IOException {
    keep("/a", "0-1-10");
    advance("0-1-12", 0);
    assertThat(successor(begun).bytes()).isZero();
  }

  @Test
  void anEpochEmptiesIt() {
    keep("/a", "0-1-10");
    keep("/b", "0-2-10");
    advance("0-2-11", 0);
    assertThat(isKnown("/a")).isFalse();
    assertThat(isKnown("/b")).isFalse();
    keep("/a", "0-2-11");
    assertThat(isKnown("/a")).isTrue();
  }

  @Test
  void aChangeOfEverythingEmptiesIt() {
    keep("/a", "0-1-11");
    cache.advance(Position.parse("0-1-13"), 12, now, 0);
    assertThat(isKnown("/a")).isFalse();
    keep("/a", "0-1-11");
    assertThat(isKnown("/a")).isFalse();
    keep("/a", "0-1-12");
    assertThat(isKnown("/a")).isTrue();
    advance("0-1-14", 0);
    assertThat(isKnown("/a")).isTrue();
  }

  @Test
  void nothingIsGivenWithoutWordOfTheLog() {
    keep("/a", "0-1-10");
    now += AnswerCache.HEARD_NANOS;
    assertThat(isKnown("/a")).isTrue();
    assertThat(cache.isLost(0)).isFalse();
    now++;
    assertThat(isKnown("/a")).isFalse();
    assertThat(cache.isLost(0)).isTrue();
    cache.stop(0);
    assertThat(cache.isLost(0)).isFalse();
    assertThat(isKnown("/a")).isFalse();
    begin();
    assertThat(isKnown("/a")).isFalse();
  }

  @Test
  void nothingIsGivenBeforeItsAgeIsKnown() {
    cache.begin(Position.parse("0-1-10"));
    keep("/a", "0-1-10");
    assertThat(isKnown("/a")).isFalse();
    advance("0-1-10", -1);
    assertThat(isKnown("/a")).isFalse();
    advance("0-1-10", 0);
    assertThat(isKnown("/a")).isTrue();
  }

  private void keepBelow(String path, String shown, String on) {
    cache.keep(read(path, "", "any"),
        new ServerHead.Shared(on, shown, "HTTP/1.1 200 OK\r\n".getBytes(StandardCharsets.US_ASCII), false),
        "body".getBytes(StandardCharsets.US_ASCII), null);
  }

  private void begin(String position, long ageMillis) {
    cache.begin(Position.parse(position));
    advance(position, ageMillis);
  }

  @Test
  void anAnswerHoldsByTheLogsOfAllGroupsThatItDependsOn() {
    keepBelow("/cut/a", "1-1-7,0-1-9", "1-1-7=%2F5%2Fa 0-1-10=%2Fcut");
    assertThat(isKnown("/cut/a")).as("group 1 is not followed").isFalse();
    begin("1-1-7", 30);
    keepBelow("/cut/a", "1-1-7,0-1-9", "1-1-7=%2F5%2Fa 0-1-10=%2Fcut");
    assertThat(answer("/cut/a", "", "any")).contains("RNS-Position: 1-1-7,0-1-9\r\nRNS-Age: 31\r\n");
    assertThat(answer("/cut/a", "", "bounded(30ms)")).isNotNull();
    assertThat(answer("/cut/a", "", "bounded(29ms)")).as("group 1 is older").isNull();
    for (String beside : List.of("/5/b", "/6/a", "/cut/a", "/a")) {
      cache.note(1, beside, 8);
    }
    for (String beside : List.of("/cut2", "/5/a", "/a")) {
      cache.note(0, beside, 11);
    }
    advance("1-1-8", 0);
    assertThat(answer("/cut/a", "", "any")).contains("RNS-Position: 1-1-8,0-1-9\r\n");
    cache.stop(1);
    assertThat(isKnown("/cut/a")).isFalse();
    keep("/b", "0-1-12");
    assertThat(isKnown("/b")).as("it depends on group 0 alone").isTrue();
    begin("1-1-8", 0);
    assertThat(isKnown("/cut/a")).as("what was before is not known").isFalse();
  }

  @ParameterizedTest
  @CsvSource({"0,/cut", "0,/", "1,/5/a", "1,/5", "1,/5/a/x"})
  void aChangeInAnyGroupOnTheWayIsSeen(int group, String changed) {
    begin("1-1-7", 0);
    keepBelow("/cut/a", "1-1-7,0-1-9", "1-1-7=%2F5%2Fa 0-1-10=%2Fcut");
    assertThat(isKnown("/cut/a")).isTrue();
    cache.note(group, changed, 11);
    assertThat(isKnown("/cut/a")).isFalse();
  }

  /** A server names a later position of another group if its own group reflects that, with an older map. */
  @Test
  void whatAnAnswerShowsOfAnotherGroupSaysNothingOfThePath() {
    begin("1-1-7", 0);
    cache.note(0, "/cut", 11);
    keepBelow("/cut/a", "1-1-7,0-1-12", "1-1-7=%2F5%2Fa 0-1-10=%2Fcut");
    assertThat(isKnown("/cut/a")).isFalse();
    keepBelow("/b/a", "1-1-7,0-1-12", "1-1-7=%2F6%2Fa 0-1-10=%2Fb");
    assertThat(answer("/b/a", "0-1-11", "")).as("the front does not know that nothing has changed").isNull();
    assertThat(answer("/b/a", "0-1-10", "")).contains("RNS-Position: 1-1-7,0-1-12\r\n");
    assertThat(answer("/b/a", "0-1-10,1-1-7,cuts-1-1-7-1-3", "")).isNotNull();
    assertThat(answer("/b/a", "0-1-10,1-1-8", "")).isNull();
    assertThat(answer("/b/a", "0-1-10,2-1-8", "")).as("nothing of it is in group 2").isNotNull();
    assertThat(answer("/b/a", "cuts-1-1-7", "")).isNull();
    advance("0-1-11", 0);
    assertThat(answer("/b/a", "0-1-11", "")).isNotNull();
  }

  @ParameterizedTest
  @CsvSource({"%2Fa", "0-1-10", "0-1-10=", "0-1-10=a", "0-1-10=%2Fa 1-1-1", "x=%2Fa", "0-1-11=%2Fa", "0-1-10=%2"})
  void whatIsNotAsServersWriteItIsNotKept(String on) {
    keepBelow("/a", "0-1-10", on);
    assertThat(isKnown("/a")).isFalse();
  }

  private void keepMessage(String position, MessageHeaders headers, String answer) {
    cache.keep(new SharedRead("key", position, "", true),
        new ServerHead.Shared("0-1-10=%2Fa", "", "HTTP/1.1 200 OK\r\n".getBytes(StandardCharsets.US_ASCII), false),
        answer.getBytes(StandardCharsets.US_ASCII), headers);
  }

  private static MessageHeaders headers(String position, Consistency consistency) {
    return new MessageHeaders(Target.ROOT, Optional.empty(), OptionalLong.empty(),
        position.isEmpty() ? Positions.NONE : Positions.parse(position),
        Optional.empty(), false, Optional.empty(), consistency, Routing.FORWARD);
  }

  private @Nullable String answerMessage(String position) {
    ByteBuf answer = cache.answer(new SharedRead("key", position, "", true), true, UnpooledByteBufAllocator.DEFAULT);
    return answer == null ? null : answer.toString(StandardCharsets.US_ASCII);
  }

  @Test
  void aMessageHasThePositionAndAgeOfTheMoment() {
    String position = "<_x:Position xmlns:_x=\"urn:rns:ext:1\">";
    String age = "<_x:Age xmlns:_x=\"urn:rns:ext:1\">";
    String expected =
        "HTTP/1.1 200 OK\r\nContent-Length: 119\r\nConnection: close\r\n\r\n<e><h>" + position + "0-1-12</_x:Position>"
            + age + "1</_x:Age></h><b>" + position + "x</b></e>";
    for (String old : List.of("", age + "123</_x:Age>")) {
      begin();
      keepMessage("0-1-9", headers("0-1-9", Consistency.SESSION),
          "<e><h>" + position + "0-1-10</_x:Position>" + old + "</h><b>" + position + "x</b></e>");
      advance("0-1-12", 0);
      assertThat(answerMessage("0-1-12")).isEqualTo(expected.replace("119", Integer.toString(
          expected.length() - expected.indexOf("\r\n\r\n") - 4)));
      assertThat(answerMessage("0-1-13")).isNull();
      assertThat(answerMessage("")).as("sees what its client wrote at the primary").isNull();
    }
    keepMessage("", headers("", Consistency.ANY), "<e><h>" + position + "0-1-10</_x:Position></h></e>");
    assertThat(answerMessage("")).isNotNull();
  }

  @Test
  void nothingIsHandedOverWithoutWordOfTheLog() throws IOException {
    keep("/a", "0-1-10");
    now += AnswerCache.HEARD_NANOS + 1;
    assertThat(successor("0-1-10").bytes()).isZero();
  }

  @ParameterizedTest
  @CsvSource({"0", "17", "255"})
  void whatIsNoAnswerIsNotTakenOver(int groups) {
    byte[] garbage = new byte[64];
    garbage[0] = 1;
    garbage[5] = (byte) groups;
    assertThatIOException()
        .isThrownBy(() -> cache.read(new DataInputStream(new ByteArrayInputStream(garbage))));
  }

  @Test
  void aSuccessorHasTheSameBytesOfAMessage() throws IOException {
    keepMessage("0-1-9", headers("0-1-9", Consistency.SESSION),
        "<h><_x:Position xmlns:_x=\"urn:rns:ext:1\">0-1-10</_x:Position></h><b>\u00e4</b>");
    SharedRead again = new SharedRead("key", "0-1-10", "", true);
    KeptAnswer kept = Objects.requireNonNull(cache.find(again).kept());
    assertThat(successor("0-1-10").find(again).kept()).usingRecursiveComparison().isEqualTo(kept);
  }

  @Test
  void whatIsNoAnswerToTheMessageIsNotKept() {
    String answer = "<h><_x:Position xmlns:_x=\"urn:rns:ext:1\">0-1-10</_x:Position></h>";
    keepMessage("0-1-9", headers("0-1-8", Consistency.ANY), answer);
    keepMessage("", headers("0-1-8", Consistency.ANY), answer);
    keepMessage("0-1-9", headers("0-1-9", Consistency.ANY), "<h>0-1-10</h>");
    keepMessage("0-1-9", headers("0-1-9", Consistency.ANY), answer.replace("0-1-10", "0-1-11"));
    keepMessage("0-1-9", headers("0-1-9", Consistency.ANY), answer.replace("</_x", "<_x"));
    assertThat(answerMessage("0-1-9")).isNull();
    keepMessage("0-1-9", headers("0-1-9", Consistency.ANY), answer);
    assertThat(answerMessage("0-1-9")).isNotNull();
  }

  @Test
  void chunksOfAListAreJoined() {
    String header = "<_x:Position xmlns:_x=\"urn:rns:ext:1\">0-1-10</_x:Position>";
    String list = "<h>" + header + "</h>" + "y".repeat(70_000);
    String chunked =
        Integer.toHexString(10) + "\r\n" + list.substring(0, 10) + "\r\n" + Integer.toHexString(list.length() - 10)
            + ";x=1\r\n" + list.substring(10) + "\r\n0\r\n\r\n";
    cache.keep(new SharedRead("key", "0-1-9", "", true),
        new ServerHead.Shared("0-1-10=%2Fa", "", "HTTP/1.1 200 OK\r\n".getBytes(StandardCharsets.US_ASCII), true),
        chunked.getBytes(StandardCharsets.US_ASCII), headers("0-1-9", Consistency.SESSION));
    String answer = Objects.requireNonNull(answerMessage("0-1-9"));
    String age = "<_x:Age xmlns:_x=\"urn:rns:ext:1\">1</_x:Age>";
    assertThat(answer).isEqualTo("HTTP/1.1 200 OK\r\nContent-Length: " + (list.length() + age.length())
        + "\r\nConnection: close\r\n\r\n<h>" + header + age + "</h>" + "y".repeat(70_000));
  }

  @Test
  void aFloodOfPathsNeitherGrowsItNorDrivesOutWhatIsRead() {
    Random random = new Random(1);
    keep("/read", "0-1-10");
    for (int i = 0; i < 100_000; i++) {
      keep("/flood/" + random.nextLong(), "0-1-10");
      assertThat(isKnown("/read")).isTrue();
    }
    assertThat(cache.bytes()).isBetween(BYTES / 2L, (long) BYTES);
  }
}
