package io.rns.loadtest;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Caller;
import io.rns.api.Entry;
import io.rns.api.ModelNameService;
import io.rns.api.Outcome;
import io.rns.api.Page;
import io.rns.error.RnsException;
import io.rns.loadtest.yardstick.NullOperation;
import io.rns.wire.Envelope;
import io.rns.wire.EntryRequest;
import io.rns.wire.Fault;
import io.rns.wire.Faults;
import io.rns.wire.ListingRequest;
import io.rns.wire.MessageHeaders;
import io.rns.wire.OperationCodec.Place;
import io.rns.wire.Operations;
import io.rns.wire.ReplyForm;
import io.rns.wire.ReplyHeaders;
import io.rns.wire.Request;
import io.rns.wire.RequestReader;
import io.rns.wire.SoapVersion;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The model service behind the production codecs, and the yardsticks beside it, on a socket of this machine. */
public final class ModelServer implements AutoCloseable {
  static {
    // Without it every answer on a kept connection waits for a delayed acknowledgement.
    System.setProperty("sun.net.httpserver.nodelay", "true");
  }

  private final ModelNameService service = new ModelNameService();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final HttpServer http;

  /** A server with an empty tree. */
  public ModelServer(boolean withYardsticks) throws IOException {
    http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    http.setExecutor(threads);
    http.createContext("/rns/services/rns", exchange -> reply(exchange, this::soap));
    if (withYardsticks) {
      http.createContext("/yardstick/echo", exchange -> reply(exchange, ModelServer::echo));
      http.createContext("/yardstick/null", exchange -> reply(exchange, ModelServer::nothing));
    }
    http.start();
  }

  /** What {@code --server} takes. */
  public String url() {
    return "http://127.0.0.1:" + http.getAddress().getPort() + "/rns";
  }

  /** The service behind it. */
  public ModelNameService service() {
    return service;
  }

  private interface Handling {
    int answer(byte[] request, XmlBuffer out);
  }

  private static void reply(HttpExchange exchange, Handling handling) throws IOException {
    try (exchange) {
      XmlBuffer out = new XmlBuffer(1_024);
      int status = handling.answer(exchange.getRequestBody().readAllBytes(), out);
      exchange.getResponseHeaders().set("Content-Type", "text/xml; charset=utf-8");
      exchange.sendResponseHeaders(status, out.length());
      try (OutputStream body = exchange.getResponseBody()) {
        out.writeTo(body);
      }
    }
  }

  private static int echo(byte[] request, XmlBuffer out) {
    out.raw(request);
    return 200;
  }

  private static int nothing(byte[] request, XmlBuffer out) {
    String text = new String(request, StandardCharsets.UTF_8).replaceAll("(?s).*<y:text>(.*)</y:text>.*", "$1");
    out.raw("<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body><y:nothingResponse xmlns:y=\"");
    out.raw(NullOperation.NAMESPACE + "\"><y:text>").text(text).raw("</y:text></y:nothingResponse></s:Body></s:Envelope>");
    return 200;
  }

  private int soap(byte[] request, XmlBuffer out) {
    MessageHeaders.Reader headers = new MessageHeaders.Reader();
    try (XmlPull pull = XmlPull.document(request, request.length)) {
      Envelope.enter(pull);
      if (Envelope.atHeader(pull)) {
        while (pull.nextChild()) {
          headers.take(pull);
        }
        pull.nextChild();
      }
      Envelope.enterBody(pull);
      Request read = RequestReader.read(pull, headers.headers(), url());
      CallContext call = new CallContext(Caller.ANONYMOUS, headers.headers().requestId());
      return read instanceof ListingRequest listing
          ? list(listing, headers.headers(), call, out)
          : ask((EntryRequest<?>) read, headers.headers(), call, out);
    } catch (RnsException e) {
      return fault(Fault.of(e, headers.headers().target().path()), headers.headers(), out);
    }
  }

  private static int fault(Fault fault, MessageHeaders headers, XmlBuffer out) {
    Envelope.open(out, SoapVersion.V1_1, ReplyHeaders.NONE, "");
    Faults.write(out, SoapVersion.V1_1, fault, headers.extended(), Instant.now());
    Envelope.close(out);
    return 500;
  }

  private int list(ListingRequest listing, MessageHeaders headers, CallContext call, XmlBuffer out) {
    Answer<Outcome<Page>> answer = service.list(call, listing.request());
    if (answer.value() instanceof Outcome.Refused<Page> refused) {
      return fault(Fault.of(refused.refusal()), headers, out);
    }
    Page page = answer.value().orThrow();
    Envelope.open(out, SoapVersion.V1_1, new ReplyHeaders(Optional.of(answer.position()), true, page.next()), "");
    Operations.LIST.writeResponse(out, page, new ReplyForm(headers.extended(), url()), Place.PAYLOAD);
    Envelope.close(out);
    return 200;
  }

  private int ask(EntryRequest<?> request, MessageHeaders headers, CallContext call, XmlBuffer out) {
    Answer<List<Outcome<Entry>>> answer = request.ask(service, call);
    if (!request.batch() && answer.value().get(0) instanceof Outcome.Refused<Entry> refused) {
      return fault(Fault.of(refused.refusal()), headers, out);
    }
    ReplyForm form = new ReplyForm(headers.extended(), url());
    Envelope.open(out, SoapVersion.V1_1, ReplyHeaders.of(headers, answer.position()), "");
    if (request.batch()) {
      request.startBatchResponse(out);
      answer.value().forEach(outcome -> request.writeBatchItem(out, outcome, form, Instant.now()));
      request.endBatchResponse(out);
    } else {
      request.writeResponse(out, answer.value().get(0).orThrow(), form);
    }
    Envelope.close(out);
    return 200;
  }

  @Override
  public void close() {
    http.stop(0);
    threads.shutdownNow();
  }
}
