package io.rns.loadtest.peer;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;

/** A server of ZooKeeper on its own in a process of its own, on a port that it tells. */
final class ZooKeeperMain {
  private ZooKeeperMain() {}

  /**
   * Runs until its input ends.
   *
   * @param arguments the directory of its data
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Path directory = Path.of(arguments[0]);
    ZooKeeperServer server =
        new ZooKeeperServer(directory.resolve("snapshots").toFile(), directory.resolve("log").toFile(),
            ZooKeeperServer.DEFAULT_TICK_TIME);
    InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    ServerCnxnFactory connections = ServerCnxnFactory.createFactory(anyPort, 0);
    connections.startup(server);
    System.out.println(connections.getLocalPort());
    while (System.in.read() >= 0) {
      // until nobody is there any more
    }
    connections.shutdown();
  }
}
