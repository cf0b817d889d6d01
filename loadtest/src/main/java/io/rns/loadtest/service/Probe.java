package io.rns.loadtest.service;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.loadtest.http.AnswerCheck;
import io.rns.loadtest.http.HttpClients;
import io.rns.loadtest.measure.FailureKind;
import io.rns.loadtest.measure.Failures;
import io.rns.loadtest.measure.LoadClient;
import io.rns.loadtest.measure.LoadRun;
import io.rns.loadtest.measure.Schedule;
import io.rns.xml.XmlPull;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/** Sends one request of a load before it begins and reads the answer with care, as the load itself cannot afford to. */
public final class Probe {
  private static final Duration BOUND = Duration.ofSeconds(30);

  private Probe() {}

  /**
   * Checks that the answer has as many elements of a name as it should.
   *
   * @throws RnsException if it has not, or if there is no good answer at all
   */
  public static void expect(HttpTarget target, byte[] request, String element, int count) {
    AtomicReference<String> body = new AtomicReference<>("");
    Failures failures =
        ask(
            target,
            request,
            answer -> {
              body.set(answer.body());
              return Answers.soap(answer);
            });
    if (failures.total() > 0) {
      RnsError error = failures.counts().containsKey(FailureKind.CONNECTION) ? RnsError.UNAVAILABLE : RnsError.INTERNAL;
      throw new RnsException(error, "a request to " + target.url() + " failed: " + failures.first().orElse(""));
    }
    int found = count(body.get(), element);
    if (found != count) {
      throw new RnsException(
          RnsError.INTERNAL,
          "an answer of " + target.url() + " has " + found + " elements '" + element + "' instead of " + count);
    }
  }

  /** Sends one request and says what failed. */
  static Failures ask(HttpTarget target, byte[] request, AnswerCheck check) {
    AtomicBoolean sent = new AtomicBoolean();
    List<LoadClient> client =
        HttpClients.of(target.address(), 1, i -> () -> sent.getAndSet(true) ? null : request, check);
    return LoadRun.run(client, Schedule.untilDone(BOUND), BOUND).failures();
  }

  private static int count(String message, String element) {
    try (XmlPull pull = XmlPull.document(message)) {
      return count(pull, element);
    }
  }

  private static int count(XmlPull pull, String element) {
    int found = pull.localName().equals(element) ? 1 : 0;
    while (pull.nextChild()) {
      found += count(pull, element);
    }
    return found;
  }
}
