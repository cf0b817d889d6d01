package io.rns.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.rns.api.EndpointReference;
import io.rns.api.NameService;
import io.rns.api.RnsPath;
import io.rns.client.pool.ElementListener;
import io.rns.client.pool.PoolElement;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.pool.ElementsRequest;
import io.rns.pool.PolicyType;
import io.rns.pool.Registered;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "register", header = "Register an element of a pool, or renew it.", description = "Without an entry, PATH becomes a junction that names the pool; an existing junction gets the pool in addition to its"
    + " other references. Registering again with the same --id renews.", footerHeading = "%nExamples:%n", footer = {
        "  rns pool register -p /svc/print --epr http://p1.example/print --lifetime 5m",
        "  rns pool register -p /svc/scan --epr http://s1.example/ --policy wrr --weight 3 --id 4711",
        "  rns pool register -p /svc/copy --epr http://c1.example/ --keep"
    })
final class PoolRegisterCommand extends ServiceCommand {
  @Parameters(paramLabel = "PATH", converter = PathConverter.class, description = "Path of the pool") private RnsPath path =
      RnsPath.ROOT;

  @Option(names = "--epr", required = true, paramLabel = "EPR-OR-URL", converter = Converters.OfReference.class, description = "Endpoint of the element, preferred first; repeatable") private List<EndpointReference> endpoints =
      List.of();

  @Option(names = "--policy", paramLabel = "P", converter = Converters.OfPolicy.class, description = "Policy, such as rr, wrr, lu, adaptive; default: the pool's, else adaptive") private @Nullable PolicyType policy;

  @Option(names = "--lifetime", paramLabel = "TIME", converter = Converters.OfDuration.class, description = "Lifetime without renewal, 1s to 24h; default: 30s") private Duration lifetime =
      Duration.ofSeconds(30);

  @Option(names = "--weight", paramLabel = "W", description = "Weight, for weighted policies; 0: cannot serve; default: 1") private long weight =
      1;

  @Option(names = "--priority", paramLabel = "N", description = "Priority, for prio; higher is first") private long priority;

  @Option(names = "--load", paramLabel = "L", converter = Converters.OfLoad.class, description = "Load in percent, for lu and its variants") private long load;

  @Option(names = "--id", paramLabel = "N", converter = Converters.OfElementId.class, description = "Id of the element, 1 to 4294967295; default: random") private @Nullable Integer id;

  @Option(names = "--keep", description = "Stay, renew, and unregister when interrupted") private boolean keep;

  @Option(names = {"-p", "--parents"}, description = "Create missing parent directories") private boolean parents;

  private @Nullable Registered registration;

  @Override
  int run(NameService service, Output output) throws IOException {
    PoolElement.Builder builder = builder(output);
    PoolJunction.Result junction = new PoolJunction(service, path).name(parents);
    PoolElement element = builder.register();
    if (!keep) {
      element.leave();
      show(output, element.id(), junction);
      return ExitCode.DONE;
    }
    // Ctrl-C ends the process: only a shutdown hook unregisters in time.
    Thread atExit = new Thread(element::close, "rns-unregister");
    Runtime.getRuntime().addShutdownHook(atExit);
    try {
      show(output, element.id(), junction);
      output.flush();
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      boolean unused = Runtime.getRuntime().removeShutdownHook(atExit);
    } finally {
      element.close();
    }
    return ExitCode.DONE;
  }

  private PoolElement.Builder builder(Output output) {
    io.rns.pool.Parameters parameters = parameters();
    PoolElement.Builder builder =
        PoolElement.builder(pools(), path, endpoints).policy(policy == null ? policyOfPool() : policy)
            .parameters(parameters);
    if (lifetime.compareTo(Duration.ofSeconds(1)) < 0 || lifetime.compareTo(Duration.ofDays(1)) > 0) {
      throw usage("--lifetime is not between 1s and 24h");
    }
    if (id != null) {
      builder.id(id);
    }
    return builder.lifetime(lifetime).listener(new Listener(output));
  }

  private io.rns.pool.Parameters parameters() {
    try {
      return io.rns.pool.Parameters.PLAIN.withWeight(weight).withPriority(priority).withLoad(load);
    } catch (RnsException e) {
      throw usage(e.getMessage());
    }
  }

  private PolicyType policyOfPool() {
    try {
      return pools().elements(new ElementsRequest(path, 1, 0)).policy().orElse(PolicyType.ADAPTIVE);
    } catch (RnsException e) {
      if (e.error() == RnsError.NO_SUCH_POOL) {
        return PolicyType.ADAPTIVE;
      }
      throw e;
    }
  }

  /** Keeps the registration, and reports failed renewals. */
  private final class Listener implements ElementListener {
    private final Output output;

    Listener(Output output) {
      this.output = output;
    }

    @Override
    public void registered(int element, Registered registered) {
      registration = registered;
    }

    @Override
    public void failed(RnsException error) {
      output.complain(String.valueOf(error.getMessage()));
    }
  }

  private void show(Output output, int element, PoolJunction.Result junction) throws IOException {
    String made = junction.name().toLowerCase(Locale.ROOT);
    if (output.isJson()) {
      JsonGenerator json = output.json().generator();
      json.writeStringField("path", path.toString());
      json.writeNumberField("element", Integer.toUnsignedLong(element));
      json.writeStringField("junction", made);
      json.writeNumberField("lifetimeMillis", lifetime.toMillis());
      if (registration != null) {
        json.writeNumberField("home", Integer.toUnsignedLong(registration.home()));
      }
      return;
    }
    output.line(PoolLines.id(element) + (keep ? "" : "  for " + PoolLines.time(lifetime.toMillis())));
  }
}
