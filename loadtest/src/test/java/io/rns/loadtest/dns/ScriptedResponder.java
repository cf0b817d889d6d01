package io.rns.loadtest.dns;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;

/** A server whose answers a test decides. */
final class ScriptedResponder implements AutoCloseable {
  private final DatagramSocket socket;
  private final Function<Message, List<Message>> answers;
  private final List<String> asked = new CopyOnWriteArrayList<>();

  /** Answers each question with some messages, or none. */
  ScriptedResponder(Function<Message, List<Message>> answers) throws IOException {
    this.socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
    this.answers = answers;
    Thread.ofPlatform().daemon().start(this::run);
  }

  /** The answer to a question: a code, and nothing else. */
  static Message answer(Message question, int code) {
    Message answer = question.clone();
    answer.getHeader().setFlag(Flags.QR);
    answer.getHeader().setRcode(code);
    return answer;
  }

  InetSocketAddress address() {
    return new InetSocketAddress(socket.getLocalAddress(), socket.getLocalPort());
  }

  /** The names of all questions, in their order. */
  List<String> asked() {
    return asked;
  }

  private void run() {
    DatagramPacket packet = new DatagramPacket(new byte[EncodedQuestion.ANSWER_BYTES], EncodedQuestion.ANSWER_BYTES);
    try {
      while (true) {
        packet.setLength(EncodedQuestion.ANSWER_BYTES);
        socket.receive(packet);
        Message question = new Message(Arrays.copyOf(packet.getData(), packet.getLength()));
        asked.add(question.getQuestion().getName().toString());
        for (Message answer : answers.apply(question)) {
          byte[] bytes = answer.toWire();
          socket.send(new DatagramPacket(bytes, bytes.length, packet.getSocketAddress()));
        }
      }
    } catch (IOException e) {
      if (!socket.isClosed()) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Override
  public void close() {
    socket.close();
  }
}
