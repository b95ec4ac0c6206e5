/**
 * The words by which extraction tells a one-time code from any other number, and the link to follow from any other link.
 *
 * Words are in lower case and apart by white space. A `*` stands for any letters: `kod*` is how a word begins (for
 * languages that inflect), `*code` how it ends (for those that compound), `*码*` a part of it (for those that do not put
 * spaces between words). A `_` is a space within an entry: `mã_vùng` counts as one word, and not as the words in it. Of
 * several in braces each may stand there: `cod_{dilysu,pas}`. A word that means nothing else in any language here is a good
 * entry; one that does is left out. What else is called a code stands in other-codes.ts, and what somebody says who did not
 * do something in denials.ts.
 */
export interface Vocabulary {
  /** What a one-time code is called. */
  readonly code: string;
  /** What one does with a code: enter, use, type. */
  readonly enter: string;
  /** What other numbers are called that stand right beside their name, and what makes a code no one-time code. */
  readonly other: string;
  /** What a code or a link is for: verify, confirm, activate, sign in, reset a password, accept. */
  readonly action: string;
  /** What a link offers to somebody who does not want that: unsubscribe, cancel, decline. */
  readonly leave: string;
  /** What links beside the matter are called: settings, help, privacy, view in browser. */
  readonly aside: string;
}

