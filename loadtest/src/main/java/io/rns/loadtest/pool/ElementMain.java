package io.rns.loadtest.pool;

import io.rns.rserpool.Octets;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;

/**
 * A pool element in a process of its own: a server that takes its time, registered by ASAP. It says its port when it is
 * registered.
 */
final class ElementMain {
  private static final int ENOUGH = 1_024;

  private ElementMain() {}

  /**
   * Runs until its connection or its input ends.
   *
   * @param arguments the port of the registrar on this machine, the handle of the pool, the id
   */
  public static void main(String[] arguments) throws IOException {
    InetSocketAddress registrar =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0]));
    int id = Integer.parseInt(arguments[2]);
    try (SimulatedServer server = new SimulatedServer(Service.sleeping(1), ENOUGH);
        AsapElement element = new AsapElement(registrar, Octets.utf8(arguments[1]), id, server.port())) {
      element.register();
      System.out.println(server.port());
      Thread.ofPlatform().daemon().start(ElementMain::endWithParent);
      element.stay();
    } catch (EOFException | SocketException e) {
      // The registrar is gone: it is over.
    }
  }

  /** Whoever started this process holds its input open. */
  private static void endWithParent() {
    try {
      while (System.in.read() >= 0) {
        // Nothing is asked.
      }
    } catch (IOException e) {
      // The same as its end.
    }
    Runtime.getRuntime().halt(0);
  }
}
