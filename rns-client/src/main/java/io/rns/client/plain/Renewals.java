package io.rns.client.plain;

import io.rns.api.EndpointReference;
import io.rns.client.call.BoundedCache;
import io.rns.client.call.Deadline;
import io.rns.client.call.Ticker;
import io.rns.client.message.ReferenceParts;
import io.rns.client.message.StandardCall;
import io.rns.client.message.StandardCall.Result;
import io.rns.client.message.StandardFault;
import io.rns.error.RnsException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Asks the resolvers of a reference for the current one of its resource. Their response is accepted if it carries the
 * same endpoint identifier, so a reference without one is not renewed. Safe for use by many threads.
 */
final class Renewals {
  /** Identifiers whose renewed references are remembered. */
  private static final int KNOWN = 10_000;

  private static final Duration KNOWN_FOR = Duration.ofHours(24);

  /** Questions to resolvers in one renewal, those that others refer to included. */
  private static final int MOST_QUESTIONS = 8;

  /** The most time of one question. */
  private static final Duration QUESTION = Duration.ofSeconds(3);

  private final ReferenceCalls calls;
  private final BoundedCache<String, EndpointReference> known;

  Renewals(ReferenceCalls calls, Ticker ticker) {
    this.calls = calls;
    this.known = new BoundedCache<>(KNOWN, KNOWN_FOR, ticker);
  }

  /** A question to a resolver: about an identifier, or about the resource that its reference stands for. */
  private record Question(EndpointReference resolver, Optional<String> identifier) {
    StandardCall<EndpointReference> call() {
      return identifier.map(StandardCall::resolveIdentifier).orElseGet(StandardCall::resolve);
    }
  }

  /** What an earlier renewal has found. */
  Optional<EndpointReference> known(ReferenceParts parts) {
    return parts.identifier().flatMap(known::get);
  }

  /**
   * The reference that the resource has now.
   *
   * @param parts of the reference as received
   * @param failed the reference that leads nowhere, which may be an earlier renewal
   * @return empty if no resolver returns another with the same identifier
   */
  Optional<EndpointReference> renew(ReferenceParts parts, EndpointReference failed, Deadline deadline) {
    if (parts.identifier().isEmpty()) {
      return Optional.empty();
    }
    String identifier = parts.identifier().get();
    known.remove(identifier);
    Deque<Question> questions = new ArrayDeque<>();
    parts.identifierResolvers().forEach(resolver -> questions.add(new Question(resolver, parts.identifier())));
    parts.referenceResolvers().forEach(resolver -> questions.add(new Question(resolver, Optional.empty())));
    Set<Question> asked = new HashSet<>();
    while (!questions.isEmpty() && asked.size() < MOST_QUESTIONS && deadline.nanosLeft() > 0) {
      Question question = questions.remove();
      if (asked.add(question)) {
        Optional<EndpointReference> fresh = ask(question, identifier, questions, deadline);
        if (fresh.isPresent() && !isSame(fresh.get(), failed)) {
          known.put(identifier, fresh.get());
          return fresh;
        }
      }
    }
    return Optional.empty();
  }

  private Optional<EndpointReference> ask(
      Question question, String identifier, Deque<Question> more, Deadline deadline) {
    Result<EndpointReference> result;
    try {
      result = calls.once(question.resolver(), question.call(), deadline.butWithin(QUESTION));
    } catch (RnsException e) {
      // The caller reports why the reference itself failed; a resolver that fails too adds nothing to that.
      return Optional.empty();
    }
    if (result instanceof Result.Done<EndpointReference> done) {
      boolean same = done.value().endpointIdentifier().filter(identifier::equals).isPresent();
      return same ? Optional.of(done.value()) : Optional.empty();
    }
    StandardFault fault = ((Result.Failed<EndpointReference>) result).fault();
    fault.referrals().forEach(resolver -> more.add(new Question(resolver, Optional.empty())));
    fault.identifiers().forEach(other -> more.add(new Question(question.resolver(), Optional.of(other))));
    return Optional.empty();
  }

  private static boolean isSame(EndpointReference fresh, EndpointReference failed) {
    return fresh.address().equals(failed.address())
        && ReferenceParts.of(fresh).parameters().equals(ReferenceParts.of(failed).parameters());
  }
}
