package io.rns.front;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A server that notes the requests which it reads from the bytes of a front, and repeats each in a field of its
 * response. One is by the grammar, so that nothing malformed escapes it, the other one by the JDK's parser.
 */
abstract class RecordingServer implements AutoCloseable {
  /** Repeats the request. */
  static final String READ = "x-read";

  private final Queue<String> reached = new ConcurrentLinkedQueue<>();

  /** What comes again in the field of the response. */
  static String shown(String first, String body) {
    return first + " " + body.length() + " " + HexFormat.of().toHexDigits(body.hashCode());
  }

  abstract URI url();

  /** The requests since the last call, in order, and what was no request. */
  List<String> take() {
    List<String> taken = new ArrayList<>();
    for (String each = reached.poll(); each != null; each = reached.poll()) {
      taken.add(each);
    }
    return taken;
  }

  @Override
  public abstract void close() throws IOException;

  static RecordingServer strict() throws IOException {
    return new Strict();
  }

  static RecordingServer ofJdk() throws IOException {
    return new Jdk();
  }

  void note(String request) {
    reached.add(request);
  }

  private static final class Strict extends RecordingServer {
    private final ServerSocket socket = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());

    Strict() throws IOException {
      Thread.ofVirtual().start(() -> {
        while (!socket.isClosed()) {
          try {
            Socket front = socket.accept();
            Thread.ofVirtual().start(() -> serve(front));
          } catch (IOException e) {
            return;
          }
        }
      });
    }

    @Override
    URI url() {
      return URI.create("http://127.0.0.1:" + socket.getLocalPort() + "/rns");
    }

    private void serve(Socket front) {
      StringBuilder text = new StringBuilder();
      byte[] piece = new byte[65_536];
      try (front; InputStream in = front.getInputStream()) {
        for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
          text.append(new String(piece, 0, read, StandardCharsets.ISO_8859_1));
          StrictMessages.Message request = StrictMessages.request(text.toString(), 0);
          while (request != null) {
            answer(front, request);
            text.delete(0, request.end());
            request = StrictMessages.request(text.toString(), 0);
          }
        }
      } catch (StrictMessages.Malformed e) {
        note("malformed " + e.getMessage() + ": " + text);
      } catch (IOException e) {
        // The front has had enough.
      }
    }

    private void answer(Socket front, StrictMessages.Message request) throws IOException {
      if (request.first().startsWith("GET /rns/servers")) {
        front.getOutputStream().write(StrictMessages.bytes("HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n"));
        return;
      }
      String shown = shown(request.first(), request.body());
      note(shown);
      String content = request.first().startsWith("HEAD ") ? "" : "ok";
      front.getOutputStream().write(StrictMessages.bytes(
          "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-Read: " + shown + "\r\n\r\n" + content));
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  private static final class Jdk extends RecordingServer {
    private final HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    Jdk() throws IOException {
      server.createContext("/", this::answer);
      server.createContext("/rns/servers", exchange -> {
        exchange.sendResponseHeaders(404, -1);
        exchange.close();
      });
      server.setExecutor(threads);
      server.start();
    }

    @Override
    URI url() {
      return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/rns");
    }

    private void answer(HttpExchange exchange) throws IOException {
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.ISO_8859_1);
      String shown = shown(exchange.getRequestMethod() + " " + exchange.getRequestURI(), body);
      note(shown);
      exchange.getResponseHeaders().set(READ, shown);
      exchange.sendResponseHeaders(200, -1);
      exchange.close();
    }

    @Override
    public void close() {
      threads.shutdownNow();
      server.stop(0);
    }
  }
}
