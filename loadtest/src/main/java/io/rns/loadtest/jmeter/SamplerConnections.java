package io.rns.loadtest.jmeter;

import io.rns.client.CredentialFile;
import io.rns.client.RnsClient;
import io.rns.client.RnsConnection;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Connections that the threads of a test share: one for each server or group of servers, open while one of them needs
 * it.
 */
final class SamplerConnections {
  /** More than there are threads in a test, so that none waits in the client. */
  private static final int MOST_CALLS = 10_000;

  private final Map<Service, Shared> open = new HashMap<>();

  /**
   * What a connection is to, and as whom.
   *
   * @param servers addresses of one group with commas between them
   * @param tokenFile a file with a bearer token; empty for none
   * @param accountFile without that, a file with an account and its password, a colon between them; empty for none
   * @param authority a file with the certificates trusted with HTTPS; empty for those of Java
   */
  record Service(String servers, String tokenFile, String accountFile, String authority) {}

  private record Shared(RnsConnection names, int users) {}

  /** One user's hold on a connection, to be closed once. */
  record Lease(Service service, RnsConnection names, SamplerConnections owner) implements AutoCloseable {
    @Override
    public void close() {
      if (owner.isLast(service)) {
        names.close();
      }
    }
  }

  /** Takes hold of a connection; nothing is sent. */
  synchronized Lease take(Service service) {
    Shared shared = open.compute(service, (any, held) -> held == null
        ? new Shared(connect(service), 1)
        : new Shared(held.names, held.users + 1));
    return new Lease(service, shared.names, this);
  }

  synchronized int count() {
    return open.size();
  }

  private synchronized boolean isLast(Service service) {
    return open.computeIfPresent(service,
        (any, held) -> held.users == 1 ? null : new Shared(held.names, held.users - 1)) == null;
  }

  private static RnsConnection connect(Service service) {
    try {
      URI[] addresses =
          Arrays.stream(service.servers.split(",", -1)).map(one -> URI.create(one.trim())).toArray(URI[]::new);
      RnsClient.Builder builder = RnsClient.builder().servers(addresses).connections(MOST_CALLS);
      if (!service.tokenFile.isEmpty()) {
        builder.credentials(CredentialFile.token(Path.of(service.tokenFile)));
      } else if (!service.accountFile.isEmpty()) {
        builder.credentials(CredentialFile.account(Path.of(service.accountFile)));
      }
      if (!service.authority.isEmpty()) {
        builder.trustedCertificates(Path.of(service.authority));
      }
      return builder.build();
    } catch (IllegalArgumentException e) {
      throw new RnsException(RnsError.INVALID_REQUEST, "server '" + service.servers + "': " + e.getMessage(), e);
    } catch (UncheckedIOException e) {
      throw new RnsException(RnsError.INVALID_REQUEST, String.valueOf(e.getCause()), e);
    }
  }
}
