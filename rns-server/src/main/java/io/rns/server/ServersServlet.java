package io.rns.server;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.server.http.JsonReplies;
import io.rns.server.http.ResourceServlet;
import io.rns.server.http.ServerList;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** Returns as JSON the servers that a client may choose among, as {@code x:Servers} does in SOAP responses. */
final class ServersServlet extends ResourceServlet {
  private static final long serialVersionUID = 1L;

  private final transient Startup startup;

  ServersServlet(Startup startup) {
    super("GET", "HEAD");
    this.startup = startup;
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
    RnsServer server = startup.server();
    if (server == null) {
      JsonReplies.send(response,
          JsonReplies.refuse(response, new RnsException(RnsError.UNAVAILABLE, startup.reason())));
      return;
    }
    ServerList servers = ServerList.of(server.referrals());
    long seconds = TimeUnit.MILLISECONDS.toSeconds(servers.root().ttlMillis());
    JsonReplies.send(response, servers, "max-age=" + seconds);
  }
}
