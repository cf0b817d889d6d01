package io.rns.loadtest.dns;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;

/**
 * A local port that sends questions and receives their answers. One thread sends, another one receives.
 *
 * <p>Times are in nanoseconds since the run began.
 */
final class ReplayChannel implements AutoCloseable {
  /** Ids of questions, used in turn. */
  static final int IDS = 0x10000;

  private static final int HEAD_BYTES = 12;
  private static final int FLAGS = 2;
  private static final int ANSWER_BIT = 0x80;
  private static final int CODE = 3;
  private static final int CODE_BITS = 0xf;
  private static final int QUESTIONS = 4;
  /** To send a question: each earlier one that met a closed port makes one attempt fail. */
  private static final int ATTEMPTS = 3;

  private final DatagramChannel channel;
  private final long timeout;
  /** By id: when the question was sent, plus 1; 0 if it waits for no answer. */
  private final AtomicLongArray sent = new AtomicLongArray(IDS);
  /** By id: the question; written before {@link #sent}, read after it. */
  private final EncodedQuestion[] questions = new EncodedQuestion[IDS];
  /** Of the thread that sends only. */
  private int next;

  private ReplayChannel(DatagramChannel channel, long timeout) {
    this.channel = channel;
    this.timeout = timeout;
  }

  /**
   * Opens a port for questions to a server.
   *
   * @param timeout after which an answer is too late, in nanoseconds
   */
  static ReplayChannel open(InetSocketAddress server, long timeout) throws IOException {
    DatagramChannel channel = DatagramChannel.open();
    try {
      channel.configureBlocking(false);
      channel.connect(server);
      return new ReplayChannel(channel, timeout);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /** Registers for answers; the attachment of the key is this channel. */
  void register(Selector selector) throws IOException {
    SelectionKey unused = channel.register(selector, SelectionKey.OP_READ, this);
  }

  /** Sends a question, and forgets the previous one with its id. */
  void send(EncodedQuestion question, long now) throws IOException {
    int id = next++ & (IDS - 1);
    questions[id] = question;
    sent.set(id, now + 1);
    ByteBuffer bytes = question.withId(id);
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      try {
        // No room in the socket: the network is slower than the load.
        while (channel.write(bytes.rewind()) == 0) {
          Thread.onSpinWait();
        }
        return;
      } catch (PortUnreachableException e) {
        // An earlier question met a closed port, and is lost. This one was not sent yet.
      }
    }
  }

  /**
   * Receives one answer.
   *
   * @param buffer to receive into
   * @param clock read once the answer has arrived
   * @return whether there was a message or an error
   */
  boolean receive(ByteBuffer buffer, LongSupplier clock, AnsweredQuestions answers) throws IOException {
    try {
      if (channel.read(buffer.clear()) <= 0) {
        return false;
      }
    } catch (PortUnreachableException e) {
      return true;
    }
    if (buffer.flip().remaining() >= HEAD_BYTES && (buffer.get(FLAGS) & ANSWER_BIT) != 0) {
      take(buffer, clock.getAsLong(), answers);
    }
    return true;
  }

  /** Ignores late and duplicate answers. */
  private void take(ByteBuffer answer, long now, AnsweredQuestions answers) {
    int id = Short.toUnsignedInt(answer.getShort(0));
    long marked = sent.get(id);
    long nanos = now + 1 - marked;
    if (marked == 0 || nanos > timeout) {
      return;
    }
    int code = answer.get(CODE) & CODE_BITS;
    // A server that could not parse the question may omit it.
    boolean without = answer.getShort(QUESTIONS) == 0 && code != 0;
    if (!without && !questions[id].isIn(answer)) {
      answers.wrong();
    } else if (sent.compareAndSet(id, marked, 0)) {
      answers.answer(marked - 1, nanos, code);
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
