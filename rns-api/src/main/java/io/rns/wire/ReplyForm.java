package io.rns.wire;

import io.rns.api.EntryId;
import io.rns.xml.XmlBuffer;
import org.jspecify.annotations.Nullable;

/** The form of a response: as in the specification, or with complete entries for our own clients. */
public final class ReplyForm {
  private final boolean extended;
  private final String serviceUrl;
  private final @Nullable WsNames names;

  /**
   * A form without identifiers and resolvers.
   *
   * @param extended whether entries are written as {@code x:entry}
   * @param serviceUrl the address in the endpoint references of our directories
   */
  public ReplyForm(boolean extended, String serviceUrl) {
    this.extended = extended;
    this.serviceUrl = serviceUrl;
    this.names = null;
  }

  /** A form in which the references of our directories carry their identifiers and resolvers. */
  public ReplyForm(boolean extended, WsNames names) {
    this.extended = extended;
    this.serviceUrl = names.serviceUrl();
    this.names = names;
  }

  public boolean extended() {
    return extended;
  }

  /** Whether entries have the same bytes in another form. */
  public boolean writesLike(ReplyForm other) {
    return extended == other.extended && (extended || (names == other.names && serviceUrl.equals(other.serviceUrl)));
  }

  /** Appends the endpoint reference of one of our directories, as an element of the given name. */
  public void directoryReference(XmlBuffer out, String element, EntryId id) {
    out.raw("<").raw(element).raw(">");
    if (names == null) {
      out.raw("<_a:Address>").text(serviceUrl).raw("</_a:Address><_a:ReferenceParameters><_x:EntryId>");
      out.raw(id.toString()).raw("</_x:EntryId></_a:ReferenceParameters>");
    } else {
      names.write(out, id);
    }
    out.raw("</").raw(element).raw(">");
  }
}
