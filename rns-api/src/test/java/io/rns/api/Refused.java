package io.rns.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Expectations on a refusal: its code, and a printable message with the facts. */
public final class Refused {
  private static final int MESSAGE_CHARS = 400;

  private Refused() {}

  /** Checks that a call is refused with a code and a short message that contains the facts. */
  public static void with(RnsError error, ThrowingCallable call, String... facts) {
    RnsException refused = catchThrowableOfType(RnsException.class, call);
    assertThat(refused).isNotNull();
    assertThat(refused.error()).as(refused.getMessage()).isEqualTo(error);
    assertThat(facts).allSatisfy(fact -> assertThat(refused.getMessage()).contains(fact));
    assertThat(refused.getMessage()).hasSizeLessThan(MESSAGE_CHARS);
    assertThat(refused.getMessage().chars().filter(Character::isISOControl)).isEmpty();
  }
}
