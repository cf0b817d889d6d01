package io.rns.server.http;

import io.rns.error.RnsError;
import io.rns.server.audit.RequestAudit;
import io.rns.server.memory.MemoryPool;
import io.rns.server.memory.RequestMemory;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bounds what clients send slowly and read slowly: the time and rate of bodies, the rate of answers, and the large
 * answers that are sent at one time. Safe for use by many threads.
 */
public final class Traffic {
  /** The attribute of the servlet context under which filters find it. */
  public static final String ATTRIBUTE = "io.rns.server.http.Traffic";

  /** What one large answer holds while it is sent: the piece that is written, and what the container buffers. */
  static final int ANSWER_BYTES = 196_608;

  /** How many urgent requests have threads of their own. */
  static final int MOST_URGENT = 32;

  private static final Logger LOG = LoggerFactory.getLogger(Traffic.class);

  private final Duration bodyTimeout;
  private final MemoryPool memory;
  private final LongAdder cut = new LongAdder();
  private final Semaphore urgent = new Semaphore(MOST_URGENT);

  /**
   * Bounds for one application.
   *
   * @param bodyTimeout longest time in which a body must have arrived
   * @param memory for all requests
   */
  public Traffic(Duration bodyTimeout, MemoryPool memory) {
    this.bodyTimeout = bodyTimeout;
    this.memory = memory;
  }

  private RequestMemory open(HttpServletRequest request) {
    return memory.open(() -> Callers.account(request));
  }

  /** The memory for all requests. */
  public MemoryPool memory() {
    return memory;
  }

  /** What answers a request. */
  @FunctionalInterface
  public interface Answering {
    /** Answers by {@code response}, as fast as the client reads. */
    void answer(PacedResponse response) throws IOException, ServletException;
  }

  /**
   * Has a request answered by a virtual thread: however many wait, the container's threads are free for others.
   *
   * @param held what the request holds already; given back at the end
   * @param end run at last, whatever happened
   */
  public void postpone(
      String name,
      HttpServletRequest request,
      HttpServletResponse response,
      RequestMemory held,
      Answering answering,
      Runnable end) {
    postpone(Thread.ofVirtual().name(name), request, response, held, answering, end);
  }

  private void postpone(
      Thread.Builder thread,
      HttpServletRequest request,
      HttpServletResponse response,
      RequestMemory held,
      Answering answering,
      Runnable end) {
    // Grizzly sets a status that is read and not set: the container's thread would, and undo what the answer sets.
    response.setStatus(HttpServletResponse.SC_OK);
    AsyncContext context = request.startAsync(request, response);
    // What is waited for has bounds of its own.
    context.setTimeout(0);
    RequestAudit audit = RequestAudit.of(request);
    Thread unused = thread
        .start(
            () -> {
              held.bind();
              if (audit != null) {
                audit.bind();
              }
              try (held;
                  PacedResponse paced = new PacedResponse(request, response, this)) {
                answering.answer(paced);
              } catch (IOException e) {
                LOG.debug("the client disconnected: {}", e.toString());
              } catch (ServletException | RuntimeException e) {
                // As the container does for its own threads: the client must not take a part for the whole.
                LOG.error("the response could not be written", e);
                RequestAudit.noteError(RnsError.INTERNAL);
                if (response.isCommitted()) {
                  ClientConnection.drop(request);
                } else {
                  response.setStatus(HttpServletResponse.SC_INTERNAL_SERVER_ERROR);
                }
              } finally {
                if (audit != null) {
                  audit.end(response.getStatus());
                  RequestAudit.unbind();
                }
                end.run();
                // The container would go on waiting for the rest of the body.
                Runnable close = ArrivingBody.isLate(request) ? ClientConnection.later(request) : () -> {};
                context.complete();
                close.run();
              }
            });
  }

  /** The same for a request that holds nothing yet. */
  public void postpone(
      String name, HttpServletRequest request, HttpServletResponse response, Answering answering, Runnable end) {
    postpone(name, request, response, open(request), answering, end);
  }

  /**
   * The same for a small request on which the group relies. Virtual threads are not preempted, so it would wait for
   * those of clients, for seconds while the code is not compiled yet; of more than {@value #MOST_URGENT} the others do.
   */
  public void postponeUrgent(
      String name, HttpServletRequest request, HttpServletResponse response, Answering answering) {
    boolean own = urgent.tryAcquire();
    Thread.Builder thread = own ? Thread.ofPlatform().daemon() : Thread.ofVirtual();
    postpone(thread.name(name), request, response, open(request), answering, () -> {
      if (own) {
        urgent.release();
      }
    });
  }

  /** The body of a request that is in asynchronous mode. */
  public InputStream body(HttpServletRequest request) throws IOException {
    return new ArrivingBody(request, bodyTimeout);
  }

  /**
   * To be called now and then while a large answer is made: virtual threads are not preempted, so the small requests of
   * others would wait until all of it is done.
   */
  @SuppressWarnings("ThreadPriorityCheck")
  public static void giveWay() {
    Thread.yield();
  }

  /** Ends the connection of an answer that breaks off in the middle. */
  public static IOException cut(HttpServletRequest request, RuntimeException why) {
    ClientConnection.drop(request);
    return new IOException("the answer broke off: " + why.getMessage(), why);
  }

  /** A client that read too slowly was disconnected. */
  void noteCut() {
    cut.increment();
  }

  /** Numbers for operators. */
  public Map<String, Number> statistics() {
    return Map.of(
        "cutClients", cut.sum(), "requestBytes", memory.taken(), "memoryRefusedByShare", memory.refused());
  }
}
