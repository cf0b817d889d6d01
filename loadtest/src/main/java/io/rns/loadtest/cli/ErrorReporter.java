package io.rns.loadtest.cli;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/** Maps an exception of a command to a line on standard error and an exit code. */
final class ErrorReporter implements IExecutionExceptionHandler {
  static final int REFUSED = 1;
  static final int USAGE = 2;
  static final int NO_SERVER = 3;
  static final int NOT_PERMITTED = 4;
  /** The exit code of a command that Ctrl-C ended. */
  static final int INTERRUPTED = 130;

  @Override
  public int handleExecutionException(Exception thrown, CommandLine commandLine, ParseResult parsed) throws Exception {
    if (thrown instanceof InterruptedException) {
      say(commandLine, thrown.getMessage() == null ? "stopped" : "stopped: " + thrown.getMessage());
      return INTERRUPTED;
    }
    if (!(thrown instanceof RnsException e)) {
      throw thrown;
    }
    say(commandLine, String.valueOf(e.getMessage()));
    for (Throwable second : e.getSuppressed()) {
      say(commandLine, "and then: " + second.getMessage());
    }
    return exitCode(e.error());
  }

  private static void say(CommandLine commandLine, String text) {
    commandLine.getErr().println(commandLine.getCommandName() + ": " + text);
  }

  private static int exitCode(RnsError error) {
    if (error == RnsError.NOT_PERMITTED) {
      return NOT_PERMITTED;
    }
    return switch (error.kind()) {
      case CALLER -> error == RnsError.INVALID_REQUEST ? USAGE : REFUSED;
      case ELSEWHERE, TRANSIENT -> NO_SERVER;
      case BUG -> REFUSED;
    };
  }
}
