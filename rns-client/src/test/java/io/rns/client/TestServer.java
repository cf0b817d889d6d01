package io.rns.client;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import io.rns.api.AddRequest;
import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Caller;
import io.rns.api.EntriesRequest;
import io.rns.api.Entry;
import io.rns.api.Hop;
import io.rns.api.ModelNameService;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.Page;
import io.rns.api.QueryRequest;
import io.rns.api.Refusal;
import io.rns.api.RemoveRequest;
import io.rns.api.UpdateRequest;
import io.rns.client.operator.SignedExchange;
import io.rns.client.pool.MemoryPools;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.pool.PoolService;
import io.rns.referral.Referral;
import io.rns.wire.Envelope;
import io.rns.wire.Fault;
import io.rns.wire.Faults;
import io.rns.wire.MessageHeaders;
import io.rns.wire.OperationCodec.Place;
import io.rns.wire.ReplyForm;
import io.rns.wire.ReplyHeaders;
import io.rns.wire.Request;
import io.rns.wire.SoapVersion;
import io.rns.wire.operation.RequestReader;
import io.rns.wire.pool.PoolRequest;
import io.rns.wire.rns.EntryRequest;
import io.rns.wire.rns.ListCodec;
import io.rns.wire.rns.ListingRequest;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/**
 * A server on a socket of this machine: the production codecs over any name service, {@link ModelNameService} unless
 * another is given, and over pools in memory. It also answers {@code /status}, {@code /health}, {@code /group} and
 * {@code /partitions}, and keeps the request ids it was sent.
 */
public final class TestServer implements AutoCloseable {
  private static final String EVENTS =
      """
      : a comment, as the standard allows
      id: 0-1-5
      event: position
      data: {"position":"0-1-5"}

      id: 0-1-6
      event: added
      data: {"position":"0-1-6","path":"/demo/new","id":"0000000000000009","time":"2026-01-01T00:00:00Z"}

      id: 0-1-6
      event: added
      data: {"position":"0-1-6","path":"/demo/new","id":"0000000000000009","time":"2026-01-01T00:00:00Z"}

      id: 0-1-7
      event: sealed
      data: {"position":"0-1-7","what":["a","later","kind"]}

      id: 0-1-9
      event: moved
      data: {"position":"0-1-9","path":"/demo/b","oldPath":"/demo/a","id":"0000000000000007","time":"2026-01-01T00:00:01Z"}

      """;

  /** What those know who may change the group that it plays. */
  public static final String GROUP_SECRET = "secret-of-the-test";

  private static final String XML = "text/xml; charset=utf-8";

  private final NameService service;
  private final HttpServer http;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<String> requestIds = Collections.synchronizedList(new ArrayList<>());
  private final List<CallContext> calls = Collections.synchronizedList(new ArrayList<>());
  private final Set<Integer> clientPorts = ConcurrentHashMap.newKeySet();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final ConcurrentHashMap<String, Integer> payloads = new ConcurrentHashMap<>();
  private final AtomicInteger answersToLose = new AtomicInteger();
  private final AtomicInteger asked = new AtomicInteger();
  private volatile List<Referral> told = List.of();
  private volatile List<Hop> explained = List.of();

  private final PoolService pools;

  private TestServer(NameService service, PoolService pools, int port) throws IOException {
    this.service = service;
    this.pools = pools;
    http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    http.setExecutor(threads);
    http.createContext("/rns/services/rns", this::soap);
    http.createContext("/rns/status", this::status);
    http.createContext("/rns/health", TestServer::health);
    http.createContext("/rns/watch", this::watch);
    http.createContext("/rns/group", this::group);
    http.createContext("/rns/partitions", this::partitions);
    http.createContext("/rns/backup", this::backup);
    http.start();
  }

  /** A server with an empty tree. */
  public static TestServer start() {
    return start(new ModelNameService());
  }

  /** A server of any service. */
  public static TestServer start(NameService service) {
    return start(service, 0);
  }

