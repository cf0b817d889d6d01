package io.rns.server.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.AccessRule;
import io.rns.api.AccessRules;
import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.CallContext;
import io.rns.api.Caller;
import io.rns.api.EndpointReference;
import io.rns.api.Metadata;
import io.rns.api.ModelNameService;
import io.rns.api.Precondition;
import io.rns.api.Right;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.association.RegistrarPools;
import io.rns.association.RegistrarServer;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.identity.AccessMode;
import io.rns.identity.AccessPolicy;
import io.rns.permission.AccessControl;
import io.rns.permission.AccessReader;
import io.rns.pool.Parameters;
import io.rns.pool.PolicyType;
import io.rns.pool.PoolPage;
import io.rns.pool.PoolPage.ListedPool;
import io.rns.pool.PoolsRequest;
import io.rns.pool.Registration;
import io.rns.registrar.RegistrarSettings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Lists of pools show what a caller may read, after a look at a bounded number of others. */
class PermittedPoolsTest {
  private static final int HIDDEN = 3;

  private final ModelNameService tree = new ModelNameService();
  private final AccessReader access =
      new AccessReader(new AccessControl(new AccessPolicy(AccessMode.CLOSED, Set.of()), false), () -> tree);
  private final RegistrarServer registrar = RegistrarServer.withoutPorts();
  private RegistrarPools pools;

  @BeforeEach
  void start() {
    registrar.start(List.of(), RegistrarSettings.DEFAULTS, new SplittableRandom(1), () -> 1_000);
    pools = new RegistrarPools(registrar, Duration.ofSeconds(5), Duration.ofSeconds(60));
    tree.update(
        CallContext.SERVICE,
        UpdateRequest.of(EntryChange.metadata(Target.ROOT, rules(AccessRule.parse("anyone=read")))));
    tree.add(
        CallContext.SERVICE,
        AddRequest.of(new NewEntry(Target.of("/hidden"), List.of(), rules(), Precondition.IF_ABSENT)));
    for (int i = 0; i < HIDDEN; i++) {
      register("/hidden/" + i);
    }
    register("/shown");
  }

  @AfterEach
  void stop() {
    registrar.close();
  }

  private static Metadata rules(AccessRule... rules) {
    return Metadata.NONE.with(new AccessRules(Optional.empty(), Optional.of(List.of(rules))));
  }

  private void register(String path) {
    var unused =
        pools.register(
            RnsPath.parse(path), PolicyType.ROUND_ROBIN,
            new Registration(
                1, List.of(EndpointReference.ofAddress("http://a/")), Parameters.PLAIN, 60_000));
  }

  private PoolPage page(int skipped) {
    return new PermittedPools(pools, access, skipped).pools(new PoolsRequest(RnsPath.ROOT, HIDDEN, Optional.empty()));
  }

  @Test
  void aListPassesOverSoManyPoolsThatAreHidden() {
    assertThat(page(HIDDEN).pools()).extracting(ListedPool::handle).containsExactly(RnsPath.parse("/shown"));
    assertThatThrownBy(() -> page(HIDDEN - 1))
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.LIMIT_EXCEEDED))
        .hasMessageContaining("more than " + (HIDDEN - 1) + " pools");
  }

  @Test
  void nothingIsPermittedBelowADirectoryThatIsClosed() {
    assertThat(access.hasIn(Caller.ANONYMOUS, Right.READ, RnsPath.parse("/hidden"))).isFalse();
    assertThat(access.hasIn(Caller.ANONYMOUS, Right.READ, RnsPath.parse("/hidden/none/deeper"))).isFalse();
    assertThat(access.hasIn(Caller.ANONYMOUS, Right.READ, RnsPath.parse("/none/deeper"))).isTrue();
    assertThat(access.hasIn(Caller.ANONYMOUS, Right.LIST, RnsPath.ROOT)).isFalse();
  }
}
