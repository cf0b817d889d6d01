package io.rns.loadtest.load;

import io.rns.api.Cursor;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The requests of operations, made beforehand as far as possible, by whatever transport.
 *
 * @param <R> a request of the transport, which may be made more than once
 */
abstract class OperationLoad<R> {
  private static final int PREPARED_BATCHES = 200;

  final LoadData data;

  OperationLoad(LoadData data) {
    this.data = data;
  }

  abstract R query(List<String> paths);

  abstract R lookup(List<String> names);

  abstract R list(Optional<Cursor> page);

  /** Requests of one client, each of which adds entries with new names. */
  abstract Supplier<R> additions(int items);

  /** What supplies the requests of the client of a number. */
  final IntFunction<Supplier<R>> requests(LoadOperation operation) {
    int items = operation.items();
    return switch (operation) {
      case QUERY -> {
        List<R> each = data.places().paths().stream().map(path -> query(List.of(path))).toList();
        yield drawn(random -> each.get(data.someNumber(random)));
      }
      case QUERY_BATCH -> anyOf(prepared(PREPARED_BATCHES, random -> query(data.somePaths(random, items))));
      case LOOKUP -> anyOf(prepared(data.places().junctions(), random -> lookup(data.someListed(random, items))));
      case LOOKUP_BATCH -> anyOf(prepared(PREPARED_BATCHES, random -> lookup(data.someListed(random, items))));
      case LIST -> anyOf(data.pages().stream().map(this::list).toList());
      case ADD, ADD_BATCH -> client -> additions(items);
      case MIXED -> mixed();
      case LISTING, SESSION, MIX, TRACE -> throw new IllegalArgumentException(operation + " cannot be prepared");
    };
  }

  private List<R> prepared(int count, Function<SplittableRandom, R> request) {
    SplittableRandom random = new SplittableRandom(1);
    return Stream.generate(() -> request.apply(random)).limit(count).toList();
  }

  private IntFunction<Supplier<R>> anyOf(List<R> requests) {
    return drawn(random -> requests.get(random.nextInt(requests.size())));
  }

  private IntFunction<Supplier<R>> drawn(Function<SplittableRandom, R> request) {
    return client -> {
      SplittableRandom random = new SplittableRandom(client);
      return () -> request.apply(random);
    };
  }

  private IntFunction<Supplier<R>> mixed() {
    IntFunction<Supplier<R>> queries = requests(LoadOperation.QUERY);
    IntFunction<Supplier<R>> lists = requests(LoadOperation.LIST);
    return client -> {
      SplittableRandom random = new SplittableRandom(client);
      Supplier<R> query = queries.apply(client);
      Supplier<R> add = additions(1);
      Supplier<R> list = lists.apply(client);
      return () -> {
        int drawn = random.nextInt(100);
        return (drawn < 90 ? query : drawn < 98 ? add : list).get();
      };
    };
  }
}
