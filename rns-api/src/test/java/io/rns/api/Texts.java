package io.rns.api;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;

/** Texts for property tests. */
final class Texts {
  private static final List<String> EDGES =
      List.of("\u00a0", "\u00ff", "\u07ff", "\u0800", "\ud7ff", "\ue000", "\ufffd", "\ud800\udc00", "\udbff\udfff", "\ud83d\ude00");

  private Texts() {}

  /** Allowed entry names, short, many with characters at the edges of the UTF-8 and UTF-16 encodings. */
  static Arbitrary<String> names() {
    return Arbitraries.oneOf(Arbitraries.of(EDGES), Arbitraries.strings().withCharRange('!', '~').ofLength(1))
        .list()
        .ofMinSize(1)
        .ofMaxSize(8)
        .map(parts -> String.join("", parts))
        .filter(name -> name.indexOf('/') < 0 && !name.equals(".") && !name.equals(".."));
  }

  /** Texts of any UTF-16 code units, also such as no name has. */
  static Arbitrary<String> any() {
    Arbitrary<Character> odd = Arbitraries.of('\u0000', '\n', '/', '.', '\u007f', '\u0085', '\ud800', '\udc00', '\uffff', 'a');
    return Arbitraries.oneOf(Arbitraries.chars().all(), odd).list().ofMaxSize(6).map(Texts::joined);
  }

  private static String joined(List<Character> characters) {
    StringBuilder text = new StringBuilder();
    characters.forEach(text::append);
    return text.toString();
  }
}
