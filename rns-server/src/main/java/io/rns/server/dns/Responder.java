package io.rns.server.dns;

import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Header;
import org.xbill.DNS.Message;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Opcode;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;

/** Turns the bytes of a message into those of its answer. */
final class Responder {
  /** Longest answer by UDP: it passes every usual network in one piece. */
  static final int UDP_BYTES = 1_232;

  /** Longest answer by UDP to clients without EDNS (RFC 1035, section 4.2.1). */
  static final int PLAIN_UDP_BYTES = 512;

  /** Maximum ratio of a UDP answer to its query, so that forged sender addresses gain little. */
  static final int AMPLIFICATION = 10;

  private static final int TCP_BYTES = 65_535;
  private static final int ANSWER_BIT = 0x80;

  private final Zone zone;
  private final BiConsumer<InetAddress, Record> log;

  /**
   * Answers from a zone.
   *
   * @param log receives the client and the question of each well-formed query by UDP
   */
  Responder(Zone zone, BiConsumer<InetAddress, Record> log) {
    this.zone = zone;
    this.log = log;
  }

  /** The answer by UDP; empty if the bytes deserve none, being an answer themselves or nothing at all. */
  Optional<byte[]> byDatagram(byte[] message, InetAddress asker) {
    return respond(message, asker, true);
  }

  /** The answer by TCP; empty as by UDP. */
  Optional<byte[]> byStream(byte[] message, InetAddress asker) {
    return respond(message, asker, false);
  }

  private Optional<byte[]> respond(byte[] message, InetAddress asker, boolean datagram) {
    if (message.length < Header.LENGTH || (message[2] & ANSWER_BIT) != 0) {
      return Optional.empty();
    }
    Message query;
    try {
      query = new Message(message);
    } catch (IOException | RuntimeException e) {
      return Optional.of(unreadable(message));
    }
    if (datagram) {
      question(query).ifPresent(question -> log.accept(asker, question));
    }
    Message answer = answer(query, asker);
    return Optional.of(answer.toWire(datagram ? bound(query.getOPT(), message.length) : TCP_BYTES));
  }

  /** The question of a query of class IN. */
  private static Optional<Record> question(Message query) {
    List<Record> questions = query.getSection(Section.QUESTION);
    boolean one = query.getHeader().getOpcode() == Opcode.QUERY && questions.size() == 1;
    return one ? Optional.of(questions.get(0)).filter(question -> question.getDClass() == DClass.IN) : Optional.empty();
  }

  private static int bound(@org.jspecify.annotations.Nullable OPTRecord options, int length) {
    int taken = options == null ? PLAIN_UDP_BYTES : Math.clamp(options.getPayloadSize(), PLAIN_UDP_BYTES, UDP_BYTES);
    return Math.min(taken, AMPLIFICATION * length);
  }

  /** A head that says that the rest could not be read. */
  private static byte[] unreadable(byte[] message) {
    byte[] head = new byte[Header.LENGTH];
    head[0] = message[0];
    head[1] = message[1];
    // The kind of question, and whether recursion was wanted, come back.
    head[2] = (byte) (ANSWER_BIT | (message[2] & 0x79));
    head[3] = Rcode.FORMERR;
    return head;
  }

  private Message answer(Message query, InetAddress asker) {
    Header asked = query.getHeader();
    Message answer = new Message(asked.getID());
    Header header = answer.getHeader();
    header.setOpcode(asked.getOpcode());
    header.setFlag(Flags.QR);
    if (asked.getFlag(Flags.RD)) {
      header.setFlag(Flags.RD);
    }
    List<Record> questions = query.getSection(Section.QUESTION);
    questions.stream().limit(1).forEach(question -> answer.addRecord(question, Section.QUESTION));
    int rcode = write(answer, outcome(query, questions, asker));
    header.setRcode(rcode & 0xf);
    if (query.getOPT() != null) {
      answer.addRecord(new OPTRecord(UDP_BYTES, rcode >> 4, 0), Section.ADDITIONAL);
    }
    return answer;
  }

  private DnsAnswer outcome(Message query, List<Record> questions, InetAddress asker) {
    OPTRecord options = query.getOPT();
    if (options != null && options.getVersion() != 0) {
      return new DnsAnswer.BadVersion();
    }
    if (query.getHeader().getOpcode() != Opcode.QUERY) {
      return new DnsAnswer.NotImplemented();
    }
    if (questions.size() != 1) {
      return new DnsAnswer.Malformed();
    }
    Record question = questions.get(0);
    return question.getDClass() == DClass.IN
        ? zone.answer(question.getName(), question.getType(), asker)
        : new DnsAnswer.Refused();
  }

  /** Writes the result of a query into the answer, and returns its code. */
  private int write(Message answer, DnsAnswer outcome) {
    return switch (outcome) {
      case DnsAnswer.Found(var records, var more) -> {
        answer.getHeader().setFlag(Flags.AA);
        records.forEach(record -> answer.addRecord(record, Section.ANSWER));
        more.forEach(record -> answer.addRecord(record, Section.ADDITIONAL));
        yield Rcode.NOERROR;
      }
      case DnsAnswer.NoData() -> nothing(answer, Rcode.NOERROR);
      case DnsAnswer.NoSuchName() -> nothing(answer, Rcode.NXDOMAIN);
      case DnsAnswer.Refused() -> Rcode.REFUSED;
      case DnsAnswer.NotImplemented() -> Rcode.NOTIMP;
      case DnsAnswer.Malformed() -> Rcode.FORMERR;
      case DnsAnswer.BadVersion() -> Rcode.BADVERS;
      case DnsAnswer.Failed() -> Rcode.SERVFAIL;
    };
  }

  private int nothing(Message answer, int rcode) {
    answer.getHeader().setFlag(Flags.AA);
    answer.addRecord(zone.authority(), Section.AUTHORITY);
    return rcode;
  }
}
