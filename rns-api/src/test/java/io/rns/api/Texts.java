package io.rns.api;

import java.util.List;
import java.util.random.RandomGenerator;

/** Random texts. */
final class Texts {
  private static final List<String> EDGES =
      List.of("\u00a0", "\u00ff", "\u07ff", "\u0800", "\ud7ff", "\ue000", "\ufffd", "\ud800\udc00", "\udbff\udfff",
          "\ud83d\ude00");
  private static final List<Character> ODD = List.of('\u0000', '\n', '/', '.', '\u001f', '\u007f', '\u0080', '\u009f',
      '\u00a0', '\ufffe', '\ud800', '\udc00', '\uffff', 'a');

  private Texts() {}

  /** A valid entry name, short, often with characters at the edges of the UTF-8 and UTF-16 encodings. */
  static String name(RandomGenerator random) {
    while (true) {
      StringBuilder name = new StringBuilder();
      for (long left = RandomCases.between(random, 1, 8); left > 0; left--) {
        String ascii = Character.toString(random.nextInt('!', '~' + 1));
        name.append(random.nextBoolean() ? ascii : RandomCases.one(random, EDGES));
      }
      String text = name.toString();
      if (text.indexOf('/') < 0 && !text.equals(".") && !text.equals("..")) {
        return text;
      }
    }
  }

  /** Any UTF-16 code units, valid in a name or not. */
  static String any(RandomGenerator random) {
    StringBuilder text = new StringBuilder();
    for (long left = RandomCases.between(random, 0, 6); left > 0; left--) {
      char any = (char) random.nextInt(Character.MAX_VALUE + 1);
      text.append(random.nextBoolean() ? any : RandomCases.one(random, ODD).charValue());
    }
    return text.toString();
  }
}
