package io.rns.registrar;

import io.rns.handlespace.ElementKey;
import io.rns.handlespace.TableEntry;
import io.rns.handlespace.TablePage;
import io.rns.rserpool.EnrpMessage;
import io.rns.rserpool.Message;
import io.rns.rserpool.ServerInformation;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A registrar on a host; each start has a new id. */
final class SimulatedRegistrar implements SimulatedNetwork.Host {
  private final SimulatedNetwork network;
  private final RegistrarSettings settings;
  private final int number;
  private final Map<Integer, Integer> takeovers;
  private @Nullable Registrar registrar;
  private int id;
  private int incarnation;
  private long wakeAt = Long.MAX_VALUE;
  private long servesSince = Long.MAX_VALUE;

  SimulatedRegistrar(SimulatedNetwork network, RegistrarSettings settings, Map<Integer, Integer> takeovers) {
    this.network = network;
    this.settings = settings;
    this.takeovers = takeovers;
    this.number = network.add(this, true);
  }

  int number() {
    return number;
  }

  int id() {
    return id;
  }

  Registrar registrar() {
    if (registrar == null) {
      throw new IllegalStateException("registrar " + number + " is down");
    }
    return registrar;
  }

  @Override
  public boolean isUp() {
    return registrar != null;
  }

  @Override
  public int incarnation() {
    return incarnation;
  }

  /** Since when it serves; never, while it does not. */
  long servesSince() {
    return servesSince;
  }

  void start(List<Integer> others) {
    incarnation++;
    id = network.random.nextInt() | 1;
    ServerInformation self = new ServerInformation(id, SimulatedNetwork.listeningAt(number));
    registrar =
        new Registrar(
            self,
            network.now(),
            settings,
            others.stream().map(SimulatedNetwork::listeningAt).toList(),
            new SplittableRandom(network.random.nextLong()));
    act(r -> r.start(network.now()));
  }

  void kill() {
    registrar = null;
    incarnation++;
    wakeAt = Long.MAX_VALUE;
    servesSince = Long.MAX_VALUE;
    network.down(number);
  }

  @Override
  public void receive(int from, Message message) {
    act(r -> r.received(from, from, message, network.now()));
  }

  @Override
  public void closed(int other) {
    act(r -> r.closed(other, network.now()));
  }

  @Override
  public void refused(int other) {
    act(r -> r.refused(SimulatedNetwork.listeningAt(other), network.now()));
  }

  private void act(Function<Registrar, List<Effect>> what) {
    Set<Integer> takenOver = new HashSet<>();
    for (Effect effect : what.apply(registrar())) {
      if (effect instanceof Effect.Send send) {
        if (send.message() instanceof EnrpMessage.TakeoverServer takeover) {
          takenOver.add(takeover.target());
        }
        network.send(number, host(send.to()), send.message());
      }
    }
    takenOver.forEach(target -> takeovers.merge(target, 1, Integer::sum));
    if (registrar().isServing()) {
      servesSince = Math.min(servesSince, network.now());
    }
    long next = registrar().nextTimerMillis();
    if (next < wakeAt) {
      wakeAt = next;
      int life = incarnation;
      network.at(next, () -> wake(next, life));
    }
  }

  private void wake(long at, int life) {
    if (life == incarnation && at == wakeAt) {
      wakeAt = Long.MAX_VALUE;
      act(r -> r.run(network.now()));
    }
  }

  private static int host(Recipient to) {
    return switch (to) {
      case Recipient.Connected connected -> (int) connected.id();
      case Recipient.Listening listening -> SimulatedNetwork.hostAt(listening.transport());
      case Recipient.Everyone everyone -> throw new AssertionError("nobody announces itself here");
    };
  }

  Map<ElementKey, TableEntry> table() {
    Map<ElementKey, TableEntry> table = new TreeMap<>();
    Optional<ElementKey> after = Optional.empty();
    TablePage page;
    do {
      page = registrar().handlespace().synchronisation().table(after, 500);
      for (TableEntry entry : page.entries()) {
        table.put(entry.key(), entry);
        after = Optional.of(entry.key());
      }
    } while (page.more());
    return table;
  }
}
