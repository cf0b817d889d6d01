package io.rns.loadtest.http;

import java.nio.charset.StandardCharsets;

/** One HTTP answer in the buffer it was received in. */
public final class Answer {
  private static final int SHOWN_BYTES = 600;

  private byte[] bytes = new byte[0];
  private int status;
  private int from;
  private int to;

  void set(int newStatus, byte[] buffer, int bodyFrom, int bodyTo) {
    status = newStatus;
    bytes = buffer;
    from = bodyFrom;
    to = bodyTo;
  }

  /** The HTTP status. */
  public int status() {
    return status;
  }

  /** The length of the body in bytes. */
  public int length() {
    return to - from;
  }

  /** The body as text. */
  public String body() {
    return new String(bytes, from, to - from, StandardCharsets.UTF_8);
  }

  /** Whether the body has these bytes somewhere. */
  public boolean contains(BytePattern pattern) {
    return pattern.find(bytes, from, to) >= 0;
  }

  /** Status and beginning of the body, for a message. */
  @Override
  public String toString() {
    String text = new String(bytes, from, Math.min(to - from, SHOWN_BYTES), StandardCharsets.UTF_8);
    return "HTTP " + status + (text.isEmpty() ? "" : ": " + text.replaceAll("\\s+", " "));
  }
}
