package io.rns.loadtest;

import io.rns.loadtest.http.AnswerCheck;
import io.rns.loadtest.http.RequestSource;
import io.rns.loadtest.http.Template;
import io.rns.loadtest.measure.LoadClient;
import io.rns.loadtest.measure.Workload;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntFunction;

/** The workloads of prepared bytes. */
final class RawLoad {
  private static final int PREPARED_BATCHES = 200;

  private final HttpTarget service;
  private final LoadData data;
  private final Connector connector;
  private final Duration timeout;

  /** Makes clients that send the requests of their sources. */
  interface Connector {
    List<LoadClient> clients(InetSocketAddress server, int count, IntFunction<RequestSource> sources,
        AnswerCheck check);
  }

  RawLoad(HttpTarget service, LoadData data, Connector connector, Duration timeout) {
    this.service = service;
    this.data = data;
    this.connector = connector;
    this.timeout = timeout;
  }

  /** The workload of an operation. */
  Workload of(LoadOperation operation, int clients) {
    return workload(operation.toString(), operation.items(), clients, service, sources(operation), check(operation));
  }

  private AnswerCheck check(LoadOperation operation) {
    return operation.adds() ? Answers.countingAdded(data.added(), operation.items()) : Answers::soap;
  }

  private Workload workload(
      String name, int items, int clients, HttpTarget target, IntFunction<RequestSource> sources, AnswerCheck check) {
    return new Workload(name, items, () -> connector.clients(target.address(), clients, sources, check), timeout);
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
      case QUERY -> someQueries();
      case QUERY_BATCH -> anyOf(queryBatches());
      case ADD -> adds(1);
      case ADD_BATCH -> adds(operation.items());
      case LIST -> anyOf(pages());
      case LOOKUP -> anyOf(lookups(operation, data.paths().size()));
      case LOOKUP_BATCH -> anyOf(lookups(operation, PREPARED_BATCHES));
      case LISTING, SESSION, MIX, TRACE -> throw new IllegalArgumentException(operation + " cannot be prepared");
      case MIXED -> mixed();
    };
  }

  private IntFunction<RequestSource> someQueries() {
    List<byte[]> requests = queries();
    return client -> {
      SplittableRandom random = new SplittableRandom(client);
      return () -> requests.get(data.someNumber(random));
    };
  }

  private List<byte[]> queries() {
    List<byte[]> requests = new ArrayList<>();
    data.paths().forEach(path -> requests.add(service.post(Messages.query(path))));
    return requests;
  }

  private List<byte[]> queryBatches() {
    SplittableRandom random = new SplittableRandom(1);
    List<byte[]> requests = new ArrayList<>();
    for (int i = 0; i < PREPARED_BATCHES; i++) {
      requests.add(service.post(Messages.queryBatch(data.somePaths(random, LoadOperation.QUERY_BATCH.items()))));
    }
    return requests;
  }

  private List<byte[]> lookups(LoadOperation operation, int count) {
    SplittableRandom random = new SplittableRandom(1);
    List<byte[]> requests = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      requests.add(service.post(Messages.lookup(data.listed(), data.someListed(random, operation.items()))));
    }
    return requests;
  }

  private List<byte[]> pages() {
    List<byte[]> requests = new ArrayList<>();
    data.pages().forEach(from -> requests.add(service.post(Messages.list(data.listed(), data.pageSize(), from))));
    return requests;
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
    // a number stands in the name and in the address
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

  /** The workload of resolving a server pool. */
  Workload poolResolution(String handle, int clients) {
    byte[] request = service.post(Messages.poolResolve(handle));
    return workload("SOAP", 1, clients, service, client -> () -> request, Answers::soap);
  }

  /** The yardstick of a servlet that answers the message of a query with itself. */
  Workload echo(HttpTarget yardstick, int clients) {
    byte[] message = Messages.query(data.paths().get(0));
    byte[] request = yardstick.post(message);
    return workload("echo", 1, clients, yardstick, client -> () -> request, Answers.echo(message.length));
  }

  /** The yardstick of a JAX-WS operation that is given the path of a query and gives it back. */
  Workload nullOperation(HttpTarget yardstick, int clients) {
    byte[] request = yardstick.post(Messages.nullOperation(data.paths().get(0)));
    return workload("nullOperation", 1, clients, yardstick, client -> () -> request, Answers::soap);
  }
}
