package io.rns.cli;

import io.rns.api.RnsPath;
import io.rns.error.RnsException;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a path argument; slashes at its end are what a completion or a listing may have put there. */
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

  /** The complaint of the parser, in the words of the error. */
  static TypeConversionException conversion(RnsException error) {
    TypeConversionException conversion = new TypeConversionException(error.getMessage());
    conversion.initCause(error);
    return conversion;
  }
}
