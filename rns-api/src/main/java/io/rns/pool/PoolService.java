package io.rns.pool;

import io.rns.api.RnsPath;
import io.rns.error.RnsError;
import io.rns.error.RnsException;

/**
 * Server pools: elements register themselves under a path, users ask for elements in the order of the pool's policy.
 *
 * <p>What is registered is soft state: it holds for a lifetime and has to be renewed. Any server of a group may be
 * asked; all come to know the same.
 *
 * <p>Implementations are safe for use by many threads. Beside what the methods say they throw {@link RnsException} with
 * {@link RnsError#UNAVAILABLE} while there is no registrar or it has just begun, and {@link RnsError#TIMEOUT}: another
 * server may answer.
 */
public interface PoolService {
  /** Most elements that one resolution gives. */
  int RESOLUTION_ITEMS = 128;

  /**
   * Registers an element, or renews and changes what is known of it.
   *
   * @param handle the path of the pool, not the root
   * @param policy the pool's; the first element decides it
   * @throws RnsException {@link RnsError#OTHER_POLICY} if the pool has another one, {@link RnsError#ELEMENT_ID_TAKEN}
   *         if another element has the id, which calls for a new one, {@link RnsError#LIMIT_EXCEEDED} if there are too
   *         many pools or elements
   */
  Registered register(RnsPath handle, PolicyType policy, Registration registration);

  /**
   * Takes an element out.
   *
   * @param id of the element, unsigned
   * @return whether it was registered
   */
  boolean deregister(RnsPath handle, int id);

  /**
   * Selects elements of a pool and counts the first as used.
   *
   * @param items how many are wanted, 1 to {@value #RESOLUTION_ITEMS}: the others are there to fail over to
   * @throws RnsException {@link RnsError#NO_SUCH_POOL}, or {@link RnsError#BUSY} if the pool has elements and none can
   *         be selected now
   */
  PoolResolution resolve(RnsPath handle, int items);

  /**
   * Reports that an element did not answer. It is asked at once whether it lives, and removed after too many reports;
   * one that is not known is ignored.
   *
   * @param id of the element, unsigned
   */
  void unreachable(RnsPath handle, int id);

  /** A page of the pools at a path and below it. Reads only. */
  PoolPage pools(PoolsRequest request);

  /**
   * A page of the elements of a pool, with those it lost recently. Reads only.
   *
   * @throws RnsException {@link RnsError#NO_SUCH_POOL} if it has no element and lost none that is remembered
   */
  ElementPage elements(ElementsRequest request);
}