  /** A server of any service at a port that is known. */
  static TestServer start(NameService service, int port) {
    return start(service, new MemoryPools(() -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()), 0), port);
  }

  /** A server of any service and pools. */
  public static TestServer start(NameService service, PoolService pools) {
    return start(service, pools, 0);
  }

  private static TestServer start(NameService service, PoolService pools, int port) {
    try {
      return new TestServer(service, pools, port);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Also answers posts at another path, with XML. */
  public TestServer serve(String path, UnaryOperator<byte[]> answer) {
    http.createContext(
        path,
        exchange -> {
          try (exchange) {
            byte[] body = answer.apply(exchange.getRequestBody().readAllBytes());
            exchange.getResponseHeaders().set("Content-Type", XML);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
          }
        });
    return this;
  }

  /** Also answers requests at another path, in any way. */
  TestServer handle(String path, HttpHandler handler) {
    http.createContext(path, handler);
    return this;
  }

  /** What {@code --server} takes. */
  public URI address() {
    return URI.create("http://127.0.0.1:" + http.getAddress().getPort() + "/rns");
  }

  /** Tells of the servers of a group to who asks. */
  public void tells(Referral... referrals) {
    told = List.of(referrals);
  }

  /** Sets how it explains requests that ask for it. */
  public void explains(List<Hop> hops) {
    explained = hops;
  }

  /** How many requests asked for the servers. */
  int asked() {
    return asked.get();
  }

  /** The headers of an answer. */
  private ReplyHeaders headers(MessageHeaders request, ReplyHeaders plain) {
    ReplyHeaders reply = request.explain() ? plain.explained(explained) : plain;
    List<Referral> referrals = told;
    if (!request.servers()) {
      return reply;
    }
    asked.incrementAndGet();
    return reply.with(referrals);
  }

  /** The service behind the server. */
  public NameService service() {
    return service;
  }

  /** The pools behind the server. */
  public PoolService pools() {
    return pools;
  }

  int port() {
    return http.getAddress().getPort();
  }

  /** How many connections were used. */
  int connections() {
    return clientPorts.size();
  }

  /** Handles the next requests, but closes the connection in place of an answer. */
  public void loseAnswers(int count) {
    answersToLose.set(count);
  }

  /** The request ids that came, in order. */
  public List<String> requestIds() {
    return List.copyOf(requestIds);
  }

  /** What accompanied the requests that came, in order. */
  public List<CallContext> calls() {
    return List.copyOf(calls);
  }

  /** Two changes behind any position, then nothing until the server is closed. */
  private void watch(HttpExchange exchange) throws IOException {
    try (exchange) {
      exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
      exchange.sendResponseHeaders(200, 0);
      OutputStream body = exchange.getResponseBody();
      body.write(EVENTS.getBytes(StandardCharsets.UTF_8));
      body.flush();
      closed.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** How many requests came, by the element of their body. */
  Map<String, Integer> payloads() {
    return Map.copyOf(payloads);
  }

  private void soap(HttpExchange exchange) throws IOException {
    try (exchange) {
      clientPorts.add(exchange.getRemoteAddress().getPort());
      XmlBuffer out = new XmlBuffer(1_024);
      int status = answer(exchange, out) ? 200 : 500;
      if (answersToLose.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
        return;
      }
      exchange.getResponseHeaders().set("Content-Type", XML);
      exchange.sendResponseHeaders(status, out.length());
      try (OutputStream body = exchange.getResponseBody()) {
        out.writeTo(body);
      }
    }
  }

  private boolean answer(HttpExchange exchange, XmlBuffer out) {
    MessageHeaders.Reader headers = new MessageHeaders.Reader();
    try (XmlPull pull = XmlPull.document(exchange.getRequestBody())) {
      Request request = read(pull, headers);
      headers.headers().requestId().ifPresent(id -> requestIds.add(id.text()));
      CallContext call = context(headers.headers());
      calls.add(call);
      if (request instanceof EntryRequest<?> entries) {
        return ask(entries, headers.headers(), call, out);
      }
      if (request instanceof ListingRequest listing) {
        return list(listing, headers.headers(), call, out);
      }
      if (request instanceof PoolRequest<?, ?> asked) {
        return pool(asked, out);
      }
      throw new RnsException(RnsError.UNKNOWN_OPERATION, "only entries and listings are served here");
    } catch (RnsException e) {
      return fault(Fault.of(e, headers.headers().target().path()), headers.headers(), ReplyHeaders.NONE, out);
    }
  }

  private static CallContext context(MessageHeaders headers) {
    return new CallContext(
        Caller.ANONYMOUS, headers.requestId(), headers.consistency(), headers.seen(), headers.routing());
  }

  private static boolean fault(Fault fault, MessageHeaders headers, ReplyHeaders replyHeaders, XmlBuffer out) {
    Envelope.open(out, SoapVersion.V1_1, replyHeaders, "");
    Faults.write(out, SoapVersion.V1_1, fault, headers.extended(), Instant.now());
    Envelope.close(out);
    return false;
  }

  private static boolean refer(Answer.Referred<?> referred, MessageHeaders headers, XmlBuffer out) {
    return fault(Fault.of(referred, headers.target().path()), headers, ReplyHeaders.NONE, out);
  }

  private Request read(XmlPull pull, MessageHeaders.Reader headers) {
    if (!Envelope.enter(pull)) {
      throw new RnsException(RnsError.MALFORMED_MESSAGE, "SOAP 1.2 is not spoken here");
    }
    if (Envelope.atHeader(pull)) {
      while (pull.nextChild()) {
        if (!headers.take(pull)) {
          pull.skip();
        }
      }
      if (!pull.nextChild()) {
        throw Envelope.noBody();
      }
    }
    Envelope.enterBody(pull);
    payloads.merge(pull.localName(), 1, Integer::sum);
    Request request = RequestReader.read(pull, headers.headers(), soapAddress());
    pull.finish();
    return request;
  }

  private String soapAddress() {
    return address() + "/services/rns";
  }

  private <O> boolean pool(PoolRequest<?, O> request, XmlBuffer out) {
    O result = request.ask(pools);
    Envelope.open(out, SoapVersion.V1_1, ReplyHeaders.NONE, "");
    request.writeResponse(out, result);
    Envelope.close(out);
    return true;
  }

  private boolean list(ListingRequest listing, MessageHeaders headers, CallContext call, XmlBuffer out) {
    Answer<Outcome<Page>> answer = service.list(call, listing.request());
    if (answer instanceof Answer.Referred<?> referred) {
      return refer(referred, headers, out);
    }
    return served((Answer.Served<Outcome<Page>>) answer, listing, headers, out);
  }

  private boolean served(
      Answer.Served<Outcome<Page>> answer, ListingRequest listing, MessageHeaders headers, XmlBuffer out) {
    if (answer.value() instanceof Outcome.Refused<Page> refused) {
      return fault(Fault.of(refused.refusal()), headers, ReplyHeaders.of(headers, answer), out);
    }
    Page page = answer.value().orThrow();
    ReplyHeaders paged = new ReplyHeaders(Optional.of(answer.position()), true, page.next(), 0);
    Envelope.open(out, SoapVersion.V1_1, headers(headers, paged), "");
    ReplyForm form = new ReplyForm(headers.extended(), soapAddress());
    if (listing.form() instanceof ListCodec list) {
      list.writeResponse(out, page, form, Place.PAYLOAD);
    } else {
      listing.form().startListing(out, page.directory(), form);
      page.entries().forEach(entry -> listing.form().writeEntry(out, entry, form));
      out.raw("</_n:LookupResponse>");
    }
    Envelope.close(out);
    return true;
  }

  private boolean ask(EntryRequest<?> request, MessageHeaders headers, CallContext call, XmlBuffer out) {
    Answer<List<Outcome<Entry>>> answer =
        request.valid().map(valid -> ask(valid, call))
            .orElseGet(() -> Answer.of(request.unapplied(), ReplyHeaders.NOWHERE));
    if (answer instanceof Answer.Referred<?> referred) {
      return refer(referred, headers, out);
    }
    return served((Answer.Served<List<Outcome<Entry>>>) answer.map(request::outcomes), request, headers, out);
  }

  private Answer<List<Outcome<Entry>>> ask(EntriesRequest request, CallContext call) {
    if (request instanceof QueryRequest query) {
      return service.query(call, query);
    }
    if (request instanceof AddRequest add) {
      return service.add(call, add);
    }
    return request instanceof UpdateRequest update
        ? service.update(call, update)
        : service.remove(call, (RemoveRequest) request);
  }

  private boolean served(
      Answer.Served<List<Outcome<Entry>>> answer, EntryRequest<?> request, MessageHeaders headers, XmlBuffer out) {
    Refusal ofAll = request.batch() && headers.extended() ? null : request.refusalOfAll(answer.value());
    if (ofAll != null) {
      return fault(Fault.of(ofAll), headers, headers(headers, ReplyHeaders.of(headers, answer)), out);
    }
    ReplyForm form = new ReplyForm(headers.extended(), soapAddress());
    Envelope.open(out, SoapVersion.V1_1, headers(headers, ReplyHeaders.of(headers, answer)), "");
    if (request.batch()) {
      request.startBatchResponse(out);
      for (int i = 0; i < answer.value().size(); i++) {
        request.writeBatchItem(out, i, answer.value().get(i), form, Instant.now());
      }
      request.endBatchResponse(out);
    } else {
      request.writeResponse(out, answer.value().get(0).orThrow(), form);
    }
    Envelope.close(out);
    return true;
  }

  private void status(HttpExchange exchange) throws IOException {
    try (exchange) {
      String document =
          "{\"soap\":\""
              + soapAddress()
              + "\",\"rest\":null,\"version\":\"9.8.7\",\"servers\":[{\"name\":\"test\",\"role\":\"primary\",\"group\":0,\"position\":\"0-1-7\","
              + "\"lagMillis\":0,\"state\":\"serving\",\"statistics\":{\"entries\":1.5}},"
              + "{\"name\":\"server-2\",\"url\":\""
              + address()
              + "\",\"role\":\"replica\",\"group\":0,\"position\":\"0-1-7\",\"lagMillis\":3,\"state\":\"serving\"}]}";
      signed(exchange, document);
    }
  }

  private static void health(HttpExchange exchange) throws IOException {
    try (exchange) {
      exchange.sendResponseHeaders(200, -1);
    }
  }

  /** Does what is asked of a group, for who knows its secret. */
  private void group(HttpExchange exchange) throws IOException {
    try (exchange) {
      String result = "\"former\":\"http://127.0.0.1:1/rns\",\"epoch\":2,\"position\":\"0-2-8\",\"outageMillis\":42}";
      signed(exchange, "{\"primary\":\"" + address() + "\"," + result);
    }
  }

  /** The partitions of a service with one group, to which everything is assigned. */
  private void partitions(HttpExchange exchange) throws IOException {
    try (exchange) {
      if (exchange.getRequestURI().getPath().endsWith("/decisions")) {
        signed(
            exchange,
            "{\"decisions\":[],\"moves\":[],\"undo\":{\"number\":1,\"path\":\"/assigned\",\"from\":0,\"to\":1}}");
      } else if (exchange.getRequestURI().getPath().endsWith("/plan")) {
        signed(exchange, "{\"seconds\":1.0,\"groups\":[],\"moves\":[],\"verdict\":\"Nothing moves.\",\"silent\":[]}");
      } else if (exchange.getRequestURI().getPath().endsWith("/replay")) {
        signed(
            exchange,
            "{\"settings\":{\"minimumGain\":0.1},\"windows\":[{\"at\":\"2026-03-01T10:05:00Z\",\"moves\":[]}],"
                + "\"groups\":[],\"busiest\":{\"recorded\":1.0,\"replayed\":1.0}}");
      } else if (exchange.getRequestMethod().equals("GET")) {
        json(
            exchange, 200,
            "{\"positions\":[\"0-1-7\"],\"partitions\":[{\"path\":\"/\",\"directory\":\"1\",\"group\":0,\"epoch\":0}],"
                + "\"groups\":[{\"group\":0,\"servers\":[{\"url\":\"" + address()
                + "\",\"name\":\"test\",\"role\":\"primary\",\"living\":true}]}]}");
      } else {
        signed(exchange, "{\"path\":\"/assigned\",\"directory\":\"7\",\"group\":1,\"epoch\":17}");
      }
    }
  }

  /** A file that is no backup, and word that one was restored. */
  private void backup(HttpExchange exchange) throws IOException {
    try (exchange) {
      long unused = exchange.getRequestBody().transferTo(OutputStream.nullOutputStream());
      signed(exchange, "{\"entries\":2,\"from\":\"0:1:3\",\"position\":\"0:2:1000003\"}");
    }
  }

  /** Answers whoever signs by the secret in kind, of {@code /status} also who does not sign. */
  private void signed(HttpExchange exchange, String document) throws IOException {
    if (SignedExchange.secret(exchange, "/rns", List.of(GROUP_SECRET)).isPresent()) {
      SignedExchange.answer(exchange, GROUP_SECRET, 200, System.currentTimeMillis(), document);
    } else if (exchange.getRequestURI().getPath().endsWith("/status")) {
      json(exchange, 200, document);
    } else {
      json(exchange, 403, "{\"code\":\"NOT_PERMITTED\",\"message\":\"not the secret of the group\"}");
    }
  }

  private static void json(HttpExchange exchange, int status, String document) throws IOException {
    byte[] body = document.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
  }

  @Override
  public void close() {
    closed.countDown();
    http.stop(0);
    threads.shutdownNow();
  }
}
