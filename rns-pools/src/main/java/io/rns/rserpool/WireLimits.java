package io.rns.rserpool;

/** Limits of messages. Anything beyond a limit is rejected, not truncated, unless stated otherwise. */
public final class WireLimits {
  /** Length of a message in bytes, with header, without padding: the length field has 16 bits. */
  public static final int MESSAGE_BYTES = 0xffff;

  /** Length of the header of messages and parameters, in bytes. */
  public static final int HEADER_BYTES = 4;

  /** Unrecognised parameters reported per message; further ones are skipped silently. */
  public static final int REPORTS = 16;

  /** Bytes of an unrecognised parameter or message in a report; the rest is cut. */
  public static final int REPORT_BYTES = 256;

  /** Bytes of our texts in error causes; the rest is cut. */
  public static final int CAUSE_TEXT_BYTES = 1_024;

  private WireLimits() {}
}
