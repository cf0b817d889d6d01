package io.rns.registrar;

import io.rns.api.RnsPath;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.handlespace.ElementKey;
import io.rns.handlespace.Handlespace;
import io.rns.handlespace.Lease;
import io.rns.handlespace.PoolElement;
import io.rns.handlespace.RegistrationOutcome;
import io.rns.handlespace.ResolutionOutcome;
import io.rns.handlespace.TableEntry;
import io.rns.pool.PolicyType;
import io.rns.pool.PoolResolution;
import io.rns.pool.PoolResolution.Selected;
import io.rns.pool.PoolService;
import io.rns.pool.Registered;
import io.rns.pool.Registration;
import java.util.List;

/**
 * What somebody in this process asks of a registrar, as {@link PoolService} has it. Elements that register in this way cannot be
 * asked whether they live: they live by their lifetimes. Only valid within the call that it was given to.
 */
public final class LocalCaller {
  private final int self;
  private final Handlespace handlespace;
  private final ElementService elements;
  private final long now;

  LocalCaller(int self, Handlespace handlespace, ElementService elements, long now) {
    this.self = self;
    this.handlespace = handlespace;
    this.elements = elements;
    this.now = now;
  }

  /** What is known; to be read only. */
  public Handlespace handlespace() {
    return handlespace;
  }

  /**
   * As {@link PoolService#register}.
   *
   * @throws RnsException as there, and {@link RnsError#INVALID_REQUEST} for the root, a lifetime without end, a place for
   *     control, and endpoints of another kind than those of the pool
   */
  public Registered register(RnsPath handle, PolicyType policy, Registration registration) {
    checkLocal(registration);
    TableEntry entry = new TableEntry(handle, policy, new PoolElement(registration, self, 0));
    return switch (elements.register(entry, now)) {
      case RegistrationOutcome.Registered registered -> registered(registered.element());
      case RegistrationOutcome.Renewed renewed -> registered(renewed.element());
      case RegistrationOutcome.OtherPolicy other ->
          throw new RnsException(
              RnsError.OTHER_POLICY, "the policy of pool " + handle + " is " + other.policy() + ", not " + policy);
      case RegistrationOutcome.IdTaken taken ->
          throw new RnsException(
              RnsError.ELEMENT_ID_TAKEN,
              "another element of pool " + handle + " has id " + Integer.toUnsignedString(registration.id())
                  + ": no endpoint address is in common");
      case RegistrationOutcome.Full full ->
          throw new RnsException(
              RnsError.LIMIT_EXCEEDED,
              "pool " + handle + ": " + full.what() + " are limited to " + full.limit() + ", and so many are registered");
      case RegistrationOutcome.NoHandle no ->
          throw new RnsException(RnsError.INVALID_REQUEST, "the root cannot be a pool");
    };
  }

  private static Registered registered(PoolElement element) {
    return new Registered(element.home(), element.version());
  }

  private static void checkLocal(Registration registration) {
    String element = "pool element " + Integer.toUnsignedString(registration.id());
    if (registration.lifetimeMillis() == Registration.FOREVER) {
      throw new RnsException(RnsError.INVALID_REQUEST, element + " needs a lifetime with an end: nobody asks whether it lives");
    }
    if (registration.control().isPresent()) {
      throw new RnsException(RnsError.INVALID_REQUEST, element + " has a place for control, which only ASAP knows");
    }
  }

  /** As {@link PoolService#deregister}. */
  public boolean deregister(RnsPath handle, int id) {
    return elements.deregister(new ElementKey(handle, id), now);
  }

  /**
   * As {@link PoolService#resolve}.
   *
   * @param ttlMillis of the answer, unless a registration in it ends sooner; 0 or more
   */
  public PoolResolution resolve(RnsPath handle, int items, long ttlMillis) {
    return switch (handlespace.resolve(handle, items)) {
      case ResolutionOutcome.Resolved resolved -> {
        List<Lease> leases = resolved.elements().stream().map(element -> lease(handle, element)).toList();
        long first = leases.stream().mapToLong(Lease::expiresMillis).min().orElse(now);
        List<Selected> selected = resolved.selected().stream().map(each -> selected(handle, each)).toList();
        yield new PoolResolution(handle, resolved.policy(), selected, Math.max(0, Math.min(ttlMillis, first - now)));
      }
      case ResolutionOutcome.NoneEligible none ->
          throw new RnsException(
              RnsError.BUSY, "none of " + none.size() + " elements of pool " + handle + " can be selected now");
      case ResolutionOutcome.UnknownPool unknown ->
          throw new RnsException(RnsError.NO_SUCH_POOL, "no element is registered in pool " + handle);
    };
  }

  private Selected selected(RnsPath handle, ResolutionOutcome.Selected selected) {
    PoolElement element = selected.element();
    long reported = Math.max(0, now - lease(handle, element).registeredMillis());
    return new Selected(element.id(), element.registration().endpoints(), selected.standing(), reported);
  }

  private Lease lease(RnsPath handle, PoolElement element) {
    return handlespace.lease(new ElementKey(handle, element.id())).orElseGet(() -> new Lease(now, now));
  }

  /** As {@link PoolService#unreachable}. */
  public void unreachable(RnsPath handle, int id) {
    elements.unreachable(new ElementKey(handle, id), now);
  }
}
