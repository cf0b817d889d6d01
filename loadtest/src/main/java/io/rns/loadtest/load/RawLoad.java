package io.rns.loadtest.load;

import io.rns.loadtest.http.AnswerCheck;
import io.rns.loadtest.http.HttpClients;
import io.rns.loadtest.http.RequestSource;
import io.rns.loadtest.http.Template;
import io.rns.loadtest.measure.Failure;
import io.rns.loadtest.measure.LoadClient;
import io.rns.loadtest.measure.Workload;
import io.rns.loadtest.service.Answers;
import io.rns.loadtest.service.HttpTarget;
import io.rns.loadtest.service.Messages;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Workloads of prepared bytes.
 *
 * @param connector makes the clients
 * @param timeout after which a request has failed
 */
public record RawLoad(HttpTarget service, LoadData data, Connector connector, Duration timeout) {
  private static final int PREPARED_BATCHES = 200;

  /** Makes clients that send the requests of their sources. */
  interface Connector {
    /** Prepares requests without sending them: what is measured is the generator. */
    Connector NONE =
        (server, count, sources, check) -> IntStream.range(0, count)
            .<LoadClient>mapToObj(client -> new Unsent(sources.apply(client))).toList();

    List<LoadClient> clients(InetSocketAddress server, int count, IntFunction<RequestSource> sources,
        AnswerCheck check);
  }

  private record Unsent(RequestSource source) implements LoadClient {
    @Override
    public boolean prepare() {
      return source.next() != null;
    }

    @Override
    public @Nullable Failure perform() {
      return null;
    }

    @Override
    public void cut() {}

    @Override
    public void close() {}
  }

  /** Requests over HTTP. */
  public RawLoad(HttpTarget service, LoadData data, Duration timeout) {
    this(service, data, HttpClients::of, timeout);
  }

  /** The workload of an operation. */
  public Workload of(LoadOperation operation, int clients) {
    IntFunction<RequestSource> sources = sources(operation);
    AnswerCheck check = operation.adds() ? Answers.countingAdded(data.added(), operation.items()) : Answers::soap;
    return new Workload(operation.toString(), operation.items(),
        () -> connector.clients(service.address(), clients, sources, check), timeout);
  }

  /** One request of an operation, as the load sends it. */
  byte[] sample(LoadOperation operation) {
    byte[] request = sources(operation).apply(0).next();
    if (request == null) {
      throw new IllegalStateException(operation + " has no request");
    }
    return request;
  }

  private IntFunction<RequestSource> sources(LoadOperation operation) {
    return switch (operation) {
      case QUERY -> queries();
      case QUERY_BATCH ->
        anyOf(PREPARED_BATCHES, random -> Messages.queryBatch(data.somePaths(random, operation.items())));
      case ADD, ADD_BATCH -> adds(operation.items());
      case LIST -> pages();
      case LOOKUP, LOOKUP_BATCH ->
        anyOf(operation == LoadOperation.LOOKUP ? data.places().junctions() : PREPARED_BATCHES,
            random -> Messages.lookup(data.listed(), data.someListed(random, operation.items())));
      case LISTING, SESSION, MIX, TRACE -> throw new IllegalArgumentException(operation + " cannot be prepared");
      case MIXED -> mixed();
    };
  }

  private IntFunction<RequestSource> queries() {
    List<byte[]> requests = new ArrayList<>();
    for (int number = 0; number < data.places().junctions(); number++) {
      requests.add(service.post(Messages.query(data.places().junction(number))));
    }
    return client -> {
      SplittableRandom random = new SplittableRandom(client);
      return () -> requests.get(data.someNumber(random));
    };
  }

  private IntFunction<RequestSource> pages() {
    return anyOf(data.pages().stream()
        .map(from -> service.post(Messages.list(data.listed(), LoadOperation.LIST.items(), from))).toList());
  }

  private IntFunction<RequestSource> anyOf(int count, Function<SplittableRandom, byte[]> message) {
    SplittableRandom random = new SplittableRandom(1);
    List<byte[]> requests = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      requests.add(service.post(message.apply(random)));
    }
    return anyOf(requests);
  }

  private static IntFunction<RequestSource> anyOf(List<byte[]> requests) {
    return client -> {
      SplittableRandom random = new SplittableRandom(client);
      return () -> requests.get(random.nextInt(requests.size()));
    };
  }

  private IntFunction<RequestSource> adds(int items) {
    String name = "e" + Template.PLACEHOLDER;
    byte[] message =
        items == 1
            ? Messages.add(data.addedTo(), name)
            : Messages.addBatch(data.addedTo(), Collections.nCopies(items, name));
    // The number is in the name and in the address.
    Template template = Template.of(service.post(message), 2);
    return client -> {
      Template own = template.copy();
      return () -> own.with(data.takeNumbers(items));
    };
  }

  private IntFunction<RequestSource> mixed() {
    IntFunction<RequestSource> queries = sources(LoadOperation.QUERY);
    IntFunction<RequestSource> adds = sources(LoadOperation.ADD);
    IntFunction<RequestSource> lists = sources(LoadOperation.LIST);
    return client -> {
      SplittableRandom random = new SplittableRandom(client);
      RequestSource query = queries.apply(client);
      RequestSource add = adds.apply(client);
      RequestSource list = lists.apply(client);
      return () -> switch (LoadOperation.partOfMix(random.nextInt(100))) {
        case ADD -> add.next();
        case LIST -> list.next();
        default -> query.next();
      };
    };
  }
}
