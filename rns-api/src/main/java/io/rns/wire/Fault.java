package io.rns.wire;

import io.rns.api.Answer;
import io.rns.api.Refusal;
import io.rns.api.RnsPath;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The content of a fault.
 *
 * @param error the code
 * @param message the facts in one sentence
 * @param path the path the request was about
 * @param refusal the refusal of the namespace, if the fault reports one
 * @param table the fault elements available for it
 * @param coded whether it has a code of our dialect, as every fault of an RNS server has
 * @param referral the address of the server to contact instead
 * @param retryMillis when to retry at the same server, in ms from now
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
  /** Replaces an empty message by the error code. */
  public Fault {
    message = message.isBlank() ? "the server gives no details: " + error : message;
  }

  /** A fault of RNS 1.0. */
  Fault(RnsError error, String message, RnsPath path, Optional<Refusal> refusal, boolean coded) {
    this(error, message, path, refusal, FaultTable.RNS_1_0, coded, Optional.empty(), OptionalLong.empty());
  }

  /** Returns the same fault for the fault elements of another operation. */
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

  /** The fault of a request about {@code path} that the primary has to answer. */
  public static Fault of(Answer.Referred<?> referred, RnsPath path) {
    return new Fault(
        Answer.Referred.ERROR,
        referred.reason(),
        path,
        Optional.empty(),
        FaultTable.RNS_1_0,
        true,
        Optional.of(referred.server()),
        OptionalLong.empty());
  }

  public RnsException toException() {
    if (error == RnsError.BUSY && retryMillis.isPresent()) {
      return RnsException.busy(message, retryMillis.getAsLong());
    }
    return referral.isPresent() ? RnsException.referral(error, message, referral.get())
        : new RnsException(error, message);
  }
}
