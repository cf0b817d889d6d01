package io.rns.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.rns.audit.AuditHead;
import io.rns.audit.AuditLine;
import io.rns.audit.AuditVerification;
import io.rns.audit.AuditVerification.Finding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;

@Command(name = "verify", header = "Verify that no line of an audit log was changed, removed, added or moved.", description = "Exit code 1 if one was. Older files may have been removed, and lines at the end: to notice the latter, keep the head that 'status --json' shows (protection.auditHead) elsewhere, and expect it.", footerHeading = "%nExamples:%n", footer = {
    "  rns audit verify --data /srv/rns", "  rns audit verify /var/log/rns/audit --secret-file old --secret-file new"})
final class AuditVerifyCommand extends AuditCommand {
  private static final String SECRET = "RNS_GROUP_SECRET";

  @Option(names = "--secret-file", paramLabel = "FILE", description = "File with a secret that the servers had, repeatable; default: $RNS_GROUP_SECRET, or the data directory's, or none") private List<Path> secretFiles =
      List.of();

  @Option(names = "--expect", paramLabel = "SEQ:HASH", converter = OfHead.class, description = "Line that the log must have") private @Nullable AuditHead expected;

  static final class OfHead implements ITypeConverter<AuditHead> {
    @Override
    public AuditHead convert(String argument) {
      try {
        return AuditHead.parse(argument);
      } catch (io.rns.error.RnsException e) {
        throw PathConverter.conversion(e);
      }
    }
  }

  @Override
  int run(List<Log> logs, Output output) throws IOException {
    List<String> secrets = secrets();
    boolean isIntact = true;
    if (output.isJson()) {
      output.json().generator().writeArrayFieldStart("logs");
    } else if (secrets.equals(List.of(""))) {
      output.line("without a secret: whoever can write the files could have made them");
    }
    for (Log log : logs) {
      AuditVerification verification = new AuditVerification(secrets, Optional.ofNullable(expected));
      verification.verify(log.files());
      isIntact &= verification.problemCount() == 0;
      if (output.isJson()) {
        write(log, verification, output.json().generator());
      } else {
        show(log, verification, output);
      }
    }
    if (output.isJson()) {
      output.json().generator().writeEndArray();
    }
    return isIntact ? ExitCode.DONE : ExitCode.REFUSED;
  }

  private List<String> secrets() throws IOException {
    List<String> secrets = new ArrayList<>();
    for (Path file : secretFiles) {
      secrets.add(GroupAccess.read(file).value());
    }
    String given = rns().terminal().environment().getOrDefault(SECRET, "");
    Path kept = data().resolve("group.secret");
    if (secrets.isEmpty() && !given.isEmpty()) {
      secrets.add(given);
    } else if (secrets.isEmpty() && Files.isReadable(kept)) {
      secrets.add(GroupAccess.read(kept).value());
    }
    return secrets.isEmpty() ? List.of("") : secrets;
  }

  private static void show(Log log, AuditVerification found, Output output) {
    String range =
        found.first().flatMap(
            first -> found.last().map(
                last -> "lines " + first.sequence() + " to " + last.sequence() + ", " + first.time() + " to "
                    + last.time()))
            .orElse("no line");
    String result =
        found.problemCount() == 0 ? "intact"
            : found.problemCount() + (found.problemCount() == 1 ? " problem" : " problems");
    output.line(log.name() + ": " + range + ", " + found.files() + (found.files() == 1 ? " file: " : " files: ")
        + result);
    found.last().ifPresent(last -> output.line("  head " + head(last)));
    found.problems().forEach(problem -> output.line("  problem: " + text(problem)));
    found.notices().forEach(notice -> output.line("  notice: " + text(notice)));
  }

  private static AuditHead head(AuditLine last) {
    return new AuditHead(last.sequence(), last.hash());
  }

  private static String text(Finding finding) {
    return finding.file().getFileName() + " line " + finding.line() + ": " + finding.message();
  }

  private static void write(Log log, AuditVerification found, JsonGenerator out) throws IOException {
    out.writeStartObject();
    out.writeStringField("log", log.name());
    out.writeBooleanField("intact", found.problemCount() == 0);
    out.writeNumberField("files", found.files());
    out.writeNumberField("lines", found.lines());
    if (found.first().isPresent() && found.last().isPresent()) {
      AuditLine first = found.first().get();
      AuditLine last = found.last().get();
      out.writeNumberField("first", first.sequence());
      out.writeStringField("firstTime", first.time());
      out.writeNumberField("last", last.sequence());
      out.writeStringField("lastTime", last.time());
      out.writeStringField("head", head(last).toString());
    }
    out.writeNumberField("problemCount", found.problemCount());
    write("problems", found.problems(), out);
    write("notices", found.notices(), out);
    out.writeEndObject();
  }

  private static void write(String name, List<Finding> findings, JsonGenerator out) throws IOException {
    out.writeArrayFieldStart(name);
    for (Finding finding : findings) {
      out.writeStartObject();
      out.writeStringField("file", finding.file().toString());
      out.writeNumberField("line", finding.line());
      out.writeStringField("message", finding.message());
      out.writeEndObject();
    }
    out.writeEndArray();
  }
}
