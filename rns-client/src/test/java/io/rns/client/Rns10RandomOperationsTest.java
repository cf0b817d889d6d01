package io.rns.client;

import io.rns.api.NameService;
import io.rns.api.RandomOperationsContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Random requests get the same answers through the client as without it, also in the older dialect. */
class Rns10RandomOperationsTest extends RandomOperationsContract {
  private static TestServer server;
  private static NameService client;

  @BeforeAll
  static void start() {
    server = TestServer.start();
    client = RnsClient.builder().server(server.address()).dialect(Dialect.RNS_1_0).requestIds(false).build();
  }

  @AfterAll
  static void stop() {
    client.close();
    server.close();
  }

  @Override
  protected NameService service() {
    return client;
  }
}
