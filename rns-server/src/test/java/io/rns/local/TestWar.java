package io.rns.local;

import io.rns.operator.OperatorKey;
import io.rns.operator.Signature;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** A WAR with {@link AnswerServlet}, which deploys in a moment and needs no database. */
final class TestWar {
  private TestWar() {}

  static Path write(Path file, String greeting) throws IOException {
    try (OutputStream out = Files.newOutputStream(file);
        ZipOutputStream war = new ZipOutputStream(out)) {
      for (Class<?> part : List.of(AnswerServlet.class, OperatorKey.class, Signature.class)) {
        String name = part.getName().replace('.', '/') + ".class";
        try (InputStream code = part.getClassLoader().getResourceAsStream(name)) {
          war.putNextEntry(new ZipEntry("WEB-INF/classes/" + name));
          code.transferTo(war);
        }
      }
      war.putNextEntry(new ZipEntry("greeting.txt"));
      war.write(greeting.getBytes(StandardCharsets.UTF_8));
    }
    return file;
  }

  /** A WAR that deploys and answers no query. */
  static Path writeSilent(Path file) throws IOException {
    try (OutputStream out = Files.newOutputStream(file);
        ZipOutputStream war = new ZipOutputStream(out)) {
      war.putNextEntry(new ZipEntry("silent.txt"));
    }
    return file;
  }

  /** A WAR whose servlet cannot be loaded. */
  static Path writeBroken(Path file) throws IOException {
    try (OutputStream out = Files.newOutputStream(file);
        ZipOutputStream war = new ZipOutputStream(out)) {
      war.putNextEntry(new ZipEntry("WEB-INF/web.xml"));
      war.write("<web-app><servlet>".getBytes(StandardCharsets.UTF_8));
    }
    return file;
  }
}
