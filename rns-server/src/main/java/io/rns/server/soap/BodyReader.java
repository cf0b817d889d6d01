package io.rns.server.soap;

import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Reads the bodies of requests: bounded in size, in time, and in how many large ones there are at once. */
final class BodyReader {
  private final Semaphore large;
  private final Duration timeout;

  BodyReader(SoapSettings settings) {
    large = new Semaphore(settings.largeRequests(), true);
    timeout = settings.bodyTimeout();
  }

  /**
   * Reads a body into {@code scratch}.
   *
   * @return whether the body is large: {@link #release} must then be called when the request is done
   * @throws RnsException if it is too long ({@link RnsError#LIMIT_EXCEEDED}), late or incomplete
   */
  boolean read(HttpServletRequest request, Scratch scratch) {
    long announced = request.getContentLengthLong();
    checkLength(announced);
    boolean permit = false;
    boolean done = false;
    try {
      long start = System.nanoTime();
      permit = announced > SoapFilter.LARGE_BYTES && acquire();
      ServletInputStream in = request.getInputStream();
      if (announced > scratch.body.length) {
        scratch.body = new byte[(int) announced];
      }
      while (announced < 0 || scratch.length < announced) {
        if (scratch.length == scratch.body.length) {
          permit = permit || (scratch.length >= SoapFilter.LARGE_BYTES && acquire());
          scratch.body = Arrays.copyOf(scratch.body, (int) Math.min(Limits.REQUEST_BYTES + 1L, scratch.length * 2L));
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
      done = true;
      return permit;
    } catch (IOException e) {
      throw incomplete(scratch.length, e);
    } finally {
      if (permit && !done) {
        large.release();
      }
    }
  }

  void release() {
    large.release();
  }

  private boolean acquire() {
    try {
      if (large.tryAcquire(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
        return true;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RnsException(RnsError.UNAVAILABLE, "the service is stopping", e);
    }
    throw new RnsException(RnsError.BUSY, "too many requests of more than " + SoapFilter.LARGE_BYTES + " bytes wait");
  }

  private static void checkLength(long bytes) {
    Limits.check("the request", bytes, Limits.REQUEST_BYTES, "bytes");
  }

  private RnsException late() {
    return new RnsException(RnsError.TIMEOUT, "the request did not arrive within " + timeout.toSeconds() + " s");
  }

  private static RnsException incomplete(int bytes, @Nullable IOException cause) {
    return new RnsException(RnsError.MALFORMED_MESSAGE, "the request ends after " + bytes + " bytes, in the middle", cause);
  }
}
