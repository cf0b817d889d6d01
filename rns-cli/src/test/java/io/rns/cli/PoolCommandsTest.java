package io.rns.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.EndpointReference;
import io.rns.api.ModelNameService;
import io.rns.api.RnsPath;
import io.rns.cli.CommandLineFixture.Result;
import io.rns.client.TestServer;
import io.rns.client.pool.MemoryPools;
import io.rns.pool.Occupancy;
import io.rns.pool.Parameters;
import io.rns.pool.PolicyType;
import io.rns.pool.Registered;
import io.rns.pool.Registration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The commands of server pools, against pools in memory. */
@Timeout(120)
class PoolCommandsTest {
  private static final RnsPath PRINT = RnsPath.parse("/svc/print");

  private final AtomicLong now = new AtomicLong();
  private final MemoryPools pools = new MemoryPools(now::get, 5_000);
  private final CommandLineFixture rns = new CommandLineFixture(TestServer.start(new ModelNameService(), pools));

  @AfterEach
  void stop() {
    rns.close();
  }

  @SuppressWarnings("unchecked")
  private static List<Map<String, Object>> objects(Object array) {
    return (List<Map<String, Object>>) array;
  }

  private static Object at(Map<String, Object> object, String field) {
    Object value = object.get(field);
    if (value == null) {
      throw new AssertionError("no " + field + " in " + object);
    }
    return value;
  }

  @Test
  void discoverListensAndNeedsAGroupOfAnInterface() {
    assertThat(rns.done("pool", "discover", "239.255.79.1%lo", "--for", "50ms", "--json").json())
        .containsEntry("registrars", List.of());
    assertThat(rns.run("pool", "discover", "10.0.0.1%lo").code()).isEqualTo(ExitCode.USAGE);
    assertThat(rns.run("pool", "discover", "239.255.79.1%lo", "--for", "11m").code()).isEqualTo(ExitCode.USAGE);
    assertThat(rns.run("pool", "discover", "239.255.79.1%none0").toString()).contains("no network interface none0");
  }

  @Test
  void resolveFollowsTheOrderOfThePolicy() {
    for (int i = 1; i <= 3; i++) {
      String url = "http://p" + i + ".example/";
      assertThat(rns.lines("pool register -p /svc/print --epr " + url + " --policy rr --id " + i))
          .containsExactly(i + "  for 30s");
    }
    assertThat(rns.lines("pool resolve /svc/print"))
        .containsExactly("1           http://p1.example/", "2           http://p2.example/",
            "3           http://p3.example/");
    Map<String, Object> document = rns.done("pool", "resolve", "/svc/print", "--items", "2", "--json").json();
    assertThat(document).containsEntry("policy", "rr").containsEntry("ttlMillis", "5000").containsEntry("path",
        "/svc/print");
    assertThat(objects(at(document, "elements"))).extracting(element -> element.get("id")).containsExactly("2", "3");
    assertThat(at(document, "elements").toString()).contains("http://p2.example/");
  }

  @Test
  void theJunctionIsCreatedOnce() {
    Map<String, Object> first =
        rns.done("pool", "register", "-p", "/svc/print", "--epr", "urn:x", "--id", "4294967295", "--json").json();
    assertThat(first).containsEntry("junction", "made").containsEntry("element", "4294967295").containsEntry("home",
        "7");
    assertThat(rns.lines("query /svc/print")).containsExactly("urn:rns:pool:/svc/print");
    assertThat(rns.done("pool", "register", "/svc/print", "--epr", "urn:x", "--json").json()).containsEntry("junction",
        "kept");
    assertThat(rns.lines("query /svc/print")).containsExactly("urn:rns:pool:/svc/print");
    assertThat(pools.ids(PRINT)).hasSize(2);
  }

  @Test
  void aJunctionKeepsItsOtherReferences() {
    rns.done("mkdir", "/svc");
    rns.done("add", "/svc/a[1]*", "http://static.example/", "--meta", "owner=anna");
    rns.done("add", "/svc/a1", "http://other.example/");
    assertThat(rns.done("pool", "register", "/svc/a[1]*", "--epr", "urn:x", "--json").json()).containsEntry("junction",
        "extended");
    assertThat(rns.lines("query /svc/a[1]*")).containsExactly("http://static.example/",
        "urn:rns:pool:/svc/a%5B1%5D%2A");
    assertThat(rns.lines("stat /svc/a[1]*")).anyMatch(line -> line.contains("owner=anna"));
    assertThat(rns.lines("query /svc/a1")).containsExactly("http://other.example/");
  }

  @Test
  void withoutAJunctionNothingIsRegistered() {
    rns.done("mkdir", "/svc");
    Result directory = rns.run("pool", "register", "/svc", "--epr", "urn:x");
    assertThat(directory.code()).isEqualTo(1);
    assertThat(directory.err()).contains("/svc");
    assertThat(rns.run("pool", "register", "/none/print", "--epr", "urn:x").code()).isEqualTo(1);
    assertThat(rns.run("pool", "register", "/", "--epr", "urn:x").code()).isEqualTo(1);
    assertThat(rns.lines("pool ls")).isEmpty();
  }

