package io.rns.registrar;

import io.rns.handlespace.ElementKey;
import io.rns.pool.ElementExperience;
import io.rns.rserpool.EnrpMessage.ExperienceReport;
import io.rns.rserpool.Octets;
import io.rns.rserpool.PoolExperience;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What this registrar's users have reported, on its way to the other registrars, which do not pass it on. After one is
 * sent, reports are gathered for {@value #GATHER_MILLIS} ms; of several by one host about one element the last counts.
 * Reports beyond the bounds are dropped: users repeat what others do not know.
 */
final class ExperienceNews {
  /** How long reports are gathered after the last ones were sent. */
  static final long GATHER_MILLIS = 100;

  /** The maximum of what is gathered, in bytes; sent in a few messages. */
  static final int BYTES = 256 * 1_024;

  /** The part of it that one host may use: one report of the pool with the longest handle, or many others. */
  static final int BYTES_OF_HOST = 40_000;

  /** What is sent at once, in bytes; leaves room for the headers of a message. */
  private static final int BYTES_OF_MESSAGE = 60_000;

  /** Of a report without the handle of the pool, rounded up; headers of parameters included. */
  private static final int BYTES_OF_REPORT = 32;

  private final Peers peers;
  private final Map<Source, Gathered> gathered = new LinkedHashMap<>();
  private final Map<Long, Integer> bytesOfHosts = new HashMap<>();
  private int bytes;
  private long due = Long.MAX_VALUE;
  private long soonest = Long.MIN_VALUE;

  private record Source(ElementKey element, long host) {}

  private record Gathered(Octets handle, PoolExperience.Report report) {
    int bytes() {
      return BYTES_OF_REPORT + handle.length();
    }
  }

  ExperienceNews(Peers peers) {
    this.peers = peers;
  }

  /** Gathers a report. */
  void add(ElementKey element, ElementExperience met, long host, long now) {
    if (!peers.known().iterator().hasNext()) {
      return;
    }
    Source source = new Source(element, host);
    Gathered before = gathered.get(source);
    Octets handle = before == null ? Descriptions.handle(element.handle()) : before.handle();
    Gathered report = new Gathered(handle, new PoolExperience.Report(host, met));
    int more = before == null ? report.bytes() : 0;
    int ofHost = bytesOfHosts.getOrDefault(host, 0) + more;
    if (bytes + more > BYTES || ofHost > BYTES_OF_HOST) {
      return;
    }
    gathered.put(source, report);
    bytesOfHosts.put(host, ofHost);
    bytes += more;
    due = due == Long.MAX_VALUE ? Math.max(now, soonest) : due;
  }

  /** When {@link #run} will have something to do. */
  long next() {
    return due;
  }

  /** Sends what is due. */
  void run(long now) {
    if (due > now) {
      return;
    }
    Map<Octets, List<PoolExperience.Report>> message = new LinkedHashMap<>();
    int size = 0;
    for (Gathered each : gathered.values()) {
      if (size + each.bytes() > BYTES_OF_MESSAGE) {
        send(message);
        message.clear();
        size = 0;
      }
      message.computeIfAbsent(each.handle(), handle -> new ArrayList<>()).add(each.report());
      size += each.bytes();
    }
    send(message);
    gathered.clear();
    bytesOfHosts.clear();
    bytes = 0;
    due = Long.MAX_VALUE;
    soonest = now + GATHER_MILLIS;
  }

  private void send(Map<Octets, List<PoolExperience.Report>> message) {
    List<PoolExperience> pools =
        message.entrySet().stream().map(pool -> new PoolExperience(pool.getKey(), pool.getValue())).toList();
    peers.broadcast(new ExperienceReport(peers.self(), 0, pools));
  }
}
