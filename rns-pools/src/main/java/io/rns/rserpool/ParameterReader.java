package io.rns.rserpool;

import java.util.List;

/**
 * Reads the parameters of a message or of another parameter in order. The two top bits of an unknown type decide its
 * treatment (RFC 5354, section 2.2): 00 stop, 01 stop and report, 10 skip, 11 skip and report.
 */
final class ParameterReader {
  private static final int NONE = -1;

  private final Input input;
  private final List<ErrorCause> reports;

  ParameterReader(Input input, List<ErrorCause> reports) {
    this.input = input;
    this.reports = reports;
  }

  List<ErrorCause> reports() {
    return reports;
  }

  /** The type of the next known parameter; -1 at the end. */
  int nextType() throws Stopped {
    while (input.remaining() > 0) {
      int type = input.nextU16();
      if (ParameterType.isKnown(type)) {
        return type;
      }
      skipUnknown();
    }
    return NONE;
  }

  boolean nextIs(int type) throws Stopped {
    return nextType() == type;
  }

  /** Takes the value of the next parameter, which must be of the type. */
  Input take(int type) throws Stopped {
    int next = nextType();
    if (next != type) {
      String found = next == NONE ? "its end" : "parameter " + hex(next);
      throw Stopped.malformed(input.what() + " has " + found + " where parameter " + hex(type) + " is expected");
    }
    return takeAny();
  }

  private Input takeAny() throws Stopped {
    int type = input.u16();
    int length = input.u16();
    if (length < WireLimits.HEADER_BYTES) {
      throw Stopped.malformed("parameter " + hex(type) + " of " + input.what() + " has a length of " + length);
    }
    Input value = input.parameter(length - WireLimits.HEADER_BYTES, type);
    input.skipPadding(length);
    return value;
  }

  private void skipUnknown() throws Stopped {
    Input whole = input.ahead();
    int type = whole.ahead().u16();
    int length = takeAny().remaining() + WireLimits.HEADER_BYTES;
    Octets shown = whole.octets(Math.min(length, WireLimits.REPORT_BYTES));
    ErrorCause cause = new ErrorCause(ErrorCause.UNRECOGNISED_PARAMETER, shown);
    String why = input.what() + " has the unknown parameter " + hex(type);
    switch (type >>> 14) {
      case 0 -> throw Stopped.dropped(why);
      case 1 -> throw Stopped.reported(cause, why);
      case 3 -> {
        if (reports.size() < WireLimits.REPORTS) {
          reports.add(cause);
        }
      }
      default -> {
      }
    }
  }

  void end() throws Stopped {
    int next = nextType();
    if (next != NONE) {
      throw Stopped.malformed(input.what() + " has parameter " + hex(next) + " in excess or in the wrong place");
    }
  }

  static String hex(int type) {
    return "0x" + Integer.toHexString(type);
  }
}
