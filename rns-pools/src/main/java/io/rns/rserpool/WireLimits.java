package io.rns.rserpool;

/** The bounds of messages. What passes one is refused, not cut, unless it is said otherwise. */
public final class WireLimits {
  /** Length of a message in bytes, header included, padding not: its length field has 16 bits. */
  public static final int MESSAGE_BYTES = 0xffff;

  /** Length of the head of messages and parameters. */
  public static final int HEADER_BYTES = 4;

  /** Unrecognised parameters of one message that are reported; further ones are skipped without. */
  public static final int REPORTS = 16;

  /** How many bytes of an unrecognised parameter or message a report shows; it is cut there. */
  public static final int REPORT_BYTES = 256;

  /** How many bytes a text of ours in an error cause has; it is cut there. */
  public static final int CAUSE_TEXT_BYTES = 1_024;

  private WireLimits() {}
}
