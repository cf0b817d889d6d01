package io.rns.loadtest.peer;

import io.rns.loadtest.work.Session;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;

/**
 * A single server of etcd, asked through its JSON gateway: a key for each entry, its path, whose value is the
 * reference.
 */
public final class EtcdPeer implements Peer {
  private static final String QUOTA_BYTES = "8589934592";

  private final ServerProcess process;
  private final InetSocketAddress address;
  private final String version;

  private EtcdPeer(ServerProcess process, InetSocketAddress address, String version) {
    this.process = process;
    this.address = address;
    this.version = version;
  }

  /**
   * Starts it.
   *
   * @param directory for its data; it is there and empty
   * @throws io.rns.error.RnsException {@link io.rns.error.RnsError#UNAVAILABLE} if it does not start
   */
  public static EtcdPeer start(Path directory, Programs programs) {
    Path root = programs.root("etcd");
    String version = Programs.version(root);
    int port = ServerProcess.freePort();
    String clients = "http://127.0.0.1:" + port;
    // a server without others listens for them all the same
    String others = "http://127.0.0.1:" + ServerProcess.freePort();
    ServerProcess process =
        ServerProcess.start(
            directory,
            List.of(
                root.resolve("run").toString(), "usr/bin/etcd", "--name", "peer", "--data-dir",
                directory.resolve("data").toString(),
                "--listen-client-urls", clients, "--advertise-client-urls", clients, "--listen-peer-urls", others,
                "--initial-advertise-peer-urls", others, "--initial-cluster", "peer=" + others, "--quota-backend-bytes",
                QUOTA_BYTES,
                "--log-level", "error"));
    try {
      process.awaitPort(port);
      EtcdPeer peer = new EtcdPeer(process, new InetSocketAddress(InetAddress.getLoopbackAddress(), port), version);
      peer.awaitReady();
      return peer;
    } catch (RuntimeException e) {
      process.close();
      throw e;
    }
  }

  /** Returns when it has become the leader of itself and answers. */
  private void awaitReady() {
    try (EtcdSession session = new EtcdSession(address)) {
      session.awaitReady();
    }
  }

  @Override
  public String durability() {
    return "etcd " + version
        + " of Debian, one server, as it comes: the log is on the disk before an answer, shared by what waits; asked by JSON over "
        + "HTTP, linearizable";
  }

  @Override
  public Session session() {
    return new EtcdSession(address);
  }

  @Override
  public void close() {
    process.close();
  }
}
