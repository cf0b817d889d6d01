package io.rns.wire.resource;

import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Outcome;
import io.rns.api.QueryRequest;
import io.rns.api.Refusal;
import io.rns.api.Target;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.wire.FaultTable;
import io.rns.wire.Markup;
import io.rns.wire.Namespaces;
import io.rns.wire.Preconditions;
import io.rns.wire.ReplyForm;
import io.rns.wire.ReplyHeaders;
import io.rns.wire.RequestFrame;
import io.rns.wire.ResourceTarget;
import io.rns.wire.resource.SetTerminationTimeCodec.Asked;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import java.time.Instant;
import java.util.Optional;
import javax.xml.XMLConstants;
import org.jspecify.annotations.Nullable;

/** {@code wsrl:SetTerminationTime}: sets the end of an iterator; a directory has none. */
public final class SetTerminationTimeCodec implements ResourceOperationCodec<Asked, TerminationTime> {
  /**
   * The content of a request.
   *
   * @param resource the resource
   * @param lifetime its new lifetime
   */
  public record Asked(ResourceTarget resource, Lifetime lifetime) {}

  @Override
  public String element() {
    return "SetTerminationTime";
  }

  @Override
  public String action() {
    return "http://docs.oasis-open.org/wsrf/rlw-2/ScheduledResourceTermination/SetTerminationTimeResponse";
  }

  @Override
  public FaultTable faults() {
    return FaultTable.TERMINATION;
  }

  @Override
  public Target target(Asked item) {
    return item.resource().directory();
  }

  @Override
  public void writeRequest(XmlBuffer out, Asked item, Place place) {
    out.raw("<_l:SetTerminationTime xmlns:_l=\"" + Namespaces.WSRL + "\">");
    if (item.lifetime().period().isPresent()) {
      String text = item.lifetime().durationText();
      out.raw("<_l:RequestedLifetimeDuration>").raw(text).raw("</_l:RequestedLifetimeDuration>");
    } else {
      writeTime(out, "RequestedTerminationTime", item.lifetime().time());
    }
    out.raw("</_l:SetTerminationTime>");
  }

  private static void writeTime(XmlBuffer out, String element, Optional<Instant> time) {
    out.raw("<_l:").raw(element);
    if (time.isPresent()) {
      out.raw(">").raw(time.get().toString()).raw("</_l:").raw(element).raw(">");
    } else {
      out.raw(" xmlns:_i=\"" + XMLConstants.W3C_XML_SCHEMA_INSTANCE_NS_URI + "\" _i:nil=\"true\"/>");
    }
  }

  @Override
  public Asked readRequest(XmlPull pull, RequestFrame frame) {
    Preconditions.none(frame, element());
    @Nullable
    Lifetime lifetime = null;
    while (pull.nextChild()) {
      if (pull.is(Namespaces.WSRL, "RequestedTerminationTime")) {
        Markup.once(lifetime, "RequestedTerminationTime");
        boolean never = pull.isNil();
        String text = pull.text().trim();
        lifetime = never ? Lifetime.ENDLESS : Lifetime.ofDateTime(text);
      } else if (pull.is(Namespaces.WSRL, "RequestedLifetimeDuration")) {
        Markup.once(lifetime, "RequestedLifetimeDuration");
        lifetime = Lifetime.ofDuration(pull.text().trim());
      } else {
        pull.skip();
      }
    }
    if (lifetime == null) {
      throw new RnsException(
          RnsError.INVALID_REQUEST,
          "SetTerminationTime has neither a RequestedTerminationTime nor a RequestedLifetimeDuration");
    }
    return new Asked(frame.resource(), lifetime);
  }

  @Override
  public void writeResponse(XmlBuffer out, TerminationTime result, ReplyForm form, Place place) {
    out.raw("<_l:SetTerminationTimeResponse xmlns:_l=\"" + Namespaces.WSRL + "\">");
    writeTime(out, "NewTerminationTime", result.end());
    writeTime(out, "CurrentTime", Optional.of(result.current()));
    out.raw("</_l:SetTerminationTimeResponse>");
  }

  @Override
  public TerminationTime readResponse(XmlPull pull) {
    Optional<Instant> end = Optional.empty();
    Instant now = Instant.EPOCH;
    while (pull.nextChild()) {
      if (pull.is(Namespaces.WSRL, "NewTerminationTime") && !pull.isNil()) {
        end = Lifetime.ofDateTime(pull.text().trim()).time();
      } else if (pull.is(Namespaces.WSRL, "CurrentTime")) {
        now = Lifetime.ofDateTime(pull.text().trim()).time().orElseThrow();
      } else {
        pull.skip();
      }
    }
    return new TerminationTime(end, now);
  }

  @Override
  public Answer<Outcome<TerminationTime>> call(Resources resources, CallContext call, Asked item) {
    Instant now = resources.clock().instant();
    Optional<Instant> end = item.lifetime().end(now);
    TerminationTime result = new TerminationTime(end, now);
    if (item.resource().iterator().isPresent()) {
      String id = item.resource().iterator().get();
      return resources.iterators().endAt(id, end)
          ? Answer.of(Outcome.done(result), ReplyHeaders.NOWHERE)
          : Iterators.gone(id);
    }
    Target directory = item.resource().directory();
    Answer<Outcome<TerminationTime>> found =
        TargetOperationCodec.ofDirectory(
            resources.service().query(call, QueryRequest.of(directory)), directory, there -> result);
    String message = "a directory does not expire: " + directory + " accepts no termination time except nil";
    Outcome<TerminationTime> refused =
        Outcome.refused(new Refusal.Invalid(directory, RnsError.INVALID_REQUEST, message));
    return end.isEmpty() ? found : found.map(outcome -> outcome instanceof Outcome.Done ? refused : outcome);
  }
}
