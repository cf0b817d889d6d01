package io.rns.wire;

import io.rns.api.AddRequest;
import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Entry;
import io.rns.api.ListRequest;
import io.rns.api.Outcome;
import io.rns.api.Page;
import io.rns.api.Position;
import io.rns.api.QueryRequest;
import io.rns.api.Refusal;
import io.rns.api.RemoveRequest;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.wire.OperationCodec.Place;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * One call of a {@link io.rns.api.NameService} as SOAP messages: how the request is written and how the answer is read.
 * Immutable; may be written many times, which gives the same bytes for the same arguments.
 *
 * @param <A> what the call answers
 */
public final class RemoteCall<A> {
  private final Target target;
  private final Optional<PageOption> page;
  private final Consumer<XmlBuffer> payload;
  private final Reader<A> reader;

  private RemoteCall(Target target, Optional<PageOption> page, Consumer<XmlBuffer> payload, Reader<A> reader) {
    this.target = target;
    this.page = page;
    this.payload = payload;
    this.reader = reader;
  }

  /** Reads what stands in the body of an answer. */
  private interface Reader<A> {
    A answer(XmlPull body, ReplyHeaders headers);

    /** What a refusal of the only item means; throws if the call has no such answer. */
    A refused(Refusal refusal);
  }

  /** {@link io.rns.api.NameService#add}. */
  public static RemoteCall<List<Outcome<Entry>>> add(AddRequest request) {
    return ofEntries(
        Operations.ADD, request.entries(), new BatchOptions(request.allOrNothing(), request.parents(), false));
  }

  /** {@link io.rns.api.NameService#query}. */
  public static RemoteCall<List<Outcome<Entry>>> query(QueryRequest request) {
    return ofEntries(Operations.QUERY, request.targets(), new BatchOptions(false, false, request.counts()));
  }

  /** {@link io.rns.api.NameService#update}. */
  public static RemoteCall<List<Outcome<Entry>>> update(UpdateRequest request) {
    return ofEntries(Operations.UPDATE, request.changes(), new BatchOptions(request.allOrNothing(), false, false));
  }

  /** {@link io.rns.api.NameService#remove}. */
  public static RemoteCall<List<Outcome<Entry>>> remove(RemoveRequest request) {
    return ofEntries(Operations.REMOVE, request.removals(), new BatchOptions(request.allOrNothing(), false, false));
  }

  /** {@link io.rns.api.NameService#list}. */
  public static RemoteCall<Outcome<Page>> list(ListRequest request) {
    return new RemoteCall<>(
        request.directory(),
        Optional.of(new PageOption(request.pageSize(), request.cursor())),
        out -> Operations.LIST.writeRequest(out, request, Place.PAYLOAD),
        new Reader<>() {
          @Override
          public Outcome<Page> answer(XmlPull body, ReplyHeaders headers) {
            expect(body, Namespaces.RNS, Operations.LIST.responseElement());
            Page page = Operations.LIST.readResponse(body);
            return Outcome.done(new Page(page.directory(), page.entries(), headers.next()));
          }

          @Override
          public Outcome<Page> refused(Refusal refusal) {
            return Outcome.refused(refusal);
          }
        });
  }

  private static <I> RemoteCall<List<Outcome<Entry>>> ofEntries(
      EntryOperationCodec<I> codec, List<I> items, BatchOptions options) {
    boolean single = items.size() == 1 && options.equals(BatchOptions.NONE);
    return new RemoteCall<>(
        single ? codec.target(items.get(0)) : Target.ROOT,
        Optional.empty(),
        single
            ? out -> codec.writeRequest(out, items.get(0), Place.PAYLOAD)
            : out -> BatchCodec.writeRequest(out, codec, items, options),
        single ? singleReader(codec) : batchReader(codec, items));
  }

  private static <I> Reader<List<Outcome<Entry>>> singleReader(EntryOperationCodec<I> codec) {
    return new Reader<>() {
      @Override
      public List<Outcome<Entry>> answer(XmlPull body, ReplyHeaders headers) {
        expect(body, Namespaces.RNS, codec.responseElement());
        return List.of(Outcome.done(codec.readResponse(body)));
      }

      @Override
      public List<Outcome<Entry>> refused(Refusal refusal) {
        return List.of(Outcome.refused(refusal));
      }
    };
  }

  private static <I> Reader<List<Outcome<Entry>>> batchReader(EntryOperationCodec<I> codec, List<I> items) {
    return new Reader<>() {
      @Override
      public List<Outcome<Entry>> answer(XmlPull body, ReplyHeaders headers) {
        expect(body, Namespaces.EXT, "batchResponse");
        return BatchCodec.readResponse(body, codec, items);
      }

      @Override
      public List<Outcome<Entry>> refused(Refusal refusal) {
        throw refusal.toException();
      }
    };
  }

  /**
   * Appends the request message.
   *
   * @param call its request id is sent; who calls is a matter of the transport
   * @param seen the position that the answer must reflect
   */
  public void writeTo(XmlBuffer out, CallContext call, Optional<Position> seen) {
    MessageHeaders headers =
        new MessageHeaders(target, call.requestId(), OptionalLong.empty(), seen, page, true);
    Envelope.open(out, headers);
    payload.accept(out);
    Envelope.close(out);
  }

  /**
   * Reads the answer message, be it a result or a fault. The position is 0-0-0 if the answer tells none.
   *
   * @throws RnsException what the server's fault tells; {@link RnsError#UNAVAILABLE} if the message cannot be read, so
   *     that nobody knows what the server did
   */
  public Answer<A> read(InputStream utf8) {
    Received<A> received;
    try (XmlPull pull = XmlPull.answer(utf8)) {
      received = receive(pull);
      pull.finish();
    } catch (RnsException e) {
      throw new RnsException(RnsError.UNAVAILABLE, "the server's answer cannot be read: " + e.getMessage(), e);
    }
    if (received.fault() == null) {
      return new Answer<>(received.orThrow(), received.position());
    }
    Refusal refusal = received.fault().refusal().orElse(null);
    if (refusal == null) {
      throw received.fault().toException();
    }
    return new Answer<>(reader.refused(refusal), received.position());
  }

  private record Received<A>(
      @org.jspecify.annotations.Nullable A value,
      @org.jspecify.annotations.Nullable Fault fault,
      Position position) {
    A orThrow() {
      if (value == null) {
        throw new IllegalStateException("neither a value nor a fault");
      }
      return value;
    }
  }

  private Received<A> receive(XmlPull pull) {
    if (!Envelope.enter(pull)) {
      throw new RnsException(RnsError.MALFORMED_MESSAGE, "the message is SOAP 1.2");
    }
    ReplyHeaders headers = ReplyHeaders.NONE;
    if (Envelope.atHeader(pull)) {
      headers = ReplyHeaders.read(pull);
      if (!pull.nextChild()) {
        throw Envelope.noBody();
      }
    }
    Envelope.enterBody(pull);
    Position position = headers.position().orElse(ReplyHeaders.NOWHERE);
    if (pull.is(Namespaces.SOAP_11, "Fault")) {
      return new Received<>(null, Faults.read(pull), position);
    }
    return new Received<>(reader.answer(pull, headers), null, position);
  }

  private static void expect(XmlPull body, String namespace, String element) {
    if (!body.is(namespace, element)) {
      throw new RnsException(
          RnsError.MALFORMED_MESSAGE, "element '" + body.localName() + "' stands where '" + element + "' is expected");
    }
  }
}
