package io.rns.front;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * Receives all that a front hands over to another machine, and never takes it: answers nothing, refuses, or ends.
 * Arguments are host and port, the secret, and which of these.
 */
final class StubbornSuccessor {
  private StubbornSuccessor() {}

  public static void main(String[] arguments) throws IOException {
    try (ServerSocket waiting = new ServerSocket()) {
      waiting.bind(new InetSocketAddress(arguments[0], Integer.parseInt(arguments[1])));
      System.out.println("stubborn ready");
      try (Socket caller = waiting.accept(); SealedChannel channel = SealedChannel.answer(caller, arguments[2])) {
        HandoverStep first = HandoverStep.read(channel.in());
        String what = channel.in().readUTF() + ":" + channel.in().readInt() + " " + channel.in().readBoolean();
        channel.out().writeByte(HandoverStep.RECEIVED.code());
        channel.out().write(new byte[SubnetAddress.HARDWARE_BYTES]);
        channel.out().flush();
        channel.skipWarmUp();
        int connections = 0;
        while (HandoverStep.read(channel.in()) == HandoverStep.WINDOW) {
          int sockets = ConnectionState.read(channel.in()).sockets();
          for (int i = 0; i < sockets; i++) {
            TcpState unused = TcpState.read(channel.in());
          }
          connections++;
        }
        System.out.println(first + " " + what + ", " + connections + " connections");
        switch (arguments[3]) {
          case "refuses" -> {
            channel.out().writeByte(HandoverStep.ABORT.code());
            channel.out().writeUTF("stubborn");
            channel.out().flush();
          }
          // Until the other side gives up.
          case "is silent" -> System.out.println("then " + channel.in().read());
          default -> {
            // Ends.
          }
        }
      }
    }
  }
}
