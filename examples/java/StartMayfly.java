import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Objects;
import java.util.regex.Pattern;

/** Starts Mayfly for a test. EXECUTABLE is the path of the executable, or the URL of its archive. */
public record StartMayfly(Process process, String url, String smtpHost, int smtpPort) implements AutoCloseable {
    static final Pattern READY = Pattern.compile("ready smtp=(\\S+):(\\d+) http=(\\S+).*");

    static StartMayfly start() throws Exception {
        String program = executable(Objects.requireNonNull(System.getenv("EXECUTABLE"), "EXECUTABLE is not set")).toString();
        var process = new ProcessBuilder(program, "serve", "--store", "memory:", "--http-port", "0", "--smtp-port", "0", "--log-level", "warn")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        var ready = READY.matcher(String.valueOf(process.inputReader().readLine()));
        if (!ready.matches()) throw new IllegalStateException("Mayfly did not start");
        return new StartMayfly(process, ready.group(3), ready.group(1), Integer.parseInt(ready.group(2)));
    }

    /** Returns a path. Downloads an archive once, and checks it against EXECUTABLE_SHA256, from the release's SHA256SUMS. */
    static Path executable(String from) throws Exception {
        if (!from.startsWith("http")) return Path.of(from);
        String sum = System.getenv("EXECUTABLE_SHA256");
        String named = System.getenv().getOrDefault("XDG_CACHE_HOME", "");
        Path cache = named.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(named);
        Path folder = cache.resolve("mayfly-" + sum);
        if (Files.exists(folder)) return folder.resolve("mayfly");
        var request = HttpRequest.newBuilder(URI.create(from)).build();
        var client = HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NORMAL).build();
        byte[] archive = client.send(request, BodyHandlers.ofByteArray()).body();
        String found = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(archive));
        if (!found.equals(sum)) throw new IOException(from + " has the SHA-256 " + found + ", but EXECUTABLE_SHA256 is " + sum);
        Files.createDirectories(cache);
        Path part = Files.createTempDirectory(cache, "mayfly-");
        var tar = new ProcessBuilder("tar", "-xzf", "-", "-C", part.toString()).start();
        try (var input = tar.getOutputStream()) {
            input.write(archive);
        }
        if (tar.waitFor() != 0) throw new IOException(from + " cannot be unpacked");
        try {
            Files.move(part, folder);
            return folder.resolve("mayfly");
        } catch (IOException otherWasFaster) {
            return part.resolve("mayfly");
        }
    }

    @Override
    public void close() {
        process.destroy();
    }

    public static void main(String[] arguments) throws Exception {
        try (var mayfly = start()) {
            System.setProperty("MAYFLY_URL", mayfly.url());
            // Your application sends to this address. To try it out, email a code there yourself.
            System.out.println("SMTP: " + mayfly.smtpHost() + ":" + mayfly.smtpPort());
            SignUp.main(arguments);
        }
    }
}
