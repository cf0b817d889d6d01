package io.rns.loadtest.sim;

import io.rns.api.EndpointReference;
import io.rns.api.RnsPath;
import io.rns.handlespace.Handlespace;
import io.rns.handlespace.HandlespaceSettings;
import io.rns.handlespace.RegistrationOutcome;
import io.rns.handlespace.ResolutionOutcome;
import io.rns.handlespace.ResolutionOutcome.Selected;
import io.rns.pool.Parameters;
import io.rns.pool.PolicyType;
import io.rns.pool.Registration;
import java.util.List;
import java.util.random.RandomGenerator;

/** A registrar of one pool: the handlespace of production. Elements are numbered from 0; their ids are one higher. */
final class SimulatorRegistrar {
  private static final RnsPath HANDLE = RnsPath.parse("/pool");
  private static final List<EndpointReference> ENDPOINTS =
      List.of(EndpointReference.ofAddress("http://element.example/"));
  /** Nobody dies here: no keep-alive falls due within any simulation. */
  private static final long NEVER_MILLIS = 1L << 50;

  private final Calendar calendar;
  private final PolicyType policy;
  private final int items;
  private final Handlespace handlespace;
  private long resolutions;

  SimulatorRegistrar(Calendar calendar, PolicyType policy, int items, RandomGenerator random) {
    this.calendar = calendar;
    this.policy = policy;
    this.items = items;
    this.handlespace =
        new Handlespace(1, 0, new HandlespaceSettings(1, 1_000, 1_000, items, 1, NEVER_MILLIS, NEVER_MILLIS, 3),
            random);
  }

  void register(int number, Parameters parameters) {
    Registration registration = new Registration(number + 1, ENDPOINTS, parameters, Registration.FOREVER);
    RegistrationOutcome outcome = handlespace.register(HANDLE, policy, registration, calendar.millis());
    if (!(outcome instanceof RegistrationOutcome.Registered || outcome instanceof RegistrationOutcome.Renewed)) {
      throw new IllegalStateException("the registrar refuses element " + number + ": " + outcome);
    }
  }

  /** The elements to use, the best first; empty if none can be used now. */
  List<Selected> resolve() {
    resolutions++;
    return switch (handlespace.resolve(HANDLE, items)) {
      case ResolutionOutcome.Resolved resolved -> resolved.selected();
      case ResolutionOutcome.NoneEligible none -> List.of();
      case ResolutionOutcome.UnknownPool unknown -> throw new IllegalStateException("the pool has no elements");
    };
  }

  long resolutions() {
    return resolutions;
  }
}
