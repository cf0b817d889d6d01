package io.rns.referral;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.util.Locale;

/** The role of a server towards clients. */
public enum ServerRole {
  /** Accepts the writes of its group and answers every read. */
  PRIMARY,
  /** Answers reads from its copy. */
  REPLICA,
  /** A replica that is about to stop: it answers as before, but clients choose others as long as any answer. */
  DRAINING,
  /** Answers nothing: it is starting up, has left its group, or is unreachable. */
  OUT;

  /** The text form: the name in lower case. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Parses the text form.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST} for any other text
   */
  public static ServerRole parse(String text) {
    for (ServerRole role : values()) {
      if (role.text().equals(text)) {
        return role;
      }
    }
    throw new RnsException(RnsError.INVALID_REQUEST,
        "unknown server role: expected primary, replica, draining or out");
  }
}
