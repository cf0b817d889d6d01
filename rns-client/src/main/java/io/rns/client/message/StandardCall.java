package io.rns.client.message;

import io.rns.api.AddRequest.NewEntry;
import io.rns.api.EndpointReference;
import io.rns.api.EntryName;
import io.rns.api.Metadata;
import io.rns.api.Target;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.wire.Envelope;
import io.rns.wire.Markup;
import io.rns.wire.Namespaces;
import io.rns.wire.OperationCodec.Place;
import io.rns.wire.ResourceTarget;
import io.rns.wire.resource.IterateRequest;
import io.rns.wire.resource.PropertiesCodec;
import io.rns.wire.resource.Property;
import io.rns.wire.resource.PropertyValues;
import io.rns.wire.resource.ResourceOperations;
import io.rns.wire.rns.EntryOperations;
import io.rns.wire.rns.EntryResponse;
import io.rns.wire.rns.Items11;
import io.rns.wire.rns.SupportsRns;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * One call of RNS 1.1 or one of its companions, to whatever endpoint reference: without any extension, and read as
 * tolerantly as known servers differ. Immutable; may be sent many times.
 *
 * @param <A> what the call answers
 */
public final class StandardCall<A> {
  private static final String RNS_ACTION = Namespaces.RNS_11 + "/RNSPortType/";
  /** Of a message whose headers name the resource. */
  private static final ResourceTarget NAMED_BY_HEADERS = ResourceTarget.of(Target.ROOT);

  private static final String DECLARATIONS = " xmlns:_n=\"" + Namespaces.RNS_11 + "\"";

  private final boolean writes;
  private final String action;
  private final Consumer<XmlBuffer> payload;
  private final Reader<A> reader;

  /**
   * The answer to a call.
   *
   * @param <A> what a success gives
   */
  public sealed interface Result<A> {
    /**
     * It was done.
     *
     * @param value what came of it
     */
    record Done<A>(A value) implements Result<A> {}

    /**
     * The whole message was refused.
     *
     * @param fault why
     */
    record Failed<A>(StandardFault fault) implements Result<A> {}
  }

  private interface Reader<A> {
    Result<A> read(XmlPull body);
  }

  private StandardCall(boolean writes, String action, Consumer<XmlBuffer> payload, Reader<A> reader) {
    this.writes = writes;
    this.action = action;
    this.payload = payload;
    this.reader = reader;
  }

  /**
   * {@code add}: as many responses as entries come back, in order; of each entry only the first reference is returned.
   */
  public static StandardCall<List<EntryResponse>> add(List<NewEntry> entries) {
    return ofItems(
        "add",
        entries.stream().map(entry -> entry.target().path().name().toString()).toList(),
        out -> entries.forEach(entry -> EntryOperations.ADD_11.writeRequest(out, entry, Place.BATCH_ITEM)));
  }

  /** {@code lookup} of names: as many responses come back, in order. */
  public static StandardCall<List<EntryResponse>> lookup(List<EntryName> names) {
    return ofItems("lookup", texts(names), out -> names.forEach(name -> writeName(out, name)));
  }

  /** {@code remove}: unlinks names; as many responses come back, in order. */
  public static StandardCall<List<EntryResponse>> remove(List<EntryName> names) {
    return ofItems("remove", texts(names), out -> names.forEach(name -> writeName(out, name)));
  }

  /** {@code rename} within the directory. */
  public static StandardCall<List<EntryResponse>> rename(EntryName from, EntryName to) {
    return ofItems(
        "rename",
        List.of(from.toString(), to.toString()),
        1,
        out -> EntryOperations.RENAME_11.writeRequest(
            out, EntryChange.rename(Target.ROOT.child(from), to), Place.BATCH_ITEM));
  }

