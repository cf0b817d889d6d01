package io.rns.cli;

import io.rns.api.Consistency;
import io.rns.api.EndpointReference;
import io.rns.api.EntryName;
import io.rns.api.NamePattern;
import io.rns.api.Position;
import io.rns.api.Positions;
import io.rns.client.Dialect;
import io.rns.client.RnsClient;
import io.rns.error.RnsException;
import io.rns.pool.Parameters;
import io.rns.pool.PolicyType;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts arguments that are neither paths nor plain text. */
final class Converters {
  private static final Pattern DURATION = Pattern.compile("([0-9]{1,9})(ms|s|m|h)");

  private Converters() {}

  /** A position in the order of changes. */
  static final class OfPosition implements ITypeConverter<Position> {
    @Override
    public Position convert(String argument) {
      try {
        return Position.parse(argument);
      } catch (RnsException e) {
        throw PathConverter.conversion(e);
      }
    }
  }

  /** The positions of a session. */
  static final class OfPositions implements ITypeConverter<Positions> {
    @Override
    public Positions convert(String argument) {
      try {
        return Positions.parse(argument);
      } catch (RnsException e) {
        throw PathConverter.conversion(e);
      }
    }
  }

  /** An endpoint reference: a URL, XML, or {@code @FILE} with XML. */
  static final class OfReference implements ITypeConverter<EndpointReference> {
    @Override
    public EndpointReference convert(String argument) {
      try {
        if (argument.startsWith("<")) {
          return EndpointReference.parse(argument);
        }
        return argument.startsWith("@")
            ? EndpointReference.parse(read(Path.of(argument.substring(1))))
            : EndpointReference.ofUri(argument);
      } catch (RnsException e) {
        throw PathConverter.conversion(e);
      }
    }

    private static String read(Path file) {
      try {
        return Files.readString(file);
      } catch (NoSuchFileException e) {
        throw failed("no file '" + file + "'", e);
      } catch (MalformedInputException e) {
        throw failed("file '" + file + "' is not UTF-8", e);
      } catch (IOException e) {
        throw failed("cannot read '" + file + "': " + e.getMessage(), e);
      }
    }
  }

  private static TypeConversionException failed(String message, Exception cause) {
    TypeConversionException conversion = new TypeConversionException(message);
    conversion.initCause(cause);
    return conversion;
  }

  /** An entry name. */
  static final class OfName implements ITypeConverter<EntryName> {
    @Override
    public EntryName convert(String argument) {
      try {
        return EntryName.of(argument);
      } catch (RnsException e) {
        throw PathConverter.conversion(e);
      }
    }
  }

  /** A glob. */
  static final class OfGlob implements ITypeConverter<NamePattern> {
    @Override
    public NamePattern convert(String argument) {
      try {
        return NamePattern.glob(argument);
      } catch (RnsException e) {
        throw PathConverter.conversion(e);
      }
    }
  }

  /** The address of a server. */
  static final class OfServer implements ITypeConverter<URI> {
    @Override
    public URI convert(String argument) {
      try {
        URI server = new URI(argument);
        URI unused = RnsClient.soapEndpoint(server);
        return server;
      } catch (URISyntaxException e) {
        throw failed("server '" + argument + "' is not an address like http://host:8080/rns", e);
      } catch (RnsException e) {
        throw PathConverter.conversion(e);
      }
    }
  }

  /** The consistency of reads. */
  static final class OfConsistency implements ITypeConverter<Consistency> {
    @Override
    public Consistency convert(String argument) {
      try {
        return Consistency.parse(argument);
      } catch (RnsException e) {
        throw PathConverter.conversion(e);
      }
    }
  }

  /** A dialect. */
  static final class OfDialect implements ITypeConverter<Dialect> {
    @Override
    public Dialect convert(String argument) {
      return switch (argument) {
        case "1.0" -> Dialect.RNS_1_0;
        case "1.1" -> Dialect.RNS_1_1;
        case "1.1-plain" -> Dialect.RNS_1_1_PLAIN;
        default -> throw new TypeConversionException("'" + argument + "' is none of 1.0, 1.1 and 1.1-plain");
      };
    }
  }

  /** The dialects that completion offers. */
  static final class Dialects implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return List.of("1.0", "1.1", "1.1-plain").iterator();
    }
  }

  /** A duration above zero: {@code 500ms}, {@code 30s}, {@code 2m}, {@code 1h}. */
  static final class OfDuration implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String argument) {
      Matcher parts = DURATION.matcher(argument);
      if (!parts.matches() || Long.parseLong(parts.group(1)) == 0) {
        throw new TypeConversionException("'" + argument + "' is not a time like 500ms, 30s, 2m or 1h");
      }
      long count = Long.parseLong(parts.group(1));
      return switch (parts.group(2)) {
        case "ms" -> Duration.ofMillis(count);
        case "s" -> Duration.ofSeconds(count);
        case "m" -> Duration.ofMinutes(count);
        default -> Duration.ofHours(count);
      };
    }
  }

  /** The id of a pool element: a number of 32 bits without sign, not 0. */
  static final class OfElementId implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String argument) {
      try {
        int id = argument.startsWith("+") ? 0 : Integer.parseUnsignedInt(argument);
        if (id != 0) {
          return id;
        }
      } catch (NumberFormatException e) {
        throw failed("'" + argument + "' is not an id of 1 to 4294967295", e);
      }
      throw new TypeConversionException("'" + argument + "' is not an id of 1 to 4294967295");
    }
  }

  /** The policy of a pool by its name. */
  static final class OfPolicy implements ITypeConverter<PolicyType> {
    @Override
    public PolicyType convert(String argument) {
      return PolicyType.ofName(argument)
          .orElseThrow(() -> new TypeConversionException(
              "'" + argument + "' is none of " + Arrays.toString(PolicyType.values())));
    }
  }

  /** A load: a percentage such as {@code 40} or {@code 12.5}. */
  static final class OfLoad implements ITypeConverter<Long> {
    private static final Pattern PERCENT = Pattern.compile("([0-9]{1,3}(\\.[0-9]{1,6})?)%?");

    @Override
    public Long convert(String argument) {
      Matcher percent = PERCENT.matcher(argument);
      double value = percent.matches() ? Double.parseDouble(percent.group(1)) : -1;
      if (value < 0 || value > 100) {
        throw new TypeConversionException("'" + argument + "' is not a load of 0 to 100 %");
      }
      return Math.round(value / 100 * Parameters.FULL);
    }
  }
}
