<?php
// Starts Mayfly for a script: EXECUTABLE=... php -d auto_prepend_file=start_mayfly.php sign_up.php
// EXECUTABLE is the path of the executable, or the URL of its archive.

/** Returns a path. Downloads an archive once, and checks it against EXECUTABLE_SHA256, from the release's SHA256SUMS. */
function executable(string $from): string
{
    if (!str_starts_with($from, 'http')) {
        return $from;
    }
    $sum = getenv('EXECUTABLE_SHA256');
    $cache = getenv('XDG_CACHE_HOME') ?: getenv('HOME') . '/.cache';
    $folder = "$cache/mayfly-$sum";
    if (is_dir($folder)) {
        return "$folder/mayfly";
    }
    $archive = file_get_contents($from);
    if ($archive === false || ($found = hash('sha256', $archive)) !== $sum) {
        throw new RuntimeException("$from has the SHA-256 " . ($found ?? 'of nothing') . ", but EXECUTABLE_SHA256 is $sum");
    }
    $part = "$cache/mayfly-" . bin2hex(random_bytes(8));
    mkdir($part, 0700, true);
    $tar = popen('tar -xzf - -C ' . escapeshellarg($part), 'w');
    fwrite($tar, $archive);
    if (pclose($tar) !== 0) {
        throw new RuntimeException("$from cannot be unpacked");
    }
    // Fails if another process was faster.
    return (@rename($part, $folder) ? $folder : $part) . '/mayfly';
}

$arguments = ['serve', '--store', 'memory:', '--http-port', '0', '--smtp-port', '0', '--log-level', 'warn'];
$program = executable(getenv('EXECUTABLE') ?: throw new RuntimeException('EXECUTABLE is not set'));
$service = proc_open([$program, ...$arguments], [1 => ['pipe', 'w']], $pipes);
register_shutdown_function(fn () => proc_terminate($service));
if (!preg_match('/^ready smtp=(\S+):(\d+) http=(\S+)/', (string) fgets($pipes[1]), $ready)) {
    throw new RuntimeException('Mayfly did not start');
}
putenv("SMTP_HOST=$ready[1]");
putenv("SMTP_PORT=$ready[2]");
putenv("MAYFLY_URL=$ready[3]");
