package io.rns.pool;

import io.rns.api.EndpointReference;
import io.rns.api.RnsPath;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Some elements of a pool, in the order of their ids, and those it lost recently.
 *
 * @param handle the path of the pool
 * @param policy the pool's; empty if no element is left
 * @param total how many elements are registered, those of other pages included
 * @param elements those of this page; may be empty although there is a next page
 * @param lost the last that were lost, the latest first, on the first page only; how many and for how long they are
 *        remembered is up to the server, which knows of those alone that it watched over itself
 * @param next the id behind which the next page begins, unsigned; empty if this is the last
 */
public record ElementPage(
    RnsPath handle,
    Optional<PolicyType> policy,
    int total,
    List<ListedElement> elements,
    List<LostElement> lost,
    OptionalInt next) {
  /** The most lost elements that a page tells. */
  public static final int LOST = 100;

  /** Copies. */
  public ElementPage {
    elements = List.copyOf(elements);
    lost = List.copyOf(lost);
  }

  /** The page of a pool that has no elements. */
  public static ElementPage none(RnsPath handle) {
    return new ElementPage(handle, Optional.empty(), 0, List.of(), List.of(), OptionalInt.empty());
  }

  /**
   * An element as a listing shows it.
   *
   * @param id of the element, unsigned
   * @param endpoints where it serves, the preferred first; at least one
   * @param parameters what it said last
   * @param remainingMillis how long the registration holds if it is not renewed, 0 or more; or
   *        {@link Registration#FOREVER}
   * @param home the registrar that watches over it, unsigned
   * @param unreachableReports how many users could not reach it since it registered last, as far as the server that was
   *        asked was told
   * @param silentMillis for how long it has not answered its registrar; empty if it answers, or another server would
   *        know
   * @param keepAliveMillis in how long its registrar asks it whether it lives; empty while an answer is awaited, if it
   *        cannot be asked, as one that registered by SOAP or HTTP, or if another server would know
   */
  public record ListedElement(
      int id,
      List<EndpointReference> endpoints,
      Parameters parameters,
      long remainingMillis,
      int home,
      int unreachableReports,
      OptionalLong silentMillis,
      OptionalLong keepAliveMillis) {
    /** Copies. */
    public ListedElement {
      endpoints = List.copyOf(endpoints);
    }
  }

  /**
   * An element that is gone without having said so.
   *
   * @param id of the element, unsigned
   * @param endpoints where it served
   * @param loss how it was lost
   * @param lostMillis how long ago
   */
  public record LostElement(int id, List<EndpointReference> endpoints, Loss loss, long lostMillis) {
    /** Copies. */
    public LostElement {
      endpoints = List.copyOf(endpoints);
    }
  }

  /** How an element was lost. */
  public enum Loss {
    /** It did not renew its registration in time. */
    EXPIRED,
    /** It did not answer when its registrar asked whether it lives. */
    SILENT,
    /** Too many users could not reach it. */
    REPORTED
  }
}
