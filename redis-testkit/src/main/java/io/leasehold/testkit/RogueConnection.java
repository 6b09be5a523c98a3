package io.leasehold.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** One connection through a {@link RogueProxy}. */
final class RogueConnection {
  private static final int CONNECT_MILLIS = 10_000;

  private final RogueProxy proxy;
  private final Socket client;
  private final Socket server = new Socket();
  private volatile boolean spoilt;
  private volatile boolean listening;
  private volatile String last = "nothing";

  RogueConnection(RogueProxy proxy, Socket client, InetSocketAddress target) throws IOException {
    this.proxy = proxy;
    this.client = client;
    client.setTcpNoDelay(true);
    server.setTcpNoDelay(true);
    server.connect(target, CONNECT_MILLIS);
  }

  void begin() {
    proxy.threads().create("rogue-requests", this::requests).start();
    proxy.threads().create("rogue-replies", this::replies).start();
  }

  void end() {
    close(client);
    close(server);
    proxy.ended(this);
  }

  /** On a thread of its own: some of it does not end. */
  boolean interject(Mischief how) {
    if (!listening || spoilt) {
      return false;
    }
    spoilt = true;
    proxy.threads().create("rogue-interjection", () -> spoil(how)).start();
    return true;
  }

  @Override
  public String toString() {
    return client.getPort()
        + (spoilt ? " spoilt" : "")
        + (listening ? " listening" : "")
        + " after "
        + last;
  }

  private void requests() {
    try {
      InputStream in = new BufferedInputStream(client.getInputStream());
      OutputStream out = server.getOutputStream();
      judge("");
      while (true) {
        List<byte[]> words = new ArrayList<>();
        byte[] raw = request(in, words);
        String text = text(words);
        last = words.isEmpty() ? "nothing" : new String(words.get(0), UTF_8);
        listening |= text.startsWith("SUBSCRIBE");
        judge(text);
        out.write(raw);
        out.flush();
      }
    } catch (IOException e) {
      end(); // the client is gone
    }
  }

  private void judge(String request) {
    RogueProxy.Plan plan = proxy.plan();
    if (!spoilt && plan.when().test(request)) {
      spoilt = true; // before the server hears of it
      proxy.threads().create("rogue-answer", () -> spoil(plan.how())).start();
    }
  }

  private void spoil(Mischief how) {
    try {
      how.send(client.getOutputStream(), proxy.noteMisdeed());
    } catch (IOException | InterruptedException e) {
      end(); // the client has had enough
    }
  }

  private void replies() {
    byte[] buffer = new byte[16 * 1024];
    try {
      InputStream in = server.getInputStream();
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        if (!spoilt) {
          client.getOutputStream().write(buffer, 0, read);
        }
      }
      if (!spoilt) {
        end();
      }
    } catch (IOException e) {
      end();
    }
  }

  /** Reads one request, as it is and as its words. */
  private static byte[] request(InputStream in, List<byte[]> words) throws IOException {
    ByteArrayOutputStream raw = new ByteArrayOutputStream();
    int count = header(in, raw);
    for (int i = 0; i < count; i++) {
      byte[] word = in.readNBytes(header(in, raw));
      raw.writeBytes(word);
      raw.writeBytes(in.readNBytes(2));
      words.add(word);
    }
    return raw.toByteArray();
  }

  private static int header(InputStream in, ByteArrayOutputStream raw) throws IOException {
    int number = 0;
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new EOFException();
      }
      raw.write(next);
      number = next >= '0' && next <= '9' ? 10 * number + next - '0' : number;
    }
    raw.write('\n');
    return number;
  }

  private static String text(List<byte[]> words) {
    StringBuilder text = new StringBuilder();
    for (byte[] word : words) {
      text.append(text.isEmpty() ? "" : " ").append(new String(word, UTF_8));
    }
    return text.toString().toUpperCase(Locale.ROOT);
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It has ended already.
    }
  }
}
