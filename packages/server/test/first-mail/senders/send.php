<?php
// Sends each message that first-mail.full.test.ts planned, with the library's default settings. Prints each result.
require '/usr/share/php/Symfony/Component/Mailer/autoload.php';
require '/usr/share/php/libphp-phpmailer/autoload.php';

use PHPMailer\PHPMailer\PHPMailer;
use Symfony\Component\Mailer\Mailer;
use Symfony\Component\Mailer\Transport;
use Symfony\Component\Mime\Email;

function symfony(array $mail): void
{
    $credentials = $mail['user'] === null ? '' : "{$mail['user']}:{$mail['password']}@";
    $mailer = new Mailer(Transport::fromDsn("smtp://{$credentials}{$mail['host']}:{$mail['port']}"));
    $mailer->send((new Email())->from('app@app.test')->to($mail['to'])->subject('Hello')->text($mail['text']));
}

function phpmailer(array $mail): void
{
    $mailer = new PHPMailer(true);
    $mailer->isSMTP();
    $mailer->Host = $mail['host'];
    $mailer->Port = $mail['port'];
    if ($mail['user'] !== null) {
        $mailer->SMTPAuth = true;
        $mailer->Username = $mail['user'];
        $mailer->Password = $mail['password'];
    }
    $mailer->setFrom('app@app.test');
    $mailer->addAddress($mail['to']);
    $mailer->Subject = 'Hello';
    $mailer->Body = $mail['text'];
    $mailer->send();
}

$send = ['Symfony Mailer' => 'symfony', 'PHPMailer' => 'phpmailer'];
foreach (json_decode($argv[1], true) as $mail) {
    try {
        $send[$mail['library']]($mail);
        echo $mail['to'], " sent\n";
    } catch (Throwable $error) {
        echo $mail['to'], ' ', preg_replace('/\s+/', ' ', $error->getMessage()), "\n";
    }
}
