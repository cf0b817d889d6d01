package io.rns.server.soap;

import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.server.http.ArrivingBody;
import io.rns.share.FairPlaces;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/** Reads the bodies of requests: bounded in size, in time, and in how many large ones there are at once. */
final class BodyReader {
  private static final int ZIPPED_BYTES = 8_192;

  private final FairPlaces large;
  private final Duration timeout;

  BodyReader(SoapSettings settings) {
    large = new FairPlaces(settings.largeRequests(), 1);
    timeout = settings.bodyTimeout();
  }

  /**
   * Reads a body into {@code scratch}.
   *
   * @param zipped whether it comes compressed by gzip; what comes out of it has the same bound as what goes in
   * @param arriving whether it may still be on its way: the request is in asynchronous mode then, and the thread may
   *        wait
   * @return whether the body is large: {@link #release} must then be called when the request is done
   * @throws RnsException if it is too long ({@link RnsError#LIMIT_EXCEEDED}), late or incomplete
   */
  boolean read(HttpServletRequest request, SoapScratch scratch, boolean zipped, boolean arriving) {
    long length = request.getContentLengthLong();
    checkLength(length);
    // How long a compressed body will be is not known before it has been read.
    long announced = zipped ? -1 : length;
    boolean permit = false;
    boolean done = false;
    try {
      permit = announced > SoapFilter.LARGE_BYTES && acquire(scratch);
      // All of it before any of it is read: two halves could wait for each other.
      scratch.growBody((int) Math.max(0, announced));
      long start = System.nanoTime();
      InputStream raw = arriving ? new ArrivingBody(request, timeout) : request.getInputStream();
      InputStream in = zipped ? new GZIPInputStream(raw, ZIPPED_BYTES) : raw;
      while (announced < 0 || scratch.length < announced) {
        if (scratch.length == scratch.body.length) {
          permit = permit || (scratch.length >= SoapFilter.LARGE_BYTES && acquire(scratch));
          scratch.growBody((int) Math.min(Limits.REQUEST_BYTES + 1L, scratch.length * 2L));
        }
        int count = in.read(scratch.body, scratch.length, scratch.body.length - scratch.length);
        if (count < 0) {
          break;
        }
        scratch.length += count;
        checkLength(scratch.length);
        if (scratch.length != announced && System.nanoTime() - start > timeout.toNanos()) {
          throw late();
        }
      }
      if (scratch.length < announced) {
        throw incomplete(scratch.length, null);
      }
      if (zipped) {
        in.close(); // gives back memory outside of the heap
      }
      done = true;
      return permit;
    } catch (ZipException e) {
      throw new RnsException(RnsError.MALFORMED_MESSAGE, "the request is not gzip: " + e.getMessage(), e);
    } catch (IOException e) {
      throw incomplete(scratch.length, e);
    } finally {
      if (permit && !done) {
        release(scratch);
      }
    }
  }

  /** A large request is done. */
  void release(SoapScratch scratch) {
    large.giveBack(scratch.memory().account(), 1);
  }

  private boolean acquire(SoapScratch scratch) {
    String account = scratch.memory().account();
    try {
      return switch (large.take(account, 1, timeout)) {
        case TAKEN -> true;
        case OWN_LIMIT ->
          throw new RnsException(
              RnsError.BUSY,
              "too many requests of this caller of more than " + SoapFilter.LARGE_BYTES
                  + " bytes wait; its own limit is " + large.limit(account)
                  + " at a time, three quarters of what others leave of " + large.all());
        case NONE_FREE ->
          throw new RnsException(
              RnsError.BUSY, "too many requests of more than " + SoapFilter.LARGE_BYTES + " bytes wait");
      };
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RnsException(RnsError.UNAVAILABLE, "the service is stopping", e);
    }
  }

  private static void checkLength(long bytes) {
    Limits.check("the request", bytes, Limits.REQUEST_BYTES, "bytes");
  }

  private RnsException late() {
    return new RnsException(RnsError.TIMEOUT, "the request did not arrive within " + timeout.toSeconds() + " s");
  }

  private static RnsException incomplete(int bytes, @Nullable IOException cause) {
    return new RnsException(RnsError.MALFORMED_MESSAGE, "the request ends after " + bytes + " bytes, in the middle",
        cause);
  }
}
