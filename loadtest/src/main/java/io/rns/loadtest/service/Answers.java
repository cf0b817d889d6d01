package io.rns.loadtest.service;

import io.rns.loadtest.http.Answer;
import io.rns.loadtest.http.AnswerCheck;
import io.rns.loadtest.http.BytePattern;
import io.rns.loadtest.measure.FailureKind;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** What is looked at in every answer of a raw load. */
public final class Answers {
  private static final int OK = 200;

  /** The end of a SOAP fault's element, and of the fault of an item of a batch. */
  private static final BytePattern FAULT = BytePattern.of("ault>");

  /** In the name of every element that answers an operation. */
  private static final BytePattern RESPONSE = BytePattern.of("Response");

  private static final BytePattern ADDED = BytePattern.of("addResponse");

  private Answers() {}

  /** A SOAP answer without a fault, be it the answer's or an item's. */
  public static @Nullable FailureKind soap(Answer answer) {
    if (answer.contains(FAULT)) {
      return FailureKind.FAULT;
    }
    if (answer.status() != OK) {
      return FailureKind.HTTP_STATUS;
    }
    return answer.contains(RESPONSE) ? null : FailureKind.UNEXPECTED_ANSWER;
  }

  /** The same, counting entries whose addition is acknowledged. */
  public static AnswerCheck countingAdded(LongAdder added, int itemsPerAnswer) {
    return answer -> {
      FailureKind failure = soap(answer);
      if (failure == null && answer.contains(ADDED)) {
        added.add(itemsPerAnswer);
      }
      return failure;
    };
  }

  /** An echo of a message of some length. */
  public static AnswerCheck echo(int length) {
    return answer -> {
      if (answer.status() != OK) {
        return FailureKind.HTTP_STATUS;
      }
      return answer.length() == length ? null : FailureKind.UNEXPECTED_ANSWER;
    };
  }
}