/** By language (ISO 639-1, Filipino by ISO 639-2). */
export const VOCABULARY: Record<string, Partial<Vocabulary>> = {
  en: {
    code: `code passcode* otp otps totp otc pin pincode token one-time onetime single-use temporary
      securitycode verificationcode logincode authcode mfa`,
    enter: 'enter entering use type typing input paste insert provide submit copy',
    other: `call dial hotline order orders invoice* receipt ticket tickets booking bookings reservation tracking shipment parcel package
      reference ref phone telephone tel mobile fax zip zipcode postal postcode street suite ste avenue ave road
      boulevard blvd promo promotional promotion coupon voucher discount gift referral case flight seat number numbers
      vat iban swift bic total subtotal amount price balance port version build serial sku isbn ending error exit status
      country area dialing dialling dress bar barcode qrcode qr source year since extension ext id pnr rma
      sort routing product article section art paragraph civil penal conduct ethics practice line lines bug rev revision page row pid
      http return response reason unicode vscode point points redeem*`,
    action: `delet* verify* verif* confirm confirming confirmation activat* authenticat* authoriz* authoris* login logins sign
      log_{in,into,on,onto,me,you,yourself,back}
      signin sign-in sign-up signing signup reset* recover* unlock* accept* approv* join validat* proceed continue complet*
      regist* access restor* magic invitation password passwords`,
    leave: 'unsubscrib* opt-out cancel* declin* deny revert undo disavow reject* revok*',
    aside: `view preference* settings browser online help support faq faqs privacy terms policy contact report manage notifications
      about blog forum docs documentation learn social download`,
  },
  de: {
    code: `*code *codes *pin pincode tan tans mtan smstan pushtan *kode einmalpasswort einmalkennwort einmal* zahlencode ziffernfolge kennziffer
      token prüfziffer*`,
    enter: 'kopier* eingeben eingibst gib geben verwende* nutze* benutze* einfügen eintragen',
    other: `auftrag* bestell* rechnung* vorgang* ticket* buchung* reservierung* sendung* paket* referenz* telefon*
      tel fax mobil* plz postleitzahl konto kontonummer* postfach straße str gutschein* rabatt* aktions* promo* betrag summe preis zug wagen
      sitz gleis steuer* ust hrb *nummer *nr jahr artikel* iban fehler* raumcode*`,
    action: `lösch* bestätig* verifizier* aktivier* anmeld* einlogg* einzulogg* login registrier* zurücksetz* zurückzusetz*
      freischalt* annehmen fortfahren authentifizier* entsperr* anzumelden identität* wiederherstell* passwort* kennwort*`,
    leave: 'abmelden abbestell* abzumelden abbrech* ablehnen widerruf* austragen storn*',
    aside:
      'ansehen anzeigen einstellung* browser hilfe datenschutz* impressum agb kontakt* support nutzungsbedingungen verwalten',
  },
  fr: {
    code: 'code codes otp pin jeton',
    enter:
      'copier collez coller saisissez saisir saisis entrez entrer entre utilisez utiliser utilise tapez indiquez copiez renseignez',
    other: `commande* facture* reçu billet* réservation* colis suivi référence* téléphone tél tel fax postal rue avenue
      boulevard promo* promotionnel* réduction remise bon cadeau parrainage dossier vol train siège siret tva montant prix
      total numéro* année voiture erreur`,
    action: `supprim* vérifi* confirm* activ* authentifi* connexion connecter connect* inscri* réinitialis* déverrouill* accept*
      continuer valider validation accéder rejoindre identité passe`,
    leave: 'désabonn* désinscri* annul* refuser décliner',
    aside:
      'voir afficher consulter préférences paramètres navigateur aide confidentialité conditions mentions contact* gérer assistance',
  },
  es: {
    code: 'código códigos codigo codigos clave pin otp token',
    enter:
      'copie copiar pegue pegar introduce introduzca introducir ingresa ingrese ingresar use utiliza utilice escribe escriba pega copia',
    other: `pedido* factura* recibo* boleto* reserva reservas envío seguimiento referencia teléfono telefono móvil fax
      postal calle avenida promocional* promo* cupón descuento regalo caso vuelo tren asiento importe precio total
      número* año artículo error`,
    action: `elimin* verific* verifique confirm* activ* autentic* acceso acceder sesión inici* registr* restablec* desbloque*
      acept* continuar validar recuper* identidad contraseña*`,
    leave: 'cancel* baja rechazar anular',
    aside:
      'ver preferencias ajustes configuración navegador ayuda privacidad términos condiciones contact* soporte gestionar',
  },
  pt: {
    code: 'código códigos codigo codigos pin otp token',
    enter: 'copiar colar introduza introduz insira inserir digite digitar use utilize informe cole copie',
    other: `pedido* encomenda* fatura* recibo* bilhete* reserva reservas rastreio rastreamento referência telefone
      telemóvel celular fax postal cep rua avenida promocional* cupom cupão desconto oferta caso voo comboio trem lugar
      montante valor preço total número* ano cnpj nif erro`,
    action: `verific* verifique confirm* ativ* activ* autentic* acesso aceder acessar entrar sessão inici* login regist*
      redefin* repor desbloque* aceit* continuar validar recuper* identidade cadastro senha* palavra-passe`,
    leave: 'cancel* desinscrever descadastrar recusar anular',
    aside:
      'ver visualizar preferências definições configurações navegador ajuda privacidade termos condições contact* contato suporte',
  },
  it: {
    code: 'codice codici pin otp token monouso',
    enter: 'copiare incolla inserisci inserire inserite inserisca utilizza utilizzare digita immetti copia',
    other: `ordine ordini fattura ricevuta biglietto prenotazione spedizione tracciamento riferimento telefono
      cellulare fax postale cap viale piazza promozionale promo sconto buono regalo pratica volo treno posto importo prezzo
      totale numero anno articolo partita iva errore`,
    action: `elimin* verific* conferm* attiv* autentic* accesso acced* login registr* reimpost* ripristin* sblocc* accett* continua
      convalid* identità`,
    leave: 'disiscriv* disdic* cancella* annull* rifiuta*',
    aside:
      'visualizza vedi preferenze impostazioni browser aiuto assistenza privacy termini condizioni contatt* gestisci',
  },
  nl: {
    code: '*code *codes pincode *pin otp token eenmalig*',
    enter: 'kopieer plak voer invoeren gebruik gebruiken typ vul invullen plak kopieer',
    other: `bestel* factuur* ticket* boeking* reserver* zending* pakket* referentie* telefoon* fax postcode straat laan
      postbus korting* cadeau* actie* promo* zaak rekening* bedrag prijs totaal *nummer jaar kvk btw fout*`,
    action: `verwijder* verifi* bevestig* activ* authentic* aanmeld* inlog* login registr* reset* herstel* ontgrendel*
      accepte* doorgaan valideer* identiteit toegang wachtwoord*`,
    leave: 'afmelden uitschrijv* annuler* weiger* opzeggen',
    aside: 'bekijk* voorkeuren instellingen browser hulp privacy* voorwaarden contact ondersteuning beheer*',
  },
  sv: {
    code: '*kod *koden *koder *koderna *pin otp engångs*',
    enter: 'kopiera klistra ange använd skriv mata klistra fyll',
    other: `order* beställning* faktura* kvitto* biljett* bokning* paket* referens* telefon* postnummer gatan rabatt*
      kampanj* ärende* belopp pris summa *nummer år`,
    action: `radera* verifier* bekräft* aktiver* autentisera* logga inlogg* registrer* återställ* acceptera fortsätt identitet lösenord*`,
    leave: 'avregistrera avprenumer* avbryt* avböj avbeställ*',
    aside: 'visa inställningar webbläsare* hjälp integritet* villkor kontakt* support',
  },
  da: {
    code: '*kode *koden *koder *koderne *pin otp engangs*',
    enter: 'kopier indtast brug anvend skriv indsæt',
    other: `ordre* bestilling* faktura* kvittering* billet* booking* pakke* reference* telefon* tlf postnummer rabat*
      beløb pris *nummer år`,
    action:
      'slet* verificer* verifik* bekræft* aktiver* godkend* login log_{ind,på} registrer* nulstil* oprettelse accepter* fortsæt identitet adgangskode adgangskoden adgangskodens',
    leave: 'afmeld* frameld* annuller* afvis',
    aside: 'vis se indstillinger browser hjælp privatliv* vilkår kontakt* support',
  },
  no: {
    code: '*kode *koden *koder *kodene *pin otp engangs*',
    enter: 'kopier lim skriv bruk oppgi angi tast',
    other: `ordre* bestilling* faktura* kvittering* billett* pakke* referanse* telefon* tlf postnummer rabatt* beløp
      pris *nummer år`,
    action:
      'slett* verifiser* bekreft* aktiver* godkjenn* innlogging* logg registrer* tilbakestill* aksepter* fortsett identitet* passord*',
    leave: 'avmeld* avbryt* avslå',
    aside: 'innstillinger nettleser* hjelp personvern* vilkår kontakt* støtte',
  },
  fi: {
    code: '*koodi *koodisi *koodin *koodia *koodilla *koodit tunnusluku pin otp kertakäyttö*',
    enter: 'liitä syötä anna käytä kirjoita kopioi',
    other: `tilaus* lasku* kuitti* lippu* varaus* paketti* viite* puhelin* postinumero katu alennus* tapaus* summa
      hinta yhteensä *numero vuosi tuotekood* asiakaskood*`,
    action:
      'poista* vahvist* varmist* varmenn* aktivoi* kirjaudu* kirjautu* rekisteröi* nollaa* palauta* hyväksy* jatka todenn* salasana*',
    leave: 'peruuta* hylkää',
    aside: 'asetukset selaimessa ohje tuki tietosuoja* ehdot yhteys*',
  },
  is: {
    code: '*kóði *kóðinn *kóða *kóðann pin',
    enter: 'sláðu notaðu',
    other: 'pöntun* pantan* reikning* kvittun* sími póstnúmer afslátt* upphæð verð *númer ár',
    action: 'staðfest* virkja* innskrá* endurstill* samþykk* skráðu lykilorð*',
    leave: 'afskrá* hætta',
    aside: 'stillingar vafra hjálp persónuvernd skilmálar',
  },
  pl: {
    code: 'kod kodu kodem kody kodzie pin otp token jednorazow*',
    enter: 'kopiuj wpisz wprowadź użyj podaj przepisz wklej skopiuj',
    other: `zamówieni* faktur* paragon* bilet* rezerwacj* przesyłk* paczk* referenc* telefon* pocztow* ulica ul
      rabat* promocyjn* kupon* zgłoszeni* kwot* cena suma numer* rok nip regon błęd*`,
    action:
      'usuń usunię* weryfik* zweryfik* potwierd* aktyw* uwierzytel* logow* zalog* rejestr* zresetuj* odblok* akcept* kontynu* tożsamoś* hasł*',
    leave: 'wypisz* anuluj* rezygn* odrzuć',
    aside: 'zobacz wyświetl preferencj* ustawieni* przeglądar* pomoc prywatności regulamin kontakt*',
  },
  cs: {
    code: '*kód *kódu *kódem *kódy pin otp jednorázov*',
    enter: 'zkopírujte zadejte zadej použijte použij vložte vlož opište',
    other: `objednáv* faktur* účtenk* jízdenk* rezervac* zásilk* balík* referenč* telefon* psč ulice slev* promo*
      kupón* kupon* částka cena celkem číslo čísla rok ičo dič vlak vůz místo chyb*`,
    action: 'smaz* smaž* ověř* potvr* aktiv* přihlá* přihlaš* registr* obnov* resetov* odemk* přij* pokrač* hesl*',
    leave: 'odhlás* zruš* odmítn*',
    aside: 'zobrazit nastavení prohlížeč* nápověda pomoc soukromí podmínky kontakt*',
  },
  sk: {
    code: '*kód *kódu *kódom *kódy pin otp jednorazov*',
    enter: 'skopírujte zadajte zadaj použite použi vložte vlož',
    other: `objednáv* faktúr* účtenk* lístok rezervác* zásielk* balík* referenč* telefón* psč ulica zľav* kupón*
      suma cena spolu číslo rok ičo`,
    action: 'over* potvrd* potvrď* aktiv* prihlás* registr* obnov* odomk* prij* pokrač* hesl*',
    leave: 'odhlás* zruš* odmietn*',
    aside: 'nastaveni* prehliadač* pomoc súkromi* podmienky kontakt*',
  },
  hu: {
    code: '*kód *kódja *kódod *kódot *kódját *kódodat *kódunk pin otp egyszer* jelkód',
    enter: 'adja írja írd használja használd másolja',
    other: `rendelés* számla* nyugta* jegy* foglalás* csomag* hivatkozás* telefon* irányítószám utca kedvezmény*
      kupon* összeg összesen év adószám *szám *száma hiba* vevőkód*`,
    action:
      'ellenőrz* azonosít* megerősít* aktivál* hitelesít* bejelentkez* belép* regisztr* visszaállít* felold* elfogad* folytat* igazol* jelszó* jelszav*',
    leave: 'leiratkoz* lemond* mégse elutasít*',
    aside: 'beállítások böngésző* segítség súgó adatvédel* feltételek kapcsolat*',
  },
  ro: {
    code: 'codul codului coduri pin otp cod_de cod_unic cod_temporar cod_sms',
    enter: 'introduceți introduceti introdu folosiți folosește utilizați tastați copiați',
    other: `comand* factur* chitanț* bilet* rezervar* colet* referinț* telefon* poștal strada reducere promoțional*
      sumă preț total număr* anul cui eroare cod_produs cod_client`,
    action: 'verific* confirm* activ* autentific* conect* înregistr* reset* deblo* accept* continu* parol*',
    leave: 'dezabon* anulea* anulați refuz*',
    aside: 'preferințe setări browser ajutor asistență confidențialitate termeni contact*',
  },
  bg: {
    code: 'код кода кодът кодове пин еднократ*',
    enter: 'въведете въведи използвайте използвай',
    other:
      'поръчк* фактур* билет* резервац* пратк* телефон* пощенски улица отстъпк* промо* сума цена общо номер* година',
    action: 'потвърд* провер* активир* вход влез* регистр* нулир* възстанов* прием* продълж* верифик* парол*',
    leave: 'отпиш* отмен* откаж*',
    aside: 'настройки браузър* помощ поверителност условия контакт*',
  },
  ru: {
    code: 'код кода коду кодом коде коды пин пин-код одноразов* токен',
    enter: 'скопируй вставьте введите введи используйте используй укажите скопируйте',
    other: `заказ* счет счёт счета чек чека билет* брон* посылк* договор* телефон* почтов* индекс улица ул скидк*
      промокод* купон* обращени* заявк* сумма цена итого номер* год года инн огрн поезд вагон место ошибк*`,
    action: `удал* подтвер* провер* актив* вход* войти войдите авториз* регистр* сброс* восстанов* разблок* прин* продолж*
      верифик* аутентифик* парол*`,
    leave: 'отпис* отмен* отклон*',
    aside: 'посмотреть просмотр* настройк* браузер* помощь поддержк* конфиденциальн* условия контакт*',
  },
  uk: {
    code: 'код коду кодом коди пін одноразов* токен',
    enter: 'вставте введіть введи використайте використовуйте вкажіть скопіюйте',
    other: `замовленн* рахунок* рахунк* чек чека квиток* квитк* бронюванн* посилк* телефон* поштов* індекс вулиця
      знижк* промокод* сума ціна разом номер* рік року помилк*`,
    action:
      'видал* підтвер* перевір* актив* вхід* входу увійти увійдіть автентиф* реєстр* скин* віднов* розблок* прийн* продовж* верифік* парол*',
    leave: 'відпис* скасу* відхил*',
    aside: 'переглян* налаштуванн* браузер* довідка допомога підтримк* конфіденційн* умови контакт*',
  },
  sr: {
    code: 'kod koda kodom kôd код кода pin jednokratn* једнократн*',
    enter: 'unesite unesi upišite koristite унесите користите',
    other:
      'porudžbin* narudžb* račun* rezervacij* pošiljk* telefon* poštanski ulica popust* kupon* iznos cena ukupno broj* godin* поруџбин* рачун* број*',
    action:
      'potvrd* verifik* aktivir* prijav* registr* resetuj* prihvat* nastav* потврд* пријав* верифик* lozink* лозинк*',
    leave: 'odjav* otkaž* одјав*',
    aside: 'podešavanja pregledač* pomoć privatnost* uslovi kontakt*',
  },
  hr: {
    code: 'kod kôd kodom koda pin jednokratn*',
    enter: 'unesite unesi upišite upotrijebite koristite',
    other:
      'narudžb* račun* rezervacij* pošiljk* telefon* poštanski ulica popust* kupon* iznos cijena ukupno broj* godin* oib šifra_proizvoda',
    action: 'potvrd* provjer* aktivir* prijav* registr* resetir* ponovno prihvat* nastav* verifikac* lozink*',
    leave: 'odjav* otkaž* odbij*',
    aside: 'postavke preglednik* pomoć privatnost* uvjeti kontakt*',
  },
  sl: {
    code: 'koda kodo kode pin enkratn*',
    enter: 'vnesite vnesi uporabite vpišite',
    other:
      'naročil* račun* vozovnic* rezervacij* pošiljk* telefon* poštna ulica popust* kupon* znesek cena skupaj številk* leto šifra_izdelka',
    action: 'potrd* preveri* aktivir* prijav* registr* ponastav* sprejm* nadalj* gesl*',
    leave: 'odjav* prekliči zavrn*',
    aside: 'nastavitve brskalnik* pomoč zasebnost* pogoji kontakt*',
  },
  el: {
    code: 'κωδικός κωδικό κωδικού κωδικοί κωδικους pin otp',
    enter: 'αντιγράψτε εισάγετε εισαγάγετε πληκτρολογήστε χρησιμοποιήστε καταχωρήστε',
    other: `παραγγελί* τιμολόγι* απόδειξη εισιτήρι* κράτηση* αποστολή* τηλέφων* ταχυδρομικ* οδός έκπτωσ* εκπτωτικ*
      κουπόνι ποσό τιμή σύνολο αριθμός αριθμό έτος αφμ πρόσβασης`,
    action: `επαλήθευσ* επαληθεύσ* επιβεβαί* επιβεβαι* ενεργοποί* ενεργοποι* σύνδεσ* συνδεθ* εγγραφ* επαναφορ* αποδοχή συνέχ*
      ταυτοποί*`,
    leave: 'διαγραφή κατάργηση ακύρωσ* ακυρώ* απόρριψη',
    aside: 'ρυθμίσεις προτιμήσεις πρόγραμμα βοήθεια απορρήτου όροι επικοινων*',
  },
  tr: {
    code: 'kod kodu kodunuz kodunu kodun kodunuzu kodları *kodu *kodunuz otp pin kullanımlık şifreniz',
    enter: 'kopyala* girin giriniz kullanın kullanınız yazın yapıştırın',
    other: `sipariş* fatura* fiş* bilet* rezervasyon* kargo* takip referans* telefon* posta cadde sokak indirim* kupon*
      promosyon* tutar fiyat toplam numara* yıl vergi hata*`,
    action:
      'silme silin doğrula* onayla* etkinleştir* giriş* oturum* kayıt* sıfırla* kilidi kabul devam kimlik* şifre* parola*',
    leave: 'abonelik* iptal* reddet* vazgeç*',
    aside: 'görüntüle* tercih* ayarlar* tarayıcı* yardım gizlilik* koşul* iletişim* destek',
  },
  ar: {
    code: '*رمز *الرمز رمزك *كود *الكود لمرة',
    enter: 'انسخ نسخ أدخل ادخل إدخال استخدم استعمل',
    other: `طلب الطلب طلبك فاتورة الفاتورة إيصال تذكرة حجز الحجز شحنة هاتف الهاتف جوال بريدي البريدي شارع خصم الخصم قسيمة مبلغ
      المبلغ سعر السعر رقم الرقم سنة عام خطأ`,
    action: `تحقق التحقق للتحقق تأكيد التأكيد لتأكيد تفعيل التفعيل لتفعيل تنشيط التنشيط لتنشيط تسجيل الدخول دخول إعادة تعيين قبول متابعة مصادقة
      المصادقة المرور`,
    leave: 'إلغاء الاشتراك رفض',
    aside: 'تفضيلات إعدادات الإعدادات المتصفح مساعدة المساعدة الخصوصية الشروط اتصل تواصل',
  },
  he: {
    code: '*קוד *הקוד קודך',
    enter: 'הזן הזינו הקלד השתמש להזין',
    other: 'הזמנה ההזמנה חשבונית קבלה כרטיס משלוח טלפון מיקוד רחוב הנחה קופון סכום מחיר מספר שנה',
    action: 'אימות לאמת אמת אישור לאשר אשר הפעלה להפעיל כניסה התחבר* להתחבר הרשמה איפוס לאפס המשך סיסמ*',
    leave: 'הסרה להסיר ביטול לבטל',
    aside: 'העדפות הגדרות דפדפן עזרה פרטיות תנאים צור תמיכה',
  },
  fa: {
    code: '*کد *رمز یکبارمصرف پین',
    enter: 'وارد استفاده بنویسید',
    other: 'سفارش فاکتور رسید بلیط رزرو مرسوله تلفن موبایل پستی خیابان تخفیف مبلغ قیمت جمع شماره سال عبور',
    action: 'تأیید تایید فعال فعالسازی فعال‌سازی ورود ثبت بازنشانی بازیابی پذیرش ادامه احراز',
    leave: 'لغو اشتراک رد',
    aside: 'تنظیمات مرورگر راهنما کمک حریم شرایط تماس پشتیبانی',
  },
  ur: {
    code: '*کوڈ پن',
    enter: 'درج استعمال',
    other: 'آرڈر انوائس رسید ٹکٹ بکنگ فون ڈاک گلی رعایت کوپن رقم قیمت نمبر',
    action: 'تصدیق توثیق فعال لاگ سائن رجسٹر قبول',
    leave: 'منسوخ',
    aside: 'ترتیبات براؤزر مدد رازداری شرائط رابطہ',
  },
  hi: {
    code: '*कोड* *ओटीपी* पिन पासकोड',
    enter: 'कॉपी दर्ज उपयोग डालें इस्तेमाल',
    other: 'ऑर्डर इनवॉइस रसीद टिकट बुकिंग फोन फ़ोन मोबाइल पिनकोड सड़क छूट कूपन राशि मूल्य कुल नंबर संख्या वर्ष',
    action: 'सत्याप* पुष्टि सक्रिय लॉगिन लॉग साइन रजिस्टर रीसेट स्वीकार प्रमाण* पासवर्ड',
    leave: 'रद्द सदस्यता',
    aside: 'सेटिंग* ब्राउज़र सहायता मदद गोपनीयता शर्तें संपर्क',
  },
  bn: {
    code: '*কোড* *ওটিপি* পিন',
    enter: 'লিখুন ব্যবহার দিন প্রবেশ',
    other: 'অর্ডার চালান রসিদ টিকিট বুকিং ফোন মোবাইল রাস্তা ছাড় কুপন পরিমাণ মূল্য মোট নম্বর বছর',
    action: 'যাচাই* নিশ্চিত* সক্রিয়* লগইন লগ সাইন নিবন্ধন রিসেট গ্রহণ প্রমাণ* পাসওয়ার্ড',
    leave: 'বাতিল সদস্যতা',
    aside: 'সেটিংস ব্রাউজার* সাহায্য গোপনীয়তা শর্তাবলী যোগাযোগ',
  },
  ta: {
    code: '*குறியீடு* *குறியீட்* *கோட்* *ஓடிபி*',
    enter: 'உள்ளிட* பயன்படுத்*',
    other: 'ஆர்டர் விலைப்பட்டியல் ரசீது டிக்கெட் முன்பதிவு தொலைபேசி தெரு தள்ளுபடி தொகை விலை மொத்தம் எண் ஆண்டு',
    action: 'சரிபார்* உறுதி* செயல்படுத்* உள்நுழை* பதிவு மீட்டமை* தொடர*',
    leave: 'ரத்து குழுவில*',
    aside: 'அமைப்புகள் உலாவி உதவி தனியுரிமை விதிமுறைகள் தொடர்பு',
  },
  te: {
    code: '*కోడ్* *ఓటీపీ* పిన్',
    enter: 'నమోదు ఉపయోగించ* ఎంటర్',
    other: 'ఆర్డర్ ఇన్వాయిస్ రసీదు టికెట్ బుకింగ్ ఫోన్ వీధి తగ్గింపు మొత్తం ధర నంబర్ సంవత్సరం',
    action: 'ధృవీక* నిర్ధార* సక్రియ* లాగిన్ సైన్ రీసెట్ కొనసాగ*',
    leave: 'రద్దు',
    aside: 'సెట్టింగ్* బ్రౌజర్ సహాయం గోప్యత నిబంధనలు సంప్రదించ*',
  },
  th: {
    code: '*รหัส* *โอทีพี* *พิน*',
    enter: '*คัดลอก* *ป้อน* *กรอก* *ใส่* *ใช้*',
    other: `*คำสั่งซื้อ* *ใบแจ้งหนี้* *ใบเสร็จ* *ตั๋ว* *การจอง* *พัสดุ* *โทรศัพท์* *รหัสไปรษณีย์* *ถนน* *ส่วนลด* *คูปอง*
      *จำนวนเงิน* *ราคา* *ยอดรวม* *หมายเลข* *เลขที่*`,
    action: '*ยืนยัน* *ตรวจสอบ* *เปิดใช้* *เข้าสู่ระบบ* *ลงชื่อ* *ลงทะเบียน* *รีเซ็ต* *ยอมรับ* *ดำเนินการต่อ* *รหัสผ่าน*',
    leave: '*ยกเลิก* *ปฏิเสธ*',
    aside: '*การตั้งค่า* *เบราว์เซอร์* *ช่วยเหลือ* *ความเป็นส่วนตัว* *ข้อกำหนด* *ติดต่อ*',
  },
  vi: {
    code: 'mã otp pin ma_xac_nhan ma_xac_thuc ma_xac_minh ma_kich_hoat ma_dang_nhap ma_bao_mat',
    enter: 'sao_chép nhập sử_dụng dùng',
    other: `đơn_hàng hóa_đơn biên_lai vé kiện_hàng điện_thoại bưu_chính bưu_điện đường giảm_giá khuyến_mãi khuyến_mại số_tiền
      giá tổng lỗi`,
    action: `xác_minh xác_nhận xác_thực kích_hoạt đăng_nhập đăng_ký chấp_nhận tiếp_tục mật_khẩu đặt_lại khôi_phục xac_nhan xac_thuc xac_minh kich_hoat dang_nhap`,
    leave: 'hủy huỷ từ_chối',
    aside: 'cài_đặt trình_duyệt trợ_giúp riêng_tư điều_khoản liên_hệ',
  },
  id: {
    code: 'kode otp pin token sekali',
    enter: 'tempel masukkan gunakan ketik salin',
    other: `pesanan faktur kuitansi tiket pemesanan paket referensi telepon telp pos jalan jl diskon promo kupon jumlah
      harga total nomor tahun rekening`,
    action:
      'verifikasi* konfirmasi* aktivasi* aktifkan mengaktifkan masuk login daftar* setel terima lanjut* autentikasi* memverifikasi mengonfirmasi sandi',
    leave: 'berhenti batal* tolak',
    aside: 'lihat preferensi pengaturan peramban browser bantuan privasi ketentuan hubungi',
  },
  ms: {
    code: 'kod otp pin',
    enter: 'masukkan gunakan taip salin',
    other:
      'pesanan invois resit tiket tempahan bungkusan rujukan telefon poskod jalan diskaun promosi kupon jumlah harga nombor tahun',
    action:
      'pengesahan sahkan mengesahkan pengaktifan aktifkan mengaktifkan masuk daftar tetapan_semula tetapkan_semula terima teruskan laluan',
    leave: 'nyahlanggan batal* tolak',
    aside: 'keutamaan tetapan pelayar bantuan privasi terma hubungi',
  },
  fil: {
    code: 'code kodigo otp pin',
    enter: 'ilagay gamitin i-type',
    other: 'order resibo tiket booking telepono diskwento kupon halaga presyo kabuuan numero taon',
    action:
      'beripika* kumpirma* pag-verify i-verify mag-sign mag-log i-reset tanggapin magpatuloy mapatunayan patunayan',
    leave: 'kanselahin mag-unsubscribe',
    aside: 'tulong pagkapribado tuntunin makipag-ugnayan',
  },
  zh: {
    code: `*验证码* *驗證碼* *校验码* *校驗碼* *动态码* *動態碼* *确认码* *確認碼* *安全码* *安全碼* *一次性* *代码* *代碼* *口令* *认证码*
      *認證碼* *激活码* *登录码* *登入碼* *動態密碼* *动态密码* *识别码* *通行码* *通行碼* *授权码* *授權碼*`,
    enter: '*复制* *複製* *粘贴* *貼上* *输入* *輸入* *填写* *填寫* *使用*',
    other: `*订位* *訂位* *付款* *缴费* *繳費* *取票* *车次* *車次* *座位* *订单* *訂單* *发票* *發票* *收据* *收據* *车票* *預訂* *预订* *快递* *包裹* *电话* *電話* *手机* *手機* *邮编* *郵編*
      *郵遞區號* *优惠* *優惠* *折扣* *兑换码* *金额* *金額* *价格* *價格* *总计* *編號* *编号* *号码* *號碼* *错误*`,
    action:
      '*删除* *刪除* *验证* *驗證* *确认* *確認* *激活* *啟用* *启用* *登录* *登入* *注册* *註冊* *重置* *重設* *重设* *找回* *接受* *继续* *繼續* *密码* *密碼*',
    leave: '*退订* *退訂* *取消* *拒绝* *拒絕*',
    aside: '*查看* *设置* *設定* *偏好* *浏览器* *瀏覽器* *帮助* *說明* *隐私* *隱私* *条款* *條款* *联系* *聯絡*',
  },
  ja: {
    code: '*コード* *認証番号* *確認番号* *ワンタイム* *暗証番号* *認証キー* *トークン*',
    enter: '*コピー* *貼り付け* *入力* *使用* *ご利用*',
    other: `*商品* *支払* *受付番号* *店舗* *座席* *注文* *請求* *領収* *チケット* *予約* *伝票* *荷物* *お客様番号* *電話* *郵便* *〒* *割引* *クーポン* *プロモ* *金額* *価格* *合計*
      *会員番号* *問い合わせ番号* *口座* *号車* *エラー*`,
    action:
      '*削除* *認証* *確認* *有効化* *ログイン* *サインイン* *登録* *リセット* *再設定* *承認* *続行* *続ける* *パスワード*',
    leave: '*配信停止* *登録解除* *退会* *キャンセル* *拒否*',
    aside: '*表示* *設定* *ブラウザ* *ヘルプ* *プライバシー* *利用規約* *お問い合わせ*',
  },
  ko: {
    code: '*인증번호* *인증코드* *확인코드* *코드* *일회용* *핀번호* *보안번호* *승인번호* *확인번호*',
    enter: '*복사* *붙여* *입력* *사용*',
    other:
      '*상품* *회원* *접수* *좌석* *주문* *영수증* *송장* *티켓* *예약* *배송* *고객번호* *전화* *연락처* *우편* *할인* *쿠폰* *금액* *가격* *합계* *사업자* *계좌* *오류*',
    action: '*삭제* *인증* *확인* *활성화* *로그인* *가입* *등록* *재설정* *초기화* *수락* *계속* *비밀번호*',
    leave: '*수신거부* *구독* *취소* *거부*',
    aside: '*보기* *설정* *브라우저* *도움말* *개인정보* *약관* *문의*',
  },
  et: {
    code: '*kood *koodi *koodiga pin ühekordne ühekordse',
    enter: 'sisesta* kasuta*',
    other:
      'tellimus* arve* pilet* broneering* telefon* postiindeks tänav soodus* summa hind kokku *number aasta tootekood* kliendikood*',
    action: 'kinnita* kinnitus* aktiveeri* sisselog* registreeri* lähtesta* nõustu jätka parool*',
    leave: 'loobu* tühista*',
    aside: 'seaded brauser* abi privaatsus* tingimused kontakt*',
  },
  lv: {
    code: 'kods kodu koda kodā pin vienreizēj*',
    enter: 'ievadi* izmanto*',
    other: 'pasūtījum* rēķin* biļet* rezervācij* sūtījum* tālrun* pasta iela atlaid* summa cena kopā numur* gads',
    action: 'apstiprin* verific* aktiviz* aktivē* pieslēg* pieteik* reģistr* atiestat* pieņem* turpin* parol*',
    leave: 'atrakst* atcel*',
    aside: 'iestatījumi pārlūk* palīdzība privātum* noteikumi kontakt*',
  },
  lt: {
    code: 'kodas kodą kodu kodo pin vienkartin*',
    enter: 'įveskite naudokite įrašykite',
    other: 'užsakym* sąskait* biliet* rezervacij* siunt* telefon* pašto gatvė nuolaid* suma kaina viso numer* metai',
    action: 'patvirtin* aktyvuo* aktyvin* prisijung* registr* atkurti atstat* priim* tęsti slaptažod*',
    leave: 'atsisak* atšauk*',
    aside: 'nustatymai naršykl* pagalba privatum* sąlygos kontakt*',
  },
  ca: {
    code: 'codi codis pin otp',
    enter: 'introduïu introdueix utilitzeu utilitza feu',
    other:
      'comanda* factura* rebut* bitllet* reserva* enviament referència telèfon postal carrer promocional descompte import preu total número* any',
    action:
      'verific* confirm* activ* autentic* accés accedir sessió inici* registr* restabl* desbloc* accept* continua* contrasenya',
    leave: 'cancel* baixa rebutja',
    aside: 'preferències configuració navegador ajuda privacitat condicions contact*',
  },
  eu: {
    code: 'kodea kode kodeak pin',
    enter: 'sartu erabili idatzi',
    other: 'eskaera faktura txartela erreserba telefono kalea deskontua prezioa zenbakia urtea',
    action:
      'egiaztatu egiaztatze* egiaztapen* berretsi berreste* aktibatu aktibatze* gaitu gaitzeko gaitzea saioa erregistratu berrezarri onartu jarraitu pasahitz*',
    leave: 'utzi ezeztatu',
    aside: 'ezarpenak nabigatzaile* laguntza pribatutasun* baldintzak',
  },
  ka: {
    code: '*კოდი* კოდის პინი',
    enter: 'შეიყვანეთ გამოიყენეთ',
    other: 'შეკვეთ* ინვოის* ბილეთ* ჯავშან* ტელეფონ* ქუჩა ფასდაკლება თანხა ფასი ნომერი წელი',
    action: 'დადასტურ* დაადასტურ* ვერიფიკაცი* აქტივაცი* გააქტიურ* შესვლ* რეგისტრაცი* აღდგენ* აღადგ* პაროლ*',
    leave: 'გაუქმება უარყოფა',
    aside: 'პარამეტრები ბრაუზერ* დახმარება კონფიდენციალ* პირობები კონტაქტი',
  },
  hy: {
    code: '*կոդ *կոդը *ծածկագիր *ծածկագիրը',
    enter: 'մուտքագրեք օգտագործեք',
    other: 'պատվեր* հաշիվ* տոմս* հեռախոս* փողոց զեղչ* գումար* գին համար* տարի',
    action: 'հաստատ* ակտիվաց* մուտք* գրանց* վերակայ* գաղտնաբառ*',
    leave: 'չեղարկ*',
    aside: 'կարգավորումներ զննարկիչ* օգնություն գաղտնիություն*',
  },
  sq: {
    code: 'kodi kodin kod pin njëpërdorimsh*',
    enter: 'shkruani përdorni vendosni futni',
    other: 'porosi* fatur* bilet* rezervim* telefon* postar rruga zbritje shuma çmimi numri viti',
    action: 'verifik* konfirm* aktivizo* identifik* hyr hyni regjistr* rivendos* prano* vazhdo* fjalëkalim*',
    leave: 'çregjistro* anulo*',
    aside: 'cilësimet shfletues* ndihmë privatësi* kushtet kontakt*',
  },
  sw: {
    code: 'msimbo kodi pin',
    enter: 'ingiza weka tumia',
    other: 'agizo ankara risiti tiketi simu mtaa punguzo kiasi bei jumla mwaka',
    action: 'thibitisha* uthibitishaji kuthibitisha amilisha* kuamilisha ingia sajili kubali endelea nenosiri',
    leave: 'jiondoe ghairi',
    aside: 'mipangilio kivinjari msaada faragha masharti wasiliana',
  },
  mk: {
    code: 'код кодот кодови еднократ*',
    enter: 'внесете внеси користете искористете',
    other: 'нарачк* фактур* билет* резервациј* телефон* улица попуст* износ цена вкупно број* година',
    action: 'потврд* верифи* најав* активира* ресетира* регистра* прифат* лозинк*',
    leave: 'откаж* одјав*',
    aside: 'поставки прелистувач* помош приватност* услови контакт*',
  },
  be: {
    code: 'код кода кодам аднаразов*',
    enter: 'увядзіце выкарыстоўвайце',
    other: 'заказ* рахунак* квіток* тэлефон* вуліца зніжк* сума цана разам нумар* год',
    action: 'пацвер* правер* актыв* уваход* увайсці рэгістр* скід* аднав* парол*',
    leave: 'адпіс* адмян*',
    aside: 'налады браўзер* дапамога падтрымк* прыватнасц* умовы кантакт*',
  },
  gl: {
    code: 'código códigos',
    enter: 'introduce introduza insira insire escribe usa',
    other:
      'pedido* factura* recibo* billete* reserva reservas envío referencia teléfono rúa desconto prezo importe total número* ano',
    action: 'verific* confirm* activ* acceso acceder contrasinal* iniciar sesión rexistr* restablec* aceptar continuar',
    leave: 'cancel* rexeitar',
    aside: 'axuda preferencias configuración navegador privacidade condicións contact*',
  },
  af: {
    code: '*kode *kodes',
    enter: 'voer gebruik tik',
    other:
      'bestelling* faktuur* kwitansie* kaartjie* bespreking* pakkie* verwysing* telefoon* straat afslag* bedrag prys totaal jaar',
    action: 'verifieer bevestig* aanmeld* aanteken* aktiveer* registreer* herstel* wagwoord*',
    leave: 'kanselleer* weier*',
    aside: 'instellings blaaier hulp privaatheid* voorwaardes kontak',
  },
  cy: {
    code: 'eich_cod dy_god y_cod cod_{dilysu,mewngofnodi,diogelwch,cadarnhau,gwirio,pas} untro',
    enter: 'rhowch rho defnyddiwch nodwch teipiwch',
    other: 'archeb* anfoneb* derbynneb* tocyn* cyfeirnod ffôn stryd gostyngiad pris cyfanswm blwyddyn',
    action: 'dilys* gwirio cadarnhau cadarnhewch mewngofnodi actifadu ailosod* cyfrinair cyfrif',
    leave: 'canslo dad-danysgrifio',
    aside: 'gosodiadau porwr cymorth preifatrwydd telerau cysylltu',
  },
  ga: {
    code: 'cód chód gcód códanna',
    enter: 'cuir iontráil clóscríobh úsáid',
    other: 'ordú sonrasc* admháil ticéad* áirithint* tagairt fón sráid lascaine praghas iomlán bliain',
    action: 'fíor* deimhn* dheimhniú logáil athshocr* gníomhacht* pasfhocal phasfhocal',
    leave: 'cealaigh díliostáil',
    aside: 'socruithe brabhsálaí cabhair príobháideach* téarmaí teagmháil',
  },
  az: {
    code: 'kod kodu kodunuz kodunuzu',
    enter: 'daxil istifadə yazın',
    other: 'sifariş* faktura qəbz* bilet* rezervasiya* telefon* küçə endirim* məbləğ qiymət cəmi nömrə*',
    action: 'təsdiq* doğrula* giriş* qeydiyyat* aktivləş* sıfırla* bərpa şifrə*',
    leave: 'ləğv imtina*',
    aside: 'parametr* brauzer* kömək məxfilik* şərt* əlaqə',
  },
  kk: {
    code: 'код кодты коды кодыңыз құпиякод*',
    enter: 'енгізіңіз пайдаланыңыз теріңіз жазыңыз',
    other: 'тапсырыс* шот билет* түбіртек* телефон* көше жеңілдік* баға жыл нөмір*',
    action: 'раста* кіру* тіркел* белсенді* қалпына құпиясөз*',
    leave: 'бас_тарт*',
    aside: 'параметр* баптау* көмек құпиялылық* байланыс*',
  },
  uz: {
    code: 'kod kodi kodingiz kodni',
    enter: 'kiriting foydalaning yozing',
    other: "buyurtma* hisob-faktura* chek* chipta* telefon* ko'cha chegirma* narx* jami raqam*",
    action: 'tasdiqla* kirish* kiring faollashtir* tikla* parol*',
    leave: 'bekor_qil*',
    aside: 'sozlama* brauzer* yordam maxfiylik* shartlar*',
  },
  mn: {
    code: 'код кодыг кодын кодоо',
    enter: 'оруулна оруулаарай оруулж ашиглана ашиглаарай',
    other: 'захиалга* нэхэмжлэх* баримт* тасалбар* утас* гудамж хөнгөлөлт* үнэ дүн дугаар*',
    action: 'баталгаажуул* нэвтрэх* бүртгэ* идэвхжүүл* сэргээ* нууц',
    leave: 'цуцла*',
    aside: 'тохиргоо хөтөч тусламж нууцлал* холбоо',
  },
  mr: {
    enter: 'टाका वापरा प्रविष्ट',
    other: 'ऑर्डर पावती तिकीट आरक्षण फोन रस्ता सवलत रक्कम किंमत एकूण',
    action: 'सत्यापित* सत्यापन* पडताळ* पुष्टी* लॉग सक्रिय* पासवर्ड*',
    leave: 'रद्द',
    aside: 'मदत गोपनीयता अटी संपर्क',
  },
  gu: {
    code: '*કોડ* *ઓટીપી*',
    enter: '*દાખલ* *વાપરો* *ઉપયોગ*',
    other: '*ઓર્ડર* *રસીદ* *ટિકિટ* *બુકિંગ* *ફોન* *રકમ* *કિંમત*',
    action: '*ચકાસ* *પુષ્ટિ* *લૉગ* *સક્રિય* *રીસેટ* *પાસવર્ડ*',
    leave: '*રદ*',
    aside: '*સેટિંગ* *બ્રાઉઝર* *મદદ* *ગોપનીયતા* *શરતો*',
  },
  pa: {
    code: '*ਕੋਡ* *ਓਟੀਪੀ*',
    enter: '*ਦਰਜ* *ਵਰਤੋ*',
    other: '*ਆਰਡਰ* *ਰਸੀਦ* *ਟਿਕਟ* *ਬੁਕਿੰਗ* *ਫ਼ੋਨ* *ਰਕਮ* *ਕੀਮਤ*',
    action: '*ਪੁਸ਼ਟੀ* *ਤਸਦੀਕ* *ਲੌਗ* *ਸਰਗਰਮ* *ਰੀਸੈੱਟ* *ਪਾਸਵਰਡ*',
    leave: '*ਰੱਦ*',
    aside: '*ਸੈਟਿੰਗ* *ਬ੍ਰਾਊਜ਼ਰ* *ਮਦਦ* *ਸ਼ਰਤਾਂ*',
  },
  kn: {
    code: '*ಕೋಡ್* *ಒಟಿಪಿ*',
    enter: '*ನಮೂದಿಸಿ* *ಬಳಸಿ*',
    other: '*ಆರ್ಡರ್* *ರಸೀದಿ* *ಟಿಕೆಟ್* *ಬುಕಿಂಗ್* *ಫೋನ್* *ಮೊತ್ತ*',
    action: '*ಪರಿಶೀಲ* *ದೃಢೀ* *ಲಾಗಿನ್* *ಸಕ್ರಿಯ* *ಮರುಹೊಂದಿಸ* *ಪಾಸ್‌ವರ್ಡ್* *ಪಾಸ್ವರ್ಡ್*',
    leave: '*ರದ್ದು*',
    aside: '*ಸೆಟ್ಟಿಂಗ್* *ಬ್ರೌಸರ್* *ಸಹಾಯ* *ಗೌಪ್ಯತೆ* *ನಿಯಮಗಳು*',
  },
  ml: {
    code: '*കോഡ്* *ഒടിപി*',
    enter: '*നൽകുക* *ഉപയോഗിക്കുക*',
    other: '*ഓർഡർ* *രസീത്* *ടിക്കറ്റ്* *ബുക്കിംഗ്* *ഫോൺ*',
    action: '*സ്ഥിരീകര* *പരിശോധ* *ലോഗിൻ* *സജീവമാക്ക* *പാസ്‌വേഡ്* *പാസ്വേഡ്*',
    leave: '*റദ്ദാക്ക*',
    aside: '*ക്രമീകരണ* *ബ്രൗസർ* *സഹായ* *സ്വകാര്യത* *നിബന്ധന*',
  },
  si: {
    code: '*කේතය* *කේත*',
    enter: '*ඇතුළත්* *භාවිතා*',
    other: '*ඇණවුම* *රිසිට්* *ටිකට්* *දුරකථන* *මුදල*',
    action: '*තහවුරු* *සත්‍යාපන* *පුරන* *සක්‍රිය* *මුරපද*',
    leave: '*අවලංගු*',
    aside: '*සැකසුම්* *බ්‍රවුසර* *උදව්* *පෞද්ගලිකත්ව*',
  },
  km: {
    code: '*កូដ* *លេខកូដ*',
    enter: '*បញ្ចូល* *ប្រើ*',
    other: '*ទូរស័ព្ទ* *វិក្កយបត្រ* *បង្កាន់ដៃ* *សំបុត្រ* *តម្លៃ* *បញ្ជាទិញ* *ប្រៃសណីយ៍*',
    action: '*ផ្ទៀងផ្ទាត់* *បញ្ជាក់* *ចូលគណនី* *ចូលប្រើ* *ពាក្យសម្ងាត់*',
    leave: '*បោះបង់*',
    aside: '*ការកំណត់* *ជំនួយ* *ឯកជនភាព*',
  },
  lo: {
    code: '*ລະຫັດ*',
    enter: '*ປ້ອນ* *ໃສ່* *ໃຊ້*',
    other: '*ໂທລະສັບ* *ໃບບິນ* *ໃບເກັບເງິນ* *ປີ້* *ລາຄາ* *ຈຳນວນເງິນ* *ສັ່ງຊື້* *ລະຫັດໄປສະນີ*',
    action: '*ຢືນຢັນ* *ເຂົ້າສູ່ລະບົບ* *ເປີດໃຊ້* *ລະຫັດຜ່ານ*',
    leave: '*ຍົກເລີກ*',
    aside: '*ຕັ້ງຄ່າ* *ຊ່ວຍເຫຼືອ* *ເງື່ອນໄຂ*',
  },
  my: {
    code: '*ကုဒ်*',
    enter: '*ထည့်* *အသုံးပြု*',
    other: '*ဖုန်း* *အော်ဒါ* *ပြေစာ* *လက်မှတ်* *ငွေပမာဏ* *စာတိုက်*',
    action: '*အတည်ပြု* *ဝင်ရောက်* *စကားဝှက်*',
    leave: '*ပယ်ဖျက်*',
    aside: '*ဆက်တင်* *အကူအညီ*',
  },
  am: {
    code: 'ኮድ *ኮድ *ኮዱ *ኮድዎ *ኮድዎን',
    enter: 'ያስገቡ አስገባ ይጠቀሙ ይጻፉ',
    other: 'ትዕዛዝ ደረሰኝ ትኬት ስልክ መንገድ ቅናሽ ዋጋ ጠቅላላ ዓመት',
    action: 'ማረጋገጫ የማረጋገጫ አረጋግጥ ያረጋግጡ ለማረጋገጥ ይግቡ መግቢያ ለመግባት የይለፍ',
    leave: 'ሰርዝ ይሰርዙ',
    aside: 'ቅንብሮች እገዛ ግላዊነት',
  },
  mt: {
    code: 'kodiċi kodiċijiet',
    enter: 'daħħal ikteb uża',
    other: 'ordni fattura* irċevuta* biljett* prenotazzjoni telefon skont prezz ammont numru sena',
    action: 'ivverifika* verifika* ikkonferma* tikkonferma* attiva* illoggja* idħol tidħol irrisettja*',
    leave: 'ikkanċella*',
    aside: 'għajnuna privatezza termini kuntatt',
  },
  ps: {
    code: '*کوډ',
    enter: 'دننه ولیکئ وکاروئ',
    other: 'فرمایش رسید ټکټ تلیفون تخفیف بیه کال',
    action: 'تصدیق ننوتل ننوځئ پټنوم فعالول',
    leave: 'لغوه',
    aside: 'مرسته محرمیت ترتیبات',
  },
  ky: {
    code: 'код коду кодуңуз кодун кодду',
    enter: 'киргизиңиз колдонуңуз жазыңыз',
    other: 'буйрутма* эсеп-фактура билет* телефон* көчө арзандат* баа жыл номур*',
    action: 'ырасто* ырастаңыз тастыкта* кирүү* катталуу* жандыр* калыбына сырсөз*',
    leave: 'баш_тарт* жокко',
    aside: 'жөндөө* жардам купуялык* байланыш*',
  },
  so: {
    code: 'koodh* lambarka_xaqiijinta lambar_xaqiijin*',
    enter: 'geli gali isticmaal',
    other: 'dalab* qaansheegto* rasiid* tigidh* telefoon* qiimaha qiimo-dhimis sanad*',
    action: 'xaqiiji* gelitaan* diiwaangeli* sirta',
    leave: 'tirtir iska_jooji',
    aside: 'dejinta caawimaad asturnaan* xiriir',
  },
  zu: {
    code: 'ikhodi khodi yekhodi amakhodi ngekhodi',
    enter: 'faka sebenzisa thayipha',
    other: 'i-oda irisidi ithikithi ucingo isaphulelo intengo inani unyaka',
    action: 'qinisekisa* ukuqinisekisa yokuqinisekisa uqinisekise ngena_ngemvume ukungena iphasiwedi',
    leave: 'khansela',
    aside: 'izilungiselelo usizo ubumfihlo',
  },
  ha: {
    code: 'lambar_{tabbatarwa,tabbatarwar,tabbatarwarka,tabbatarwarku,tantancewa,sirri} kodin',
    enter: 'shigar saka rubuta amfani_da',
    other: 'oda rasit* tikiti waya rangwame farashi jimla shekara',
    action: 'tabbatar* tantance* shiga kalmar_sirri kunna',
    leave: 'soke',
    aside: 'saituna taimako tuntuɓ*',
  },
  yo: {
    code: 'kóòdù koodu',
    enter: 'tẹ̀_ẹ́ fi_sí lo_kóòdù',
    other: 'fóònù tíkẹ́ẹ̀tì ìwé-ẹ̀rí owó ọdún',
    action: 'jẹ́rìísí ìjẹ́rìísí wọlé aṣínà aṣina',
    leave: 'fagilé',
    aside: 'ìrànlọ́wọ́ ìpamọ́',
  },
  oc: {
    code: 'còdi còdis',
    enter: 'picatz sasissètz utilizatz',
    other: 'comanda* factura* recebut* bilhet* telefòn* carrièra reduccion prètz soma numèro annada',
    action: 'verific* confirm* activ* connexion connectar senhal* inscri* reïnicializ*',
    leave: 'anullar desabonar',
    aside: 'ajuda confidencialitat paramètres navigador',
  },
  tg: {
    code: 'рамз рамзи рамзро рамзатон рамзҳо',
    enter: 'ворид дохил нависед истифода',
    other: 'фармоиш* ҳисобнома чипта* телефон* кӯча тахфиф* нарх* маблағ сол рақам*',
    action: 'тасдиқ* вуруд даромад* фаъол* барқарор парол*',
    leave: 'бекор',
    aside: 'танзимот* кумак махфият* шартҳо',
  },
};

