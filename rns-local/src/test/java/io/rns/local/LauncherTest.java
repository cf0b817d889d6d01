package io.rns.local;

import static java.nio.file.StandardCopyOption.COPY_ATTRIBUTES;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script {@code rns}, in a tree whose JDK and Maven only print their arguments. */
class LauncherTest {
  private static final String CLIENT = "rns-cli/target/cli/lib";

  @TempDir Path temporary;

  private Path root;
  private Path jdk;

  @BeforeEach
  void layOut() throws IOException {
    root = Files.createDirectories(temporary.resolve("a tree"));
    Files.copy(Path.of("").toAbsolutePath().getParent().resolve("rns"), root.resolve("rns"));
    Files.setPosixFilePermissions(root.resolve("rns"), PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.createFile(root.resolve("pom.xml"));
    for (String staged : List.of(CLIENT, "loadtest/target/cli/lib", "rns-local/target/local/lib",
        "rns-local/target/local/glassfish8", "rns-front/target/front/lib", "rns-server/target")) {
      Files.createDirectories(root.resolve(staged));
    }
    Files.createFile(root.resolve("rns-server/target/rns.war"));
    jdk = jdk(25);
  }

  @Test
  void dispatches() throws Exception {
    assertThat(rns("ls", "-l", "/a b").output())
        .contains("-cp " + root.resolve(CLIENT) + "/* ")
        .endsWith(" io.rns.cli.RnsCommand ls -l /a b\n");
    assertThat(rns("up", "--port", "1").output())
        .contains("-cp " + root.resolve("rns-local/target/local/lib") + "/* ")
        .endsWith(" io.rns.local.Up --port 1\n");
    assertThat(rns("down").output()).endsWith(" io.rns.local.Down\n");
    assertThat(rns("front", "ls").output()).endsWith(" io.rns.local.FrontCommand ls\n");
    assertThat(rns("account", "ls").output()).endsWith(" io.rns.local.AccountCommand ls\n");
    assertThat(rns("load", "--op", "add").output()).endsWith(" io.rns.loadtest.cli.LoadtestProgram load --op add\n");
    assertThat(rns().output()).endsWith(" io.rns.cli.RnsCommand\n");
  }

  @Test
  void userFilesAreBelowHomeNotTheAccountsDirectory() throws Exception {
    for (String command : List.of("ls", "up", "down", "load")) {
      assertThat(rns(command).output()).contains("-Duser.home=/home of/the user ");
    }
  }

  @Test
  void worksThroughASymbolicLink() throws Exception {
    Path link = Files.createSymbolicLink(temporary.resolve("link"), root.resolve("rns"));
    assertThat(run(link.toString(), "stat", "/").output()).contains(root.resolve(CLIENT).toString());
  }

  @Test
  void startsClientCommandsFromAnArchiveThatIsDroppedWhenJarsChange() throws Exception {
    Path archive = root.resolve("rns-cli/target/cli/classes-25.jsa");
    assertThat(rns("ls", "/").output()).contains("-XX:SharedArchiveFile=" + archive);
    Files.createFile(archive);
    Files.setLastModifiedTime(archive, FileTime.from(Instant.now().plusSeconds(60)));
    rns("ls", "/");
    assertThat(archive).exists();
    Path jar = Files.createFile(root.resolve(CLIENT).resolve("x.jar"));
    Files.setLastModifiedTime(jar, FileTime.from(Instant.now().plusSeconds(120)));
    rns("ls", "/");
    assertThat(archive).doesNotExist();
  }

  @Test
  void runsTheClientOnAnOlderJdkThanTheServer() throws Exception {
    jdk = jdk(17);
    assertThat(rns("ls", "/").output()).contains("RnsCommand").doesNotContain("SharedArchive");
  }

  @Test
  void buildsMissingOrOutdatedModules() throws Exception {
    Files.createDirectory(root.resolve(".git"));
    for (String module : List.of("rns-api", "rns-client", "rns-cli", "rns-pools", "rns-replication", "rns-guard",
        "rns-front", "rns-local",
        "rns-server", "loadtest")) {
      Files.createDirectories(root.resolve(module).resolve("src/main"));
      Files.copy(root.resolve("pom.xml"), root.resolve(module).resolve("pom.xml"), COPY_ATTRIBUTES);
    }
    Path source = Files.createDirectories(root.resolve("rns-client/src/main")).resolve("A.java");
    Files.createFile(source);
    Files.setLastModifiedTime(source, FileTime.from(Instant.now().minusSeconds(60)));
    Files.setLastModifiedTime(root.resolve("pom.xml"), FileTime.from(Instant.now().minusSeconds(60)));
    assertThat(rns("ls", "/").output()).doesNotContain("mvn");
    Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(60)));
    assertThat(rns("ls", "/").output()).contains("rns: building rns-cli", "mvn", "-pl rns-cli", "RnsCommand");
    Files.delete(root.resolve("rns-server/target/rns.war"));
    assertThat(rns("completion", "--line", "rns ls /").output()).as("completion builds nothing")
        .doesNotContain("mvn");
    assertThat(rns("up").output()).contains("rns: building rns-server", "-pl rns-server");
    assertThat(rns("down").output()).doesNotContain("mvn");
  }

  @Test
  void helpIsPrintedWithoutBuilding() throws Exception {
    for (String how : List.of("help", "--help", "-h")) {
      assertThat(rns(how).output()).endsWith(" io.rns.cli.RnsCommand --help\n");
    }
    assertThat(rns("help", "pool", "ls").output()).endsWith(" io.rns.cli.RnsCommand pool ls --help\n");
    assertThat(rns("help", "up").output()).endsWith(" io.rns.local.Up --help\n");
    Files.delete(root.resolve(CLIENT));
    Files.copy(
        Path.of("").toAbsolutePath().getParent().resolve("docs/cli.md"),
        Files.createDirectory(root.resolve("docs")).resolve("cli.md"));
    Result unbuilt = rns("help");
    assertThat(unbuilt.code()).isZero();
    assertThat(unbuilt.output()).doesNotContain("mvn", "`", "](").contains(
        "\n  mkdir [-p] PATH...\n      Create directories", "\n  completion [bash|zsh]\n      Print", "\n  up, down\n",
        "\n  bench peers ");
  }

  private record Result(int code, String output) {}

  private Result rns(String... arguments) throws IOException, InterruptedException {
    return run(root.resolve("rns").toString(), arguments);
  }

  private Result run(String program, String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(program));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).directory(temporary.toFile()).redirectErrorStream(true);
    builder.environment().put("JAVA_HOME", jdk.toString());
    builder.environment().put("RNS_CACHE", temporary.resolve("cache").toString());
    builder.environment().put("HOME", "/home of/the user");
    builder.environment().put("PATH", mavenThatPrintsItsArguments() + ":/usr/bin:/bin");
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Result(process.waitFor(), output);
  }

  private Path jdk(int major) throws IOException {
    Path home = Files.createDirectories(temporary.resolve("jdk-" + major));
    Files.writeString(home.resolve("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"" + major + ".0.1\"\n");
    printArguments(home.resolve("bin/java"));
    return home;
  }

  private Path mavenThatPrintsItsArguments() throws IOException {
    Path directory = temporary.resolve("bin");
    printArguments(directory.resolve("mvn"));
    return directory;
  }

  private static void printArguments(Path program) throws IOException {
    Files.createDirectories(program.getParent());
    Files.writeString(program, "#!/bin/sh\necho \"${0##*/} $*\"\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
