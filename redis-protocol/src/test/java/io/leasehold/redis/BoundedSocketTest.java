package io.leasehold.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ProtocolException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BoundedSocketTest {
  private static final int TIMEOUT = 1_000;

  private final BoundedSocket socket = new BoundedSocket();
  private Socket speaking = new Socket();
  private Socket server = new Socket();

  @BeforeEach
  void connect() throws IOException {
    try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      socket.connect(listener.getLocalSocketAddress());
      server = listener.accept();
      speaking = socket.speaking(socket);
    }
  }

  @AfterEach
  void close() throws IOException {
    speaking.close();
    server.close();
  }

  @Test
  void aReplyThatDripsEndsWithTheTimeOut() throws Exception {
    Thread drip = new Thread(() -> drip("$60000\r\n", Duration.ofMillis(20)));
    drip.setDaemon(true);
    speaking.setSoTimeout(TIMEOUT);
    long begun = System.nanoTime();
    drip.start();
    InputStream in = speaking.getInputStream();
    assertThatThrownBy(() -> in.readNBytes(60_000)).isInstanceOf(SocketTimeoutException.class);
    assertThat(System.nanoTime() - begun).isGreaterThan(Duration.ofMillis(TIMEOUT - 50).toNanos());
    speaking.close();
    drip.join();
  }

  @Test
  void theTimeBeginsAnewWithEachRequest() throws Exception {
    speaking.setSoTimeout(TIMEOUT);
    InputStream in = speaking.getInputStream();
    OutputStream out = speaking.getOutputStream();
    for (int i = 0; i < 3; i++) { // longer than the time-out, all together
      Thread.sleep(TIMEOUT / 2);
      out.write('?');
      server.getOutputStream().write("+OK\r\n".getBytes(US_ASCII));
      assertThat(in.readNBytes(5)).hasSize(5);
    }
    assertThat(speaking.getSoTimeout()).isEqualTo(TIMEOUT);
  }

  @Test
  void withoutATimeOutItWaits() throws Exception {
    speaking.setSoTimeout(0);
    Thread late = new Thread(() -> drip("+OK", Duration.ofMillis(100)));
    late.setDaemon(true);
    late.start();
    assertThat(speaking.getInputStream().readNBytes(10)).hasSize(10);
    speaking.close();
    late.join();
  }

  @Test
  void whatIsReadHasPassedTheGate() throws Exception {
    server.getOutputStream().write("+OK\r\n*2147483647\r\n".getBytes(US_ASCII));
    InputStream in = speaking.getInputStream();
    assertThatThrownBy(() -> in.readNBytes(18)).isInstanceOf(ProtocolException.class);
  }

  @Test
  void itEndsWithTheServer() throws Exception {
    server.close();
    assertThat(speaking.getInputStream().read()).isEqualTo(-1);
    assertThat(speaking.isConnected()).isTrue();
    speaking.close();
    assertThat(socket.isClosed()).isTrue();
  }

  private void drip(String head, Duration pause) {
    try {
      OutputStream out = server.getOutputStream();
      out.write(head.getBytes(US_ASCII));
      while (true) {
        Thread.sleep(pause.toMillis());
        out.write('x');
      }
    } catch (IOException | InterruptedException e) {
      // The reader has gone.
    }
  }
}
