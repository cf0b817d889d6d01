package io.rns.server.overload;

import com.netflix.concurrency.limits.limit.Gradient2Limit;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Admits or rejects requests. Thread-safe. */
public final class RequestAdmission {
  private static final Ticket FREE = new Ticket(null, "", 0, 0);

  private final OverloadSettings settings;
  private final LongSupplier nanos;
  private final AdmissionPlaces places;
  private final @Nullable Gradient2Limit adaptive;
  private final LongAdder rejected = new LongAdder();

  /**
   * An admission without requests.
   *
   * @param nanos a clock that only goes forward, in nanoseconds
   */
  public RequestAdmission(OverloadSettings settings, LongSupplier nanos) {
    this.settings = settings;
    this.nanos = nanos;
    this.places = new AdmissionPlaces(settings.places());
    this.adaptive =
        settings.mode() == OverloadSettings.Mode.ADAPTIVE
            ? Gradient2Limit.newBuilder().minLimit(1).initialLimit(settings.places()).maxConcurrency(settings.places())
                .build()
            : null;
  }

  /**
   * Gives a request a place.
   *
   * @param caller name of the caller, else its address
   * @return the place, to be closed when the request is answered
   * @throws RnsException {@link RnsError#BUSY}, with the time after which to come back, if there is none
   */
  public Ticket enter(Supplier<String> caller) {
    return settings.mode() == OverloadSettings.Mode.OFF ? FREE : enter(caller.get());
  }

  private Ticket enter(String caller) {
    long now = nanos.getAsLong();
    AdmissionVerdict verdict;
    int occupied;
    synchronized (places) {
      verdict = places.enter(caller, now);
      occupied = places.occupied();
    }
    return switch (verdict) {
      case AdmissionVerdict.Admitted() -> new Ticket(this, caller, now, occupied);
      case AdmissionVerdict.Rejected(long retryMillis) -> {
        rejected.increment();
        throw RnsException.busy(
            "the server works at " + occupied + " requests already; come back in " + retryMillis + " ms", retryMillis);
      }
    };
  }

  private void leave(Ticket ticket, boolean worked) {
    long took = nanos.getAsLong() - ticket.started;
    if (adaptive != null && worked) {
      adaptive.onSample(ticket.started, Math.max(1, took), ticket.occupied, false);
    }
    synchronized (places) {
      places.leave(ticket.caller, worked ? took : -1);
      if (adaptive != null) {
        places.limit(adaptive.getLimit());
      }
    }
  }

  /** The places that are free now: the credit of this server. */
  public int freePlaces() {
    synchronized (places) {
      return places.free();
    }
  }

  /** Occupied places in percent of all; 0 if there is no limit. */
  public int occupiedPercent() {
    if (settings.mode() == OverloadSettings.Mode.OFF) {
      return 0;
    }
    synchronized (places) {
      int all = places.occupied() + places.free();
      return all == 0 ? 0 : (int) (100L * places.occupied() / all);
    }
  }

  /** Statistics for operators. */
  public Map<String, Number> statistics() {
    Map<String, Number> numbers = new LinkedHashMap<>();
    if (settings.mode() != OverloadSettings.Mode.OFF) {
      synchronized (places) {
        numbers.put("occupiedPlaces", places.occupied());
        numbers.put("freePlaces", places.free());
      }
      numbers.put("rejectedRequests", rejected.sum());
    }
    return numbers;
  }

  /** A place. Belongs to one thread at a time. */
  public static final class Ticket implements AutoCloseable {
    private final @Nullable RequestAdmission admission;
    private final String caller;
    private final long started;
    private final int occupied;
    private boolean open = true;

    private Ticket(@Nullable RequestAdmission admission, String caller, long started, int occupied) {
      this.admission = admission;
      this.caller = caller;
      this.started = started;
      this.occupied = occupied;
    }

    /** The request is answered. */
    @Override
    public void close() {
      leave(true);
    }

    /** The request waits elsewhere: how long it was here says nothing about the work. */
    public void closeUnworked() {
      leave(false);
    }

    private void leave(boolean worked) {
      if (open && admission != null) {
        open = false;
        admission.leave(this, worked);
      }
    }
  }
}
