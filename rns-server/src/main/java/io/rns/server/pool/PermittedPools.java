package io.rns.server.pool;

import io.rns.api.Caller;
import io.rns.api.Right;
import io.rns.api.RnsPath;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.permission.AccessReader;
import io.rns.pool.ElementPage;
import io.rns.pool.ElementsRequest;
import io.rns.pool.ElementExperience;
import io.rns.pool.PolicyType;
import io.rns.pool.PoolPage;
import io.rns.pool.PoolPage.ListedPool;
import io.rns.pool.PoolResolution;
import io.rns.pool.PoolService;
import io.rns.pool.PoolsRequest;
import io.rns.pool.Registered;
import io.rns.pool.Registration;
import io.rns.server.audit.RequestAudit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The pools as far as access rules permit: a pool is asked about by those who may read an entry of its path, whether or
 * not there is one, and its elements are registered and removed by those who may change that. Safe for use by many
 * threads.
 */
public final class PermittedPools implements PoolService {
  /** Pools of which a request looks whether the caller may read them, before it finds one, if nothing else is said. */
  static final int SKIPPED = 20_000;

  private final PoolService pools;
  private final AccessReader access;
  private final Caller caller;
  private final int skipped;

  /** The pools for callers without a credential, until {@link #as} names another one. */
  public PermittedPools(PoolService pools, AccessReader access) {
    this(pools, access, SKIPPED);
  }

  /**
   * The same.
   *
   * @param skipped pools that follow each other, of which a request looks whether the caller may read them, before it
   *        finds one
   */
  public PermittedPools(PoolService pools, AccessReader access, int skipped) {
    this(pools, access, Caller.ANONYMOUS, skipped);
  }

  private PermittedPools(PoolService pools, AccessReader access, Caller caller, int skipped) {
    this.pools = pools;
    this.access = access;
    this.caller = caller;
    this.skipped = skipped;
  }

  @Override
  public PoolService as(Caller other) {
    return new PermittedPools(pools, access, other, skipped);
  }

  @Override
  public PoolService calledBy(String client) {
    return new PermittedPools(pools.calledBy(client), access, caller, skipped);
  }

  private void check(String operation, Right right, RnsPath handle) {
    RequestAudit.noteEntry(operation, handle.toString(), right == Right.CHANGE);
    access.check(caller, right, handle);
  }

  @Override
  public Registered register(RnsPath handle, PolicyType policy, Registration registration) {
    check("register", Right.CHANGE, handle);
    return pools.register(handle, policy, registration);
  }

  @Override
  public boolean deregister(RnsPath handle, int id) {
    check("unregister", Right.CHANGE, handle);
    return pools.deregister(handle, id);
  }

  @Override
  public PoolResolution resolve(RnsPath handle, int items) {
    check("resolve", Right.READ, handle);
    return pools.resolve(handle, items);
  }

  @Override
  public void unreachable(RnsPath handle, int id) {
    check("unreachable", Right.READ, handle);
    pools.unreachable(handle, id);
  }

  @Override
  public void experienced(RnsPath handle, List<ElementExperience> experiences) {
    check("experience", Right.READ, handle);
    pools.experienced(handle, experiences);
  }

  /**
   * Pools that the caller may not read are left out, and do not show as the end of a page either: the page ends at a
   * pool that the caller may read.
   *
   * @throws RnsException {@link RnsError#LIMIT_EXCEEDED} if more pools follow each other that the caller may not read
   *         than it is to skip
   */
  @Override
  public PoolPage pools(PoolsRequest request) {
    RequestAudit.noteEntry("pools", request.below().toString(), false);
    PoolPage page = pools.pools(request);
    if (access.control().of(caller).areAll()) {
      return page;
    }
    Map<RnsPath, Boolean> known = new HashMap<>();
    int hidden = 0;
    while (true) {
      List<ListedPool> readable = page.pools().stream().filter(pool -> isReadable(pool.handle(), known)).toList();
      if (!readable.isEmpty() || page.next().isEmpty()) {
        boolean isLast = page.next().isEmpty() && readable.size() <= request.pageSize();
        List<ListedPool> shown = readable.stream().limit(request.pageSize()).toList();
        return new PoolPage(shown, isLast ? Optional.empty() : Optional.of(shown.getLast().handle()));
      }
      hidden += page.pools().size();
      if (hidden > skipped) {
        throw new RnsException(
            RnsError.LIMIT_EXCEEDED,
            "more than " + skipped + " pools below '" + request.below()
                + "' that this caller may not read come before the next; name a path further down");
      }
      page = pools.pools(new PoolsRequest(request.below(), PoolsRequest.PAGE, page.next()));
    }
  }

  /** Whether the caller may; the same for all pools of a directory, unless limits of its credential have paths. */
  private boolean isReadable(RnsPath handle, Map<RnsPath, Boolean> known) {
    RnsPath like = caller.limits().isEmpty() && !handle.isRoot() ? handle.parent() : handle;
    return known.computeIfAbsent(like, unused -> access.has(caller, Right.READ, handle));
  }

  @Override
  public ElementPage elements(ElementsRequest request) {
    check("elements", Right.READ, request.handle());
    return pools.elements(request);
  }
}
