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

@Command(name = "completion", header = "Print a script that completes commands, options and paths in a shell.", description = "Paths are completed with names that the server lists, if it answers within 2 s.", footerHeading = "%nExamples:%n", footer = {
    "  rns completion bash",
    "  rns completion zsh",
    "",
    "In ~/.bashrc or ~/.zshrc:  source <(rns completion bash)"
})
final class CompletionCommand implements Callable<Integer> {
  private static final String COMMENT_OF_REGISTRATION = "# Define a completion specification ";
  private static final String REGISTRATION = "complete -F _complete_rns ";

  /** Asks the command itself where a path is typed: what it prints goes on from there. */
  private static final String PATHS =
      """
      function _rns_complete() {
        local word=${COMP_WORDS[COMP_CWORD]} text=${COMP_LINE:0:COMP_POINT} names name
        _complete_rns "$@"
        [[ ${#COMPREPLY[@]} -eq 0 && $text == */* ]] || return 0
        names=$("${COMP_WORDS[0]/#\\~/$HOME}" completion --line "$text" 2> /dev/null) || return 0
        # The shell itself begins a new word behind these, and takes an opening quotation mark for granted.
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

  /** The shells; one script serves both. */
  enum Shell {
    bash, zsh
  }

  @ParentCommand private @Nullable RnsCommand rns;

  @Parameters(paramLabel = "bash|zsh", arity = "0..1", defaultValue = "bash", description = "The shell; default: bash") private Shell shell =
      Shell.bash;

  @Option(names = "--line", hidden = true, description = "Print what this unfinished command line can go on with; exit code 1 if not with a path") private @Nullable String line;

  /** A command of the launcher, for its name in the script. */
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
    for (String name : new String[]{"up", "down", "load", "trace", "jmeter", "drill", "link", "sim", "bench",
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
