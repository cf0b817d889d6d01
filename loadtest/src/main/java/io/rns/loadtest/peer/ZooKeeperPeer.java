package io.rns.loadtest.peer;

import io.rns.loadtest.launcher.Io;
import io.rns.loadtest.launcher.Poll;
import io.rns.loadtest.launcher.ServerProcess;
import io.rns.loadtest.measure.Failure;
import io.rns.loadtest.measure.FailureKind;
import io.rns.loadtest.work.Call;
import io.rns.loadtest.work.Session;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.Version;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.server.ZooKeeperServerMain;
import org.jspecify.annotations.Nullable;

/** A single server of ZooKeeper: a node for each entry, whose data is the reference. */
public final class ZooKeeperPeer {
  private static final int SESSION_MILLIS = 30_000;

  /** Kept, so that its level is; its errors are reported as failures. */
  private static final Logger CLIENT_LOG = Logger.getLogger("org.apache.zookeeper");

  private ZooKeeperPeer() {}

  public static PeerService start(Path directory) throws InterruptedException {
    CLIENT_LOG.setLevel(Level.SEVERE);
    int port = ServerProcess.freePort();
    Path configuration = directory.resolve("zoo.cfg");
    Io.run("preparing ZooKeeper in " + directory,
        () -> Files.writeString(configuration, configuration(directory, port)));
    ServerProcess process = ServerProcess.listening(port, directory,
        ServerProcess.java(ZooKeeperServerMain.class, configuration.toString()));
    return new ServerPeer(process, "ZooKeeper " + Version.getVersion()
        + ", one server; forceSync=yes: the log is on disk before a response, one sync for all waiting requests",
        () -> new ZooKeeperSession(port)).after(() -> awaitService(port));
  }

  /** Returns when it answers: it listens before that. */
  private static void awaitService(int port) throws InterruptedException {
    try (ZooKeeperSession session = new ZooKeeperSession(port)) {
      Poll.until("ZooKeeper answers", session::answers);
    }
  }

  /** Any number of connections; no server for administrators. */
  private static String configuration(Path directory, int port) {
    return """
        clientPort=%d
        clientPortAddress=127.0.0.1
        dataDir=%s
        dataLogDir=%s
        maxClientCnxns=0
        admin.enableServer=false
        forceSync=yes
        """
        .formatted(port, directory.resolve("snapshots"), directory.resolve("log"));
  }

  /** A session of ZooKeeper. A listing takes two requests: for the names, and for what they refer to. */
  private static final class ZooKeeperSession implements Session {
    private final ZooKeeper client;
    private Request request = () -> true;
    private volatile @Nullable Thread performing;

    /** Asks the server; false if there was nothing. */
    private interface Request {
      boolean ask() throws KeeperException, InterruptedException;
    }

    /** Connects in the background; the first request waits for that. */
    ZooKeeperSession(int port) {
      ZKClientConfig configuration = new ZKClientConfig();
      configuration.setProperty(ZKClientConfig.ENABLE_CLIENT_SASL_KEY, "false");
      client = Io.get("no session of ZooKeeper",
          () -> new ZooKeeper("127.0.0.1:" + port, SESSION_MILLIS, event -> {}, configuration));
    }

    boolean answers() {
      request = () -> client.exists("/", false) != null;
      return perform() == null;
    }

    @Override
    public void prepare(Call call) {
      String path = call.path();
      request = switch (call.kind()) {
        case QUERY -> () -> client.getData(path, false, null).length > 0;
        case LIST -> () -> list(path);
        case ADD -> create(path, Call.addressOf(path).getBytes(StandardCharsets.UTF_8));
        case MKDIR -> create(path, new byte[0]);
        case UPDATE, MOVE, REMOVE, WATCH -> throw PeerService.unknown(call);
      };
    }

    private Request create(String path, byte[] data) {
      return () -> client.create(path, data, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT).equals(path);
    }

    private boolean list(String path) throws KeeperException, InterruptedException {
      List<String> names = client.getChildren(path, false);
      List<Op> reads = names.stream().limit(PeerService.PAGE).map(name -> Op.getData(path + "/" + name)).toList();
      return !reads.isEmpty() && client.multi(reads).stream().allMatch(ZooKeeperSession::hasData);
    }

    private static boolean hasData(OpResult result) {
      return result instanceof OpResult.GetDataResult read && read.getData().length > 0;
    }

    @Override
    public @Nullable Failure perform() {
      performing = Thread.currentThread();
      try {
        return request.ask() ? null : PeerService.NOTHING;
      } catch (KeeperException.ConnectionLossException e) {
        return new Failure(FailureKind.CONNECTION, String.valueOf(e.getMessage()));
      } catch (KeeperException e) {
        return new Failure(FailureKind.FAULT, String.valueOf(e.getMessage()));
      } catch (InterruptedException e) {
        // by cut(), and only so: the load's own threads are not interrupted
        return new Failure(FailureKind.CONNECTION, "cut");
      } finally {
        performing = null;
      }
    }

    @Override
    public void cut() {
      Thread thread = performing;
      if (thread != null) {
        thread.interrupt();
      }
    }

    @Override
    public void close() {
      try {
        client.close();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
