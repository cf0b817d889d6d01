package io.rns.loadtest.cli;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParameterException;
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
  public int handleExecutionException(Exception thrown, CommandLine command, ParseResult parsed) throws Exception {
    String message = String.valueOf(thrown.getMessage());
    if (thrown instanceof LoadtestCommand.InvalidOptionException) {
      String[] arguments = parsed.originalArgs().toArray(String[]::new);
      return command.getParameterExceptionHandler()
          .handleParseException(new ParameterException(command, message), arguments);
    }
    if (thrown instanceof InterruptedException) {
      say(command, thrown.getMessage() == null ? "stopped" : "stopped: " + message);
      return INTERRUPTED;
    }
    if (!(thrown instanceof RnsException e)) {
      throw thrown;
    }
    say(command, message);
    for (Throwable second : e.getSuppressed()) {
      say(command, "and then: " + second.getMessage());
    }
    return exitCode(e.error());
  }

  private static void say(CommandLine command, String text) {
    command.getErr().println(command.getCommandName() + ": " + text);
  }

  private static int exitCode(RnsError error) {
    if (error == RnsError.NOT_PERMITTED || error == RnsError.NOT_AUTHENTICATED) {
      return NOT_PERMITTED;
    }
    return switch (error.kind()) {
      case CALLER -> error == RnsError.INVALID_REQUEST ? USAGE : REFUSED;
      case ELSEWHERE, TRANSIENT -> NO_SERVER;
      case BUG -> REFUSED;
    };
  }
}
