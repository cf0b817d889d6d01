package io.rns.client;

import io.rns.api.CallContext;
import io.rns.client.http.MessageAuthentication;
import io.rns.xml.XmlBuffer;
import java.net.URI;
import java.util.Optional;

/** Sends the credential of a client with each message. */
record ClientAuthentication(CredentialSource source) implements MessageAuthentication {
  static final String HEADER = "Authorization";

  @Override
  public Optional<Header> header(CallContext call, URI address, XmlBuffer message) {
    return source.authorization(address, Optional.empty()).map(value -> new Header(HEADER, value));
  }

  @Override
  public boolean renew(Header refused) {
    return source.authorization(Optional.of(refused.value())).filter(now -> !now.equals(refused.value())).isPresent();
  }
}
