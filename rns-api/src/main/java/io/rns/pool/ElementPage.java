package io.rns.pool;

import io.rns.api.EndpointReference;
import io.rns.api.RnsPath;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * One page of the elements of a pool, in the order of their ids, and the elements it lost recently.
 *
 * @param handle the path of the pool
 * @param policy the policy of the pool; empty if it has no elements
 * @param total the number of registered elements on all pages
 * @param elements the elements of this page; may be empty although another page follows
 * @param lost the most recently lost elements, latest first, on the first page only; each server remembers only
 *        elements that it monitored itself, and decides how many and for how long
 * @param next the id after which the next page begins, unsigned; empty on the last page
 */
public record ElementPage(
    RnsPath handle,
    Optional<PolicyType> policy,
    int total,
    List<ListedElement> elements,
    List<LostElement> lost,
    OptionalInt next) {
  /** The maximum number of lost elements in a page. */
  public static final int LOST = 100;

  public ElementPage {
    elements = List.copyOf(elements);
    lost = List.copyOf(lost);
  }

  /** The page of a pool without elements. */
  public static ElementPage none(RnsPath handle) {
    return new ElementPage(handle, Optional.empty(), 0, List.of(), List.of(), OptionalInt.empty());
  }

  /**
   * An element as shown in a listing.
   *
   * @param id the id of the element, unsigned
   * @param endpoints its endpoints, preferred first; at least one
   * @param parameters its last report
   * @param remainingMillis the remaining lifetime without renewal in ms, 0 or more; or {@link Registration#FOREVER}
   * @param home the registrar that monitors it, unsigned
   * @param unreachableReports the hosts of users that could not reach it since it last registered or answered a
   *        keep-alive, as far as the contacted server knows
   * @param silentMillis how long it has not answered its registrar, in ms; empty if it answers, or if only another
   *        server would know
   * @param keepAliveMillis the time until its registrar sends the next keep-alive, in ms; empty while an answer is
   *        pending, if the element cannot be contacted (registered by SOAP or HTTP), or if only another server would
   *        know
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
    public ListedElement {
      endpoints = List.copyOf(endpoints);
    }
  }

  /**
   * An element that was lost without deregistering.
   *
   * @param id the id of the element, unsigned
   * @param endpoints its former endpoints
   * @param loss the reason
   * @param lostMillis how long ago, in ms
   */
  public record LostElement(int id, List<EndpointReference> endpoints, Loss loss, long lostMillis) {
    public LostElement {
      endpoints = List.copyOf(endpoints);
    }
  }

  /** The reason an element was lost. */
  public enum Loss {
    /** It did not renew its registration in time. */
    EXPIRED,
    /** It did not answer the keep-alive of its registrar. */
    SILENT,
    /** Too many users reported it as unreachable. */
    REPORTED
  }
}