  /** {@code setMetadata}: replaces all metadata; {@code supportsRns} is sent unless the metadata contain it. */
  public static StandardCall<List<EntryResponse>> setMetadata(
      EntryName name, Metadata metadata, SupportsRns supportsRns) {
    SupportsRns.Split split = SupportsRns.split(metadata);
    SupportsRns told = split.supportsRns() == SupportsRns.UNKNOWN ? supportsRns : split.supportsRns();
    return ofItems(
        "setMetadata",
        List.of(name.toString()),
        out -> out.raw("<_n:set-metadata-request")
            .attribute("entry-name", name.toString())
            .raw(">")
            .raw(told.element())
            .raw(split.rest())
            .raw("</_n:set-metadata-request>"));
  }

  /** {@code lookup} without names: all entries, or the first of them and the way to the others. */
  public static StandardCall<FirstBlock> lookupAll() {
    return new StandardCall<>(
        false,
        RNS_ACTION + "lookupRequest",
        out -> out.raw("<_n:LookupRequest" + DECLARATIONS + "/>"),
        body -> {
          Markup.expect(body, Namespaces.RNS_11, "LookupResponse");
          FirstBlock block = FirstBlock.read(body);
          return isOfUnknown(block.entries(), 0, Set.of())
              ? new Result.Failed<>(StandardFault.unknown(block.entries().get(0).fault().get().message()))
              : new Result.Done<>(block);
        });
  }

  /** {@code iterate}. */
  public static StandardCall<IteratedEntries> iterate(long start, int count) {
    return new StandardCall<>(
        false,
        Namespaces.ITERATOR + "/WSIteratorPortType/iterateRequest",
        out -> ResourceOperations.ITERATE.writeRequest(out, new IterateRequest(Optional.empty(), start, count),
            Place.PAYLOAD),
        done(Namespaces.ITERATOR, "IterateResponseType", IteratedEntries::read));
  }

  /** {@code GetMultipleResourceProperties} for some of the properties of a directory. */
  public static StandardCall<PropertyValues> properties(List<Property> properties) {
    return new StandardCall<>(
        false,
        "http://docs.oasis-open.org/wsrf/rpw-2/GetMultipleResourceProperties/GetMultipleResourcePropertiesRequest",
        out -> ResourceOperations.GET_PROPERTIES.writeRequest(
            out, new PropertiesCodec.Asked(NAMED_BY_HEADERS, properties), Place.PAYLOAD),
        done(Namespaces.WSRP, "GetMultipleResourcePropertiesResponse", PropertyValues::read));
  }

  /** {@code Destroy}: ends the resource, not its name. */
  public static StandardCall<Boolean> destroy() {
    return new StandardCall<>(
        true,
        "http://docs.oasis-open.org/wsrf/rlw-2/ImmediateResourceTermination/DestroyRequest",
        out -> ResourceOperations.DESTROY.writeRequest(out, NAMED_BY_HEADERS, Place.PAYLOAD),
        done(
            Namespaces.WSRL,
            "DestroyResponse",
            body -> {
              body.skip();
              return true;
            }));
  }

  /** {@code resolveEPI}: the reference that an identifier has now. */
  public static StandardCall<EndpointReference> resolveIdentifier(String identifier) {
    return new StandardCall<>(
        false,
        Namespaces.NAMING_WSDL + "/EndpointIdentifierResolver/ResolveEPI",
        out -> ResourceOperations.RESOLVE_EPI.writeRequest(out, identifier, Place.PAYLOAD),
        done(Namespaces.WSA, "EndpointReference", EndpointReference::read));
  }

  /** {@code resolve}: the reference that the resource of a resolver has now. */
  public static StandardCall<EndpointReference> resolve() {
    return new StandardCall<>(
        false,
        Namespaces.NAMING_WSDL + "/ReferenceResolver/Resolve",
        out -> ResourceOperations.RESOLVE.writeRequest(out, NAMED_BY_HEADERS, Place.PAYLOAD),
        done(Namespaces.WSA, "EndpointReference", EndpointReference::read));
  }

  private static List<String> texts(List<EntryName> names) {
    return names.stream().map(EntryName::toString).toList();
  }

  private static void writeName(XmlBuffer out, EntryName name) {
    EntryOperations.LOOKUP_11.writeRequest(out, Target.ROOT.child(name), Place.BATCH_ITEM);
  }

