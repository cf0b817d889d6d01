package io.rns.replication.partition;

import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.NameService;
import io.rns.api.Routing;
import io.rns.client.RnsClient;
import io.rns.client.http.MessageAuthentication;
import io.rns.client.http.TlsTrust;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.share.FairPlaces;
import io.rns.referral.Announcement;
import io.rns.replication.Timing;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Clients of the servers of other groups. Each group has places of its own for requests under way, so that one that
 * does not answer does not hold up requests for others. Thread-safe.
 */
public final class OtherGroups implements AutoCloseable {
  /** Requests under way to one group. */
  public static final int PLACES = 512;

  private static final int CONNECTIONS = 128;

  /** Servers that have passed a request on when the next one waits: no tree of partitions needs as many. */
  private static final int WAITING_HOPS = 3;

  /** Part of the limit of a request that the first ones wait for a server of a group to report. */
  private static final int REPORTED_WITHIN = 3;

  private static final Duration FIRST_WAIT = Duration.ofMillis(20);
  private static final Duration CLOSE_WAIT = Duration.ofSeconds(1);

  private final Supplier<PartitionTable> partitions;
  private final MessageAuthentication authentication;
  private final Duration timeout;
  private final TlsTrust trust;
  private final LongConsumer answerBytes;
  private final Map<Integer, Group> groups = new ConcurrentHashMap<>();

  /**
   * No clients yet; they are created on demand.
   *
   * @param partitions the servers of each group
   * @param authentication passes callers on
   * @param timeout limit of one request, repetitions included
   * @param trust the certificates accepted from servers
   * @param answerBytes receives the number of bytes as answers are read, in the requesting thread; may abort by an
   *        exception
   */
  public OtherGroups(
      Supplier<PartitionTable> partitions, MessageAuthentication authentication, Duration timeout, TlsTrust trust,
      LongConsumer answerBytes) {
    this.authentication = authentication;
    this.partitions = partitions;
    this.timeout = timeout;
    this.trust = trust;
    this.answerBytes = answerBytes;
  }

  private final class Group {
    private final int number;
    private final FairPlaces places = new FairPlaces(PLACES, 1);
    private final LongAdder asked = new LongAdder();
    private final LongAdder rejected = new LongAdder();
    private final long since = Timing.system().nanoTime();
    private List<URI> servers = List.of();
    private @Nullable NameService client;

    Group(int number) {
      this.number = number;
    }

    /**
     * The client of the servers that the group has now. Waits for the first report: a server that has just started does
     * not know those of other groups.
     */
    NameService awaitClient() {
      NameService now = client();
      if (now == null) {
        Duration left = timeout.dividedBy(REPORTED_WITHIN).minusNanos(Timing.system().nanoTime() - since);
        boolean unused = Timing.system().await(left, () -> client() != null);
        now = client();
      }
      if (now == null) {
        throw notReported();
      }
      return now;
    }

    private boolean isReported(PartitionTable table) {
      return table.servers().containsKey(number);
    }

    /** The client of the servers that the group has now, or null before the first report of them. */
    private synchronized @Nullable NameService client() {
      PartitionTable table = partitions.get();
      NameService current = client;
      if (!isReported(table)) {
        // The server that the map comes from, or this one, has just started.
        return current;
      }
      List<URI> now = table.living(number).stream().map(Announcement::url).sorted().map(URI::create).toList();
      if (now.isEmpty()) {
        throw notReported();
      }
      if (current == null || !now.equals(servers)) {
        if (current != null) {
          retire(current);
        }
        current = OtherGroups.this.client(now);
        client = current;
        servers = now;
      }
      return current;
    }

    /** What is under way there goes on: it may wait for the group's next primary. */
    private void retire(NameService former) {
      Thread unused =
          Thread.startVirtualThread(
              () -> {
                LockSupport.parkNanos(timeout.toNanos());
                former.close();
              });
    }

    <A> Answer<A> ask(CallContext there, Question<A> question) {
      FairPlaces.Result place = places.tryTake(there.account(), 1);
      if (place != FairPlaces.Result.TAKEN) {
        rejected.increment();
        throw new RnsException(
            RnsError.BUSY,
            place == FairPlaces.Result.OWN_LIMIT
                ? places.limit(there.account()) + " requests of this caller wait for server group " + number
                    + " already, its own limit"
                : PLACES + " requests wait for server group " + number + " already");
      }
      try {
        asked.increment();
        return question.to(awaitClient(), there);
      } catch (RnsException e) {
        throw e.error() == RnsError.UNAVAILABLE || e.error() == RnsError.TIMEOUT ? unanswered(e) : e;
      } finally {
        places.giveBack(there.account(), 1);
      }
    }

    private static RnsException notReported() {
      return new RnsException(RnsError.UNAVAILABLE, "none of its servers has reported lately");
    }

    private RnsException unanswered(RnsException cause) {
      return new RnsException(
          cause.error(), "server group " + number + " does not answer: " + cause.getMessage(), cause);
    }

    synchronized void close() {
      if (client != null) {
        client.close();
      }
    }
  }

  /** A request. */
  interface Question<A> {
    /** Asks a group. */
    Answer<A> to(NameService service, CallContext there);
  }

  /**
   * Has a group answer a part of a call.
   *
   * @throws RnsException what it throws; {@link RnsError#UNAVAILABLE} if no server of the group answers, or is known
   *         within a third of the limit of the first request for it; {@link RnsError#BUSY} if {@value #PLACES} requests
   *         wait for it
   */
  <A> Answer<A> ask(int group, CallContext call, Question<A> question) {
    if (call.hops() >= WAITING_HOPS) {
      // Two groups send it to each other while content moves between them, which is over in a moment.
      Timing.system().pause(FIRST_WAIT.multipliedBy(1L << (call.hops() - WAITING_HOPS)));
    }
    CallContext there = call.toOtherGroup().with(Routing.REFER);
    return groups.computeIfAbsent(group, Group::new).ask(there, question);
  }

  /** Numbers for operators: requests passed on, and rejected because too many were under way, by group. */
  public Map<String, Number> statistics() {
    Map<String, Number> numbers = new TreeMap<>();
    groups.forEach(
        (number, group) -> {
          numbers.put("groups." + number + ".forwarded", group.asked.sum());
          numbers.put("groups." + number + ".rejected", group.rejected.sum());
        });
    return numbers;
  }

  private NameService client(List<URI> servers) {
    return RnsClient.builder()
        .servers(servers)
        .authentication(authentication)
        .connectTimeout(Duration.ofSeconds(1))
        .requestTimeout(timeout)
        .deadline(timeout)
        // Not more: the one who asks first repeats.
        .attempts(servers.size())
        .requestIds(false)
        .connections(CONNECTIONS)
        .closeWait(CLOSE_WAIT)
        .answerBytes(answerBytes)
        .trust(trust)
        .build();
  }

  @Override
  public void close() {
    groups.values().forEach(Group::close);
  }
}
