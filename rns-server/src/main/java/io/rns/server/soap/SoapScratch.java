package io.rns.server.soap;

import io.rns.server.memory.RequestMemory;
import io.rns.xml.XmlBuffer;
import java.util.Arrays;

/** The memory of one request: its body and its answer. Belongs to the thread that took it from the pool. */
final class SoapScratch {
  private static final int BODY_BYTES = 8_192;
  private static final int ANSWER_BYTES = 4_096;
  /** What grew beyond this is not kept: a pool full of it would hold memory for nothing. */
  private static final int KEPT_BYTES = 131_072;

  /** Memory for a body, as received and as its entries. */
  private static final int PARSED_TIMES = 2;

  byte[] body = new byte[BODY_BYTES];
  int length;
  /** Whether the body was made UTF-8: of a message that is refused late, the headers are read once more. */
  boolean decoded;
  /** Whether the body has a place among the large ones, to be given back. */
  boolean large;
  private RequestMemory memory = RequestMemory.current();
  private XmlBuffer answer = new XmlBuffer(ANSWER_BYTES);
  private int most;

  /**
   * Begins a request: what it holds here beyond the usual is taken from {@code requestMemory}, and given back with it.
   */
  void begin(RequestMemory requestMemory) {
    memory = requestMemory;
  }

  /** What the request holds. */
  RequestMemory memory() {
    return memory;
  }

  /**
   * Waits for room for a body of so many bytes, and for what will be made of it.
   *
   * @throws io.rns.error.RnsException BUSY if other requests have what there is
   */
  void growBody(int bytes) {
    if (bytes > body.length) {
      memory.takeBody((long) PARSED_TIMES * (bytes - length));
      body = Arrays.copyOf(body, bytes);
    }
  }

  /** The buffer of the answer. */
  XmlBuffer answer() {
    return answer;
  }

  /**
   * Notes how long the answer has become; to be called before it is emptied.
   *
   * @throws io.rns.error.RnsException BUSY if other requests have what there is
   */
  void noteAnswer() {
    if (answer.length() > most) {
      memory.take(answer.length() - most);
      most = answer.length();
    }
  }

  /** Forgets the request and gives back what is larger than usual. */
  void reset() {
    if (Math.max(most, answer.length()) > KEPT_BYTES) {
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
    memory.close();
    memory = RequestMemory.current();
  }
}
