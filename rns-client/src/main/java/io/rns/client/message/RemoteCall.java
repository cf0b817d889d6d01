package io.rns.client.message;

import io.rns.api.AddRequest;
import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Entry;
import io.rns.api.Explanation;
import io.rns.api.Hop;
import io.rns.api.ListRequest;
import io.rns.api.Outcome;
import io.rns.api.Page;
import io.rns.api.Position;
import io.rns.api.Positions;
import io.rns.api.QueryRequest;
import io.rns.api.Refusal;
import io.rns.api.RemoveRequest;
import io.rns.api.SubtreePage;
import io.rns.api.SubtreeRequest;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.referral.Referral;
import io.rns.referral.Site;
import io.rns.wire.BatchOptions;
import io.rns.wire.Envelope;
import io.rns.wire.Fault;
import io.rns.wire.Faults;
import io.rns.wire.Markup;
import io.rns.wire.MessageHeaders;
import io.rns.wire.Namespaces;
import io.rns.wire.OperationCodec.Place;
import io.rns.wire.PageOption;
import io.rns.wire.ReplyHeaders;
import io.rns.wire.pool.PoolOperationCodec;
import io.rns.wire.rns.BatchCodec;
import io.rns.wire.rns.DirectoryOperationCodec;
import io.rns.wire.rns.EntryOperationCodec;
import io.rns.wire.rns.EntryOperations;
import io.rns.wire.rns.Items11;
import io.rns.wire.rns.UsualEntries;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * One call of a {@link io.rns.api.NameService}, or of a {@link io.rns.pool.PoolService}, as SOAP messages: how the
 * request is written and how the answer is read. Immutable; may be written many times, which gives the same bytes for
 * the same arguments.
 *
 * @param <A> what the call answers
 */
public final class RemoteCall<A> {
  private final Target target;
  private final Optional<PageOption> page;
  private final Consumer<XmlBuffer> payload;
  private final Reader<A> reader;
  private final Optional<Asked> asked;
  private final Optional<Explanation> explanation;

  private RemoteCall(Target target, Optional<PageOption> page, Consumer<XmlBuffer> payload, Reader<A> reader) {
    this(target, page, payload, reader, Optional.empty(), Optional.empty());
  }

  private RemoteCall(
      Target target, Optional<PageOption> page, Consumer<XmlBuffer> payload, Reader<A> reader, Optional<Asked> asked,
      Optional<Explanation> explanation) {
    this.target = target;
    this.page = page;
    this.payload = payload;
    this.reader = reader;
    this.asked = asked;
    this.explanation = explanation;
  }

  /** A listener for the servers, and its site. */
  private record Asked(Site site, Consumer<List<Referral>> listener) {}

  /**
   * The same call that also asks for the servers of each part of the tree, in its header.
   *
   * @param site where the caller is
   * @param listener receives them while a response with them is read, also a fault
   */
  public RemoteCall<A> asking(Site site, Consumer<List<Referral>> listener) {
    return new RemoteCall<>(target, page, payload, reader, Optional.of(new Asked(site, listener)), explanation);
  }

  /** The same call, which reports to the explanation of a context, if it has one, how servers answered it. */
  public RemoteCall<A> explaining(CallContext call) {
    return call.explanation().isEmpty()
        ? this
        : new RemoteCall<>(target, page, payload, reader, asked, call.explanation());
  }

  /** Reads what stands in the body of an answer. */
  private interface Reader<A> {
    A answer(XmlPull body, ReplyHeaders headers);

    /** Whether the answer is a listing, whose entries may be taken from the message before it is parsed. */
    default boolean lists() {
      return false;
    }

    /** The answer that also has the entries that were taken from its beginning. */
    default A joined(List<Entry> taken, A answer) {
      throw new IllegalStateException("no listing, and yet with " + taken.size() + " entries before " + answer);
    }

    /** What a refusal of the only item means; throws if the call has no such answer. */
    A refused(Refusal refusal);
  }

  /** {@link io.rns.api.NameService#add} in messages of RNS 1.0. */
  public static RemoteCall<List<Outcome<Entry>>> add(AddRequest request) {
    return add(request, MessageForm.RNS_1_0);
  }

