package io.rns.loadtest;

import io.rns.api.NameService;
import io.rns.loadtest.work.Session;
import java.util.function.Supplier;

/** Makes sessions as the settings of a load say. */
final class Sessions {
  private Sessions() {}

  /**
   * What makes a session for each client.
   *
   * @param client the service, for sessions by way of the Java client
   */
  static Supplier<Session> of(LoadSettings settings, NameService client) {
    if (settings.server() == LoadSettings.Server.NONE) {
      return () -> Session.NOTHING;
    }
    HttpTarget service = HttpTarget.of(settings.serviceUrl());
    References references = settings.work().references();
    CallMessages messages = new CallMessages(settings.work().consistency(), references);
    return settings.via() == LoadTransport.RAW
        ? () -> new RawSession(service, messages)
        : () -> new ClientSession(client, references, new RawSession(service, messages));
  }
}
