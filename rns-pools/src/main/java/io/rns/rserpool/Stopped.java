package io.rns.rserpool;

/** Ends decoding. Never leaves the codecs. */
final class Stopped extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient Decoded<?> outcome;

  private Stopped(Decoded<?> outcome, String why) {
    super(why, null, false, false);
    this.outcome = outcome;
  }

  static Stopped malformed(String why) {
    return new Stopped(new Decoded.Malformed<>(why), why);
  }

  static Stopped dropped(String why) {
    return new Stopped(new Decoded.Dropped<>(why), why);
  }

  static Stopped reported(ErrorCause cause, String why) {
    return new Stopped(new Decoded.DroppedAndReported<>(cause, why), why);
  }

  /** The result to return: it holds no message, so it fits every protocol. */
  @SuppressWarnings("unchecked")
  <M> Decoded<M> outcome() {
    return (Decoded<M>) outcome;
  }
}
