package io.rns.local;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A make of database server: how its program is called, and how its directory is made. */
interface DatabaseEngine {
  /**
   * The program, with the arguments that it gets whatever it is to do.
   *
   * @param home where the database has its files
   * @param data its data directory
   */
  List<String> program(Path home, Path data);

  /** Makes the system tables in {@code aside}, which is there and empty. */
  void initialize(DatabaseProcess.Settings settings, Path aside) throws IOException;

  /** What has to be there before each start. */
  void prepare(DatabaseProcess.Settings settings) throws IOException;

  /** What makes it a durable server on 127.0.0.1, and a member of a replicated set if it is to be one. */
  List<String> arguments(DatabaseProcess.Settings settings, int port);

  /** The end of its address for Connector/J. */
  String parameters();

  /** The name of its log file. */
  String log();
}
