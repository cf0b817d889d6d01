package io.rns.front;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The answers that a front keeps, for its successor on this machine: without them the servers would get all the
 * requests of its clients at once. Stateless.
 */
final class AnswerHandover {
  private static final Logger LOG = Logger.getLogger(AnswerHandover.class.getName());
  /**
   * Of what follows, and of what keys and heads of answers mean. A successor that expects another one begins without
   * answers.
   */
  private static final int FORMAT = 1;
  private static final int BUFFER = 65_536;

  private AnswerHandover() {}

  /** Sends the answers, after the addresses of the servers that have given them. */
  static void send(FrontServer server, DataOutputStream to) throws IOException {
    DataOutputStream out = new DataOutputStream(new BufferedOutputStream(to, BUFFER));
    out.writeInt(FORMAT);
    Buffers.write(out, String.join("\n", server.directory().urls()).getBytes(StandardCharsets.UTF_8));
    AnswerCache answers = server.answers();
    if (answers == null) {
      out.writeBoolean(false);
    } else {
      answers.write(out);
    }
    out.flush();
  }

  /** Takes the answers of a predecessor at the same servers; none if it has another version, or is none. */
  static void take(FrontServer server, Path predecessor) {
    AnswerCache answers = server.answers();
    if (answers == null) {
      return;
    }
    try (SocketChannel from = SocketChannel.open(UnixDomainSocketAddress.of(predecessor));
        DataInputStream in = new DataInputStream(new BufferedInputStream(Channels.newInputStream(from), BUFFER))) {
      Channels.newOutputStream(from).write("answers\n".getBytes(StandardCharsets.US_ASCII));
      if (in.readInt() != FORMAT) {
        throw new IOException("another format");
      }
      List<String> servers = List.of(new String(Buffers.read(in), StandardCharsets.UTF_8).split("\n", -1));
      if (server.directory().urls().stream().anyMatch(servers::contains)) {
        answers.read(in);
      }
    } catch (IOException | RuntimeException e) {
      LOG.log(Level.INFO, e, () -> "the front begins without some answers that its predecessor keeps");
    }
  }
}
