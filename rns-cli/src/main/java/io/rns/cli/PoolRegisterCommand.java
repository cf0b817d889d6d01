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

@Command(name = "register", header = "Register an element of a pool, for a time or as long as the command runs.", description = "PATH becomes a junction that names the pool, if there is no entry; a junction that is there gets the pool beside its other"
    + " references. Registering again with the same --id renews.", footerHeading = "%nExamples:%n", footer = {
        "  rns pool register -p /svc/print --epr http://p1.example/print --lifetime 5m",
        "  rns pool register -p /svc/scan --epr http://s1.example/ --policy wrr --weight 3 --id 4711",
        "  rns pool register -p /svc/copy --epr http://c1.example/ --keep"
    })
final class PoolRegisterCommand extends ServiceCommand {
  @Parameters(paramLabel = "PATH", converter = PathConverter.class, description = "The pool") private RnsPath path =
      RnsPath.ROOT;

  @Option(names = "--epr", required = true, paramLabel = "EPR-OR-URL", converter = Converters.OfReference.class, description = "Where the element serves, the preferred first; repeatable") private List<EndpointReference> endpoints =
      List.of();

  @Option(names = "--policy", paramLabel = "P", converter = Converters.OfPolicy.class, description = "The policy, such as rr, wrr, lu, adaptive; default: the pool's, of a new one adaptive") private @Nullable PolicyType policy;

  @Option(names = "--lifetime", paramLabel = "TIME", converter = Converters.OfDuration.class, description = "How long it holds without renewal; default: 30s") private Duration lifetime =
      Duration.ofSeconds(30);

  @Option(names = "--weight", paramLabel = "W", description = "Its share, for weighted policies; 0: cannot serve; default: 1") private long weight =
      1;

  @Option(names = "--priority", paramLabel = "N", description = "Higher is first, for prio") private long priority;

  @Option(names = "--load", paramLabel = "L", converter = Converters.OfLoad.class, description = "Its load in percent, for lu and its relatives") private long load;

  @Option(names = "--id", paramLabel = "N", converter = Converters.OfElementId.class, description = "Its id, 1 to 4294967295; default: drawn") private @Nullable Integer id;

  @Option(names = "--keep", description = "Stay, renew, and unregister when interrupted") private boolean keep;

  @Option(names = {"-p", "--parents"}, description = "Make missing directories on the way too") private boolean parents;

  private @Nullable Registered told;

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
    // What ends the process, such as Ctrl-C, ends nothing else in time.
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
    return builder.lifetime(lifetime).listener(new Told(output));
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

  /** Complains about renewals that fail. */
  private final class Told implements ElementListener {
    private final Output output;

    Told(Output output) {
      this.output = output;
    }

    @Override
    public void registered(int element, Registered registered) {
      told = registered;
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
      if (told != null) {
        json.writeNumberField("home", Integer.toUnsignedLong(told.home()));
      }
      return;
    }
    output.line(PoolLines.id(element) + (keep ? "" : "  for " + PoolLines.time(lifetime.toMillis())));
  }
}
