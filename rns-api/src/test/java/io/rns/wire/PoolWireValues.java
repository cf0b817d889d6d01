package io.rns.wire;

import io.rns.api.EndpointReference;
import io.rns.api.RnsPath;
import io.rns.pool.Distance;
import io.rns.pool.ElementPage;
import io.rns.pool.ElementPage.ListedElement;
import io.rns.pool.ElementPage.Loss;
import io.rns.pool.ElementPage.LostElement;
import io.rns.pool.ElementsRequest;
import io.rns.pool.ElementExperience;
import io.rns.pool.Occupancy;
import io.rns.pool.Parameters;
import io.rns.pool.PolicyType;
import io.rns.pool.PoolPage;
import io.rns.pool.PoolPage.ListedPool;
import io.rns.pool.PoolResolution;
import io.rns.pool.PoolResolution.Selected;
import io.rns.pool.PoolsRequest;
import io.rns.pool.Registered;
import io.rns.pool.Registration;
import io.rns.pool.SelectionState;
import io.rns.pool.SharedExperience;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.Supplier;

/** Random values of pools, each generated from its seed. */
public final class PoolWireValues {
  private final WireValues names;
  private final Random random;

  public PoolWireValues(long seed) {
    names = new WireValues(seed);
    random = new Random(seed);
  }

  private <T> List<T> many(int least, int most, Supplier<T> one) {
    List<T> list = new ArrayList<>();
    for (int i = least + random.nextInt(most - least + 1); i > 0; i--) {
      list.add(one.get());
    }
    return list;
  }

  private <T> T one(T[] values) {
    return values[random.nextInt(values.length)];
  }

  /** Often one of the limits. */
  private long unsigned32() {
    return switch (random.nextInt(4)) {
      case 0 -> 0;
      case 1 -> Parameters.FULL;
      default -> random.nextInt() & Parameters.FULL;
    };
  }

  private long unsigned63() {
    return random.nextBoolean() ? random.nextInt(100_000) : random.nextLong() >>> 1;
  }

  public RnsPath handle() {
    return names.path(1);
  }

  public int id() {
    return random.nextInt(4) == 0 ? -1 : 1 + random.nextInt(Integer.MAX_VALUE);
  }

  public PolicyType policy() {
    return one(PolicyType.values());
  }

  private List<EndpointReference> endpoints() {
    return many(1, 3, names::reference);
  }

  private Parameters parameters() {
    if (random.nextInt(4) == 0) {
      return Parameters.PLAIN;
    }
    Occupancy occupancy = new Occupancy(unsigned32(), unsigned63(), unsigned32(), unsigned32());
    return new Parameters(unsigned32(), unsigned32(), unsigned32(), unsigned32(), unsigned32(), occupancy);
  }

  public Registration registration() {
    long lifetime = random.nextInt(4) == 0 ? Registration.FOREVER : 1 + unsigned63() / 2;
    return new Registration(
        id(), endpoints(), parameters(), lifetime,
        random.nextBoolean() ? Optional.empty() : Optional.of(names.reference()));
  }

  public Registered registered() {
    return new Registered(random.nextInt(), unsigned63());
  }

  public PoolResolution resolution() {
    return new PoolResolution(handle(), policy(), many(1, 4, this::selected), unsigned63());
  }

  private Selected selected() {
    Distance distance = new Distance(random.nextBoolean() ? 0 : random.nextInt(Integer.MAX_VALUE));
    SelectionState standing =
        new SelectionState(parameters(), distance, unsigned63(), unsigned63(), unsigned63(), unsigned63());
    return new Selected(id(), endpoints(), standing, unsigned63(),
        new SharedExperience(unsigned63(), unsigned63()));
  }

  public List<ElementExperience> experiences() {
    return many(1, 4, () -> random.nextBoolean() ? ElementExperience.failed(id())
        : new ElementExperience(id(), true, random.nextLong(ElementExperience.MOST_MILLIS + 1)));
  }

  public PoolsRequest poolsRequest() {
    Optional<RnsPath> after = random.nextBoolean() ? Optional.empty() : Optional.of(names.path(0));
    return new PoolsRequest(names.path(0), 1 + random.nextInt(PoolsRequest.PAGE), after);
  }

  public ElementsRequest elementsRequest() {
    return new ElementsRequest(handle(), 1 + random.nextInt(PoolsRequest.PAGE), random.nextBoolean() ? 0 : id());
  }

  public PoolPage pools() {
    return new PoolPage(
        many(0, 4, () -> new ListedPool(handle(), policy(), random.nextInt(1_000), random.nextInt(1_000))),
        random.nextBoolean() ? Optional.empty() : Optional.of(handle()));
  }

  public ElementPage elements() {
    return new ElementPage(
        handle(),
        random.nextInt(4) == 0 ? Optional.empty() : Optional.of(policy()),
        random.nextInt(Integer.MAX_VALUE),
        many(0, 3, this::listed),
        many(0, 3, () -> new LostElement(id(), endpoints(), one(Loss.values()), unsigned63())),
        random.nextBoolean() ? OptionalInt.empty() : OptionalInt.of(id()));
  }

  private ListedElement listed() {
    return new ListedElement(
        id(),
        endpoints(),
        parameters(),
        random.nextInt(4) == 0 ? Registration.FOREVER : unsigned63(),
        random.nextInt(),
        random.nextInt(10),
        perhaps(),
        perhaps());
  }

  private OptionalLong perhaps() {
    return random.nextBoolean() ? OptionalLong.empty() : OptionalLong.of(unsigned63());
  }
}
