<?php
// A new address for each test.
final class Inbox
{
    private function __construct(private readonly string $name, public readonly string $address)
    {
    }

    public static function fresh(): self
    {
        $name = 'php-' . bin2hex(random_bytes(8));
        return new self($name, "$name@" . setting('MAYFLY_DOMAIN', 'inbox.example.com'));
    }

    /** The newest email that matches: waitFor(['hasOtp' => 'true', 'after' => $email['receivedAt']]). */
    public function waitFor(array $wanted, int $seconds = 20): array
    {
        $end = microtime(true) + $seconds;
        while (($left = $end - microtime(true)) > 0) {
            // Ends with the email or after 30 s.
            $stream = $this->get('stream?' . http_build_query($wanted), $left);
            if (preg_match('/^data: (\{.*\})$/m', $stream, $data)) {
                return json_decode($data[1], true);
            }
        }
        throw new RuntimeException("Waited $seconds s. To $this->address came: " . $this->get('summary', 10));
    }

    private function get(string $what, float $seconds): string
    {
        $url = setting('MAYFLY_URL', 'http://127.0.0.1:8080') . "/api/inbox/$this->name/$what";
        // Returns what has arrived when the time is over.
        return (string) @file_get_contents($url, context: stream_context_create(['http' => ['timeout' => $seconds]]));
    }
}

function setting(string $name, string $standard): string
{
    return getenv($name) ?: $standard;
}

/** Stands in for your application, which emails a code to new users. */
function sign_up(string $email): void
{
    $smtp = fsockopen(setting('SMTP_HOST', '127.0.0.1'), (int) setting('SMTP_PORT', '2525'));
    $mail = "From: app@example.test\r\nTo: $email\r\nSubject: Welcome\r\n\r\nYour code is 482913\r\n.";
    foreach (['HELO app', 'MAIL FROM:<app@example.test>', "RCPT TO:<$email>", 'DATA', $mail, 'QUIT'] as $line) {
        fgets($smtp);
        fwrite($smtp, "$line\r\n");
    }
    fgets($smtp);
}

$inbox = Inbox::fresh();
sign_up($inbox->address);
echo $inbox->waitFor(['hasOtp' => 'true'])['otp'], "\n";
