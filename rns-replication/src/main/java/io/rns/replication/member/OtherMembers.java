package io.rns.replication.member;

import io.rns.error.RnsException;
import io.rns.replication.GroupMember;
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
  private final ConcurrentSkipListSet<String> known = new ConcurrentSkipListSet<>();
  private final Map<String, Heard> latest = new ConcurrentHashMap<>();
  private final Map<String, String> names = new ConcurrentHashMap<>();

  /** The members at whose address nobody listens. */
  private final ConcurrentSkipListSet<String> refusing = new ConcurrentSkipListSet<>();

  private volatile boolean started;
  private volatile boolean closed;

  /**
   * The members known at first; none is asked before {@link #start}.
   *
   * @param self address of this server
   * @param servers addresses of others
   * @param reach a member by its address
   */
  public OtherMembers(String self, List<String> servers, Function<String, GroupMember> reach, Timing timing) {
    this.self = self;
    this.reach = reach;
    this.timing = timing;
    known.add(self);
    known.addAll(servers);
  }

  /** Begins to ask. */
  public void start() {
    started = true;
    known.forEach(this::watch);
  }

  /** Hears of a member, perhaps a new one. */
  public void hear(String url) {
    if (known.add(url) && started) {
      watch(url);
    }
  }

  private void watch(String url) {
    if (!url.equals(self)) {
      timing.start("rns-look-" + url, () -> {
        while (!closed) {
          look(url);
          timing.pause(LOOK_EVERY);
        }
      });
    }
  }

  private void look(String url) {
    long asked = timing.nanoTime();
    try {
      MemberReport report = reach.apply(url).report();
      latest.put(url, new Heard(report, asked));
      names.put(url, report.name());
      refusing.remove(url);
      report.members().forEach(this::hear);
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

  /** The addresses of all members that are known, itself included. */
  public List<String> known() {
    return List.copyOf(known);
  }

  /** The others that are known. */
  public List<String> others() {
    return known.stream().filter(url -> !url.equals(self)).toList();
  }

  /** The last answers of those that answer. */
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
    for (String url : others()) {
      if (!latest.containsKey(url)) {
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
