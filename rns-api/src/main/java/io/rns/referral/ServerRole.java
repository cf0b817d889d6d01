package io.rns.referral;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.util.Locale;

/** What a server can do for a client. */
public enum ServerRole {
  /** Answers all: it takes the writes of its group. */
  PRIMARY,
  /** Answers reads from its copy. */
  REPLICA,
  /** Answers nothing now: it starts, has left its group, or cannot be reached. */
  OUT;

  /** The text form: the name in small letters. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Reads the text form.
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
        "there is no role of a server of that name: primary, replica, out");
  }
}
