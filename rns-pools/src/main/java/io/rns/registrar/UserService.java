package io.rns.registrar;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.handlespace.Handlespace;
import io.rns.handlespace.ResolutionOutcome;
import io.rns.handlespace.ResolutionOutcome.Resolved;
import io.rns.handlespace.ResolutionOutcome.Selected;
import io.rns.rserpool.AsapCodec;
import io.rns.rserpool.AsapMessage.HandleResolution;
import io.rns.rserpool.AsapMessage.HandleResolutionResponse;
import io.rns.rserpool.ElementDescription;
import io.rns.rserpool.ErrorCause;
import io.rns.rserpool.Octets;
import io.rns.rserpool.WireLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Handle resolution (RFC 5352, section 3.6). Subscriptions to changes are not supported. */
final class UserService {
  /** Maximum number of elements in an answer (MaxHResItems). */
  private static final int ITEMS = 3;

  private final Handlespace handlespace;
  private final RegistrarCounters counters;
  private final Described described = new Described();

  UserService(Handlespace handlespace, RegistrarCounters counters) {
    this.handlespace = handlespace;
    this.counters = counters;
  }

  HandleResolutionResponse resolve(HandleResolution message) {
    HandleResolutionResponse answer = answer(message);
    if (answer.elements().isEmpty()) {
      counters.rejected();
    } else {
      counters.selected();
    }
    return answer;
  }

  private HandleResolutionResponse answer(HandleResolution message) {
    ResolutionOutcome outcome;
    try {
      outcome = handlespace.resolve(Descriptions.path(message.handle()), ITEMS);
    } catch (RnsException e) {
      return refused(message.handle(), Descriptions.cause(e));
    }
    return switch (outcome) {
      case Resolved resolved -> resolved(message.handle(), resolved);
      case ResolutionOutcome.NoneEligible none ->
        refused(
            message.handle(),
            ErrorCause.of(ErrorCause.NO_RESOURCES, "none of " + none.size() + " elements can be selected now"));
      case ResolutionOutcome.UnknownPool unknown ->
        refused(message.handle(), ErrorCause.of(ErrorCause.UNKNOWN_HANDLE, "no pool has the handle"));
    };
  }

  static HandleResolutionResponse refused(Octets handle, ErrorCause cause) {
    return new HandleResolutionResponse(false, handle, Optional.empty(), List.of(), List.of(cause));
  }

  /** Builds an answer with as many elements as fit into a message. */
  private HandleResolutionResponse resolved(Octets handle, Resolved resolved) {
    List<ElementDescription> elements = new ArrayList<>(resolved.selected().size());
    long mostBytes = handle.length();
    for (Selected selected : resolved.selected()) {
      elements.add(described.of(resolved.policy(), selected.element()));
      mostBytes += Descriptions.mostBytes(selected.element().registration());
    }
    HandleResolutionResponse response = response(handle, elements);
    return mostBytes <= WireLimits.MESSAGE_BYTES ? response : bounded(response);
  }

  private static HandleResolutionResponse response(Octets handle, List<ElementDescription> elements) {
    return new HandleResolutionResponse(false, handle, Optional.of(elements.get(0).policy()), elements, List.of());
  }

  private static HandleResolutionResponse bounded(HandleResolutionResponse whole) {
    HandleResolutionResponse response = whole;
    while (true) {
      try {
        AsapCodec.encode(response);
        return response;
      } catch (RnsException e) {
        int count = response.elements().size();
        if (e.error() != RnsError.LIMIT_EXCEEDED || count == 1) {
          throw e;
        }
        response = response(whole.handle(), response.elements().subList(0, count / 2));
      }
    }
  }
}
