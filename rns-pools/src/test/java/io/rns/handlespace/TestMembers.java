package io.rns.handlespace;

import io.rns.api.EndpointReference;
import io.rns.api.RnsPath;
import io.rns.pool.Distance;
import io.rns.pool.Parameters;
import io.rns.pool.PolicyType;
import io.rns.pool.Registration;
import io.rns.pool.SelectionState;
import java.util.List;

/** Elements of one pool, for tests of the sets that contain them. */
final class TestMembers {
  /** The home of all elements. */
  static final int HOME = 1;

  private final Pool pool = new Pool(RnsPath.parse("/p"), PolicyType.ROUND_ROBIN);

  Pool pool() {
    return pool;
  }

  PoolMember member(int id, long serial) {
    Registration registration =
        new Registration(id, List.of(EndpointReference.ofAddress("tcp:a")), Parameters.PLAIN, Registration.FOREVER);
    return new PoolMember(pool, new RegisteredElement(registration, HOME, 1),
        SelectionState.fresh(Parameters.PLAIN, Distance.NONE, 0),
        serial);
  }
}
