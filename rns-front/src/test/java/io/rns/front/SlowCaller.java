package io.rns.front;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Calls a front that waits for another one, and sends it one byte at a time. Arguments are its host and port. */
final class SlowCaller {
  private static final byte[] GREETING =
      ("RNS front " + HandoverStep.FORMAT + "\n").getBytes(StandardCharsets.US_ASCII);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private SlowCaller() {}

  public static void main(String[] arguments) throws IOException {
    try (Socket socket = new Socket(arguments[0], Integer.parseInt(arguments[1]))) {
      OutputStream out = socket.getOutputStream();
      for (int i = 0; true; i++) {
        out.write(i < GREETING.length ? GREETING[i] : 'x');
        System.out.println("slow: " + i);
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }
}
