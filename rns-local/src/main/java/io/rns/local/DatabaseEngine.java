package io.rns.local;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A database product: how to run its program and create its directory. */
interface DatabaseEngine {
  /** What {@link #initialize} does, for messages. */
  String CREATE_SYSTEM_TABLES = "create its system tables";

  /**
   * The program, with the arguments common to all its uses.
   *
   * @param home the directory for its files
   * @param data its data directory
   */
  List<String> program(Path home, Path data);

  /** Creates the system tables in {@code aside}, an empty directory. */
  void initialize(DatabaseProcess.Settings settings, Path aside) throws IOException;

  /** Prepares each start; the data directory exists. */
  void prepare(DatabaseProcess.Settings settings) throws IOException;

  /** Arguments for a durable server on 127.0.0.1, and for a member of a replicated set if it is one. */
  List<String> arguments(DatabaseProcess.Settings settings, int port);

  /** The parameters at the end of its Connector/J URL. */
  String parameters();

  /** The name of its log file. */
  String log();
}
