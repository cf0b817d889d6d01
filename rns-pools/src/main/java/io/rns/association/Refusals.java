package io.rns.association;

import io.rns.error.Limits;
import io.rns.registrar.Effect;
import io.rns.registrar.Recipient;
import io.rns.rserpool.AsapMessage;
import io.rns.rserpool.ErrorCause;
import java.util.List;
import java.util.Optional;

/** Answers that refuse a request of an element or user. */
final class Refusals {
  private Refusals() {}

  /**
   * Why a message of an element or user gets no answer: its handle is longer than that of any pool, and an answer would
   * have to repeat it.
   */
  static Optional<ErrorCause> ofHandle(AsapMessage message) {
    int length = switch (message) {
      case AsapMessage.Registration m -> m.handle().length();
      case AsapMessage.Deregistration m -> m.handle().length();
      case AsapMessage.HandleResolution m -> m.handle().length();
      case AsapMessage.KeepAliveAck m -> m.handle().length();
      case AsapMessage.Unreachable m -> m.handle().length();
      default -> 0;
    };
    return length <= Limits.PATH_BYTES
        ? Optional.empty()
        : Optional.of(
            ErrorCause.of(
                ErrorCause.INVALID_VALUES,
                "a pool handle has " + length + " bytes; the limit is " + Limits.PATH_BYTES + " bytes"));
  }

  /** The answer to a message that the registrar does not get; a message without an answer is reported. */
  static AsapMessage answer(AsapMessage message, ErrorCause cause) {
    List<ErrorCause> causes = List.of(cause);
    return switch (message) {
      case AsapMessage.Registration m ->
        new AsapMessage.RegistrationResponse(true, m.handle(), m.element().id(), causes);
      case AsapMessage.Deregistration m -> new AsapMessage.DeregistrationResponse(m.handle(), m.id(), causes);
      case AsapMessage.HandleResolution m ->
        new AsapMessage.HandleResolutionResponse(false, m.handle(), Optional.empty(), List.of(), causes);
      default -> new AsapMessage.ErrorReport(causes);
    };
  }

  /** Why the registrar has rejected a request that came by a connection; empty if it has not. */
  static List<ErrorCause> causes(long connection, List<Effect> effects) {
    for (Effect effect : effects) {
      if (effect instanceof Effect.Send(Recipient.Connected(long id), AsapMessage message) && id == connection) {
        return switch (message) {
          case AsapMessage.RegistrationResponse m -> m.rejected() ? m.causes() : List.of();
          case AsapMessage.DeregistrationResponse m -> m.causes();
          case AsapMessage.HandleResolutionResponse m -> m.causes();
          default -> List.of();
        };
      }
    }
    return List.of();
  }
}
