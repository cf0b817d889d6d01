package io.rns.client.cli;

import io.rns.api.CallContext;
import io.rns.api.Entry;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.QueryRequest;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.client.RnsClient;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The shape of every command that asks a server. */
@Command
abstract class ServiceCommand implements Callable<Integer> {
  @ParentCommand private @Nullable RnsCommand rns;
  @Spec private @Nullable CommandSpec spec;

  /**
   * Does it.
   *
   * @return the exit code
   */
  abstract int run(NameService service, Output output) throws IOException;

  @Override
  public final Integer call() throws IOException {
    Output output = rns().output();
    int code;
    try (NameService service = settings(RnsClient.builder().server(server())).build()) {
      code = run(service, output);
    }
    output.finish();
    return code;
  }

  /**
   * The settings of the client: a person who waits wants to know soon that nobody answers, and a command that is through
   * does not wait for what was listed ahead.
   */
  RnsClient.Builder settings(RnsClient.Builder builder) {
    return builder
        .attempts(3)
        .requestTimeout(Duration.ofSeconds(30))
        .deadline(Duration.ofSeconds(60))
        .closeWait(Duration.ZERO);
  }

  final RnsCommand rns() {
    if (rns == null) {
      throw new IllegalStateException("picocli has not set the parent command");
    }
    return rns;
  }

  /** The server to ask. */
  final URI server() {
    try {
      return rns().server();
    } catch (TypeConversionException e) {
      throw usage("RNS_SERVER: " + e.getMessage());
    }
  }

  /** An error of the command line. */
  final ParameterException usage(String message) {
    if (spec == null) {
      throw new IllegalStateException("picocli has not set the specification");
    }
    return new ParameterException(spec.commandLine(), message);
  }

  /** Looks up one entry. */
  static Entry entry(NameService service, RnsPath path) {
    return outcome(service, path).orThrow();
  }

  static Outcome<Entry> outcome(NameService service, RnsPath path) {
    return service.query(CallContext.ANONYMOUS, QueryRequest.of(Target.of(path))).value().get(0);
  }
}
