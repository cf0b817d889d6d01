package io.rns.loadtest.peer;

import io.rns.loadtest.work.Session;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.zookeeper.Version;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;

/** A single server of ZooKeeper in a JVM of its own: a node for each entry, whose data is the reference. */
public final class ZooKeeperPeer implements Peer {
  private static final int SESSION_MILLIS = 30_000;
  /** As much as a server of RNS has. */
  private static final String HEAP = "-Xmx512m";

  /** Kept, so that its level is; what goes wrong is told as failures. */
  private static final Logger CLIENT_LOG = Logger.getLogger("org.apache.zookeeper");

  private final ServerProcess process;
  private final int port;

  private ZooKeeperPeer(ServerProcess process, int port) {
    this.process = process;
    this.port = port;
  }

  /**
   * Starts it.
   *
   * @param directory for its data; it is there and empty
   * @throws io.rns.error.RnsException {@link io.rns.error.RnsError#UNAVAILABLE} if it does not start
   */
  public static ZooKeeperPeer start(Path directory) {
    CLIENT_LOG.setLevel(Level.SEVERE);
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    ServerProcess process =
        ServerProcess.start(
            directory,
            List.of(
                java, HEAP, "-XX:+UseParallelGC", "-Dzookeeper.forceSync=yes", "-Dzookeeper.admin.enableServer=false",
                "-cp",
                System.getProperty("java.class.path"), ZooKeeperMain.class.getName(), directory.toString()));
    try {
      return new ZooKeeperPeer(process, Integer.parseInt(process.hear()));
    } catch (RuntimeException e) {
      process.close();
      throw e;
    }
  }

  @Override
  public String durability() {
    return "ZooKeeper " + Version.getVersion()
        + ", one server; forceSync=yes: the log is on the disk before an answer, shared by what waits";
  }

  @Override
  public Session session() {
    ZKClientConfig configuration = new ZKClientConfig();
    configuration.setProperty(ZKClientConfig.ENABLE_CLIENT_SASL_KEY, "false");
    CountDownLatch connected = new CountDownLatch(1);
    try {
      ZooKeeper client =
          new ZooKeeper(
              "127.0.0.1:" + port,
              SESSION_MILLIS,
              event -> {
                if (event.getState() == KeeperState.SyncConnected) {
                  connected.countDown();
                }
              },
              configuration);
      if (!connected.await(SESSION_MILLIS, TimeUnit.MILLISECONDS)) {
        client.close();
        throw Peer.missing("ZooKeeper gives no session within " + SESSION_MILLIS + " ms");
      }
      return new ZooKeeperSession(client);
    } catch (IOException e) {
      throw Peer.missing("no session of ZooKeeper: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Peer.missing("stopped while waiting for a session of ZooKeeper", e);
    }
  }

  @Override
  public void close() {
    process.close();
  }
}
