import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The signature of a webhook. */
final class Webhook {
  private Webhook() {}

  /** Returns whether the service signed this body within the last five minutes. */
  static boolean verify(String secret, String id, String timestamp, String signatures, byte[] body) throws Exception {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.replaceFirst("^whsec_", "")), "HmacSHA256"));
    mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
    byte[] expected = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body))).getBytes(StandardCharsets.UTF_8);
    boolean isRecent = Math.abs(System.currentTimeMillis() / 1000 - Long.parseLong(timestamp)) <= 300;
    for (String given : signatures.split(" "))
      if (isRecent && MessageDigest.isEqual(expected, given.getBytes(StandardCharsets.UTF_8))) return true;
    return false;
  }
}
