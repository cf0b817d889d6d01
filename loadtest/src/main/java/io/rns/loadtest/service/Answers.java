package io.rns.loadtest.service;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.loadtest.http.HttpAnswer;
import io.rns.loadtest.http.RawConnection;
import io.rns.loadtest.measure.FailureKind;
import io.rns.loadtest.measure.Failures;
import io.rns.loadtest.measure.LoadRun;
import io.rns.loadtest.measure.Schedule;
import io.rns.xml.XmlPull;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * What is looked at in every answer of a raw load, and single requests whose answers are read with care before a load
 * begins, as the load itself cannot afford to.
 */
public final class Answers {
  private static final int OK = 200;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** The end of a SOAP fault's element, and of the fault of an item of a batch. */
  private static final String FAULT = "ault>";

  /** In the name of every element that answers an operation. */
  private static final String RESPONSE = "Response";

  private static final String ADDED = "addResponse";

  private Answers() {}

  /** A SOAP answer without a fault, be it the answer's or an item's. */
  public static @Nullable FailureKind soap(HttpAnswer answer) {
    if (answer.contains(FAULT)) {
      return FailureKind.FAULT;
    }
    if (answer.status() != OK) {
      return FailureKind.HTTP_STATUS;
    }
    return answer.contains(RESPONSE) ? null : FailureKind.UNEXPECTED_ANSWER;
  }

  /** The same, counting entries whose addition is acknowledged. */
  public static HttpAnswer.Check countingAdded(LongAdder added, int itemsPerAnswer) {
    return answer -> {
      FailureKind failure = soap(answer);
      if (failure == null && answer.contains(ADDED)) {
        added.add(itemsPerAnswer);
      }
      return failure;
    };
  }

  /** A stream of events. */
  static @Nullable FailureKind started(HttpAnswer answer) {
    return answer.status() == OK ? null : FailureKind.HTTP_STATUS;
  }

  /** An echo of a message of some length. */
  static @Nullable FailureKind echo(HttpAnswer answer, int length) {
    FailureKind failure = started(answer);
    return failure != null || answer.length() == length ? failure : FailureKind.UNEXPECTED_ANSWER;
  }

  /** Sends a request and checks that the answer has as many elements of a name as it should. */
  public static void expect(HttpTarget target, byte[] request, String element, int count) {
    AtomicReference<String> body = new AtomicReference<>("");
    Failures failures =
        failures(
            target,
            request,
            answer -> {
              body.set(answer.body());
              return soap(answer);
            });
    if (failures.total() > 0) {
      RnsError error = failures.counts().containsKey(FailureKind.CONNECTION) ? RnsError.UNAVAILABLE : RnsError.INTERNAL;
      throw new RnsException(error, "a request to " + target.url() + " failed: " + failures.first().orElse(""));
    }
    try (XmlPull pull = XmlPull.document(body.get())) {
      int found = count(pull, element);
      if (found != count) {
        throw new RnsException(
            RnsError.INTERNAL,
            "an answer of " + target.url() + " has " + found + " elements '" + element + "' instead of " + count);
      }
    }
  }

  /** Sends one request and reports what failed. */
  static Failures failures(HttpTarget target, byte[] request, HttpAnswer.Check check) {
    Iterator<byte[]> once = List.of(request).iterator();
    return LoadRun.run(
        RawConnection.clients(target.address(), 1, i -> () -> once.hasNext() ? once.next() : null, check),
        Schedule.untilDone(PATIENCE), PATIENCE).failures();
  }

  private static int count(XmlPull pull, String element) {
    int found = pull.localName().equals(element) ? 1 : 0;
    while (pull.nextChild()) {
      found += count(pull, element);
    }
    return found;
  }
}
