package io.rns.replication.member;

import io.rns.error.RnsException;
import io.rns.replication.GroupMember;
import io.rns.replication.MemberList;
import io.rns.replication.MemberReport;
import io.rns.replication.Timing;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The other members of the group as this one sees them: each is asked again and again on a thread of its own, so that
 * one that does not answer delays no news of the others. Thread-safe.
 */
public final class OtherMembers implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OtherMembers.class);

  /** Between two questions. */
  public static final Duration LOOK_EVERY = Duration.ofMillis(250);

  private final String self;
  private final Function<String, GroupMember> reach;
  private final Timing timing;

  /** Sorted; replaced as a whole. */
  private volatile List<String> known;

  private final Map<String, Heard> latest = new ConcurrentHashMap<>();
  private final Map<String, String> names = new ConcurrentHashMap<>();

  /** The members at whose address nobody listens. */
  private final ConcurrentSkipListSet<String> refusing = new ConcurrentSkipListSet<>();

  /** The latest list of members that was seen. */
  private volatile MemberList latestList = MemberList.NONE;

  /**
   * Whether one of that list, or this server itself, has been met under its address there. Before, all servers may have
   * got other addresses since it was written.
   */
  private volatile boolean met;

  private volatile boolean started;
  private volatile boolean closed;

  /**
   * The servers known at first; none is asked before {@link #start}.
   *
   * @param self address of this server
   * @param servers addresses of others
   * @param reach a member by its address
   */
  public OtherMembers(String self, List<String> servers, Function<String, GroupMember> reach, Timing timing) {
    this.self = self;
    this.reach = reach;
    this.timing = timing;
    this.known = sorted(Stream.concat(Stream.of(self), servers.stream()).distinct());
  }

  /** Begins to ask. */
  public void start() {
    started = true;
    known.forEach(this::watch);
  }

  /** Hears of a member, perhaps a new one. */
  public void hear(String url) {
    if (!known.contains(url) && add(url) && started) {
      watch(url);
    }
  }

  private synchronized boolean add(String url) {
    boolean isNew = !known.contains(url);
    if (isNew) {
      known = sorted(Stream.concat(known.stream(), Stream.of(url)));
    }
    return isNew;
  }

  private synchronized boolean remove(String url) {
    boolean was = known.contains(url);
    known = sorted(known.stream().filter(other -> !other.equals(url)));
    return was;
  }

  /** A list that is not copied again for each report. */
  private static List<String> sorted(Stream<String> urls) {
    return List.copyOf(urls.sorted().toList());
  }

  /** Learns of a list of members, perhaps a later one. */
  void learn(MemberList other) {
    synchronized (this) {
      if (!other.isLater(latestList)) {
        return;
      }
      latestList = other;
    }
    meet(self);
    other.urls().forEach(this::hear);
  }

  private void meet(String url) {
    met = met || latestList.has(url);
  }

  private void watch(String url) {
    if (!url.equals(self)) {
      timing.start("rns-look-" + url, () -> {
        do {
          look(url);
          timing.pause(LOOK_EVERY);
        } while (!closed && !isForgotten(url));
      });
    }
  }

  /** Whether a server is neither a member nor there: it makes itself heard if it comes back. */
  private boolean isForgotten(String url) {
    return excludes(url) && !latest.containsKey(url) && remove(url);
  }

  private void look(String url) {
    long asked = timing.nanoTime();
    try {
      MemberReport report = reach.apply(url).report();
      // Before the report is acted upon.
      learn(report.list());
      meet(url);
      latest.put(url, new Heard(report, asked));
      names.put(url, report.name());
      refusing.remove(url);
      for (String other : report.members()) {
        if (!known.contains(other) && !excludes(other)) {
          hear(other);
        }
      }
    } catch (RnsException e) {
      if (e.getCause() instanceof ConnectException) {
        refusing.add(url);
      } else {
        refusing.remove(url);
      }
      if (latest.remove(url) != null && !closed) {
        LOG.warn("{}", e.getMessage());
      }
    } catch (RuntimeException e) {
      if (!closed) {
        LOG.error("asking {} failed", url, e);
      }
    }
  }

  /** The addresses of all servers that are known, members or not, itself included. */
  List<String> known() {
    return known;
  }

  /** The addresses of the members; without a list that holds, of all servers that are known but for that list. */
  public List<String> members() {
    MemberList listed = list();
    return listed.exists() ? listed.urls() : known.stream().filter(url -> !latestList.has(url)).toList();
  }

  /** How many members there are. */
  int count() {
    MemberList listed = list();
    return listed.exists() ? listed.members().size() : members().size();
  }

  /** The latest list of members that was seen, if it holds for the present addresses. */
  public MemberList list() {
    return met ? latestList : MemberList.NONE;
  }

  /** Whether it is known that a server is no member. */
  public boolean excludes(String url) {
    return list().excludes(url);
  }

  /** The last answers of the servers that answer, members or not. */
  public List<Heard> heard() {
    return List.copyOf(latest.values());
  }

  /** Their reports. */
  public List<MemberReport> reports() {
    List<MemberReport> reports = new ArrayList<>();
    latest.values().forEach(heard -> reports.add(heard.report()));
    return reports;
  }

  /** Whether nobody listens at one of these addresses: a process that has ended, not a slow one. */
  public boolean refuses(String url) {
    return refusing.contains(url);
  }

  /** The addresses of the others that do not answer, with their names as far as those are known. */
  public Map<String, String> unreachable() {
    Map<String, String> missing = new TreeMap<>();
    for (String url : members()) {
      if (!url.equals(self) && !latest.containsKey(url)) {
        missing.put(url, names.getOrDefault(url, url));
      }
    }
    return missing;
  }

  /** Asks no more; a question under way may still be answered. */
  @Override
  public void close() {
    closed = true;
  }
}
