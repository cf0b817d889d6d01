package io.rns.front;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;

/**
 * Passes on what a front and its successor on another machine say to each other, and holds one step of it, which was
 * sent and has not arrived, until its input has a line. If one of the two ends, the other is told when it has what was
 * sent before. Arguments are host and port where to wait, those of the successor, the secret of both, and the step.
 */
final class SealedRelay {
  private static final Duration BOUND = Duration.ofSeconds(60);

  private final SealedChannel predecessor;
  private final SealedChannel successor;
  private final String stop;

  private SealedRelay(SealedChannel predecessor, SealedChannel successor, String stop) {
    this.predecessor = predecessor;
    this.successor = successor;
    this.stop = stop;
  }

  public static void main(String[] arguments) throws Exception {
    try (ServerSocket waiting = new ServerSocket()) {
      waiting.bind(new InetSocketAddress(arguments[0], Integer.parseInt(arguments[1])));
      System.out.println("relay ready");
      InetSocketAddress to = new InetSocketAddress(arguments[2], Integer.parseInt(arguments[3]));
      try (SealedChannel predecessor = SealedChannel.answer(waiting.accept(), arguments[4])) {
        at(arguments[5], "call");
        try (SealedChannel successor = SealedChannel.call(to, arguments[4], BOUND)) {
          SealedRelay relay = new SealedRelay(predecessor, successor, arguments[5]);
          Thread back = Thread.ofPlatform().start(() -> relay.run(relay::toPredecessor));
          relay.run(relay::toSuccessor);
          back.join();
        }
      }
    }
  }

  private static void at(String stop, String step) throws IOException {
    if (step.equals(stop)) {
      System.out.println("holding");
      int unused = System.in.read();
    }
  }

  private interface Direction {
    void run() throws IOException;
  }

  private void run(Direction direction) {
    try {
      direction.run();
    } catch (IOException e) {
      System.out.println("ended: " + e.getMessage());
    } finally {
      close(predecessor);
      close(successor);
    }
  }

  private static void close(SealedChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      System.out.println("not closed: " + e.getMessage());
    }
  }

  private void toSuccessor() throws IOException {
    DataInputStream in = predecessor.in();
    DataOutputStream out = successor.out();
    int connections = 0;
    while (true) {
      HandoverStep step = HandoverStep.read(in);
      switch (step) {
        case LISTENER -> {
          String host = in.readUTF();
          int port = in.readInt();
          boolean secured = in.readBoolean();
          at(stop, "introduction");
          out.writeByte(step.code());
          out.writeUTF(host);
          out.writeInt(port);
          out.writeBoolean(secured);
          out.flush();
          predecessor.skipWarmUp();
          successor.warmUp();
        }
        case WINDOW -> {
          ConnectionState state = ConnectionState.read(in);
          connections++;
          at(stop, "connection " + connections);
          out.writeByte(step.code());
          state.write(out);
          for (int i = 0; i < state.sockets(); i++) {
            TcpState.read(in).write(out);
          }
        }
        default -> {
          at(stop, step == HandoverStep.DONE ? "all" : "commit");
          out.writeByte(step.code());
        }
      }
      out.flush();
    }
  }

  private void toPredecessor() throws IOException {
    DataInputStream in = successor.in();
    DataOutputStream out = predecessor.out();
    for (String what : new String[]{"introduction", "all", "commit"}) {
      HandoverStep step = HandoverStep.read(in);
      if (step == HandoverStep.ABORT) {
        String why = in.readUTF();
        out.writeByte(step.code());
        out.writeUTF(why);
        out.flush();
        return;
      }
      byte[] hardware = new byte[what.equals("introduction") ? SubnetAddress.HARDWARE_BYTES : 0];
      in.readFully(hardware);
      at(stop, what + " received");
      out.writeByte(step.code());
      out.write(hardware);
      out.flush();
    }
    // Until the successor ends.
    int unused = in.read();
  }
}
