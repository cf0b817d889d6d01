package io.rns.loadtest.pool;

import io.rns.loadtest.launcher.ServerProcess;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.HexFormat;

/**
 * A process that gives the same answer to every question, by TCP and UDP, and does nothing else: what the machine and
 * its clients can do at most.
 */
final class Echo implements AutoCloseable {
  private static final int BUFFER_BYTES = 4_096;

  private final ServerProcess process;
  private final InetSocketAddress tcp;
  private final InetSocketAddress udp;

  /** Starts one; the first two bytes of its answer by UDP become those of the question, which name it. */
  Echo(byte[] byTcp, byte[] byUdp) {
    process = ServerProcess.start(Echo.class, HexFormat.of().formatHex(byTcp), HexFormat.of().formatHex(byUdp));
    String[] ports = process.readLine().split(" ", -1);
    tcp = new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(ports[0]));
    udp = new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(ports[1]));
  }

  InetSocketAddress tcp() {
    return tcp;
  }

  InetSocketAddress udp() {
    return udp;
  }

  @Override
  public void close() {
    process.close();
  }

  /**
   * Prints its ports for TCP and UDP, and runs until its input ends. The arguments are the answers in hexadecimal
   * digits.
   */
  public static void main(String[] arguments) throws IOException {
    byte[] byTcp = HexFormat.of().parseHex(arguments[0]);
    byte[] byUdp = HexFormat.of().parseHex(arguments[1]);
    InetAddress here = InetAddress.getLoopbackAddress();
    try (ServerSocket connections = new ServerSocket(0, 128, here);
        DatagramChannel datagrams = DatagramChannel.open().bind(new InetSocketAddress(here, 0))) {
      Thread.ofPlatform().daemon().start(() -> accept(connections, byTcp));
      Thread.ofPlatform().daemon().start(() -> answer(datagrams, byUdp));
      System.out
          .println(connections.getLocalPort() + " " + ((InetSocketAddress) datagrams.getLocalAddress()).getPort());
      ServerProcess.awaitEndOfInput();
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
