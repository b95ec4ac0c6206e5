import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

public class SignUp {
    /** A new address for each test. */
    record Inbox(String name) {
        static final HttpClient HTTP = HttpClient.newHttpClient();
        static final Pattern DATA = Pattern.compile("^data: (\\{.*})$", Pattern.MULTILINE);

        static Inbox fresh() {
            return new Inbox("java-" + UUID.randomUUID().toString().replace("-", ""));
        }

        String address() {
            return name + "@" + setting("MAYFLY_DOMAIN", "inbox.example.com");
        }

        /** The newest email that matches, as JSON. `wanted` is a query, such as "hasOtp=true&subject=confirm". */
        String waitFor(String wanted, Duration timeout) throws Exception {
            long end = System.nanoTime() + timeout.toNanos();
            while (true) {
                // Ends with the email or after 30 s.
                var stream = HTTP.sendAsync(request("/stream?" + wanted), BodyHandlers.ofString());
                try {
                    var answer = stream.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
                    if (answer.statusCode() != 200) throw new IllegalStateException("Mayfly answered: " + answer.body());
                    var data = DATA.matcher(answer.body());
                    if (data.find()) return data.group(1);
                } catch (TimeoutException over) {
                    stream.cancel(true);
                    String came = HTTP.send(request("/summary"), BodyHandlers.ofString()).body();
                    throw new AssertionError("Waited " + timeout + " for " + wanted + ". To " + address() + " came: " + came);
                }
            }
        }

        /** The code of the next email that has one. */
        String waitForOtp() throws Exception {
            String email = waitFor("hasOtp=true", Duration.ofSeconds(20));
            // Use your JSON library instead. No other field can match, because JSON escapes quotes.
            var code = Pattern.compile("\"otp\":\"(\\d+)\"").matcher(email);
            if (!code.find()) throw new AssertionError(email);
            return code.group(1);
        }

        HttpRequest request(String what) {
            return HttpRequest.newBuilder(URI.create(setting("MAYFLY_URL", "http://127.0.0.1:8080") + "/api/inbox/" + name + what)).build();
        }
    }

    static String setting(String name, String standard) {
        return System.getProperty(name, System.getenv().getOrDefault(name, standard));
    }

    public static void main(String[] arguments) throws Exception {
        Inbox inbox = Inbox.fresh();
        // Sign up in your application with this address. To try it out, email a code to it yourself.
        System.out.println(inbox.address());
        System.out.println(inbox.waitForOtp());
    }
}
