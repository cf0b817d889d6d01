package io.rns.registrar;

import io.rns.rserpool.AsapCodec;
import io.rns.rserpool.AsapMessage;
import io.rns.rserpool.Decoded;
import io.rns.rserpool.EnrpCodec;
import io.rns.rserpool.EnrpMessage;
import io.rns.rserpool.IpAddress;
import io.rns.rserpool.Message;
import io.rns.rserpool.Octets;
import io.rns.rserpool.Transport;
import io.rns.rserpool.TransportUse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * Hosts in virtual time. Messages between two hosts keep their order, take 1 to 20 ms, pass through the codecs, and are
 * silently lost while the two are isolated from each other. The peers of a host that goes down see a closed connection;
 * a host that is down refuses connections.
 */
final class SimulatedNetwork {
  private static final IpAddress LOCALHOST = new IpAddress(Octets.of((byte) 127, (byte) 0, (byte) 0, (byte) 1));

  final RandomGenerator random;
  private final List<Host> hosts = new ArrayList<>();
  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private final Map<Long, Long> lastDelivery = new HashMap<>();
  private final Set<Long> open = new HashSet<>();
  private final Set<Integer> isolated = new HashSet<>();
  private final Set<Integer> registrars = new HashSet<>();
  private long now = 1_000;
  private long serial;
  long messages;

  SimulatedNetwork(RandomGenerator random) {
    this.random = random;
  }

  /** A host, identified by its number. */
  interface Host {
    void receive(int from, Message message);

    void closed(int other);

    /** A connection was refused. */
    default void refused(int other) {}

    boolean isUp();

    /** Changes at each restart: messages to an earlier incarnation are lost. */
    int incarnation();
  }

  private record Event(long at, long serial, Runnable what) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      int order = Long.compare(at, other.at);
      return order != 0 ? order : Long.compare(serial, other.serial);
    }
  }

  int add(Host host, boolean registrar) {
    hosts.add(host);
    int number = hosts.size() - 1;
    if (registrar) {
      registrars.add(number);
    }
    return number;
  }

  static Transport listeningAt(int host) {
    return new Transport.Tcp(host, TransportUse.DATA_AND_CONTROL, LOCALHOST);
  }

  static int hostAt(Transport transport) {
    return ((Transport.Tcp) transport).port();
  }

  long now() {
    return now;
  }

  void at(long time, Runnable what) {
    events.add(new Event(Math.max(time, now), serial++, what));
  }

  void after(long millis, Runnable what) {
    at(now + millis, what);
  }

  /** Isolates these registrars from the others; elements and users reach all. */
  void isolate(Set<Integer> some) {
    isolated.clear();
    isolated.addAll(some);
  }

  boolean isIsolated(int registrar) {
    return isolated.contains(registrar);
  }

  private boolean reach(int from, int to) {
    boolean cut =
        registrars.contains(from) && registrars.contains(to) && isolated.contains(from) != isolated.contains(to);
    return !cut && hosts.get(from).isUp() && hosts.get(to).isUp();
  }

  void send(int from, int to, Message message) {
    messages++;
    if (!reach(from, to)) {
      if (!hosts.get(to).isUp()) {
        refuse(from, to);
      }
      return;
    }
    open.add(pair(Math.min(from, to), Math.max(from, to)));
    long time = Math.max(lastDelivery.getOrDefault(pair(from, to), 0L), now + 1 + random.nextInt(20));
    lastDelivery.put(pair(from, to), time);
    byte[] bytes =
        message instanceof AsapMessage asap ? AsapCodec.encode(asap) : EnrpCodec.encode((EnrpMessage) message);
    boolean asap = message instanceof AsapMessage;
    int incarnation = hosts.get(to).incarnation();
    int ofSender = hosts.get(from).incarnation();
    at(
        time,
        () -> {
          boolean same = hosts.get(to).incarnation() == incarnation && hosts.get(from).incarnation() == ofSender;
          if (same && reach(from, to)) {
            hosts.get(to).receive(from, understood(asap ? AsapCodec.decode(bytes) : EnrpCodec.decode(bytes)));
          }
        });
  }

  private void refuse(int from, int by) {
    int incarnation = hosts.get(from).incarnation();
    after(
        1 + random.nextInt(20),
        () -> {
          if (hosts.get(from).isUp() && hosts.get(from).incarnation() == incarnation) {
            hosts.get(from).refused(by);
          }
        });
  }

  private static Message understood(Decoded<? extends Message> decoded) {
    if (decoded instanceof Decoded.Understood<? extends Message> understood && understood.reports().isEmpty()) {
      return understood.message();
    }
    throw new AssertionError(decoded);
  }

  private static long pair(int from, int to) {
    return (long) from << 32 | to;
  }

  /** Takes a host down; hosts with a connection to it notice with a delay. */
  void down(int host) {
    for (int other = 0; other < hosts.size(); other++) {
      int peer = other;
      if (open.remove(pair(Math.min(host, other), Math.max(host, other))) && hosts.get(other).isUp()) {
        int incarnation = hosts.get(peer).incarnation();
        after(
            1 + random.nextInt(50),
            () -> {
              if (hosts.get(peer).isUp() && hosts.get(peer).incarnation() == incarnation) {
                hosts.get(peer).closed(host);
              }
            });
      }
    }
  }

  void runUntil(long time) {
    while (!events.isEmpty() && events.peek().at() <= time) {
      Event event = events.remove();
      now = Math.max(now, event.at());
      event.what().run();
    }
    now = Math.max(now, time);
  }
}
