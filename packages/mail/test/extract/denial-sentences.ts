/**
 * What security notices say before the link that undoes what the notice tells of, by language (as in the vocabulary), one
 * sentence a line. The link's text stands in brackets: in two pairs where it
 * secures the account and sets no new password.
 */
export const DENIAL_SENTENCES: Record<string, string> = {
  en: `If this was not you, [reset your password].
    Wasn’t you? [Reset your password]
    If you didn't request this, please [reset your password] right away.
    If you do not recognize this activity, [[secure your account]].
    Don't recognise this sign-in? [Change your password]
    If you did not make this change, [reset your password].
    If you haven't requested a new password, [[secure your account]].
    This wasn't me: [reset password]
    If you did not personally authorise this, [change your password].
    If it isn't you who signed in, [reset your password].
    If you were not trying to log in, please [reset your password].
    If you weren't trying to sign in, [change your password].
    If this request did not come from you, [change your account password] immediately.
    If you weren't expecting this email, [reset your password].
    If this activity is not your own, [reset your password].
    If you think someone else has access to your account, [reset your password].
    Not your account? [Reset the password]
    If you suspect someone else used your account, [change your password].
    If you have not tried to log in, [reset your password].`,
  de: `Wenn Sie das nicht waren, [setzen Sie Ihr Passwort zurück].
    Warst du das nicht? [Passwort zurücksetzen]
    Falls du diese Anmeldung nicht wiedererkennst, [ändere dein Passwort].
    Sie haben das nicht angefordert? [Passwort ändern]
    Wenn du das nicht selbst warst, [[sichere dein Konto]].
    Falls Sie diese Änderung nicht vorgenommen haben, [setzen Sie das Passwort zurück].
    Sollten Sie diese E-Mail nicht angefordert haben, [melden Sie es und ändern Sie Ihr Passwort].
    Du hast dich nicht angemeldet? [Passwort ändern]
    Kennst du dieses Gerät nicht? [Passwort ändern]
    Hast du keinen Code angefordert? [Passwort ändern]
    Wenn du nicht versucht hast, dich anzumelden, [ändere dein Passwort].
    Sie waren das nicht? [Passwort zurücksetzen]`,
  fr: `Si ce n'était pas vous, [réinitialisez votre mot de passe].
    Si vous n'êtes pas à l'origine de cette demande, [réinitialisez votre mot de passe].
    Vous n'avez pas demandé cette modification ? [Réinitialiser le mot de passe]
    Si ce n'est pas toi, [change ton mot de passe].
    Vous ne reconnaissez pas cette connexion ? [[Sécurisez votre compte]]
    Si tu n'as pas fait cette demande, [réinitialise ton mot de passe].
    Si cette demande n'émane pas de vous, [changez votre mot de passe].
    Si cette demande ne vient pas de vous, [changez votre mot de passe].
    Si vous n'avez pas essayé de vous connecter, [modifiez votre mot de passe].`,
  es: `Si no fuiste tú, [restablece tu contraseña].
    Si no ha sido usted, [restablezca su contraseña].
    ¿No reconoces esta actividad? [Cambia tu contraseña]
    Si no solicitó este cambio, [restablezca su contraseña].
    Si no has sido tú, [[protege tu cuenta]].
    Si usted no realizó este cambio, [restablezca su contraseña].
    Si no has pedido esto, [cambia tu contraseña].
    Si esta solicitud no proviene de ti, [cambia tu contraseña].
    Si desconoces esta actividad, [restablece tu contraseña].`,
  pt: `Se não foi você, [redefina sua senha].
    Se não solicitou esta alteração, [redefina a sua palavra-passe].
    Não reconhece este acesso? [Altere sua senha]
    Se você não fez esta solicitação, [redefina sua senha].
    Caso não tenha sido você, [[proteja sua conta]].
    Se esta solicitação não partiu de você, [altere sua senha].`,
  it: `Se non sei stato tu, [reimposta la password].
    Se non hai richiesto questa modifica, [reimposta la password].
    Non riconosci questo accesso? [Cambia la password]
    Se non è stato Lei, [reimposti la password].
    Se non ha effettuato Lei questa richiesta, [reimposti la password].
    Se questa richiesta non proviene da te, [cambia la password].`,
  nl: `Was jij dit niet? [Stel je wachtwoord opnieuw in]
    Als u dit niet was, [stelt u uw wachtwoord opnieuw in].
    Als je dit niet hebt aangevraagd, [wijzig je wachtwoord].
    Herken je deze inlogpoging niet? [[Beveilig je account]]
    Heb je deze wijziging niet zelf gedaan? [Wachtwoord herstellen]
    Als dit verzoek niet van jou afkomstig is, [wijzig je wachtwoord].`,
  sv: `Om det inte var du, [återställ ditt lösenord].
    Känner du inte igen aktiviteten? [Ändra lösenord]
    Om du inte har begärt detta, [återställ lösenordet].
    Om du inte gjorde den här ändringen, [[säkra ditt konto]].
    Om begäran inte kommer från dig, [ändra ditt lösenord].
    Om du inte försökte logga in, [byt lösenord].`,
  da: `Hvis det ikke var dig, [nulstil din adgangskode].
    Hvis du ikke har anmodet om dette, [skift adgangskode].
    Kan du ikke genkende dette login? [Nulstil adgangskode]
    Hvis du ikke selv har foretaget ændringen, [[sikr din konto]].
    Hvis anmodningen ikke kom fra dig, [skift adgangskode].
    Hvis du ikke prøvede at logge ind, [skift adgangskode].`,
  no: `Hvis det ikke var deg, [tilbakestill passordet].
    Hvis du ikke har bedt om dette, [endre passordet].
    Kjenner du ikke igjen denne innloggingen? [Tilbakestill passord]
    Hvis du ikke gjorde denne endringen, [[sikre kontoen din]].
    Hvis forespørselen ikke kom fra deg, [bytt passord].
    Hvis du ikke prøvde å logge inn, [bytt passord].`,
  fi: `Jos tämä et ollut sinä, [vaihda salasanasi].
    Jos et pyytänyt tätä, [nollaa salasana].
    Etkö tunnista tätä kirjautumista? [Vaihda salasana]
    Jos ette tehnyt tätä muutosta, [vaihtakaa salasananne].
    Etkö se ollut sinä? [Vaihda salasana]
    Jos pyyntö ei tullut sinulta, [vaihda salasana].`,
  is: `Ef þetta varst ekki þú, [endurstilltu lykilorðið].
    Ef þú baðst ekki um þetta, [breyttu lykilorðinu].
    Kannast þú ekki við þessa innskráningu? [Endurstilla lykilorð]`,
  pl: `Jeśli to nie Ty, [zresetuj hasło].
    Jeśli to nie byłeś Ty, [zmień hasło].
    Nie rozpoznajesz tej aktywności? [Zresetuj hasło]
    Jeśli nie prosiłaś o zmianę hasła, [[zabezpiecz konto]].
    Jeżeli nie dokonano tej zmiany przez Państwa, [prosimy zresetować hasło].
    Jeśli nie wysłałeś tej prośby, [zmień hasło].
    Jeśli prośba nie pochodzi od Ciebie, [zmień hasło].
    To nie Twoje konto? [Zmień hasło]`,
  cs: `Pokud jste to nebyli vy, [obnovte své heslo].
    Pokud jsi to nebyl ty, [změň si heslo].
    Nepoznáváte toto přihlášení? [Obnovit heslo]
    Pokud jste o změnu nežádal, [[zabezpečte svůj účet]].
    Pokud jste tuto změnu neprovedli, [obnovte heslo].
    Pokud žádost nepochází od vás, [změňte si heslo].
    Pokud jste se nepokoušeli přihlásit, [změňte si heslo].`,
  sk: `Ak ste to neboli vy, [obnovte si heslo].
    Ak si to nebol ty, [zmeň si heslo].
    Nespoznávate toto prihlásenie? [Obnoviť heslo]
    Ak ste o to nežiadali, [zmeňte si heslo].
    Ak ste sa nepokúšali prihlásiť, [zmeňte si heslo].`,
  hu: `Ha nem Ön volt, [állítsa vissza a jelszavát].
    Ha nem te voltál, [módosítsd a jelszavad].
    Ha nem Ön kérte ezt a módosítást, [állítsa vissza jelszavát].
    Nem ismeri fel ezt a bejelentkezést? [Jelszó visszaállítása]
    Ha a kérés nem Öntől származik, [módosítsa jelszavát].`,
  ro: `Dacă nu ai fost tu, [resetează parola].
    Dacă nu ați fost dumneavoastră, [resetați parola].
    Nu recunoști această activitate? [Schimbă parola]
    Dacă nu ați solicitat această modificare, [resetați parola].
    Dacă cererea nu vine de la tine, [schimbă parola].`,
  bg: `Ако това не сте били Вие, [нулирайте паролата си].
    Ако не си бил ти, [смени паролата си].
    Ако не сте заявили тази промяна, [нулирайте паролата си].
    Не разпознавате тази активност? [Сменете паролата]`,
  ru: `Если это были не вы, [сбросьте пароль].
    Если это был не ты, [смени пароль].
    Если вы не запрашивали смену пароля, [сбросьте пароль].
    Если вы этого не делали, [смените пароль].
    Не узнаёте этот вход? [Сменить пароль]
    Если вы не меняли пароль, [восстановите доступ].`,
  uk: `Якщо це були не ви, [скиньте пароль].
    Якщо це був не ти, [зміни пароль].
    Якщо ви не надсилали цього запиту, [скиньте пароль].
    Не впізнаєте цей вхід? [Змінити пароль]
    Якщо ви цього не робили, [змініть пароль].`,
  sr: `Ako to niste bili vi, [resetujte lozinku].
    Ако то нисте били ви, [ресетујте лозинку].
    Ako niste zatražili ovu promenu, [resetujte lozinku].
    Ако нисте тражили промену, [промените лозинку].`,
  hr: `Ako to niste bili vi, [resetirajte lozinku].
    Ako to nisi bio ti, [promijeni lozinku].
    Ako niste zatražili ovu promjenu, [promijenite lozinku].
    Ne prepoznajete ovu prijavu? [Promijenite lozinku]`,
  sl: `Če to niste bili vi, [ponastavite geslo].
    Če nisi bil ti, [spremeni geslo].
    Če niste zahtevali te spremembe, [ponastavite geslo].
    Ne prepoznate te prijave? [Spremenite geslo]`,
  el: `Αν δεν ήσασταν εσείς, [επαναφέρετε τον κωδικό πρόσβασης].
    Αν δεν ήσουν εσύ, [άλλαξε τον κωδικό σου].
    Εάν δεν ζητήσατε αυτή την αλλαγή, [επαναφέρετε τον κωδικό σας].
    Δεν αναγνωρίζετε αυτή τη σύνδεση; [Αλλάξτε τον κωδικό]
    Αν δεν προσπαθήσατε να συνδεθείτε, [αλλάξτε τον κωδικό πρόσβασης].`,
  tr: `Bu siz değilseniz, [şifrenizi sıfırlayın].
    Bu işlemi siz yapmadıysanız [şifrenizi sıfırlayın].
    Bunu sen yapmadıysan [şifreni değiştir].
    Bu girişi tanımıyor musunuz? [Şifrenizi değiştirin]
    Bu talepte bulunmadıysanız [şifrenizi sıfırlayın].`,
  ar: `إذا لم تكن أنت، [أعد تعيين كلمة المرور].
    إذا لم تطلب ذلك، [غيّر كلمة المرور].
    هل لا تتعرف على هذا النشاط؟ [إعادة تعيين كلمة المرور]
    إذا لم تقم بهذا التغيير، [أعد تعيين كلمة المرور].
    لست أنت؟ [تأمين الحساب وتعيين كلمة المرور]
    إذا لم تحاول تسجيل الدخول، [غيّر كلمة المرور].`,
  he: `אם זה לא היית את או אתה, [אפסו את הסיסמה].
    אם לא ביקשת את השינוי, [אפס את הסיסמה].
    לא אתם ביצעתם את הפעולה? [איפוס סיסמה]
    לא מזהה את הכניסה הזו? [שינוי סיסמה]`,
  fa: `اگر این شما نبودید، [رمز عبور خود را بازنشانی کنید].
    اگر شما این درخواست را نداده‌اید، [رمز عبور را تغییر دهید].
    این ورود را نمی‌شناسید؟ [بازنشانی رمز عبور]
    اگر درخواست نکرده‌اید، [رمز عبور را تغییر دهید].
    اگر برای ورود تلاش نکرده‌اید، [گذرواژه را تغییر دهید].`,
  ur: `اگر یہ آپ نہیں تھے تو [اپنا پاس ورڈ ری سیٹ کریں]۔
    اگر آپ نے یہ درخواست نہیں کی تو [پاس ورڈ تبدیل کریں]۔`,
  hi: `अगर यह आप नहीं थे, तो [अपना पासवर्ड रीसेट करें]।
    यदि आपने यह अनुरोध नहीं किया है, तो [पासवर्ड बदलें]।
    यह गतिविधि नहीं पहचानते? [पासवर्ड रीसेट करें]
    अगर आपने यह बदलाव नहीं किया, तो [पासवर्ड रीसेट करें]।`,
  bn: `এটি আপনি না হলে, [পাসওয়ার্ড রিসেট করুন]।
    আপনি যদি এটি অনুরোধ না করে থাকেন, [পাসওয়ার্ড বদলান]।
    যদি আপনি এই অনুরোধ করেননি, [পাসওয়ার্ড রিসেট করুন]।`,
  ta: `இது நீங்கள் இல்லை என்றால், [கடவுச்சொல்லை மீட்டமைக்கவும்].
    நீங்கள் இதைக் கோரவில்லை என்றால், [கடவுச்சொல்லை மாற்றவும்].`,
  te: `ఇది మీరు కాకపోతే, [పాస్‌వర్డ్ రీసెట్ చేయండి].
    మీరు దీన్ని అభ్యర్థించకపోతే, [పాస్‌వర్డ్ మార్చండి].`,
  th: `หากไม่ใช่คุณ [รีเซ็ตรหัสผ่าน]
    หากคุณไม่ได้ขอเปลี่ยนรหัสผ่าน [รีเซ็ตรหัสผ่านทันที]
    หากท่านไม่ได้ดำเนินการนี้ [เปลี่ยนรหัสผ่าน]`,
  vi: `Nếu không phải bạn, [đặt lại mật khẩu].
    Nếu bạn không yêu cầu điều này, [đổi mật khẩu].
    Không phải là bạn? [Đặt lại mật khẩu]
    Nếu quý khách không thực hiện thay đổi này, [đặt lại mật khẩu].
    Bạn không nhận ra hoạt động này? [Đổi mật khẩu]
    Nếu bạn không cố gắng đăng nhập, [đổi mật khẩu].`,
  id: `Jika ini bukan Anda, [setel ulang kata sandi].
    Jika Anda tidak meminta ini, [ubah kata sandi].
    Bukan kamu? [Atur ulang kata sandi]
    Tidak mengenali aktivitas ini? [Ubah sandi]
    Jika Anda tidak melakukan perubahan ini, [setel ulang sandi].`,
  ms: `Jika ini bukan anda, [tetapkan semula kata laluan].
    Jika anda tidak meminta perubahan ini, [tukar kata laluan].
    Tidak mengenali aktiviti ini? [Tukar kata laluan]
    Jika anda tidak cuba log masuk, [tukar kata laluan].`,
  fil: `Kung hindi ikaw ito, [i-reset ang password].
    Kung hindi mo ito hiniling, [palitan ang password].
    Kung hindi ka humiling nito, [i-reset ang iyong password].`,
  zh: `如果这不是您本人的操作，请[重置密码]。
    若非您本人操作，請[重設密碼]。
    如果您没有请求更改密码，请[重置密码]。
    如非本人操作，请立即[修改密码]。
    不认识此设备？[重置密码]
    如果您未曾提出此要求，請[重設密碼]。
    不是你？[重设密码]
    如果您没有尝试登录，请[重置密码]。`,
  ja: `お心当たりがない場合は、[パスワードを再設定]してください。
    ご自身でない場合は[パスワードの再設定]をお願いします。
    このリクエストを行っていない場合は[パスワードを変更]してください。
    身に覚えのない場合は[パスワードを再設定]してください。
    あなたではない場合、[パスワードをリセット]してください。
    ログインを試みていない場合は、[パスワードを変更してください]。`,
  ko: `본인이 아닌 경우 [비밀번호를 재설정]하세요.
    본인이 아니라면 [비밀번호 재설정]을 눌러 주세요.
    요청하지 않으셨다면 [비밀번호를 변경]하세요.
    본인이 요청하지 않은 경우 [비밀번호를 재설정]해 주세요.
    회원님이 아닌가요? [계정 보호 및 비밀번호 변경]`,
  et: `Kui see ei olnud sina, [lähtesta parool].
    Kui see polnud teie, [lähtestage parool].
    Kui te ei taotlenud seda muudatust, [muutke parool].
    Kas sa ei tunne seda tegevust ära? [Muuda parool]`,
  lv: `Ja tas nebijāt jūs, [atiestatiet paroli].
    Ja tas nebiji tu, [nomaini paroli].
    Ja jūs nepieprasījāt šīs izmaiņas, [atiestatiet paroli].
    Neatpazīstat šo darbību? [Nomainiet paroli]`,
  lt: `Jei tai buvote ne jūs, [atstatykite slaptažodį].
    Jei tai ne tu, [pakeisk slaptažodį].
    Jei to neprašėte, [atstatykite slaptažodį].
    Neatpažįstate šio prisijungimo? [Pakeiskite slaptažodį]`,
  ca: `Si no has estat tu, [restableix la contrasenya].
    Si no heu sol·licitat aquest canvi, [restabliu la contrasenya].
    No reconeixes aquesta activitat? [Canvia la contrasenya]`,
  eu: `Zu ez bazara izan, [berrezarri pasahitza].
    Ez baduzu eskatu, [aldatu pasahitza].
    Ez baduzu jarduera hau ezagutzen, [aldatu pasahitza].`,
  ka: `თუ ეს თქვენ არ იყავით, [აღადგინეთ პაროლი].
    თუ ეს არ მოგითხოვიათ, [შეცვალეთ პაროლი].`,
  hy: `Եթե դա դուք չեք, [վերականգնեք գաղտնաբառը]։
    Եթե դուք չեք պահանջել սա, [փոխեք գաղտնաբառը]։
    Եթե դա դուք չէիք, [վերականգնեք գաղտնաբառը]։`,
  sq: `Nëse nuk ishit ju, [rivendosni fjalëkalimin].
    Nëse nuk e keni kërkuar këtë, [ndryshoni fjalëkalimin].
    Nëse nuk e njihni këtë aktivitet, [ndryshoni fjalëkalimin].`,
  sw: `Ikiwa si wewe, [weka upya nenosiri].
    Ikiwa hukuomba hili, [badilisha nenosiri].
    Kama hukufanya mabadiliko haya, [weka upya nenosiri].`,
  mk: `Ако тоа не сте вие, [ресетирајте ја лозинката].
    Ако не сте биле вие, [сменете ја лозинката].
    Ако не го побаравте ова, [ресетирајте ја лозинката].`,
  be: `Калі гэта былі не вы, [скіньце пароль].
    Калі вы не запытвалі змену, [змяніце пароль].
    Калі вы гэтага не рабілі, [змяніце пароль].`,
  gl: `Se non fuches ti, [restablece o contrasinal].
    Se non solicitaches este cambio, [restablece o contrasinal].
    Se non foi vostede, [cambie o contrasinal].`,
  af: `As dit nie jy was nie, [herstel jou wagwoord].
    As u dit nie versoek het nie, [verander u wagwoord].
    Herken jy nie hierdie aktiwiteit nie? [Verander wagwoord]`,
  cy: `Os nad chi oedd hwn, [ailosodwch eich cyfrinair].
    Os na wnaethoch chi ofyn am hyn, [newidiwch eich cyfrinair].
    Os nad ydych yn adnabod y gweithgaredd hwn, [newidiwch eich cyfrinair].`,
  ga: `Mura tusa a bhí ann, [athshocraigh do phasfhocal].
    Murar iarr tú é seo, [athraigh do phasfhocal].
    Mura n-aithníonn tú an ghníomhaíocht seo, [athraigh do phasfhocal].`,
  az: `Bu siz deyilsinizsə, [şifrənizi sıfırlayın].
    Bunu siz etməmisinizsə, [şifrənizi dəyişin].
    Bu sorğunu siz göndərməmisinizsə, [şifrəni yeniləyin].`,
  kk: `Егер бұл сіз болмасаңыз, [құпиясөзді қалпына келтіріңіз].
    Егер сіз мұны сұрамаған болсаңыз, [құпиясөзді өзгертіңіз].`,
  ku: `Ger ev ne tu bî, [şîfreya xwe biguherîne].
    Heke te daxwaz nekiribe, [şîfreya xwe ji nû ve saz bike].
    ئەگەر تۆ نەبوویت، [وشەی نهێنی بگۆڕە].
    ئەگەر داوات نەکردووە، [وشەی نهێنی بگۆڕە].`,
  uz: `Agar bu siz bo‘lmasangiz, [parolni tiklang].
    Agar siz buni so'ramagan bo'lsangiz, [parolni o'zgartiring].
    Agar bu siz emas bo‘lsa, [parolni tiklang].`,
  mn: `Хэрэв энэ та биш бол [нууц үгээ шинэчилнэ үү].
    Хэрэв та үүнийг хүсээгүй бол [нууц үгээ солино уу].`,
  mr: `हे तुम्ही नसल्यास, [पासवर्ड रीसेट करा].
    तुम्ही ही विनंती केली नसेल तर [पासवर्ड बदला].`,
  gu: `જો આ તમે ન હોવ, તો [પાસવર્ડ રીસેટ કરો].
    જો તમે આ વિનંતી કરી નથી, તો [પાસવર્ડ બદલો].`,
  pa: `ਜੇ ਇਹ ਤੁਸੀਂ ਨਹੀਂ ਸੀ, ਤਾਂ [ਪਾਸਵਰਡ ਰੀਸੈੱਟ ਕਰੋ]।
    ਜੇ ਤੁਸੀਂ ਇਹ ਬੇਨਤੀ ਨਹੀਂ ਕੀਤੀ, ਤਾਂ [ਪਾਸਵਰਡ ਬਦਲੋ]।`,
  kn: `ಇದು ನೀವಲ್ಲದಿದ್ದರೆ, [ಪಾಸ್‌ವರ್ಡ್ ಮರುಹೊಂದಿಸಿ].
    ನೀವು ಇದನ್ನು ವಿನಂತಿಸದಿದ್ದರೆ, [ಪಾಸ್‌ವರ್ಡ್ ಬದಲಾಯಿಸಿ].`,
  ml: `ഇത് നിങ്ങളല്ലെങ്കിൽ, [പാസ്‌വേഡ് പുനഃസജ്ജമാക്കുക].
    നിങ്ങൾ ഇത് അഭ്യർത്ഥിച്ചിട്ടില്ലെങ്കിൽ, [പാസ്‌വേഡ് മാറ്റുക].`,
  si: `මේ ඔබ නොවේ නම්, [මුරපදය යළි සකසන්න].
    ඔබ මෙය ඉල්ලා නොමැති නම්, [මුරපදය වෙනස් කරන්න].`,
  km: `ប្រសិនបើនេះមិនមែនជាអ្នក សូម[កំណត់ពាក្យសម្ងាត់ឡើងវិញ]។
    ប្រសិនបើអ្នកមិនបានស្នើសុំទេ សូម[ប្តូរពាក្យសម្ងាត់]។`,
  lo: `ຖ້າບໍ່ແມ່ນທ່ານ [ຕັ້ງລະຫັດຜ່ານໃໝ່]
    ຖ້າທ່ານບໍ່ໄດ້ຮ້ອງຂໍ [ປ່ຽນລະຫັດຜ່ານ]`,
  my: `ဤသည်မှာ သင်မဟုတ်ပါက [စကားဝှက်ကို ပြန်သတ်မှတ်ပါ]။
    သင် တောင်းဆိုခဲ့ခြင်းမဟုတ်ပါက [စကားဝှက်ကို ပြောင်းပါ]။`,
  am: `ይህ እርስዎ ካልሆኑ፣ [የይለፍ ቃልዎን ዳግም ያስጀምሩ]።
    ይህን ካልጠየቁ፣ [የይለፍ ቃልዎን ይቀይሩ]።`,
  mt: `Jekk ma kontx int, [irrisettja l-password].
    Jekk ma tlabtx dan, [ibdel il-password].
    Jekk ma tagħrafx din l-attività, [ibdel il-password].`,
  ps: `که دا تاسو نه وئ، [خپل پټنوم بیا تنظیم کړئ].
    که تاسو دا غوښتنه نه وي کړې، [پټنوم بدل کړئ].`,
  ky: `Эгер бул сиз эмес болсоңуз, [сырсөздү калыбына келтириңиз].
    Эгер сиз муну сураган эмес болсоңуз, [сырсөздү өзгөртүңүз].
    Эгер муну сурабасаңыз, [сырсөздү өзгөртүңүз].`,
  so: `Haddii aanay ahayn adiga, [dib u deji erayga sirta ah].
    Haddii aadan codsan tan, [beddel erayga sirta ah].
    Haddii aanad samayn isbeddelkan, [beddel erayga sirta ah].`,
  zu: `Uma kungeyena wena, [setha kabusha iphasiwedi].
    Uma ungakucelanga lokhu, [shintsha iphasiwedi].`,
  ha: `Idan ba kai ba ne, [sake saita kalmar sirri].
    Idan ba ka nemi wannan ba, [canza kalmar sirri].
    Idan ba ku nemi wannan ba, [canza kalmar sirrinku].`,
  yo: `Tí kì í bá ṣe ìwọ, [tún ọ̀rọ̀ aṣínà rẹ ṣe].
    Ti o ko ba beere fun eyi, [yi ọrọ aṣina rẹ pada].`,
  oc: `S'èra pas vos, [reïnicializatz vòstre senhal].
    S'avètz pas demandat aqueste cambiament, [cambiatz lo senhal].`,
  tg: `Агар ин шумо набошед, [паролро барқарор кунед].
    Агар шумо инро дархост накарда бошед, [паролро иваз кунед].`,
  br: `Ma n'eo ket c'hwi, [cheñchit ho ger-tremen].
    Ma n’hoc’h eus ket goulennet kement-mañ, [cheñchit ho ger-tremen].`,
  eo: `Se ne estis vi, [ŝanĝu vian pasvorton].
    Se vi ne petis tion, [ŝanĝu vian pasvorton].`,
};
