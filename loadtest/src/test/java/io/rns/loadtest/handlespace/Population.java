package io.rns.loadtest.handlespace;

import io.rns.api.EndpointReference;
import io.rns.api.RnsPath;
import io.rns.handlespace.ElementKey;
import io.rns.handlespace.Handlespace;
import io.rns.handlespace.HandlespaceSettings;
import io.rns.handlespace.RegisteredElement;
import io.rns.handlespace.TableEntry;
import io.rns.pool.Parameters;
import io.rns.pool.PolicyType;
import io.rns.pool.Registration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** A handlespace full of elements with random loads, and what they say next, made beforehand. */
@State(Scope.Thread)
public class Population {
  private static final int SELF = 1;
  private static final int OTHER = 2;
  private static final long SEED = 20_070_314;

  /** How many elements there are in all pools. */
  @Param("10000") public int elements;

  /** How many pools they are in. */
  @Param("1") public int pools = 1;

  /** Whether they are registered here, or all at another registrar. */
  @Param("true") public boolean owned = true;

  /** The policy of these, by name. */
  @Param("rr") public String policy = "";

  /** How many elements a resolution gives; those of a policy that ranks are all charged. */
  @Param("1") public int items = 1;

  private Handlespace handlespace = empty(1, new SplittableRandom(SEED));
  private PolicyType type = PolicyType.ROUND_ROBIN;
  private List<Registration> registrations = List.of();
  private List<ElementKey> keys = List.of();
  private int turn;
  private long now;
  private long load = SEED;
  private long version;

  /** Fills the pool; whoever speaks does so in an order that has nothing to do with that of the ids. */
  @Setup(Level.Trial)
  public void fill() {
    SplittableRandom random = new SplittableRandom(SEED);
    type = PolicyType.ofName(policy).orElseThrow();
    handlespace = empty(items, random);
    Set<Integer> ids = new LinkedHashSet<>();
    while (ids.size() < elements) {
      ids.add(1 + random.nextInt(Integer.MAX_VALUE - 1));
    }
    List<Registration> said = new ArrayList<>();
    for (int id : ids) {
      Registration registration = registration(id, random.nextLong() & Parameters.FULL);
      if (owned) {
        handlespace.register(handle(id), type, registration, now);
      } else {
        handlespace.apply(announced(registration), now);
      }
      said.add(registration);
    }
    Collections.shuffle(said, new Random(SEED));
    registrations = List.copyOf(said);
    keys = said.stream().map(r -> new ElementKey(handle(r.id()), r.id())).toList();
  }

  private RnsPath handle(int id) {
    return RnsPath.parse("/bench/pool" + id % pools);
  }

  private static Handlespace empty(int items, SplittableRandom random) {
    HandlespaceSettings defaults = HandlespaceSettings.DEFAULTS;
    HandlespaceSettings settings =
        new HandlespaceSettings(
            defaults.pools(), defaults.elements(), defaults.elementsPerPool(), items, items, defaults.keepAliveMillis(),
            defaults.keepAliveTimeoutMillis(), defaults.unreachableReports());
    return new Handlespace(SELF, 1, settings, random);
  }

  private static Registration registration(int id, long load) {
    String address = "tcp://127.0.0.1:" + (1_024 + id % 60_000);
    return new Registration(
        id, List.of(EndpointReference.ofAddress(address)), Parameters.PLAIN.withLoad(load), Registration.FOREVER);
  }

  Handlespace handlespace() {
    return handlespace;
  }

  PolicyType type() {
    return type;
  }

  /** On to the next element that speaks. */
  void advance() {
    turn = turn + 1 == registrations.size() ? 0 : turn + 1;
  }

  /** What the element says whose turn it is. */
  Registration said() {
    return registrations.get(turn);
  }

  /** The same as an element has said, with another load. */
  Registration reported(Registration said) {
    load = (load * 0x5851_f42dL + 1) & Parameters.FULL;
    return new Registration(
        said.id(), said.endpoints(), Parameters.PLAIN.withLoad(load), said.lifetimeMillis(), said.control());
  }

  /** The same as another registrar announces it. */
  TableEntry announced(Registration registration) {
    return new TableEntry(handle(registration.id()), type, new RegisteredElement(registration, OTHER, ++version));
  }

  /** Its name. */
  ElementKey key() {
    return keys.get(turn);
  }

  /** Its pool. */
  RnsPath handle() {
    return key().handle();
  }

  /** The time, in milliseconds. */
  long now() {
    return now;
  }

  /** Lets time pass until there is something to do. */
  long untilDue() {
    now = Math.max(now, handlespace.nextTimerMillis().orElse(now));
    return now;
  }
}
