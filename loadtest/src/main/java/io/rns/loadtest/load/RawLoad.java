package io.rns.loadtest.load;

import io.rns.api.Cursor;
import io.rns.loadtest.http.HttpAnswer;
import io.rns.loadtest.http.MessageTemplate;
import io.rns.loadtest.http.RawConnection;
import io.rns.loadtest.measure.LoadClient;
import io.rns.loadtest.measure.Workload;
import io.rns.loadtest.service.Answers;
import io.rns.loadtest.service.HttpTarget;
import io.rns.loadtest.service.Messages;
import io.rns.loadtest.service.NameServiceClient;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Workloads of prepared bytes. */
public final class RawLoad extends OperationLoad<byte[]> {
  private final HttpTarget service;
  private final boolean sent;
  private final Duration timeout;

  public RawLoad(HttpTarget service, LoadData data, Duration timeout) {
    this(service, data, true, timeout);
  }

  /** The same, or requests that are made and not sent: what is measured then is the generator. */
  RawLoad(HttpTarget service, LoadData data, boolean sent, Duration timeout) {
    super(data);
    this.service = service;
    this.sent = sent;
    this.timeout = timeout;
  }

  public Workload of(LoadOperation operation, int clients) {
    IntFunction<Supplier<byte[]>> requests = requests(operation);
    HttpAnswer.Check check =
        operation.adds() ? Answers.countingAdded(data.added(), operation.items()) : Answers::soap;
    return new Workload(operation.toString(), operation.items(),
        () -> sent ? RawConnection.clients(service.address(), clients, requests, check)
            : IntStream.range(0, clients).<LoadClient>mapToObj(client -> unsent(requests.apply(client))).toList(),
        timeout);
  }

  private static NameServiceClient unsent(Supplier<byte[]> requests) {
    return new NameServiceClient(() -> {
      byte[] unused = requests.get();
      return () -> {};
    });
  }

  byte[] sample(LoadOperation operation) {
    return requests(operation).apply(0).get();
  }

  @Override
  byte[] query(List<String> paths) {
    return service.post(Messages.query(paths));
  }

  @Override
  byte[] lookup(List<String> names) {
    return service.post(Messages.lookup(data.listed(), names));
  }

  @Override
  byte[] list(Optional<Cursor> page) {
    return service.post(Messages.list(data.listed(), LoadOperation.LIST.items(), page));
  }

  @Override
  Supplier<byte[]> additions(int items) {
    byte[] message = Messages.add(data.addedTo(), Collections.nCopies(items, "e" + MessageTemplate.PLACEHOLDER));
    // The number is in the name and in the address.
    MessageTemplate template = new MessageTemplate(service.post(message), 2);
    return () -> template.with(data.takeNumbers(items));
  }
}
