package io.rns.server.foreign;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Programs in processes of their own, so that what they need is on nobody else's class path. */
public final class Programs {
  private static final int BOUND_SECONDS = 120;

  private Programs() {}

  /** The {@code java} that runs this. */
  static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /** The class path of all jars in a directory. */
  static String jars(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }
  }

  /** Runs a command to its end and returns what it said; fails if it does. */
  public static String run(Path directory, String... command) throws IOException, InterruptedException {
    Path said = directory.resolve("said");
    Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile()).start();
    try {
      assertThat(process.waitFor(BOUND_SECONDS, TimeUnit.SECONDS)).as("%s ends", List.of(command)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    String text = Files.readString(said, UTF_8);
    assertThat(process.exitValue()).as("%s said %s", List.of(command), text).isZero();
    return text;
  }

  /** Whether a command is there and ends well. */
  public static boolean runs(String... command) throws InterruptedException {
    try {
      ProcessBuilder process = new ProcessBuilder(command).redirectErrorStream(true);
      return process.redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  /** Compiles what a toolkit has made, and the program that uses it, as leniently as can be. */
  static void compile(Path generated, Path program, String classPath, int release, Path classes) throws IOException {
    List<Path> sources = new ArrayList<>(List.of(program));
    try (Stream<Path> files = Files.walk(generated)) {
      files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter said = new StringWriter();
    List<String> options =
        List.of("-nowarn", "-Xlint:none", "-proc:none", "--release", Integer.toString(release), "-cp", classPath, "-d",
            classes.toString());
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, UTF_8)) {
      boolean done =
          compiler.getTask(said, files, null, options, null, files.getJavaFileObjectsFromPaths(sources)).call();
      assertThat(done).as(said.toString()).isTrue();
    }
  }
}
