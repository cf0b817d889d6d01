package io.rns.front;

import io.rns.client.http.TlsTrust;
import io.rns.client.operator.SignedCalls;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.logging.Logger;

/** Follows the change logs of all server groups, as soon as they are known, for an {@link AnswerCache}. Thread-safe. */
final class ChangeFollowers implements AutoCloseable {
  private static final Logger LOG = Logger.getLogger(ChangeFollowers.class.getName());
  /** Groups that are followed: each takes a thread and a megabyte. Answers of more are not kept. */
  static final int MOST = 16;

  private final ServerDirectory directory;
  private final AnswerCache cache;
  private final SignedCalls calls;
  private final Map<Integer, ChangeFollower> followers = new HashMap<>();
  private final ChangeFollower first;
  private boolean closed;

  /**
   * Follows none yet.
   *
   * @param secret of the servers
   */
  ChangeFollowers(ServerDirectory directory, AnswerCache cache, TlsTrust trust, String secret) {
    this.directory = directory;
    this.cache = cache;
    this.calls = new SignedCalls(ChangeFollower.TIMEOUT, trust, secret, InstantSource.system(), LOG::info);
    this.first = new ChangeFollower(directory, cache, calls, ChangeFollower.UNKNOWN, this::isFirst);
    directory.nameGroupsTo(this::follow);
  }

  void start() {
    first.start();
  }

  /** Leaves a group that was not reported to the first follower. */
  private synchronized boolean isFirst(int group) {
    return !closed && followers.putIfAbsent(group, first) == null;
  }

  /** Follows a group from now on. One that has no servers any more costs little. */
  private synchronized void follow(int group) {
    if (!closed && followers.size() < MOST && !followers.containsKey(group)) {
      ChangeFollower follower = new ChangeFollower(directory, cache, calls, group, other -> false);
      followers.put(group, follower);
      follower.start();
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    first.close();
    followers.values().forEach(ChangeFollower::close);
    calls.close();
  }
}
