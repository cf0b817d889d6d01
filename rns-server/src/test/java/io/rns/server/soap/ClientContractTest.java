package io.rns.server.soap;

import io.rns.api.ModelNameService;
import io.rns.api.NameService;
import io.rns.api.NameServiceContract;
import io.rns.client.Dialect;
import io.rns.client.RnsClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The client keeps every promise of a name service in RNS 1.1, through the entrances of the real endpoint. */
class ClientContractTest extends NameServiceContract {
  private static SoapHttpServer server;
  private static NameService client;

  @BeforeAll
  static void start() {
    server = new SoapHttpServer(new ModelNameService());
    client = RnsClient.builder().server(server.address()).dialect(Dialect.RNS_1_1).build();
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
