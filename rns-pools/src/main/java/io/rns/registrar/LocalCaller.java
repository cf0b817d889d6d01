package io.rns.registrar;

import io.rns.api.RnsPath;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.handlespace.ElementKey;
import io.rns.handlespace.ElementState;
import io.rns.handlespace.Handlespace;
import io.rns.handlespace.Lease;
import io.rns.handlespace.PoolSummary;
import io.rns.handlespace.RegisteredElement;
import io.rns.handlespace.RegistrationOutcome;
import io.rns.handlespace.ResolutionOutcome;
import io.rns.handlespace.TableEntry;
import io.rns.pool.ElementPage;
import io.rns.pool.ElementPage.ListedElement;
import io.rns.pool.ElementPage.LostElement;
import io.rns.pool.ElementsRequest;
import io.rns.pool.ElementExperience;
import io.rns.pool.PolicyType;
import io.rns.pool.PoolPage;
import io.rns.pool.PoolPage.ListedPool;
import io.rns.pool.PoolResolution;
import io.rns.pool.PoolResolution.Selected;
import io.rns.pool.PoolService;
import io.rns.pool.PoolsRequest;
import io.rns.pool.Registered;
import io.rns.pool.Registration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Pool operations for callers in this process, as defined by {@link PoolService}. Elements registered here receive no
 * keep-alives and live until their lifetime ends. Valid only within the call it was passed to.
 */
public final class LocalCaller {
  private final Peers peers;
  private final Handlespace handlespace;
  private final ElementService elements;
  private final RegistrarCounters counters;
  private final ExperienceNews experiences;
  private final long now;

  LocalCaller(Peers peers, Handlespace handlespace, ElementService elements, RegistrarCounters counters,
      ExperienceNews experiences, long now) {
    this.peers = peers;
    this.handlespace = handlespace;
    this.elements = elements;
    this.counters = counters;
    this.experiences = experiences;
    this.now = now;
  }

  /** Counters and sizes of the registrar. */
  public RegistrarFigures figures() {
    return counters.figures(handlespace.poolCount(), handlespace.size(), 1 + peers.all().size());
  }

  /** What the registrar's elements take. */
  public RegistrarMemory memory() {
    return new RegistrarMemory(handlespace.bytes(), counters.updatesRefused());
  }

  /** The handlespace, read-only. */
  public Handlespace handlespace() {
    return handlespace;
  }

  /**
   * As {@link PoolService#register}.
   *
   * @throws RnsException as there, and {@link RnsError#INVALID_REQUEST} for the root, an infinite lifetime, a control
   *         endpoint, or endpoints of another kind than those of the pool
   * @param host a number of the caller's host, whose share of the memory it takes, see {@link Reporters}
   */
  public Registered register(RnsPath handle, PolicyType policy, Registration registration, long host) {
    try {
      return accepted(handle, policy, registration, host);
    } catch (RnsException e) {
      counters.rejected();
      throw e;
    }
  }

  private Registered accepted(RnsPath handle, PolicyType policy, Registration registration, long host) {
    checkLocal(handle, registration);
    TableEntry entry = new TableEntry(handle, policy, new RegisteredElement(registration, peers.self(), 0));
    return switch (elements.register(entry, host, now)) {
      case RegistrationOutcome.Registered registered -> registered(registered.element());
      case RegistrationOutcome.Renewed renewed -> registered(renewed.element());
      case RegistrationOutcome.OtherPolicy other ->
        throw new RnsException(
            RnsError.OTHER_POLICY, "the policy of pool " + handle + " is " + other.policy() + ", not " + policy);
      case RegistrationOutcome.IdTaken taken ->
        throw new RnsException(
            RnsError.ELEMENT_ID_TAKEN,
            "another element of pool " + handle + " has id " + Integer.toUnsignedString(registration.id())
                + " (no endpoint address in common)");
      case RegistrationOutcome.Full full ->
        throw new RnsException(
            RnsError.LIMIT_EXCEEDED,
            "pool " + handle + ": " + full.what() + " are limited to " + full.limit() + ", and this would make "
                + full.value());
      case RegistrationOutcome.NoHandle no ->
        throw new RnsException(RnsError.INVALID_REQUEST, "the root cannot be a pool");
    };
  }

  private static Registered registered(RegisteredElement element) {
    return new Registered(element.home(), element.version());
  }

  private static void checkLocal(RnsPath handle, Registration registration) {
    String element = "element " + Integer.toUnsignedString(registration.id()) + " of pool " + handle;
    if (registration.lifetimeMillis() == Registration.FOREVER) {
      throw new RnsException(
          RnsError.INVALID_REQUEST,
          element + " has the infinite lifetime " + Registration.FOREVER
              + "; only elements with an ASAP connection receive keep-alives, so it must be 1 ms or more");
    }
    if (registration.control().isPresent()) {
      throw new RnsException(
          RnsError.INVALID_REQUEST,
          element + " has a control endpoint, " + registration.control().get().address()
              + ", which only ASAP supports");
    }
  }

  /** As {@link PoolService#deregister}. */
  public boolean deregister(RnsPath handle, int id) {
    return elements.deregister(new ElementKey(handle, id), now);
  }

