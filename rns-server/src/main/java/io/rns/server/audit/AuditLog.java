package io.rns.server.audit;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.rns.audit.AuditHead;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.ticket.Ticket;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes events and has one thread write them. Requests never wait. Events that cannot be written wait, within
 * {@link #QUEUE_BYTES}, and are written as soon as that succeeds; those in excess are lost, which is counted, and said
 * by a line of the log. Safe for use by many threads.
 */
public final class AuditLog implements AutoCloseable {
  /** Memory for events that wait: some tens of thousands. */
  static final long QUEUE_BYTES = 16 << 20;

  /** How long what is written may be lost by a loss of power. */
  static final Duration SYNC = Duration.ofSeconds(1);

  private static final Logger LOG = LoggerFactory.getLogger(AuditLog.class);
  /** Events that come within this time are written together: waking up and writing costs more than an event. */
  private static final Duration GATHERING = Duration.ofMillis(50);
  private static final Duration RETRY = Duration.ofSeconds(1);
  private static final int TOGETHER = 4_096;
  /** Characters of the tickets whose ids are remembered: some thousands of tickets. */
  private static final int TICKET_CHARACTERS = 1 << 20;
  private static final long CLOSING_SECONDS = 10;

  private final AuditFile file;
  private final AuditSettings settings;
  private final long most;
  private final RefusalShares refusals = new RefusalShares(System.nanoTime());
  private final Queue<AuditEvent> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicLong waitingBytes = new AtomicLong();
  private final AtomicLong lost = new AtomicLong();
  private final AtomicLong events = new AtomicLong();
  private final Cache<String, String> ticketIds =
      Caffeine.newBuilder().maximumWeight(TICKET_CHARACTERS).weigher((String token, String id) -> token.length())
          .executor(Runnable::run).build();
  private final Thread writer = Thread.ofPlatform().name("rns-audit").daemon().unstarted(this::run);
  private volatile boolean isIdle;
  private volatile boolean isClosing;
  private volatile boolean isClosed;
  /** Why events cannot be written; null if they can. */
  private volatile @Nullable String trouble;
  private volatile AuditHead head;

  // Of the writer only.
  private final List<AuditContent> pending = new ArrayList<>();
  private long lostWritten;
  private long synced = System.nanoTime();

  private AuditLog(AuditFile file, AuditSettings settings, long most) {
    this.file = file;
    this.settings = settings;
    this.most = most;
    this.head = file.head();
  }

  /**
   * Opens the log and starts to write.
   *
   * @param secret of the servers; empty if they have none
   * @throws IOException if the directory cannot be written, or another process writes it
   */
  public static AuditLog start(AuditSettings settings, String secret, InstantSource clock) throws IOException {
    return start(settings, secret, clock, QUEUE_BYTES);
  }

  static AuditLog start(AuditSettings settings, String secret, InstantSource clock, long most) throws IOException {
    AuditLog log = new AuditLog(AuditFile.open(settings, secret, clock), settings, most);
    log.writer.start();
    return log;
  }

  /** Whether reads are recorded, too. */
  public boolean hasReads() {
    return settings.reads();
  }

  /** The id of a ticket; empty for a token that is none, which was refused and is nobody's. */
  String ticketId(String token) {
    // Read once, not for each of its requests.
    return ticketIds.get(token, AuditLog::readTicketId);
  }

  private static String readTicketId(String token) {
    try {
      return Ticket.parse(token).id();
    } catch (RnsException e) {
      return "";
    }
  }

  /**
   * Checks that a change may be done now.
   *
   * @throws RnsException {@link RnsError#UNAVAILABLE} if changes are refused because events cannot be written
   */
  void checkTakesChanges() {
    if (settings.refuses() && (trouble != null || waitingBytes.get() > most / 2)) {
      throw new RnsException(
          RnsError.UNAVAILABLE, "this server makes no changes at the moment: its audit log cannot be written");
    }
  }

  /** Takes an event; it is lost if too many wait. */
  void take(AuditEvent event, boolean change) {
    long bytes = event.bytes();
    // Changes that are being done still have to find a place where others are refused, which reads do not bring about.
    long bound = settings.refuses() && !change ? most / 4 : most;
    if (isClosed || waitingBytes.addAndGet(bytes) > bound) {
      waitingBytes.addAndGet(-bytes);
      lost.incrementAndGet();
      return;
    }
    add(event);
  }

  /**
   * Takes a brief event of a request without a name that was refused, or counts it. Takes no place of others.
   *
   * @param origin where the request comes from
   */
  void takeRefusal(AuditEvent event, String origin) {
    if (isClosed) {
      lost.incrementAndGet();
    } else if (refusals.take(origin, event)) {
      add(event);
    }
  }

  private void add(AuditEvent event) {
    waiting.add(event);
    if (isIdle) {
      LockSupport.unpark(writer);
    }
  }

  private void run() {
    boolean ending = false;
    while (!ending) {
      boolean closing = isClosing;
      gather();
      boolean more = pending.size() == TOGETHER;
      boolean written = write();
      sync();
      if (written && !more) {
        // Only here, so that few of them wait.
        refusals.next(System.nanoTime(), closing).ifPresent(pending::add);
      }
      // What cannot be written at the end is lost.
      ending = closing && (!written || (waiting.isEmpty() && pending.isEmpty()));
      if (!written && !ending) {
        LockSupport.parkNanos(RETRY.toNanos());
      } else if (!more && !ending) {
        await();
      }
    }
    lost.addAndGet(pending.size() + (long) waiting.size());
  }

  private void gather() {
    while (pending.size() < TOGETHER) {
      AuditEvent next = waiting.poll();
      if (next == null) {
        return;
      }
      pending.add(next);
    }
  }

  /** Waits for an event, and then for what comes soon after it. */
  private void await() {
    isIdle = true;
    if (waiting.isEmpty() && !isClosing) {
      LockSupport.parkNanos(SYNC.toNanos());
    }
    isIdle = false;
    if (!isClosing) {
      LockSupport.parkNanos(GATHERING.toNanos());
    }
  }

  /** Writes what is pending; false if some of it could not be written. */
  private boolean write() {
    long lostNow = lost.get();
    if (pending.isEmpty() && lostNow == lostWritten) {
      return true;
    }
    file.begin();
    try {
      for (AuditContent event : pending) {
        file.add(event);
      }
      if (lostNow > lostWritten) {
        file.addLost(lostNow - lostWritten);
      }
      file.flush();
      lostWritten = lostNow;
      written(pending.size());
      recovered();
      return true;
    } catch (IOException e) {
      written(Math.min(pending.size(), file.flushed()));
      failed(String.valueOf(e.getMessage()));
      return false;
    } catch (RuntimeException e) {
      // No defect may end the thread.
      LOG.error("{} events of the audit log are lost", pending.size(), e);
      file.discard();
      lost.addAndGet(pending.size());
      written(pending.size());
      return true;
    }
  }

  private void written(int count) {
    long bytes = 0;
    for (AuditContent event : pending.subList(0, count)) {
      bytes += event.queued();
    }
    pending.subList(0, count).clear();
    waitingBytes.addAndGet(-bytes);
    events.addAndGet(count);
    head = file.head();
  }

  private void sync() {
    long now = System.nanoTime();
    if (now - synced < SYNC.toNanos() && !isClosing) {
      return;
    }
    synced = now;
    try {
      file.sync();
    } catch (IOException e) {
      failed(String.valueOf(e.getMessage()));
    }
  }

  private void failed(String why) {
    if (trouble == null) {
      LOG.error("the audit log in {} cannot be written{}: {}", settings.directory(),
          settings.refuses() ? "; changes are refused" : "", why);
    }
    trouble = why;
  }

  private void recovered() {
    if (trouble != null) {
      LOG.warn("the audit log in {} can be written again; {} events were lost", settings.directory(), lost.get());
      trouble = null;
    }
  }

  /** Why events cannot be written; empty if they can. */
  public Optional<String> trouble() {
    return Optional.ofNullable(trouble);
  }

  /** The last line that is in the file. */
  public AuditHead head() {
    return head;
  }

  /** What is recorded, for operators: {@code changes} or {@code all}. */
  public String scope() {
    return settings.reads() ? "all" : "changes";
  }

  /** Statistics for operators. */
  public Map<String, Number> statistics() {
    Map<String, Number> numbers = new TreeMap<>();
    numbers.put("auditEvents", events.get());
    numbers.put("auditLost", lost.get());
    numbers.put("auditUnlisted", refusals.unlisted());
    numbers.put("auditWaitingBytes", waitingBytes.get());
    numbers.put("auditFailing", trouble == null ? 0 : 1);
    return numbers;
  }

  /** Writes what waits, within a bound, and closes the file. */
  @Override
  public void close() {
    if (isClosed) {
      return;
    }
    isClosing = true;
    LockSupport.unpark(writer);
    try {
      writer.join(TimeUnit.SECONDS.toMillis(CLOSING_SECONDS));
      isClosed = true;
      if (writer.isAlive()) {
        LOG.error("the audit log does not get written; {} bytes of events may be lost", waitingBytes.get());
        return;
      }
      file.stop(lost.get() - lostWritten);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      LOG.error("the audit log cannot be closed: {}", e.getMessage());
    }
    if (lost.get() > lostWritten) {
      LOG.error("{} events are missing in the audit log", lost.get() - lostWritten);
    }
  }
}
