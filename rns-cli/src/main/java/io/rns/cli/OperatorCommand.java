package io.rns.cli;

import io.rns.api.NameService;
import java.io.IOException;
import java.net.URI;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The shape of the commands that only operators may send, to the first server of {@code --server}. */
@Command
abstract class OperatorCommand extends ServiceCommand {
  @Mixin private OperatorOptions options = new OperatorOptions();

  /** Runs the command. */
  abstract int run(Operator operator, URI server, Output output) throws IOException;

  @Override
  final int run(NameService service, Output output) throws IOException {
    GroupAccess access = new GroupAccess(servers(), rns().terminal().environment(), rns().data());
    GroupSecret secret = access.secret(options.secretFile).orElseThrow(() -> usage(access.missing()));
    return run(new Operator(secret, rns().terminal(), rns().trust()), servers().get(0), output);
  }
}
