package io.rns.wire;

import io.rns.api.Refusal;
import io.rns.api.RnsPath;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a fault tells.
 *
 * @param error the code
 * @param message a sentence with the facts
 * @param path what the request was about
 * @param refusal the namespace's answer, if that is what it is
 * @param table which fault elements there are for it
 * @param coded whether it has a code of our dialect, as all faults of a service of ours have
 * @param referral the address of the server to ask instead
 * @param retryMillis after which time, in milliseconds, the same server may be asked again
 */
public record Fault(
    RnsError error,
    String message,
    RnsPath path,
    Optional<Refusal> refusal,
    FaultTable table,
    boolean coded,
    Optional<String> referral,
    OptionalLong retryMillis) {
  /** A server that gives no text is told by its kind of error. */
  public Fault {
    message = message.isBlank() ? "the server says no more than " + error : message;
  }

  /** A fault of RNS 1.0. */
  Fault(RnsError error, String message, RnsPath path, Optional<Refusal> refusal, boolean coded) {
    this(error, message, path, refusal, FaultTable.RNS_1_0, coded, Optional.empty(), OptionalLong.empty());
  }

  /** The same fault, told as another operation has it. */
  public Fault in(FaultTable other) {
    return new Fault(error, message, path, refusal, other, coded, referral, retryMillis);
  }

  /** The fault of a refusal. */
  public static Fault of(Refusal refusal) {
    return new Fault(refusal.error(), refusal.message(), refusal.target().path(), Optional.of(refusal), true);
  }

  /** The fault of an error of a request about {@code path}. */
  public static Fault of(RnsException error, RnsPath path) {
    return new Fault(
        error.error(),
        String.valueOf(error.getMessage()),
        path,
        Optional.empty(),
        FaultTable.RNS_1_0,
        true,
        error.referral(),
        error.retryMillis());
  }

  /** The same as an exception. */
  public RnsException toException() {
    if (error == RnsError.BUSY && retryMillis.isPresent()) {
      return RnsException.busy(message, retryMillis.getAsLong());
    }
    return referral.isPresent() ? RnsException.referral(error, message, referral.get())
        : new RnsException(error, message);
  }
}
