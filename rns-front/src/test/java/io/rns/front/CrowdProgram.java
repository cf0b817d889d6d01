package io.rns.front;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/**
 * Very many clients of a front as a process. Arguments are the front's port, and their own address. Each line of input
 * is a command, answered by a line: {@code idle N} has so many clients connect and send nothing more after one request,
 * {@code deaf N} so many that ask for a large response and read nothing, {@code work N} so many that send request after
 * request until {@code rest}, which is answered with the number of responses and of refused or wrong ones. {@code ask}
 * has one send a request, and is answered with the milliseconds to the response, negative for 503; {@code again} has
 * all that are idle send one more.
 */
final class CrowdProgram {
  private static final int BUFFER = 4_096;
  private static final String LARGE = "GET /rns/large?4096000 HTTP/1.1\r\nHost: a\r\n\r\n";

  private final InetSocketAddress front;
  private final InetAddress own;
  /** Kept, so that they stay connected. */
  private final List<SocketChannel> clients = new ArrayList<>();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final AtomicBoolean over = new AtomicBoolean();
  private final LongAdder answered = new LongAdder();
  private final LongAdder wrong = new LongAdder();
  private final List<Future<?>> workers = new ArrayList<>();

  private CrowdProgram(InetSocketAddress front, InetAddress own) {
    this.front = front;
    this.own = own;
  }

  public static void main(String[] arguments) throws Exception {
    CrowdProgram crowd =
        new CrowdProgram(new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0])),
            InetAddress.getByName(arguments[1]));
    System.out.println("crowd ready");
    try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        String[] words = line.split(" ", -1);
        System.out.println(crowd.obey(words[0], words.length > 1 ? Integer.parseInt(words[1]) : 0));
      }
    }
    System.exit(0);
  }

  private String obey(String command, int number) throws Exception {
    switch (command) {
      case "idle" -> {
        for (int i = 0; i < number; i++) {
          if (!ask(connect(), "/rns/echo/" + i)) {
            return "busy";
          }
        }
      }
      case "again" -> {
        for (SocketChannel client : clients) {
          if (!ask(client, "/rns/echo/again")) {
            return "busy";
          }
        }
      }
      case "deaf" -> {
        for (int i = 0; i < number; i++) {
          write(connect(), LARGE);
        }
      }
      case "work" -> {
        for (int i = 0; i < number; i++) {
          SocketChannel client = connect();
          int own = i;
          workers.add(threads.submit(() -> work(client, own)));
        }
      }
      case "rest" -> {
        over.set(true);
        for (Future<?> worker : workers) {
          worker.get();
        }
        return answered.sum() + " " + wrong.sum();
      }
      case "ask" -> {
        long begun = System.nanoTime();
        try (SocketChannel client = connect()) {
          var unused = clients.removeLast();
          boolean right = ask(client, "/rns/echo/asked");
          long millis = 1 + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
          return Long.toString(right ? millis : -millis);
        }
      }
      default -> throw new IOException("unknown command " + command);
    }
    return "done";
  }

  private SocketChannel connect() throws IOException {
    SocketChannel client = SocketChannel.open();
    client.setOption(StandardSocketOptions.SO_RCVBUF, BUFFER);
    client.bind(new InetSocketAddress(own, 0));
    client.connect(front);
    clients.add(client);
    return client;
  }

  private void work(SocketChannel client, int number) {
    try {
      for (int i = 0; !over.get(); i++) {
        if (ask(client, "/rns/echo/" + number + "/" + i)) {
          answered.increment();
        } else {
          wrong.increment();
          return;
        }
      }
    } catch (IOException e) {
      wrong.increment();
    }
  }

  private static void write(SocketChannel client, String text) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(StrictMessages.bytes(text));
    while (bytes.hasRemaining()) {
      var unused = client.write(bytes);
    }
  }

  /** Whether the response is the server's; not if the front is busy. */
  private static boolean ask(SocketChannel client, String target) throws IOException {
    write(client, "GET " + target + " HTTP/1.1\r\nHost: a\r\n\r\n");
    String expected = "\r\n\r\nGET " + target + "\n[]\n\n";
    ByteBuffer bytes = ByteBuffer.allocate(1_024);
    String text = "";
    while (!text.endsWith(expected)) {
      if (text.startsWith("HTTP/1.1 503 ") && text.endsWith("}")) {
        return false;
      }
      if (client.read(bytes) <= 0) {
        throw new IOException(target + " was answered with " + text);
      }
      text = new String(bytes.array(), 0, bytes.position(), StandardCharsets.ISO_8859_1);
    }
    if (!text.startsWith("HTTP/1.1 200 ")) {
      throw new IOException(target + " was answered with " + text);
    }
    return true;
  }
}
