package io.rns.loadtest.chapter;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

/** Numbers as people read them; empty for what is no number. */
final class Numbers {
  private static final double HUNDRED = 100;
  private static final double TEN = 10;
  private static final MathContext DIGITS = new MathContext(3);

  private Numbers() {}

  /** With three digits. */
  static String of(double value) {
    if (!Double.isFinite(value)) {
      return "";
    }
    BigDecimal rounded = new BigDecimal(value).round(DIGITS);
    double size = Math.abs(rounded.doubleValue());
    int below = Math.max(2, rounded.stripTrailingZeros().scale());
    int digits = size >= HUNDRED || size == 0 ? 0 : size >= TEN ? 1 : size >= 1 ? 2 : below;
    return String.format(Locale.ROOT, "%,." + digits + "f", rounded);
  }

  /** A whole number, with all digits. */
  static String count(double value) {
    return Double.isFinite(value) ? String.format(Locale.ROOT, "%,.0f", value) : "";
  }

  /** Without digits that say nothing. */
  static String plain(double value) {
    return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
  }
}
