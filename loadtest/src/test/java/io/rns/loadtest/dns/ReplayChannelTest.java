package io.rns.loadtest.dns;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** Which messages count as answers, by a clock that stands still. */
@Timeout(120)
class ReplayChannelTest {
  private static final long TIMEOUT = 1_000;
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);

  private final AnsweredQuestions answers = new AnsweredQuestions(1_000_000);

  /** Sends a question at 5, and takes all messages that a server answers it with at a later moment. */
  private void ask(Function<Message, List<Message>> script, int messages, long now) throws Exception {
    EncodedQuestion question =
        new EncodedQuestion(new QuestionTrace.Question(Type.A, Name.fromConstantString("P.example.org.")));
    ByteBuffer buffer = ByteBuffer.allocate(EncodedQuestion.ANSWER_BYTES);
    try (ScriptedResponder server = new ScriptedResponder(script);
        ReplayChannel channel = ReplayChannel.open(server.address(), TIMEOUT)) {
      channel.send(question, 5);
      long begun = System.nanoTime();
      for (int received = 0; received < messages;) {
        if (channel.receive(buffer, () -> now, answers)) {
          received++;
        } else {
          assertThat(System.nanoTime() - begun).isLessThan(PATIENCE);
          LockSupport.parkNanos(100_000);
        }
      }
    }
  }

  private static Message other(Message question) {
    Message other = ScriptedResponder.answer(question, Rcode.NOERROR);
    other.removeAllRecords(Section.QUESTION);
    other.addRecord(
        Record.newRecord(Name.fromConstantString("q.example.org."), Type.A, DClass.IN), Section.QUESTION);
    return other;
  }

  @Test
  void anAnswerCountsOnceWithItsTime() throws Exception {
    ask(question -> {
      Message answer = ScriptedResponder.answer(question, Rcode.NXDOMAIN);
      return List.of(answer, answer);
    }, 2, 105);
    assertThat(answers.codes()).isEqualTo(Map.of("NXDOMAIN", 1L));
    assertThat(answers.mean().mean()).isEqualTo(100);
    assertThat(answers.responses().getTotalCount()).isOne();
  }

  @Test
  void aLateAnswerIsNone() throws Exception {
    ask(question -> List.of(ScriptedResponder.answer(question, Rcode.NOERROR)), 1, 5 + TIMEOUT + 1);
    assertThat(answers.answered()).isZero();
    ask(question -> List.of(ScriptedResponder.answer(question, Rcode.NOERROR)), 1, 5 + TIMEOUT);
    assertThat(answers.answered()).isOne();
  }

  @Test
  void anAnswerToAnotherQuestionWithTheSameNumberIsWrong() throws Exception {
    ask(question -> List.of(other(question), ScriptedResponder.answer(question, Rcode.NOERROR)), 2, 6);
    assertThat(answers.wrongOnes()).isOne();
    assertThat(answers.codes()).isEqualTo(Map.of("NOERROR", 1L));
  }

  @Test
  void aQuestionIsNoAnswer() throws Exception {
    ask(List::of, 1, 6);
    assertThat(answers.answered()).isZero();
    assertThat(answers.wrongOnes()).isZero();
  }

  @Test
  void anErrorMayLeaveTheQuestionOut() throws Exception {
    ask(question -> {
      Message answer = ScriptedResponder.answer(question, Rcode.FORMERR);
      answer.removeAllRecords(Section.QUESTION);
      return List.of(answer);
    }, 1, 6);
    assertThat(answers.codes()).isEqualTo(Map.of("FORMERR", 1L));
  }
}