/** Minutes and their like, by language, as words or (with a `*`) beginnings of words: a number right before one is a duration. */
export const TIME_UNITS: Record<string, string> = {
  en: 'min mins minute* sec secs second* hour* hr hrs day days week weeks',
  de: 'std sek sekunde* stunde* tage tagen woche wochen',
  fr: 'heure* jour jours semaine*',
  es: 'minuto* segundo* hora horas día días',
  pt: 'dia dias',
  it: 'minuti secondi ore ora giorn*',
  nl: 'minuten seconden uur uren dag dagen',
  sv: 'minuter sekund* timm* dagar',
  da: 'minutter sekunder timer dage',
  fi: 'minuut* sekun* tunti* tunnin tuntei* päiv*',
  is: 'mínút* sekúnd* klukk* dag*',
  pl: 'minut* godz* dni',
  cs: 'vteřin* hodin* dní dny dnů',
  sk: 'minút* sekúnd* hodín* dní',
  hu: 'perc* másodperc* óra órá* nap*',
  ro: 'secund* oră ore zi zile',
  bg: 'минут* секунд* час* ден дни',
  ru: 'мин сек день дня дней',
  uk: 'хвилин* годин* день дні днів',
  hr: 'sata sati dan dana',
  sl: 'minut* ur ure dni',
  el: 'λεπτ* δευτερ* ώρ* ωρ* ημέρ* μέρ*',
  tr: 'dk dakika* sn saniye* saat* gün*',
  ar: 'دقيقة دقائق ثانية ثواني ثوان ساعة ساعات يوم أيام',
  he: 'דקות דקה שניות שעות שעה ימים',
  fa: 'دقیقه ثانیه ساعت روز',
  hi: 'मिनट सेकंड सेकेंड घंटे दिन',
  bn: 'মিনিট সেকেন্ড ঘণ্টা',
  th: 'นาที วินาที ชั่วโมง วัน',
  vi: 'phút giây giờ ngày',
  id: 'menit detik jam hari',
  ms: 'saat',
  zh: '分钟* 分鐘* 秒* 小时* 小時*',
  ja: '分間* 分以* 分で* 分を* 秒* 時間*',
  ko: '분* 초* 시간*',
  et: 'tund* tunni päev*',
  lv: 'minūt* sekund* stund* dien*',
  lt: 'minuč* sekund* valand* dien*',
  ca: 'segon* hores dies',
  ka: 'წუთ* წამ* საათ*',
  hy: 'րոպե* վայրկյան* ժամ*',
  sq: 'orë ditë',
  sw: 'dakika sekunde saa siku',
};