  /** {@link io.rns.api.NameService#add}. */
  public static RemoteCall<List<Outcome<Entry>>> add(AddRequest request, MessageForm form) {
    BatchOptions options = new BatchOptions(request.allOrNothing(), request.parents(), false);
    return form == MessageForm.RNS_1_1 && Spoken11.says(request)
        ? ofDirectory(EntryOperations.ADD_11, request.entries(), options)
        : ofEntries(EntryOperations.ADD, request.entries(), options, form);
  }

  /** {@link io.rns.api.NameService#query} in messages of RNS 1.0. */
  public static RemoteCall<List<Outcome<Entry>>> query(QueryRequest request) {
    return query(request, MessageForm.RNS_1_0);
  }

  /** {@link io.rns.api.NameService#query}. A request for it changes nothing, whoever gets it. */
  public static RemoteCall<List<Outcome<Entry>>> query(QueryRequest request, MessageForm form) {
    BatchOptions options = new BatchOptions(false, false, request.counts());
    return form == MessageForm.RNS_1_1 && Spoken11.says(request)
        ? ofDirectory(EntryOperations.LOOKUP_11, request.targets(), options)
        : ofEntries(EntryOperations.QUERY, request.targets(), options, MessageForm.RNS_1_0);
  }

  /** {@link io.rns.api.NameService#update} in messages of RNS 1.0. */
  public static RemoteCall<List<Outcome<Entry>>> update(UpdateRequest request) {
    return update(request, MessageForm.RNS_1_0);
  }

  /** {@link io.rns.api.NameService#update}. */
  public static RemoteCall<List<Outcome<Entry>>> update(UpdateRequest request, MessageForm form) {
    BatchOptions options = new BatchOptions(request.allOrNothing(), false, false);
    if (form == MessageForm.RNS_1_1 && Spoken11.isRenaming(request)) {
      return ofDirectory(EntryOperations.RENAME_11, request.changes(), options);
    }
    return form == MessageForm.RNS_1_1 && Spoken11.isMetadata(request)
        ? ofDirectory(EntryOperations.SET_METADATA_11, request.changes(), options)
        : ofEntries(EntryOperations.UPDATE, request.changes(), options, form);
  }

  /** {@link io.rns.api.NameService#remove} in messages of RNS 1.0. */
  public static RemoteCall<List<Outcome<Entry>>> remove(RemoveRequest request) {
    return remove(request, MessageForm.RNS_1_0);
  }

  /** {@link io.rns.api.NameService#remove}. */
  public static RemoteCall<List<Outcome<Entry>>> remove(RemoveRequest request, MessageForm form) {
    BatchOptions options = new BatchOptions(request.allOrNothing(), false, false);
    return form == MessageForm.RNS_1_1 && Spoken11.says(request)
        ? ofDirectory(EntryOperations.REMOVE_11, request.removals(), options)
        : ofEntries(EntryOperations.REMOVE, request.removals(), options, form);
  }

  /** {@link io.rns.api.NameService#list} in messages of RNS 1.0. */
  public static RemoteCall<Outcome<Page>> list(ListRequest request) {
    return list(request, MessageForm.RNS_1_0);
  }

  /** {@link io.rns.api.NameService#list}. A request for it changes nothing, whoever gets it. */
  public static RemoteCall<Outcome<Page>> list(ListRequest request, MessageForm form) {
    boolean lookup = form == MessageForm.RNS_1_1 && request.pattern().isEmpty();
    return new RemoteCall<>(
        request.directory(),
        Optional.of(new PageOption(request.pageSize(), request.cursor())),
        lookup
            ? out -> Items11.writeRequest(out, EntryOperations.LOOKUP_11, List.of(), BatchOptions.NONE)
            : out -> EntryOperations.LIST.writeRequest(out, request, Place.PAYLOAD),
        new Reader<>() {
          @Override
          public Outcome<Page> answer(XmlPull body, ReplyHeaders headers) {
            Page page;
            if (lookup) {
              Markup.expect(body, Namespaces.RNS_11, EntryOperations.LOOKUP_11.responseElement());
              page = EntryOperations.LOOKUP_11.readPage(body);
            } else {
              Markup.expect(body, Namespaces.RNS, EntryOperations.LIST.responseElement());
              page = EntryOperations.LIST.readResponse(body);
            }
            return Outcome.done(new Page(page.directory(), page.entries(), headers.next()));
          }

          @Override
          public boolean lists() {
            return true;
          }

          @Override
          public Outcome<Page> joined(List<Entry> taken, Outcome<Page> answer) {
            return answer.map(page -> new Page(page.directory(), joined(taken, page.entries()), page.next()));
          }

          private List<Entry> joined(List<Entry> first, List<Entry> others) {
            List<Entry> all = new ArrayList<>(first);
            all.addAll(others);
            return all;
          }

          @Override
          public Outcome<Page> refused(Refusal refusal) {
            return Outcome.refused(refusal);
          }
        });
  }

