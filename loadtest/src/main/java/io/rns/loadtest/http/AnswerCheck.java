package io.rns.loadtest.http;

import io.rns.loadtest.measure.FailureKind;
import org.jspecify.annotations.Nullable;

/**
 * Says whether an answer is what was asked for. It is called for every answer, by many threads, so it must be cheap.
 */
@FunctionalInterface
public interface AnswerCheck {
  /** What went wrong according to the answer, or null if nothing did. The answer is valid during the call only. */
  @Nullable
  FailureKind failureOf(Answer answer);
}
