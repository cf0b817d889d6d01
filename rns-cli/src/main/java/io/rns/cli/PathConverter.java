package io.rns.cli;

import io.rns.api.RnsPath;
import io.rns.error.RnsException;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts a path argument; ignores trailing slashes, which completion and listings add. */
final class PathConverter implements ITypeConverter<RnsPath> {
  @Override
  public RnsPath convert(String argument) {
    int end = argument.length();
    while (end > 1 && argument.charAt(end - 1) == '/') {
      end--;
    }
    try {
      return RnsPath.parse(argument.substring(0, end));
    } catch (RnsException e) {
      throw conversion(e);
    }
  }

  /** The parser error with the message of {@code error}. */
  static TypeConversionException conversion(RnsException error) {
    TypeConversionException conversion = new TypeConversionException(error.getMessage());
    conversion.initCause(error);
    return conversion;
  }
}
