package io.rns.loadtest.pool;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.loadtest.measure.Failure;
import io.rns.loadtest.measure.FailureKind;
import io.rns.loadtest.measure.LoadClient;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Header;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** Asks for the SRV records of a pool over UDP (RFC 1035, RFC 2782), with room for 1,232 bytes (RFC 6891). */
final class DnsUser implements LoadClient {
  private static final int LONGEST = 1_232;
  private static final int TIMEOUT_MILLIS = 2_000;

  private final DatagramSocket socket;
  private final byte[] question;
  private final DatagramPacket answer = new DatagramPacket(new byte[LONGEST], LONGEST);
  private short id;

  /** A user of the pool whose records have a name, without a dot at the end. */
  DnsUser(InetSocketAddress server, String name) {
    try {
      Message query = Message.newQuery(Record.newRecord(Name.fromString(name + "."), Type.SRV, DClass.IN));
      query.addRecord(new OPTRecord(LONGEST, 0, 0), Section.ADDITIONAL);
      query.getHeader().setID(Short.toUnsignedInt(id));
      question = query.toWire();
      socket = new DatagramSocket();
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.connect(server);
    } catch (IOException e) {
      throw new RnsException(RnsError.UNAVAILABLE, "DNS at " + server + ": " + e.getMessage(), e);
    }
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
      socket.send(new DatagramPacket(question, question.length));
      Header header;
      do {
        answer.setLength(LONGEST);
        socket.receive(answer);
        header = new Header(answer.getData());
      } while (header.getID() != Short.toUnsignedInt(id));
      int records = header.getCount(Section.ANSWER);
      return header.getRcode() == 0 && records > 0
          ? null
          : new Failure(FailureKind.UNEXPECTED_ANSWER,
              "an answer with code " + header.getRcode() + " and " + records + " records");
    } catch (IOException e) {
      return new Failure(FailureKind.CONNECTION, String.valueOf(e.getMessage()));
    }
  }

  /** Asks, and returns the answer. */
  byte[] answer() throws IOException {
    Failure failure = perform();
    if (failure != null) {
      throw new IOException("DNS: " + failure.text());
    }
    return Arrays.copyOf(answer.getData(), answer.getLength());
  }

  /** Does nothing: a request ends when its answer comes, or after {@value #TIMEOUT_MILLIS} ms. */
  @Override
  public void cut() {}

  @Override
  public void close() {
    socket.close();
  }
}
