package io.rns.server.soap;

import io.rns.xml.XmlBuffer;

/** The memory of one request: its body and its answer. Belongs to the thread that took it from the pool. */
final class Scratch {
  private static final int BODY_BYTES = 8_192;
  private static final int ANSWER_BYTES = 4_096;
  /** What grew beyond this is not kept: a pool full of it would hold memory for nothing. */
  private static final int KEPT_BYTES = 131_072;

  byte[] body = new byte[BODY_BYTES];
  int length;
  /** Whether the body was made UTF-8: a message that is postponed is read twice. */
  boolean decoded;
  /** Whether the body has a place among the large ones, to be given back. */
  boolean large;
  private XmlBuffer answer = new XmlBuffer(ANSWER_BYTES);
  private int most;

  /** The buffer of the answer. */
  XmlBuffer answer() {
    return answer;
  }

  /** Notes how long the answer has become; to be called before it is emptied. */
  void noteAnswer() {
    most = Math.max(most, answer.length());
  }

  /** Forgets the request and gives back what is larger than usual. */
  void reset() {
    noteAnswer();
    if (most > KEPT_BYTES) {
      answer = new XmlBuffer(ANSWER_BYTES);
    }
    answer.truncate(0);
    most = 0;
    if (body.length > KEPT_BYTES) {
      body = new byte[BODY_BYTES];
    }
    length = 0;
    decoded = false;
    large = false;
  }
}
