package io.rns.client.cli;

import java.io.IOException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

@Command(
    name = "completion",
    header = "Print a script that completes commands and options in a shell.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  rns completion bash",
      "  rns completion zsh",
      "",
      "In ~/.bashrc or ~/.zshrc:  source <(rns completion bash)"
    })
final class CompletionCommand implements Callable<Integer> {
  /** The shells; one script serves both. */
  enum Shell {
    bash,
    zsh
  }

  @ParentCommand private @Nullable RnsCommand rns;

  @Parameters(paramLabel = "bash|zsh", arity = "0..1", defaultValue = "bash", description = "The shell; default: bash")
  private Shell shell = Shell.bash;

  /** A command of the launcher, for its name in the script. */
  @Command
  static final class OfLauncher {}

  @Override
  public Integer call() throws IOException {
    if (rns == null) {
      throw new IllegalStateException("picocli has not set the parent command");
    }
    CommandLine all = RnsCommand.model(rns.terminal());
    for (String name : new String[] {"up", "down", "load", "trace", "jmeter", "drill", "link", "sim", "bench", "figures"}) {
      all.addSubcommand(name, new OfLauncher());
    }
    String script = AutoComplete.bash("rns", all);
    Output output = rns.output();
    if (output.isJson()) {
      output.json().generator().writeStringField("shell", shell.name());
      output.json().generator().writeStringField("script", script);
    } else {
      output.line(script);
    }
    output.finish();
    return ExitCode.DONE;
  }
}
