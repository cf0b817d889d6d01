package io.rns.cli;

import io.rns.api.CallContext;
import io.rns.api.Entry;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.Positions;
import io.rns.api.QueryRequest;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.client.CredentialSource;
import io.rns.client.RnsClient;
import io.rns.client.RnsConnection;
import io.rns.pool.PoolService;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The shape of every command that contacts a server. */
@Command
abstract class ServiceCommand implements Callable<Integer> {
  private static final int ATTEMPTS = 3;

  @Spec private @Nullable CommandSpec spec;
  private @Nullable RnsConnection connection;

  /**
   * Runs the command.
   *
   * @return the exit code
   */
  abstract int run(NameService service, Output output) throws IOException;

  @Override
  public final Integer call() throws IOException {
    Output output = rns().output();
    int code;
    try (RnsConnection service = settings(client()).build()) {
      service.seen(rns().after());
      connection = service;
      code = run(service, output);
      Positions seen = service.positions();
      if (output.isJson() && !seen.isEmpty()) {
        output.json().generator().writeStringField("position", seen.toString());
      }
    }
    output.finish();
    return code;
  }

  private RnsClient.Builder client() {
    RnsClient.Builder builder =
        RnsClient.builder().servers(servers()).credentials(credentials()).consistency(rns().consistency())
            .trust(rns().trust());
    try {
      builder.dialect(rns().dialect());
    } catch (TypeConversionException e) {
      throw usage("RNS_DIALECT: " + e.getMessage());
    }
    rns().root().ifPresent(builder::root);
    return builder;
  }

  /**
   * The settings of the client: few retries, so that the user soon sees that no server answers, and no wait at the end
   * for pages listed ahead.
   */
  RnsClient.Builder settings(RnsClient.Builder builder) {
    return builder
        .attempts(ATTEMPTS * servers().size())
        .requestTimeout(Duration.ofSeconds(30))
        .deadline(Duration.ofSeconds(60))
        .closeWait(Duration.ZERO);
  }

  /** The root command, which has the global options. */
  final RnsCommand rns() {
    if (spec().root().userObject() instanceof RnsCommand root) {
      return root;
    }
    throw new IllegalStateException("picocli has put the command below another one");
  }

  /** The server pools of the servers. */
  final PoolService pools() {
    return connection().pools();
  }

  /** The connection to the servers. */
  final RnsConnection connection() {
    if (connection == null) {
      throw new IllegalStateException("the command does not run");
    }
    return connection;
  }

  private CommandSpec spec() {
    if (spec == null) {
      throw new IllegalStateException("picocli has not set the specification");
    }
    return spec;
  }

  /** The servers to contact. */
  final List<URI> servers() {
    try {
      return rns().servers();
    } catch (TypeConversionException e) {
      throw usage("RNS_SERVER: " + e.getMessage());
    } catch (UncheckedIOException e) {
      throw usage(String.valueOf(e.getMessage()));
    }
  }

  /** Who the command is. */
  final CredentialSource credentials() {
    try {
      return rns().credentials(servers());
    } catch (UncheckedIOException e) {
      throw usage(String.valueOf(e.getMessage()));
    }
  }

  /** A usage error. */
  final ParameterException usage(String message) {
    return new ParameterException(spec().commandLine(), message);
  }

  /** Looks up one entry. */
  static Entry entry(NameService service, RnsPath path) {
    return outcome(service, path).orThrow();
  }

  static Outcome<Entry> outcome(NameService service, RnsPath path) {
    return service.query(CallContext.ANONYMOUS, QueryRequest.of(Target.of(path))).value().get(0);
  }
}
