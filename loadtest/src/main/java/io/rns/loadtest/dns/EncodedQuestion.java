package io.rns.loadtest.dns;

import java.nio.ByteBuffer;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Message;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;

/** The message of a question, with EDNS for answers of up to 1,232 bytes (RFC 6891). */
final class EncodedQuestion {
  /** Longest answer. */
  static final int ANSWER_BYTES = 1_232;

  /** Offset of the question section. */
  private static final int BEGIN = 12;
  private static final int QUESTIONS = 4;
  private static final int TYPE_AND_CLASS_BYTES = 4;

  private final ByteBuffer message;
  /** The question section. */
  private final ByteBuffer section;

  EncodedQuestion(QuestionTrace.Question question) {
    Message query = Message.newQuery(Record.newRecord(question.name(), question.type(), DClass.IN));
    query.addRecord(new OPTRecord(ANSWER_BYTES, 0, 0), Section.ADDITIONAL);
    byte[] bytes = query.toWire();
    message = ByteBuffer.wrap(bytes);
    section = ByteBuffer.wrap(bytes, BEGIN, question.name().length() + TYPE_AND_CLASS_BYTES).slice();
  }

  /** The message with an id. For the sending thread only. */
  ByteBuffer withId(int id) {
    return message.putShort(0, (short) id);
  }

  /** Whether a message has exactly this question. */
  boolean isIn(ByteBuffer answer) {
    int length = section.remaining();
    return answer.getShort(QUESTIONS) == 1 && answer.limit() >= BEGIN + length
        && answer.slice(BEGIN, length).equals(section);
  }
}
