package io.rns.loadtest.pool;

import io.rns.loadtest.measure.Failure;
import io.rns.loadtest.measure.FailureKind;
import io.rns.loadtest.measure.LoadClient;
import io.rns.rserpool.Octets;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Asks for the SRV records of a pool over UDP (RFC 1035, RFC 2782), with room for 1,232 bytes (RFC 6891). */
final class DnsUser implements LoadClient {
  private static final int LONGEST = 1_232;
  private static final int TIMEOUT_MILLIS = 2_000;
  private static final short RECURSION_DESIRED = 0x0100;
  private static final short SRV = 33;
  private static final short INTERNET = 1;
  private static final short OPT = 41;
  private static final int FLAGS_AT = 2;
  private static final int ANSWERS_AT = 6;
  private static final int RCODE = 0x000f;

  private final InetSocketAddress server;
  private final byte[] question;
  private final byte[] buffer = new byte[LONGEST];
  private volatile @Nullable DatagramSocket socket;
  private short id;
  private int answered;

  DnsUser(InetSocketAddress server, String name) {
    this.server = server;
    this.question = question(name);
  }

  private static byte[] question(String name) {
    ByteBuffer out = ByteBuffer.allocate(LONGEST);
    out.putShort((short) 0).putShort(RECURSION_DESIRED).putShort((short) 1).putShort((short) 0).putShort((short) 0)
        .putShort((short) 1);
    for (String label : name.split("\\.", -1)) {
      byte[] bytes = label.getBytes(StandardCharsets.US_ASCII);
      out.put((byte) bytes.length).put(bytes);
    }
    out.put((byte) 0).putShort(SRV).putShort(INTERNET);
    out.put((byte) 0).putShort(OPT).putShort((short) LONGEST).putInt(0).putShort((short) 0);
    byte[] question = new byte[out.position()];
    out.flip().get(question);
    return question;
  }

  @Override
  public boolean prepare() {
    id++;
    ByteBuffer.wrap(question).putShort(id);
    return true;
  }

  @Override
  public @Nullable Failure perform() {
    try {
      DatagramSocket open = socket;
      if (open == null) {
        open = new DatagramSocket();
        open.connect(server);
        open.setSoTimeout(TIMEOUT_MILLIS);
        socket = open;
      }
      open.send(new DatagramPacket(question, question.length));
      ByteBuffer answer;
      do {
        DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
        open.receive(packet);
        answered = packet.getLength();
        answer = ByteBuffer.wrap(buffer, 0, answered);
      } while (answer.getShort(0) != id);
      int code = answer.getShort(FLAGS_AT) & RCODE;
      int records = answer.getShort(ANSWERS_AT);
      return code == 0 && records > 0
          ? null
          : new Failure(FailureKind.UNEXPECTED_ANSWER, "an answer with code " + code + " and " + records + " records");
    } catch (IOException e) {
      close();
      return new Failure(FailureKind.CONNECTION, String.valueOf(e.getMessage()));
    }
  }

  /** The answer to one question. */
  Octets ask() throws IOException {
    prepare();
    Failure failure = perform();
    if (failure != null) {
      throw new IOException(failure.toString());
    }
    return Octets.of(Arrays.copyOf(buffer, answered));
  }

  @Override
  public void cut() {
    close();
  }

  @Override
  public void close() {
    DatagramSocket open = socket;
    socket = null;
    if (open != null) {
      open.close();
    }
  }
}
