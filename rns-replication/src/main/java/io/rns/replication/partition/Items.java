package io.rns.replication.partition;

import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Entry;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.Target;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * The items of a request, and what has to be known of their kind to divide them.
 *
 * @param all the items
 * @param together whether one refused item prevents all
 * @param content whether the content of directories is asked for, not only their entries
 * @param target the target of an item
 * @param at an item with another target
 * @param destination the directory that an item goes to
 * @param to an item that goes to another directory
 * @param request asks a service for some of the items
 */
record Items<I>(
    List<I> all, boolean together, boolean content, Function<I, Target> target, BiFunction<I, Target, I> at,
    Function<I, Optional<Target>> destination, BiFunction<I, Target, I> to, Request<I> request) {
  /** A request for some of the items. */
  interface Request<I> {
    Answer<List<Outcome<Entry>>> ask(NameService service, CallContext call, List<I> items);
  }

  /** Items that go nowhere. */
  static <I> Items<I> of(
      List<I> all, boolean together, boolean content, Function<I, Target> target, BiFunction<I, Target, I> at,
      Request<I> request) {
    return new Items<>(
        all, together, content, target, at, item -> Optional.empty(), (item, directory) -> item, request);
  }
}