  /** {@link io.rns.api.NameService#subtree}. Its element means nothing to servers of other makes. */
  public static RemoteCall<Outcome<SubtreePage>> subtree(SubtreeRequest request) {
    return new RemoteCall<>(
        request.directory(),
        Optional.empty(),
        out -> EntryOperations.SUBTREE.writeRequest(out, request, Place.PAYLOAD),
        new Reader<>() {
          @Override
          public Outcome<SubtreePage> answer(XmlPull body, ReplyHeaders headers) {
            Markup.expect(body, Namespaces.EXT, EntryOperations.SUBTREE.responseElement());
            return Outcome.done(EntryOperations.SUBTREE.readResponse(body));
          }

          @Override
          public Outcome<SubtreePage> refused(Refusal refusal) {
            return Outcome.refused(refusal);
          }
        });
  }

  private static <I> RemoteCall<List<Outcome<Entry>>> ofEntries(
      EntryOperationCodec<I> codec, List<I> items, BatchOptions options, MessageForm form) {
    boolean single = form != MessageForm.UNMISTAKABLE && items.size() == 1 && options.equals(BatchOptions.NONE);
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
        Markup.expect(body, Namespaces.RNS, codec.responseElement());
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
        Markup.expect(body, Namespaces.EXT, "batchResponse");
        return BatchCodec.readResponse(body, codec, items);
      }

