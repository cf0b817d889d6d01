package io.rns.wire;

import io.rns.api.Refusal;
import io.rns.api.RnsPath;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.util.Optional;

/**
 * What a fault tells.
 *
 * @param error the code
 * @param message a sentence with the facts
 * @param path what the request was about
 * @param refusal the namespace's answer, if that is what it is
 * @param table which fault elements there are for it
 */
public record Fault(
    RnsError error, String message, RnsPath path, Optional<Refusal> refusal, FaultTable table) {
  /** A fault of RNS 1.0. */
  Fault(RnsError error, String message, RnsPath path, Optional<Refusal> refusal) {
    this(error, message, path, refusal, FaultTable.RNS_1_0);
  }

  /** The same fault, told as another operation has it. */
  public Fault in(FaultTable other) {
    return new Fault(error, message, path, refusal, other);
  }

  /** The fault of a refusal. */
  public static Fault of(Refusal refusal) {
    return new Fault(refusal.error(), refusal.message(), refusal.target().path(), Optional.of(refusal));
  }

  /** The fault of an error of a request about {@code path}. */
  public static Fault of(RnsException error, RnsPath path) {
    return new Fault(error.error(), String.valueOf(error.getMessage()), path, Optional.empty());
  }

  /** The same as an exception. */
  RnsException toException() {
    return new RnsException(error, message);
  }
}