  /**
   * As {@link PoolService#resolve}.
   *
   * @param ttlMillis upper bound for the validity of the answer, 0 or more; shortened to the end of the first
   *        registration in it
   * @param user a number of the user's host, see {@link Reporters}
   */
  public PoolResolution resolve(RnsPath handle, int items, long ttlMillis, long user) {
    return switch (handlespace.resolve(handle, items)) {
      case ResolutionOutcome.Resolved resolved -> {
        counters.selected();
        List<Lease> leases = resolved.elements().stream().map(element -> lease(handle, element)).toList();
        long first = leases.stream().mapToLong(Lease::expiresMillis).min().orElse(now);
        List<Selected> selected = resolved.selected().stream().map(each -> selected(handle, each, user)).toList();
        yield new PoolResolution(handle, resolved.policy(), selected, Math.max(0, Math.min(ttlMillis, first - now)));
      }
      case ResolutionOutcome.NoneEligible none -> {
        counters.rejected();
        throw new RnsException(
            RnsError.BUSY, "none of " + none.size() + " elements of pool " + handle + " can be selected now");
      }
      case ResolutionOutcome.UnknownPool unknown -> {
        counters.rejected();
        throw noElement(handle);
      }
    };
  }

  private Selected selected(RnsPath handle, ResolutionOutcome.Selected selected, long user) {
    RegisteredElement element = selected.element();
    long reported = Math.max(0, now - lease(handle, element).registeredMillis());
    return new Selected(element.id(), element.registration().endpoints(), selected.standing(), reported,
        handlespace.shared(new ElementKey(handle, element.id()), user, now));
  }

  /**
   * As {@link PoolService#experienced}.
   *
   * @param user a number of the user's host, see {@link Reporters}
   */
  public void experienced(RnsPath handle, List<ElementExperience> met, long user) {
    for (ElementExperience experience : met) {
      ElementKey key = new ElementKey(handle, experience.id());
      if (handlespace.element(key).isPresent()) {
        handlespace.experienced(key, experience, user, now);
        experiences.add(key, experience, user, now);
      }
    }
  }

  private Lease lease(RnsPath handle, RegisteredElement element) {
    return handlespace.lease(new ElementKey(handle, element.id())).orElseGet(() -> new Lease(now, now));
  }

  /** As {@link PoolService#pools}. */
  public PoolPage pools(PoolsRequest request) {
    int size = request.pageSize();
    List<PoolSummary> found = handlespace.poolsBelow(request.below(), request.after(), size + 1);
    List<ListedPool> page =
        found.stream().limit(size)
            .map(pool -> new ListedPool(pool.handle(), pool.policy(), pool.elements(), pool.eligible())).toList();
    return new PoolPage(page, found.size() > size ? Optional.of(page.get(size - 1).handle()) : Optional.empty());
  }

  /** As {@link PoolService#elements}. */
  public ElementPage elements(ElementsRequest request) {
    Optional<PoolSummary> pool = handlespace.pool(request.handle());
    List<LostElement> lost = request.after() == 0 ? elements.losses().of(request.handle(), now) : List.of();
    if (pool.isEmpty() && lost.isEmpty()) {
      throw noElement(request.handle());
    }
    List<ElementState> found = handlespace.elements(request.handle(), request.after(), request.pageSize() + 1);
    List<ListedElement> page =
        found.stream().limit(request.pageSize()).map(state -> listed(request.handle(), state)).toList();
    return new ElementPage(
        request.handle(),
        pool.map(PoolSummary::policy),
        pool.map(PoolSummary::elements).orElse(0),
        page,
        lost,
        found.size() > page.size() ? OptionalInt.of(page.get(page.size() - 1).id()) : OptionalInt.empty());
  }

  private ListedElement listed(RnsPath handle, ElementState state) {
    Registration registration = state.element().registration();
    boolean endless = registration.lifetimeMillis() == Registration.FOREVER;
    OptionalLong asked = state.askedMillis();
    boolean isReached = elements.reaches(new ElementKey(handle, state.element().id()), registration);
    OptionalLong keepAlive = isReached ? state.keepAliveMillis() : OptionalLong.empty();
    return new ListedElement(
        state.element().id(),
        registration.endpoints(),
        registration.parameters(),
        endless ? Registration.FOREVER : Math.max(0, state.lease().expiresMillis() - now),
        state.element().home(),
        state.unreachableReports(),
        asked.isPresent() ? OptionalLong.of(Math.max(0, now - asked.getAsLong())) : OptionalLong.empty(),
        keepAlive.isPresent() ? OptionalLong.of(Math.max(0, keepAlive.getAsLong() - now)) : OptionalLong.empty());
  }

  private static RnsException noElement(RnsPath handle) {
    return new RnsException(RnsError.NO_SUCH_POOL, "no element is registered in pool " + handle);
  }

  /**
   * As {@link PoolService#unreachable}.
   *
   * @param reporter a number of the user's host, see {@link Reporters}
   */
  public void unreachable(RnsPath handle, int id, long reporter) {
    counters.reported();
    elements.unreachable(new ElementKey(handle, id), reporter, now);
  }
}
