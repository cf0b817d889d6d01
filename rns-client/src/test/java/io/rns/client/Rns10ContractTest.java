package io.rns.client;

import io.rns.api.NameService;
import io.rns.api.NameServiceContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The client keeps every promise of a name service, over sockets, also in the older dialect. */
class Rns10ContractTest extends NameServiceContract {
  private static TestServer server;
  private static NameService client;

  @BeforeAll
  static void start() {
    server = TestServer.start();
    client = RnsClient.builder().server(server.address()).dialect(Dialect.RNS_1_0).build();
  }

  @AfterAll
  static void stop() {
    client.close();
    server.close();
  }

  @Override
  public NameService service() {
    return client;
  }
}
