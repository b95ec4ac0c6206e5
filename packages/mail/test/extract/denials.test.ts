import { describe, expect, it } from 'vitest';
import { extract } from '../../src/extract/extraction.js';
import { DENIAL_SENTENCES } from './denial-sentences.js';
import { LANGUAGES } from './languages.js';

const UNDO = 'https://app.test/reset-password?token=9f8e7d6c5b4a39281706';
const CONFIRM = 'https://app.test/confirm?token=01ab23cd45ef67890123';

/** A sentence with its bracketed words as a link. */
function linked(sentence: string, url: string): string {
  return sentence.replace(/\[+([^\]]*)\]+/, (_, text: string) => `<a href="${url}">${text}</a>`);
}

/** A notice whose only link with one of the interface's words stands behind a sentence. */
function notice(sentence: string): string {
  return `<p>Firefox, Windows, 203.0.113.9</p><p><a href="https://app.test/devices">app.test</a></p><p>${linked(sentence, UNDO)}</p>`;
}

const sentences = Object.entries(DENIAL_SENTENCES).flatMap(([language, lines]) =>
  lines.split('\n').map((line) => [language, line.trim()] as const),
);

describe('a link behind a sentence for somebody who did not do it', () => {
  it('is tried in every language of the vocabulary, in two phrasings or more', () => {
    const twice = Object.entries(DENIAL_SENTENCES).filter(([, lines]) => lines.includes('\n'));
    expect(twice.map(([language]) => language).sort()).toEqual(LANGUAGES);
  });

  it.each(sentences)('is no magic link (%s: %s)', (_, sentence) => {
    const { magicLink } = extract({ subject: 'New login', text: null, html: notice(sentence) });
    expect(magicLink).toBeNull();
  });

  it.each(sentences)('leaves the magic link to the one that confirms (%s: %s)', (_, sentence) => {
    const html = `${notice(sentence)}<p><a href="${CONFIRM}">OK</a></p>`;
    expect(extract({ subject: 'New login', text: null, html }).magicLink).toBe(CONFIRM);
  });

  it.each(sentences)('as the only link beside a code is no magic link (%s: %s)', (_, sentence) => {
    const html = `<p>Your login code:</p><p>482913</p><p>${linked(sentence, UNDO)}</p>`;
    expect(extract({ subject: 'App', text: null, html })).toEqual({ otp: '482913', magicLink: null });
  });

  it.each(sentences)('as the only link is the magic link, unless it secures the account (%s: %s)', (_, sentence) => {
    const html = `<p>${linked(sentence, UNDO)}</p>`;
    const expected = sentence.includes('[[') ? null : UNDO;
    expect(extract({ subject: '', text: null, html }).magicLink).toBe(expected);
  });
});

describe('a link behind a sentence that says "not" of something else', () => {
  it.each([
    ['en', 'If the button above didn’t work, [confirm your address here].'],
    ['en', 'If you have not confirmed your address yet, [confirm it now].'],
    ['en', 'We were not able to verify your address: [try again to verify it].'],
    ['en', "You haven't verified your email yet? [Verify it]"],
    ['en', 'If you did not receive the first email, [confirm here].'],
    ['de', 'Wenn Sie nicht auf die Schaltfläche klicken können, [bestätigen Sie hier].'],
    ['de', 'Falls Sie Ihre Adresse noch nicht bestätigt haben, [bestätigen Sie sie jetzt].'],
    ['fr', "Si vous n'avez pas encore confirmé votre adresse, [confirmez-la]."],
    ['fr', 'Si le bouton ne fonctionne pas, [confirmez ici].'],
    ['es', 'Si todavía no has confirmado tu correo, [confírmalo aquí y activa tu cuenta].'],
    ['es', 'Si no ha podido acceder, [verifique su cuenta].'],
    ['pt', 'Se ainda não confirmou, [confirme o seu endereço].'],
    ['it', 'Se non hai ancora confermato il tuo indirizzo, [conferma ora].'],
    ['nl', 'Als u uw adres nog niet hebt bevestigd, [bevestig het hier].'],
    ['pl', 'Jeśli nie masz jeszcze potwierdzonego adresu, [potwierdź go].'],
    ['ru', 'Если вы ещё не подтвердили адрес, [подтвердите его].'],
    ['uk', 'Якщо кнопка не працює, [підтвердьте тут].'],
    ['tr', 'Hesabınızı henüz doğrulamadıysanız [doğrulayın].'],
    ['zh', '如果您还没有验证邮箱，请[验证邮箱]。'],
    ['zh', '如果按钮无法点击，请[确认邮箱]。'],
    ['ja', 'ボタンが動作しない場合は、[こちらから確認]してください。'],
    ['ko', '아직 인증하지 않은 경우 [이메일을 인증]하세요.'],
    ['vi', 'Nếu nút không hoạt động, [xác nhận tại đây].'],
    ['id', 'Jika tombol tidak berfungsi, [verifikasi di sini].'],
    ['ar', 'إذا لم يعمل الزر، [أكّد بريدك من هنا لتفعيل الحساب].'],
    ['hi', 'अगर बटन काम नहीं करता, तो [यहाँ सत्यापित करें]।'],
    ['th', 'หากปุ่มไม่ทำงาน [ยืนยันที่นี่]'],
  ])('may be the magic link (%s: %s)', (_, sentence) => {
    expect(extract({ subject: 'New login', text: null, html: notice(sentence) }).magicLink).toBe(UNDO);
  });
});