  private static StandardCall<List<EntryResponse>> ofItems(
      String operation, List<String> names, Consumer<XmlBuffer> items) {
    return ofItems(operation, names, names.size(), items);
  }

  private static StandardCall<List<EntryResponse>> ofItems(
      String operation, List<String> names, int count, Consumer<XmlBuffer> items) {
    String element = operation.substring(0, 1).toUpperCase(java.util.Locale.ROOT) + operation.substring(1);
    Set<String> asked = names.stream().collect(Collectors.toSet());
    return new StandardCall<>(
        !operation.equals("lookup"),
        RNS_ACTION + operation + "Request",
        out -> {
          out.raw("<_n:" + element + "Request" + DECLARATIONS + ">");
          items.accept(out);
          out.raw("</_n:" + element + "Request>");
        },
        body -> {
          Markup.expect(body, Namespaces.RNS_11, element + "Response");
          List<EntryResponse> responses = Items11.readResponse(body);
          if (isOfUnknown(responses, count, asked)) {
            return new Result.Failed<>(StandardFault.unknown(responses.get(0).fault().get().message()));
          }
          if (responses.size() != count) {
            throw new RnsException(
                RnsError.MALFORMED_MESSAGE, "the answer to " + count + " items has " + responses.size());
          }
          return new Result.Done<>(responses);
        });
  }

  /**
   * How a known server reports that the directory itself does not exist: one response for all, about no name asked for.
   */
  private static boolean isOfUnknown(List<EntryResponse> responses, int count, Set<String> asked) {
    return responses.size() == 1
        && responses.get(0).fault().isPresent()
        && responses.get(0).fault().get().error() == RnsError.NO_SUCH_ENTRY
        && (count != 1 || !asked.contains(responses.get(0).name()));
  }

  private static <A> Reader<A> done(String namespace, String element, Function<XmlPull, A> read) {
    return body -> {
      Markup.expect(body, namespace, element);
      return new Result.Done<>(read.apply(body));
    };
  }

  /** Whether it may change something. */
  public boolean writes() {
    return writes;
  }

  /**
   * Appends the message to a resource.
   *
   * @param to its address, as its reference has it
   * @param parts the other parts of its reference
   * @param messageId an absolute URI that no other message has
   */
  public void writeTo(XmlBuffer out, String to, ReferenceParts parts, String messageId) {
    out.raw("<_s:Envelope xmlns:_s=\"" + Namespaces.SOAP_11 + "\"><_s:Header>");
    header(out, "To", to);
    header(out, "Action", action);
    header(out, "MessageID", messageId);
    parts.writeHeaders(out);
    out.raw("</_s:Header><_s:Body>");
    payload.accept(out);
    Envelope.close(out);
  }

  private static void header(XmlBuffer out, String name, String text) {
    out.raw("<_a:").raw(name).raw(" xmlns:_a=\"" + Namespaces.WSA + "\">").text(text).raw("</_a:").raw(name).raw(">");
  }

  /**
   * Reads the answer.
   *
   * @throws RnsException {@link RnsError#UNAVAILABLE} if it is not one, so that the effect is unknown
   */
  public Result<A> read(InputStream utf8) {
    try (XmlPull pull = XmlPull.answer(utf8)) {
      Result<A> result = receive(pull);
      pull.finish();
      return result;
    } catch (RnsException e) {
      throw new RnsException(RnsError.UNAVAILABLE, "the server's answer cannot be read: " + e.getMessage(), e);
    }
  }

  private Result<A> receive(XmlPull pull) {
    if (!Envelope.enter(pull)) {
      throw new RnsException(RnsError.MALFORMED_MESSAGE, "the message is SOAP 1.2");
    }
    if (Envelope.atHeader(pull)) {
      pull.skip();
      if (!pull.nextChild()) {
        throw Envelope.noBody();
      }
    }
    Envelope.enterBody(pull);
    return pull.is(Namespaces.SOAP_11, "Fault") ? new Result.Failed<>(StandardFault.read(pull)) : reader.read(pull);
  }
}
