package io.rns.pool;

import io.rns.api.Caller;
import io.rns.api.RnsPath;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.util.List;

/**
 * Server pools: elements register under a path; users resolve it to elements in the order of the pool's policy.
 *
 * <p>Registrations are soft state: they expire unless renewed. Any server of a group may be contacted; all converge to
 * the same state.
 *
 * <p>Implementations are safe for use by many threads. Besides the errors listed at the methods they throw
 * {@link RnsException} with {@link RnsError#UNAVAILABLE}, while there is no registrar or it is starting up, and
 * {@link RnsError#TIMEOUT}. In both cases another server may answer.
 */
public interface PoolService {
  /** The maximum number of elements in one resolution. */
  int RESOLUTION_ITEMS = 128;

  /**
   * Registers an element, or renews and updates its registration.
   *
   * @param handle the path of the pool, not the root
   * @param policy the policy of the pool; the first element decides it
   * @throws RnsException {@link RnsError#OTHER_POLICY} if the pool has another policy,
   *         {@link RnsError#ELEMENT_ID_TAKEN} if another element has the id, so that this one must choose another,
   *         {@link RnsError#LIMIT_EXCEEDED} if there are too many pools or elements
   */
  Registered register(RnsPath handle, PolicyType policy, Registration registration);

  /**
   * Removes an element.
   *
   * @param id the id of the element, unsigned
   * @return whether it was registered
   */
  boolean deregister(RnsPath handle, int id);

  /**
   * Selects elements of a pool and counts the first as used.
   *
   * @param items the number of elements wanted, 1 to {@value #RESOLUTION_ITEMS}; those after the first are failover
   *        targets
   * @throws RnsException {@link RnsError#NO_SUCH_POOL}, or {@link RnsError#BUSY} if the pool has elements but none can
   *         be selected now
   */
  PoolResolution resolve(RnsPath handle, int items);

  /**
   * Reports that an element did not answer. The registrar sends it a keep-alive at once, and removes it if too many
   * clients report it before it answers or registers again. Reports about unknown elements are ignored.
   *
   * @param id the id of the element, unsigned
   */
  void unreachable(RnsPath handle, int id);

  /**
   * Tells how elements answered, for other users of the pool to know (policy {@code adaptive}). Elements that are not
   * registered are ignored. May be repeated.
   *
   * @param experiences of different elements, 1 to {@value #RESOLUTION_ITEMS}
   */
  void experienced(RnsPath handle, List<ElementExperience> experiences);

  /**
   * This service for the calls of one client, where a server makes them for many: however often one client reports an
   * element, it counts once. A client that makes its own calls needs no other service than this.
   *
   * @param client its network address
   */
  default PoolService calledBy(String client) {
    return this;
  }

  /**
   * This service for the calls of one caller, where a server checks what callers may do. A client's calls need no other
   * service than this.
   */
  default PoolService as(Caller caller) {
    return this;
  }

  /** Returns a page of the pools at and below a path. Read-only. */
  PoolPage pools(PoolsRequest request);

  /**
   * Returns a page of the elements of a pool, with recently lost ones. Read-only.
   *
   * @throws RnsException {@link RnsError#NO_SUCH_POOL} if it has no elements and no remembered losses
   */
  ElementPage elements(ElementsRequest request);
}
