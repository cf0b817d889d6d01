package io.rns.cli;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Where a command about a sign-in finds it. */
record LoginFiles(RnsCommand rns, CommandSpec spec, LoginStore store) {
  /**
   * The files of {@code --token-file}, or the usual ones.
   *
   * @throws ParameterException if there are no usual ones
   */
  static LoginFiles of(@Nullable RnsCommand rns, @Nullable CommandSpec spec) {
    if (rns == null || spec == null) {
      throw new IllegalStateException("picocli has not set the parent command");
    }
    Path file =
        rns.tokenFile().or(() -> LoginStore.usual(rns.terminal().environment()))
            .orElseThrow(
                () -> new ParameterException(
                    spec.commandLine(), "users have no numbers here: name a file with --token-file"));
    return new LoginFiles(rns, spec, LoginStore.of(file));
  }

  /** A usage error. */
  ParameterException usage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