      @Override
      public List<Outcome<Entry>> refused(Refusal refusal) {
        throw refusal.toException();
      }
    };
  }

  private static <I> RemoteCall<List<Outcome<Entry>>> ofDirectory(
      DirectoryOperationCodec<I> codec, List<I> items, BatchOptions options) {
    return new RemoteCall<>(
        codec.target(items.get(0)),
        Optional.empty(),
        out -> Items11.writeRequest(out, codec, items, options),
        new Reader<>() {
          @Override
          public List<Outcome<Entry>> answer(XmlPull body, ReplyHeaders headers) {
            Markup.expect(body, Namespaces.RNS_11, codec.responseElement());
            return Items11.readOutcomes(body, codec, items);
          }

          @Override
          public List<Outcome<Entry>> refused(Refusal refusal) {
            throw refusal.toException();
          }
        });
  }

  /** An operation on pools. Its element means nothing to servers of other makes. */
  static <I, O> RemoteCall<O> ofPool(PoolOperationCodec<I, O> codec, I item) {
    return new RemoteCall<>(
        Target.ROOT,
        Optional.empty(),
        out -> codec.writeRequest(out, item),
        new Reader<>() {
          @Override
          public O answer(XmlPull body, ReplyHeaders headers) {
            Markup.expect(body, Namespaces.EXT, codec.responseElement());
            return codec.readResponse(body);
          }

          @Override
          public O refused(Refusal refusal) {
            throw refusal.toException();
          }
        });
  }

  /**
   * Appends the request message.
   *
   * @param call all of it is sent but the caller: who that is, is a matter of the transport
   */
  public void writeTo(XmlBuffer out, CallContext call) {
    MessageHeaders headers =
        new MessageHeaders(
            target,
            call.requestId(),
            OptionalLong.empty(),
            call.seen(),
            page,
            true,
            Optional.empty(),
            call.consistency(),
            call.routing(),
            asked.isPresent(),
            asked.map(Asked::site).orElse(Site.NONE),
            call.hops(),
            call.explanation().isPresent());
    Envelope.open(out, headers);
    payload.accept(out);
    Envelope.close(out);
  }

  /**
   * Reads the answer message, be it a result, a referral or a fault. The position is 0-0-0 if the response has none.
   *
   * @throws RnsException the server's fault; {@link RnsError#UNAVAILABLE} if the message cannot be read, so that the
   *         effect is unknown
   */
  public Answer<A> read(InputStream utf8) {
    return answer(receive(utf8, false));
  }

  /**
   * Reads the answer of a server of which nothing is known yet.
   *
   * @return the answer; empty if it shows no sign of our extensions, so that the server has not understood the request
   * @throws RnsException as {@link #read} does
   */
  public Optional<Answer<A>> readIfExtended(InputStream utf8) {
    Received<A> received = receive(utf8, true);
    return received.foreign() ? Optional.empty() : Optional.of(answer(received));
  }

  private Received<A> receive(InputStream utf8, boolean mayBeForeign) {
    try {
      return reader.lists() ? receive(UsualEntries.takenFrom(utf8), mayBeForeign) : parse(utf8, mayBeForeign);
    } catch (RnsException e) {
      if (e.error() == RnsError.BUSY) {
        // Who reads has no room for it.
        throw e;
      }
      throw new RnsException(RnsError.UNAVAILABLE, "the server's answer cannot be read: " + e.getMessage(), e);
    }
  }

  private Received<A> receive(UsualEntries usual, boolean mayBeForeign) {
    Received<A> rest = parse(usual.rest(), mayBeForeign);
    return usual.entries().isEmpty() ? rest : rest.with(value -> reader.joined(usual.entries(), value));
  }

  private Received<A> parse(InputStream utf8, boolean mayBeForeign) {
    try (XmlPull pull = XmlPull.answer(utf8)) {
      Received<A> received = receive(pull, mayBeForeign);
      pull.finish();
      return received;
    }
  }

  private Answer<A> answer(Received<A> received) {
    Fault fault = received.fault();
    if (fault == null) {
      return new Answer.Served<>(received.orThrow(), received.position(), received.others(), received.ageMillis());
    }
    if (fault.error() == Answer.Referred.ERROR && fault.referral().isPresent()) {
      return new Answer.Referred<>(fault.referral().get(), fault.message());
    }
    Refusal refusal = fault.refusal().orElse(null);
    if (refusal == null) {
      throw fault.toException();
    }
    return new Answer.Served<>(reader.refused(refusal), received.position(), received.others(), received.ageMillis());
  }

  private record Received<A>(
      @org.jspecify.annotations.Nullable A value,
      @org.jspecify.annotations.Nullable Fault fault,
      Position position,
      Positions others,
      long ageMillis,
      boolean foreign) {
    static <A> Received<A> ofForeign() {
      return new Received<>(null, null, ReplyHeaders.NOWHERE, Positions.NONE, 0, true);
    }

    Received<A> with(UnaryOperator<A> change) {
      return value == null ? this : new Received<>(change.apply(value), fault, position, others, ageMillis, foreign);
    }

    A orThrow() {
      if (value == null) {
        throw new IllegalStateException("neither a value nor a fault");
      }
      return value;
    }
  }

  private Received<A> receive(XmlPull pull, boolean mayBeForeign) {
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
    List<Referral> servers = headers.servers();
    if (!servers.isEmpty()) {
      asked.ifPresent(who -> who.listener().accept(servers));
    }
    List<Hop> hops = headers.hops();
    explanation.ifPresent(collected -> collected.report(hops));
    Envelope.enterBody(pull);
    Position position = headers.position().orElse(ReplyHeaders.NOWHERE);
    if (pull.is(Namespaces.SOAP_11, "Fault")) {
      Fault fault = Faults.read(pull);
      boolean foreign = mayBeForeign && headers.position().isEmpty() && !fault.coded();
      return foreign ? Received.ofForeign() : new Received<>(null, fault, position, headers.others(), 0, false);
    }
    // An answer that has no position, since it is not about the tree, is in our namespace.
    if (mayBeForeign && headers.position().isEmpty() && !pull.namespace().equals(Namespaces.EXT)) {
      pull.skip();
      return Received.ofForeign();
    }
    return new Received<>(
        reader.answer(pull, headers), null, position, headers.others(), headers.ageMillis(), false);
  }
}
