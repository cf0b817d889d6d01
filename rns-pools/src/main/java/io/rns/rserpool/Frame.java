package io.rns.rserpool;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The validated header of a message, and its body (RFC 5354, section 2.1).
 *
 * @param type the message type
 * @param flags the message flags; unknown ones are ignored
 * @param body the bytes after the header
 */
record Frame(int type, int flags, Input body) {
  /** Reads the body of a message. */
  interface Body<M> {
    /**
     * Reads the body.
     *
     * @return null if the type is unknown
     */
    @Nullable
    M read(Frame frame, ParameterReader parameters) throws Stopped;
  }

  boolean flag(int mask) {
    return (flags & mask) != 0;
  }

  private static Frame of(byte[] bytes, String protocol) throws Stopped {
    if (bytes.length < WireLimits.HEADER_BYTES) {
      throw Stopped.malformed("a message of " + bytes.length + " bytes has no header");
    }
    int type = bytes[0] & 0xff;
    int length = (bytes[2] & 0xff) << 8 | (bytes[3] & 0xff);
    int padded = length + (-length & 3);
    if (length < WireLimits.HEADER_BYTES || length > bytes.length || padded < bytes.length) {
      throw Stopped.malformed("a message of " + bytes.length + " bytes has a length of " + length);
    }
    return new Frame(type, bytes[1] & 0xff, Input.of(bytes, WireLimits.HEADER_BYTES, length, protocol, type));
  }

  static <M> Decoded<M> decode(byte[] bytes, String protocol, Body<M> body) {
    try {
      Frame frame = of(bytes, protocol);
      List<ErrorCause> reports = new ArrayList<>();
      ParameterReader parameters = new ParameterReader(frame.body, reports);
      M message = body.read(frame, parameters);
      if (message == null) {
        throw unknown(frame, bytes);
      }
      parameters.end();
      return new Decoded.Understood<>(message, reports);
    } catch (Stopped stopped) {
      return stopped.outcome();
    }
  }

  /** Of the two top bits of a type, only 00 and 01 are defined; 10 and 11 are treated as 00. */
  private static Stopped unknown(Frame frame, byte[] bytes) {
    String why = frame.body.what() + " is unknown";
    if (frame.type >>> 6 != 1) {
      return Stopped.dropped(why);
    }
    byte[] shown = Arrays.copyOf(bytes, Math.min(bytes.length, WireLimits.REPORT_BYTES));
    return Stopped.reported(new ErrorCause(ErrorCause.UNRECOGNISED_MESSAGE, Octets.of(shown)), why);
  }
}
