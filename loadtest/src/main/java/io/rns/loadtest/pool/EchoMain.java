package io.rns.loadtest.pool;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * A server that has one answer for everybody and does nothing else, in a process of its own: what the machine and its
 * clients can do at most. It says its ports for TCP and UDP, and runs until its input ends.
 */
final class EchoMain {
  private static final int BUFFER_BYTES = 4_096;

  private EchoMain() {}

  /**
   * Runs.
   *
   * @param arguments the answers by TCP and by UDP, in hexadecimal digits; of a question by UDP the first two bytes,
   *        which name it, come back
   */
  public static void main(String[] arguments) throws IOException {
    byte[] byTcp = HexFormat.of().parseHex(arguments[0]);
    byte[] byUdp = HexFormat.of().parseHex(arguments[1]);
    InetAddress here = InetAddress.getLoopbackAddress();
    try (ServerSocket connections = new ServerSocket(0, 128, here);
        DatagramChannel datagrams = DatagramChannel.open();
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      datagrams.bind(new InetSocketAddress(here, 0));
      Thread.ofPlatform().daemon().start(() -> accept(connections, byTcp));
      Thread.ofPlatform().daemon().start(() -> answer(datagrams, byUdp));
      System.out
          .println(connections.getLocalPort() + " " + ((InetSocketAddress) datagrams.getLocalAddress()).getPort());
      while (input.readLine() != null) {
        // Nobody asks it anything.
      }
    }
  }

  private static void accept(ServerSocket connections, byte[] answer) {
    try {
      while (true) {
        Socket socket = connections.accept();
        Thread.ofPlatform().daemon().start(() -> answer(socket, answer));
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  /** Questions are short, and each waits for the answer to the former: what comes at once is one. */
  private static void answer(Socket connection, byte[] answer) {
    try (connection) {
      connection.setTcpNoDelay(true);
      InputStream in = connection.getInputStream();
      byte[] question = new byte[BUFFER_BYTES];
      while (in.read(question) >= 0) {
        connection.getOutputStream().write(answer);
      }
    } catch (IOException e) {
      // The client is gone.
    }
  }

  private static void answer(DatagramChannel datagrams, byte[] answer) {
    ByteBuffer question = ByteBuffer.allocateDirect(BUFFER_BYTES);
    ByteBuffer out = ByteBuffer.allocateDirect(answer.length).put(answer);
    try {
      while (true) {
        var from = datagrams.receive(question.clear());
        out.clear().putShort(0, question.getShort(0));
        datagrams.send(out, from);
      }
    } catch (IOException e) {
      // Closed.
    }
  }
}
