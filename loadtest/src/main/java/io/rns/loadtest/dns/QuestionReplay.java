package io.rns.loadtest.dns;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.loadtest.measure.Measurement;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Sends the questions of a trace to a server by UDP, each at its time, and counts the answers. The load is open: no
 * question waits for an answer, so a slow server receives as many as a fast one.
 *
 * @param factor copies of each question, sent at the same time; 1 or more
 * @param timeout after which a question is lost; {@link #TIMEOUT}, except in tests
 */
public record QuestionReplay(QuestionTrace trace, int factor, InetSocketAddress server, Duration timeout) {
  /**
   * After which a question is lost. Its id is used again after two million others, which one thread does not send in
   * this time, so an answer belongs to one question.
   */
  public static final Duration TIMEOUT = Duration.ofSeconds(2);

  /** Servers with several sockets spread questions over them by source port. */
  private static final int CHANNELS = 32;
  private static final long LOOK_MILLIS = 20;

  /**
   * Replays the trace. An interrupt ends it early, with a report so far.
   *
   * @throws RnsException {@link RnsError#UNAVAILABLE} if no questions can be sent
   */
  public ReplayReport run() {
    Map<QuestionTrace.Question, EncodedQuestion> distinct = new HashMap<>();
    List<EncodedQuestion> questions =
        trace.questions().stream()
            .map(timed -> distinct.computeIfAbsent(timed.question(), EncodedQuestion::new)).toList();
    List<ReplayChannel> channels = new ArrayList<>();
    try (Selector selector = Selector.open()) {
      try {
        for (int i = 0; i < CHANNELS; i++) {
          ReplayChannel channel = ReplayChannel.open(server, timeout.toNanos());
          channels.add(channel);
          channel.register(selector);
        }
        return new Run(questions, channels, selector).run();
      } finally {
        for (ReplayChannel channel : channels) {
          channel.close();
        }
      }
    } catch (IOException e) {
      throw new RnsException(RnsError.UNAVAILABLE, "DNS at " + server + ": " + e.getMessage(), e);
    }
  }

  /** One replay: the calling thread sends, another one receives. */
  private final class Run {
    private final List<EncodedQuestion> questions;
    private final List<ReplayChannel> channels;
    private final Selector selector;
    private final AnsweredQuestions answers = new AnsweredQuestions(trace.length());
    private final Histogram lateness = Measurement.newHistogram();
    private final long begin = System.nanoTime();
    private long sent;
    private boolean interrupted;
    /** When the last question was sent; the largest number until then. */
    private volatile long ended = Long.MAX_VALUE;
    /** How many questions were sent; the largest number until the last one was. */
    private volatile long toAnswer = Long.MAX_VALUE;

    Run(List<EncodedQuestion> questions, List<ReplayChannel> channels, Selector selector) {
      this.questions = questions;
      this.channels = channels;
      this.selector = selector;
    }

    private long now() {
      return System.nanoTime() - begin;
    }

    ReplayReport run() throws IOException {
      FutureTask<@Nullable Void> receiving = new FutureTask<>(() -> {
        receive();
        return null;
      });
      Thread.ofPlatform().name("dns replay").daemon().start(receiving);
      try {
        send(receiving);
      } finally {
        ended = now();
        toAnswer = sent;
      }
      await(receiving);
      return new ReplayReport(
          sent, answers.codes(), answers.wrongOnes(), answers.responses(), answers.mean(), lateness,
          Duration.ofNanos(interrupted ? ended : trace.length()), interrupted);
    }

    private void send(FutureTask<?> receiving) throws IOException {
      for (int i = 0; i < questions.size() && !receiving.isDone(); i++) {
        long due = trace.questions().get(i).nanos();
        while (now() < due && !Thread.currentThread().isInterrupted()) {
          LockSupport.parkNanos(due - now());
        }
        if (Thread.interrupted()) {
          interrupted = true;
          return;
        }
        for (int copy = 0; copy < factor; copy++) {
          long now = now();
          Measurement.record(lateness, now - due);
          channels.get((int) (sent++ % CHANNELS)).send(questions.get(i), now);
        }
      }
    }

    private void receive() throws IOException {
      ByteBuffer buffer = ByteBuffer.allocateDirect(EncodedQuestion.ANSWER_BYTES);
      while (answers.answered() < toAnswer && now() - timeout.toNanos() <= ended) {
        selector.select(LOOK_MILLIS);
        for (SelectionKey key : selector.selectedKeys()) {
          ReplayChannel channel = (ReplayChannel) key.attachment();
          while (channel.receive(buffer, this::now, answers)) {
            // Reads everything that has arrived.
          }
        }
        selector.selectedKeys().clear();
      }
    }

    /** Waits for the last answers, at most the timeout. */
    private void await(FutureTask<?> receiving) throws IOException {
      while (true) {
        try {
          receiving.get();
          return;
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (ExecutionException e) {
          throw new IOException(e.getCause().getMessage(), e);
        }
      }
    }
  }
}
