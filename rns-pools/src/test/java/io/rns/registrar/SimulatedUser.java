package io.rns.registrar;

import io.rns.api.RnsPath;
import io.rns.handlespace.ElementKey;
import io.rns.rserpool.AsapMessage;
import io.rns.rserpool.AsapMessage.HandleResolution;
import io.rns.rserpool.AsapMessage.HandleResolutionResponse;
import io.rns.rserpool.Message;
import java.util.List;
import java.util.function.Predicate;

/** A pool user: resolves at any serving registrar, and reports unreachable elements. */
final class SimulatedUser implements SimulatedNetwork.Host {
  private final SimulatedNetwork network;
  private final List<SimulatedRegistrar> registrars;
  private final List<RnsPath> handles;
  private final Predicate<ElementKey> alive;
  private final int number;
  long asked;
  long answered;
  long refused;
  long reported;

  SimulatedUser(
      SimulatedNetwork network, List<SimulatedRegistrar> registrars, List<RnsPath> handles,
      Predicate<ElementKey> alive) {
    this.network = network;
    this.registrars = registrars;
    this.handles = handles;
    this.alive = alive;
    this.number = network.add(this, false);
  }

  void use(long everyMillis) {
    List<SimulatedRegistrar> serving =
        registrars.stream().filter(r -> r.servesSince() < network.now() - 1_000).toList();
    if (!serving.isEmpty()) {
      asked++;
      RnsPath handle = handles.get(network.random.nextInt(handles.size()));
      SimulatedRegistrar registrar = serving.get(network.random.nextInt(serving.size()));
      network.send(number, registrar.number(), new HandleResolution(false, Descriptions.handle(handle)));
    }
    network.after(everyMillis / 2 + network.random.nextLong(everyMillis), () -> use(everyMillis));
  }

  @Override
  public void receive(int from, Message message) {
    HandleResolutionResponse response = (HandleResolutionResponse) message;
    if (response.elements().isEmpty()) {
      refused++;
      return;
    }
    answered++;
    int first = response.elements().get(0).id();
    if (!alive.test(Descriptions.key(response.handle(), first))) {
      reported++;
      network.send(number, from, new AsapMessage.Unreachable(response.handle(), first));
    }
  }

  @Override
  public void closed(int other) {
    // The next request goes to another.
  }

  @Override
  public boolean isUp() {
    return true;
  }

  @Override
  public int incarnation() {
    return 0;
  }
}
