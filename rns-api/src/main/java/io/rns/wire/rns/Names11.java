package io.rns.wire.rns;

import io.rns.api.EntryName;
import io.rns.wire.Markup;
import io.rns.xml.XmlPull;
import java.util.function.Consumer;

/** Entry names in requests of RNS 1.1. */
final class Names11 {
  private Names11() {}

  /** The name in a mandatory attribute; {@code nameText} receives the text even if it is not a valid name. */
  static EntryName attribute(XmlPull pull, String attribute, Consumer<String> nameText) {
    String text = pull.attribute("", attribute);
    if (text != null) {
      nameText.accept(text);
    }
    return EntryName.of(Markup.required(pull, attribute));
  }

  /** The name in the text of an element. */
  static EntryName text(XmlPull pull, Consumer<String> nameText) {
    String text = pull.text();
    nameText.accept(text);
    return EntryName.of(text);
  }
}
