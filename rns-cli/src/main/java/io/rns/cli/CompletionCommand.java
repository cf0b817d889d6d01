package io.rns.cli;

import java.io.IOException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

@Command(name = "completion", header = "Print a shell script that completes commands, options and paths.", description = "Path names come from the server, if it answers within 2 s.", footerHeading = "%nExamples:%n", footer = {
    "  rns completion bash",
    "  rns completion zsh",
    "",
    "In ~/.bashrc or ~/.zshrc:  source <(rns completion bash)"
})
final class CompletionCommand implements Callable<Integer> {
  private static final String COMMENT_OF_REGISTRATION = "# Define a completion specification ";
  private static final String REGISTRATION = "complete -F _complete_rns ";

  /** Calls the command itself where the user types a path: it prints the continuations. */
  private static final String PATHS =
      """
      function _rns_complete() {
        local word=${COMP_WORDS[COMP_CWORD]} text=${COMP_LINE:0:COMP_POINT} names name
        _complete_rns "$@"
        [[ ${#COMPREPLY[@]} -eq 0 && $text == */* ]] || return 0
        names=$("${COMP_WORDS[0]/#\\~/$HOME}" completion --line "$text" 2> /dev/null) || return 0
        # The shell starts a new word after these, and drops an opening quotation mark.
        [[ $word != *[:=@] ]] || word=
        word=${word#[\\"\\']}
        while IFS= read -r name; do
          [[ -z $name ]] || COMPREPLY+=("$word$name")
        done <<< "$names"
        if type compopt &> /dev/null; then
          compopt +o default
          [[ ${#COMPREPLY[@]} -ne 1 || ${COMPREPLY[0]} != */ ]] || compopt -o nospace
        fi
      }

      """;

  /** The shells; one script works in both. */
  enum Shell {
    bash, zsh
  }

  @ParentCommand private @Nullable RnsCommand rns;

  @Parameters(paramLabel = "bash|zsh", arity = "0..1", defaultValue = "bash", description = "Shell; default: bash") private Shell shell =
      Shell.bash;

  @Option(names = "--line", hidden = true, description = "Print continuations of this command line; exit code 1 without a path") private @Nullable String line;

  /** A launcher command, for its name in the script. */
  @Command
  static final class OfLauncher {}

  @Override
  public Integer call() throws IOException {
    if (rns == null) {
      throw new IllegalStateException("picocli has not set the parent command");
    }
    return line == null ? script(rns) : paths(rns, line);
  }

  private static int paths(RnsCommand rns, String line) {
    PathCompletion completion = new PathCompletion(rns.terminal(), line);
    if (!completion.isOfPath()) {
      return ExitCode.REFUSED;
    }
    completion.continuations().forEach(rns.output()::line);
    return ExitCode.DONE;
  }

  private int script(RnsCommand rns) throws IOException {
    CommandLine all = RnsCommand.model(rns.terminal());
    for (String name : new String[]{"up", "down", "front", "account", "load", "trace", "jmeter", "drill", "link", "sim",
        "bench",
        "figures"}) {
      all.addSubcommand(name, new OfLauncher());
    }
    String script =
        AutoComplete.bash("rns", all)
            .replace(COMMENT_OF_REGISTRATION, PATHS + COMMENT_OF_REGISTRATION)
            .replace(REGISTRATION, REGISTRATION.replace("_complete_rns", "_rns_complete"));
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
