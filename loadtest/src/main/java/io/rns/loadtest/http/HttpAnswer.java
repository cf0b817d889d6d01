package io.rns.loadtest.http;

import io.rns.loadtest.measure.FailureKind;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** One HTTP answer in the buffer it was received in, so it is valid until the next one is received only. */
@SuppressWarnings("ArrayRecordComponent") // a view of the buffer of a connection, which nobody compares
public record HttpAnswer(int status, byte[] bytes, int from, int to) {
  private static final int SHOWN_BYTES = 600;

  /** Checks whether an answer is what was asked for. It is called for every answer, by many threads. */
  @FunctionalInterface
  public interface Check {
    /** What went wrong according to the answer, or null if nothing did. */
    @Nullable
    FailureKind failureOf(HttpAnswer answer);
  }

  public int length() {
    return to - from;
  }

  /** The value of a header field; empty if it is not there. */
  public String field(String name) {
    return HttpReader.field(new String(bytes, 0, from, StandardCharsets.ISO_8859_1), name + ":");
  }

  public String body() {
    return new String(bytes, from, length(), StandardCharsets.UTF_8);
  }

  /**
   * Whether a text of ASCII is in the body. As Latin-1 that costs a copy, and a search that the JVM does by vectors.
   */
  public boolean contains(String text) {
    return new String(bytes, from, length(), StandardCharsets.ISO_8859_1).contains(text);
  }

  /** Status and beginning of the body, for a message. */
  @Override
  public String toString() {
    String text = new String(bytes, from, Math.min(length(), SHOWN_BYTES), StandardCharsets.UTF_8);
    return "HTTP " + status + (text.isEmpty() ? "" : ": " + text.replaceAll("\\s+", " "));
  }
}