  @Test
  void thePolicyDefaultsToThePools() {
    rns.done("pool", "register", "-p", "/svc/print", "--epr", "urn:x", "--policy", "wrr", "--weight", "3");
    rns.done("pool", "register", "/svc/print", "--epr", "urn:y");
    assertThat(rns.lines("pool ls")).containsExactly("wrr            2  /svc/print");
    Result other = rns.run("pool", "register", "/svc/print", "--epr", "urn:z", "--policy", "rr");
    assertThat(other.code()).isEqualTo(1);
    assertThat(other.err()).contains("has the policy wrr");
    rns.done("pool", "register", "/svc/scan", "--epr", "urn:x");
    assertThat(rns.lines("pool ls /svc/scan")).containsExactly("adaptive       1  /svc/scan");
  }

  @Test
  void listsPresentAndLostElements() {
    rns.done("pool", "register", "-p", "/svc/print", "--epr", "urn:x", "--epr", "urn:y", "--policy", "lu", "--load",
        "12.5", "--id", "7");
    rns.done("pool", "register", "/svc/print", "--epr", "urn:z", "--id", "8", "--lifetime", "2m");
    now.set(10_500);
    assertThat(rns.lines("pool ls -l /svc"))
        .containsExactly("lu             2  /svc/print", "  7                19s  urn:x (+1) load=12.5% home=7",
            "  8               109s  urn:z load=0.0% home=7");
    now.set(30_000);
    assertThat(rns.lines("pool ls -l /svc"))
        .containsExactly("lu             1  /svc/print", "  8                90s  urn:z load=0.0% home=7",
            "  7               dead  urn:x (+1) (expired 0ms ago)");
    Map<String, Object> pool = objects(at(rns.done("pool", "ls", "-l", "--json").json(), "pools")).get(0);
    assertThat(pool).containsEntry("path", "/svc/print").containsEntry("count", "1").containsEntry("eligible", "1");
    assertThat(objects(at(pool, "elements")).get(0)).containsEntry("id", "8").containsEntry("remainingMillis", "90000");
    assertThat(objects(at(pool, "lost")).get(0)).containsEntry("id", "7").containsEntry("loss", "expired");
  }

  @Test
  void showsAllFieldsOfAnElement() {
    Parameters parameters = Parameters.PLAIN.withOccupancy(new Occupancy(1, 12, 2, 10));
    List<EndpointReference> endpoints = List.of(EndpointReference.ofAddress("urn:x"));
    Registered unused =
        pools.register(PRINT, PolicyType.CREDITS,
            new Registration(7, endpoints, parameters, -1, Optional.of(endpoints.get(0))));
    pools.unreachable(PRINT, 7);
    assertThat(rns.lines("pool ls -l"))
        .containsExactly(
            "credits        1  /svc/print", "  7           for ever  urn:x free=8/10 home=7 unreachable=1 asked-in=2s");
    Map<String, Object> pool = objects(at(rns.done("pool", "ls", "-l", "--json").json(), "pools")).get(0);
    assertThat(objects(at(pool, "elements")).get(0))
        .containsEntry("occupied", "2")
        .containsEntry("limit", "10")
        .containsEntry("free", "8")
        .containsEntry("home", "7")
        .containsEntry("unreachableReports", "1")
        .containsEntry("keepAliveMillis", "2500")
        .doesNotContainKey("remainingMillis");
  }

  @Test
  void unregisterRemovesTheElementAndKeepsTheJunction() {
    rns.done("pool", "register", "-p", "/svc/print", "--epr", "urn:x", "--id", "7");
    assertThat(rns.lines("pool unregister /svc/print 7")).containsExactly("removed");
    assertThat(rns.done("pool", "unregister", "/svc/print", "7", "--json").json()).containsEntry("removed", "false");
    Result gone = rns.run("pool", "resolve", "/svc/print");
    assertThat(gone.code()).isEqualTo(1);
    assertThat(gone.err()).contains("no element is registered under /svc/print");
    assertThat(rns.lines("query /svc/print")).containsExactly("urn:rns:pool:/svc/print");
  }

  @Test
  void aKeptElementUnregistersWhenInterrupted() throws Exception {
    CompletableFuture<Result> result = new CompletableFuture<>();
    Thread command =
        new Thread(() -> result
            .complete(rns.run("pool", "register", "-p", "/svc/print", "--epr", "urn:x", "--lifetime", "1s", "--keep")));
    command.start();
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (pools.registrations() < 3 && System.nanoTime() < until) {
      Thread.onSpinWait();
    }
    assertThat(pools.ids(PRINT)).hasSize(1);
    command.interrupt();
    Result ended = result.get(60, TimeUnit.SECONDS);
    assertThat(ended.code()).isZero();
    assertThat(ended.err()).isEmpty();
    assertThat(ended.lines()).hasSize(1);
    assertThat(pools.ids(PRINT)).isEmpty();
  }
}
