package io.rns.client.http;

import io.rns.api.CallContext;
import io.rns.xml.XmlBuffer;
import java.net.URI;
import java.util.Optional;

/** What proves to a server who sends a message. Thread-safe. */
public interface MessageAuthentication {
  /** Proves nothing: the sender is anonymous. */
  MessageAuthentication NONE = (call, address, message) -> Optional.empty();

  /** A header: its name cannot contain a colon, nor its value a line end. */
  record Header(String name, String value) {
    public Header {
      if (!name.matches("[A-Za-z-]+") || !value.chars().allMatch(c -> c >= ' ' && c <= '~')) {
        throw new IllegalArgumentException("a header '" + name + "' with characters that are not allowed");
      }
    }
  }

  /**
   * The header of a message.
   *
   * @param call on whose behalf it is sent, and where that came from
   * @return empty for none
   */
  Optional<Header> header(CallContext call, URI address, XmlBuffer message);

  /**
   * After a server has refused a header.
   *
   * @return whether there is another one now, so that it is worth to send the message again
   */
  default boolean renew(Header refused) {
    return false;
  }
}
