package io.leasehold.provider.lettuce;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.ProtocolException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * When requests are sent. The event loop of this channel does what it has to do when it is told.
 */
class GateTest {
  private final Socket socket = new Socket();
  private final EmbeddedChannel channel = new EmbeddedChannel(socket, new Gated.Gate());

  /** The far end of the pipeline: an embedded channel's own would run what is to be done later. */
  private static final class Socket extends ChannelOutboundHandlerAdapter {
    private final List<Object> written = new ArrayList<>();
    private final List<Object> sent = new ArrayList<>();

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
      written.add(message);
    }

    @Override
    public void flush(ChannelHandlerContext context) {
      sent.addAll(written);
      written.clear();
    }
  }

  @AfterEach
  void end() {
    boolean unused = channel.finishAndReleaseAll();
  }

  private void ask(Object message) {
    var unused = channel.pipeline().write(message);
    channel.pipeline().flush();
  }

  private void reply(String text) {
    channel.pipeline().fireChannelRead(Unpooled.copiedBuffer(text, US_ASCII));
  }

  @Test
  void whoeverIsAloneIsSentAtOnce() {
    ask("a");
    assertThat(socket.sent).containsExactly("a");
    reply(":1\r\n");
    ask("b");
    assertThat(socket.sent).containsExactly("a", "b");
  }

  @Test
  void whileOthersWaitARequestIsSentWhenTheEventLoopHasNothingElseToDo() {
    ask("a");
    ask("b");
    ask("c");
    assertThat(socket.sent).containsExactly("a");
    channel.runPendingTasks();
    assertThat(socket.sent).containsExactly("a", "b", "c");
    ask("d");
    assertThat(socket.sent).as("and so is the next one").hasSize(3);
    channel.runPendingTasks();
    assertThat(socket.sent).containsExactly("a", "b", "c", "d");
  }

  @Test
  void noMoreThanFourAreSentTogether() {
    ask("a");
    ask("b");
    ask("c");
    ask("d");
    assertThat(socket.sent).containsExactly("a");
    ask("e");
    assertThat(socket.sent).containsExactly("a", "b", "c", "d", "e");
    ask("f");
    assertThat(socket.sent).hasSize(5);
    channel.runPendingTasks();
    assertThat(socket.sent).hasSize(6);
  }

  @Test
  void requestsThatCameTogetherAreCountedAsWhatTheyAre() {
    ask(List.of("a", "b"));
    assertThat(socket.sent).hasSize(1);
    reply(":1\r\n");
    ask("c");
    assertThat(socket.sent).as("the reply to one of the two is awaited").hasSize(1);
    channel.runPendingTasks();
    reply(":1\r\n:1\r\n");
    ask("d");
    assertThat(socket.sent).as("nobody waits any more").hasSize(3);
  }

  @Test
  void aReplyThatNobodyAskedForEndsTheConnection() {
    ask("a");
    reply(":1\r\n:2\r\n");
    assertThatThrownBy(channel::checkException).isInstanceOf(ProtocolException.class);
    assertThat(channel.isOpen()).isFalse();
  }
}
