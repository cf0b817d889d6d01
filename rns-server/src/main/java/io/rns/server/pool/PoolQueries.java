package io.rns.server.pool;

import io.rns.api.AddRequest;
import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Caller;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.Entry.Junction;
import io.rns.api.Entry.PoolAnswer;
import io.rns.api.ListRequest;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.Page;
import io.rns.api.QueryRequest;
import io.rns.api.RemoveRequest;
import io.rns.api.Right;
import io.rns.api.RnsPath;
import io.rns.api.SubtreePage;
import io.rns.api.SubtreeRequest;
import io.rns.api.UpdateRequest;
import io.rns.association.RegistrarPools;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.permission.AccessReader;
import io.rns.pool.PoolReference;
import io.rns.pool.PoolResolution;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * A name service whose queries answer, in place of a reference that stands for a pool, the endpoints of the pool's
 * elements, the best element first. Listings and subtrees return references as stored, and so does a query while the
 * registrar does not answer.
 */
public final class PoolQueries implements NameService {
  private final Supplier<NameService> names;
  private final RegistrarPools pools;
  private final AccessReader access;

  /**
   * Wraps a service, which it closes, with pools, which it does not.
   *
   * @param names which service that is now
   * @param access what callers may read: a reference to another pool stays as it is
   */
  public PoolQueries(Supplier<NameService> names, RegistrarPools pools, AccessReader access) {
    this.names = names;
    this.pools = pools;
    this.access = access;
  }

  @Override
  public Answer<List<Outcome<Entry>>> query(CallContext call, QueryRequest request) {
    return names.get().query(call, request).map(outcomes -> replaced(outcomes, call.caller()));
  }

  private List<Outcome<Entry>> replaced(List<Outcome<Entry>> outcomes, Caller caller) {
    List<RnsPath> handles = handles(outcomes);
    if (!handles.isEmpty() && !access.control().of(caller).areAll()
        && !handles.stream().distinct().allMatch(handle -> access.has(caller, Right.READ, handle))) {
      return each(outcomes, caller);
    }

    if (handles.isEmpty()) {
      return outcomes;
    }
    List<Optional<PoolResolution>> resolved;
    try {
      resolved = pools.resolveAll(handles, Limits.EPRS_PER_ENTRY);
    } catch (RnsException e) {
      if (e.error().kind() == RnsError.Kind.TRANSIENT) {
        return outcomes;
      }
      throw e;
    }
    Iterator<Optional<PoolResolution>> next = resolved.iterator();
    return outcomes.stream().map(outcome -> replaced(outcome, next)).toList();
  }

  /** One after the other, since some of the pools are not the caller's to read; entries with one stay as stored. */
  private List<Outcome<Entry>> each(List<Outcome<Entry>> outcomes, Caller caller) {
    return outcomes.stream()
        .map(
            outcome -> handles(List.of(outcome)).stream().allMatch(handle -> access.has(caller, Right.READ, handle))
                ? replaced(List.of(outcome), Caller.SERVICE).getFirst()
                : outcome)
        .toList();
  }

  /** The pools of all references, in order; a plain entry costs a look at how its addresses begin. */
  private static List<RnsPath> handles(List<Outcome<Entry>> outcomes) {
    List<RnsPath> handles = List.of();
    for (Outcome<Entry> outcome : outcomes) {
      if (outcome instanceof Outcome.Done<Entry>(Junction junction)) {
        for (EndpointReference reference : junction.references()) {
          Optional<RnsPath> handle = PoolReference.handle(reference);
          if (handle.isPresent()) {
            handles = handles.isEmpty() ? new ArrayList<>() : handles;
            handles.add(handle.get());
          }
        }
      }
    }
    return handles;
  }

  private static Outcome<Entry> replaced(Outcome<Entry> outcome, Iterator<Optional<PoolResolution>> next) {
    if (!(outcome instanceof Outcome.Done<Entry>(Junction junction))) {
      return outcome;
    }
    Set<EndpointReference> pools =
        junction.references().stream().filter(each -> PoolReference.handle(each).isPresent())
            .collect(Collectors.toSet());
    return pools.isEmpty() ? outcome : Outcome.done(replaced(junction, pools, next));
  }

  private static Entry replaced(Junction junction, Set<EndpointReference> pools,
      Iterator<Optional<PoolResolution>> next) {
    List<EndpointReference> references = new ArrayList<>();
    int room =
        Limits.EPRS_PER_ENTRY - (int) junction.references().stream().filter(each -> !pools.contains(each)).count();
    Optional<String> policy = Optional.empty();
    long ttlMillis = Long.MAX_VALUE;
    for (EndpointReference reference : junction.references()) {
      if (!pools.contains(reference)) {
        references.add(reference);
        continue;
      }
      Optional<PoolResolution> pool = next.next();
      List<EndpointReference> endpoints = pool.map(PoolQueries::endpoints).orElse(List.of());
      List<EndpointReference> fitting = endpoints.subList(0, Math.min(room, endpoints.size()));
      references.addAll(fitting);
      room -= fitting.size();
      policy = policy.or(() -> pool.map(found -> found.policy().toString()));
      ttlMillis = Math.min(ttlMillis, pool.map(PoolResolution::ttlMillis).orElse(0L));
    }
    List<EndpointReference> answered = references.isEmpty() ? junction.references() : references;
    return junction.answered(answered, new PoolAnswer(policy, ttlMillis));
  }

  private static List<EndpointReference> endpoints(PoolResolution pool) {
    return pool.elements().stream().flatMap(element -> element.endpoints().stream()).toList();
  }

  @Override
  public Answer<List<Outcome<Entry>>> add(CallContext call, AddRequest request) {
    return names.get().add(call, request);
  }

  @Override
  public Answer<Outcome<Page>> list(CallContext call, ListRequest request) {
    return names.get().list(call, request);
  }

  @Override
  public Answer<Outcome<SubtreePage>> subtree(CallContext call, SubtreeRequest request) {
    return names.get().subtree(call, request);
  }

  @Override
  public Answer<List<Outcome<Entry>>> update(CallContext call, UpdateRequest request) {
    return names.get().update(call, request);
  }

  @Override
  public Answer<List<Outcome<Entry>>> remove(CallContext call, RemoveRequest request) {
    return names.get().remove(call, request);
  }

  @Override
  public void close() {
    names.get().close();
  }
}
