package io.rns.registrar;

import io.rns.handlespace.ElementKey;
import io.rns.rserpool.AsapMessage;
import io.rns.rserpool.AsapMessage.DeregistrationResponse;
import io.rns.rserpool.AsapMessage.KeepAlive;
import io.rns.rserpool.AsapMessage.RegistrationResponse;
import io.rns.rserpool.ElementDescription;
import io.rns.rserpool.Message;
import io.rns.rserpool.SelectionPolicy;
import java.util.List;
import java.util.Optional;

/** A pool element: registers, renews before its lifetime ends, and tries another registrar if one does not answer. */
final class SimulatedElement implements SimulatedNetwork.Host {
  static final int LIFE_SECONDS = 240;
  private static final long RENEWAL_MILLIS = 60_000;
  private static final long RESPONSE_MILLIS = 1_000;

  private final SimulatedNetwork network;
  private final List<Integer> registrars;
  private final ElementKey key;
  private final SelectionPolicy policy;
  private final int number;
  private int home;
  private boolean up;
  private long changedAt;
  private long registeredSince = Long.MAX_VALUE;
  private int attempt;

  SimulatedElement(SimulatedNetwork network, List<Integer> registrars, ElementKey key, SelectionPolicy policy) {
    this.network = network;
    this.registrars = registrars;
    this.key = key;
    this.policy = policy;
    this.number = network.add(this, false);
    this.home = registrars.get(network.random.nextInt(registrars.size()));
  }

  ElementKey key() {
    return key;
  }

  /** The host of the registrar that it registers with. */
  int home() {
    return home;
  }

  @Override
  public boolean isUp() {
    return up;
  }

  @Override
  public int incarnation() {
    return 0;
  }

  /** When it was last started or stopped. */
  long changedAt() {
    return changedAt;
  }

  /** Start of the registration without known gaps; never, while it is not registered. */
  long registeredSince() {
    return registeredSince;
  }

  void start() {
    up = true;
    changedAt = network.now();
    register();
  }

  void kill() {
    up = false;
    changedAt = network.now();
    registeredSince = Long.MAX_VALUE;
    network.down(number);
  }

  void leave() {
    network.send(number, home, new AsapMessage.Deregistration(Descriptions.handle(key.handle()), key.id()));
    registeredSince = Long.MAX_VALUE;
    attempt++;
    network.after(200, this::kill);
  }

  private void register() {
    int current = ++attempt;
    ElementDescription element =
        new ElementDescription(
            key.id(),
            0,
            LIFE_SECONDS,
            SimulatedNetwork.listeningAt(number),
            policy,
            Optional.of(SimulatedNetwork.listeningAt(number)),
            Optional.empty(),
            Optional.empty());
    network.send(number, home, new AsapMessage.Registration(Descriptions.handle(key.handle()), element));
    network.after(
        RESPONSE_MILLIS,
        () -> {
          if (up && attempt == current) {
            home = registrars.get(network.random.nextInt(registrars.size()));
            register();
          }
        });
  }

  @Override
  public void receive(int from, Message message) {
    switch (message) {
      case RegistrationResponse response -> {
        int current = ++attempt;
        if (!response.rejected()) {
          registeredSince = Math.min(registeredSince, network.now());
        }
        long pause = response.rejected() ? 300 : RENEWAL_MILLIS - 5_000 + network.random.nextInt(5_000);
        network.after(pause, () -> again(current, response.rejected()));
      }
      case KeepAlive keepAlive -> {
        if (keepAlive.newHome()) {
          home = from;
        }
        network.send(number, from, new AsapMessage.KeepAliveAck(keepAlive.handle(), key.id()));
      }
      case DeregistrationResponse response -> {
        if (registeredSince != Long.MAX_VALUE) {
          register();
        }
      }
      default -> throw new AssertionError(message);
    }
  }

  private void again(int current, boolean elsewhere) {
    if (up && attempt == current) {
      if (elsewhere) {
        home = registrars.get(network.random.nextInt(registrars.size()));
      }
      register();
    }
  }

  /** Registers elsewhere when its home goes down. */
  @Override
  public void closed(int other) {
    if (other == home && registeredSince != Long.MAX_VALUE) {
      registeredSince = Long.MAX_VALUE;
      int current = ++attempt;
      network.after(100 + network.random.nextInt(500), () -> again(current, true));
    }
  }
}
