package io.rns.loadtest.peer;

import io.rns.loadtest.measure.Failure;
import io.rns.loadtest.measure.FailureKind;
import io.rns.loadtest.work.Call;
import io.rns.loadtest.work.Session;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;

/** A session of ZooKeeper. A listing takes two requests: for the names, and for what they refer to. */
final class ZooKeeperSession implements Session {
  private final ZooKeeper client;
  private Request request = () -> true;
  private volatile @Nullable Thread performing;

  /** Asks the server; false if there was nothing. */
  private interface Request {
    boolean ask() throws KeeperException, InterruptedException;
  }

  ZooKeeperSession(ZooKeeper client) {
    this.client = client;
  }

  @Override
  public void prepare(Call call) {
    String path = call.path();
    request =
        switch (call.kind()) {
          case QUERY -> () -> client.getData(path, false, null).length > 0;
          case LIST -> () -> list(path);
          case ADD -> create(path, Call.addressOf(path).getBytes(StandardCharsets.UTF_8));
          case MKDIR -> create(path, new byte[0]);
          case UPDATE, MOVE, REMOVE, WATCH -> throw Peer.unknown(call);
        };
  }

  private Request create(String path, byte[] data) {
    return () -> client.create(path, data, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT).equals(path);
  }

  private boolean list(String path) throws KeeperException, InterruptedException {
    List<String> names = client.getChildren(path, false);
    List<Op> reads = names.stream().limit(Peer.PAGE).map(name -> Op.getData(path + "/" + name)).toList();
    return !reads.isEmpty() && client.multi(reads).stream().allMatch(ZooKeeperSession::hasData);
  }

  private static boolean hasData(OpResult result) {
    return result instanceof OpResult.GetDataResult read && read.getData().length > 0;
  }

  @Override
  public @Nullable Failure perform() {
    performing = Thread.currentThread();
    try {
      return request.ask() ? null : new Failure(FailureKind.UNEXPECTED_ANSWER, "nothing is there");
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
