/**
 * The words by which extraction tells a one-time code from any other number, and the link to follow from any other link.
 * Words are in lower case, apart by spaces. `*` stands for any letters: `kod*` is the beginning of a word (languages
 * that inflect), `*code` its end (languages that compound), `*码*` a part (languages that do not space their words).
 */
export interface Vocabulary {
  /** Names of a one-time code. */
  readonly code: string;
  /** Names of other numbers and of codes that are no one-time codes. */
  readonly other: string;
  /** What a code or a link is for: to verify, confirm, activate, sign in, reset, accept. */
  readonly action: string;
  /** What links beside the matter are called: unsubscribe, settings, help, privacy, view online, cancel. */
  readonly aside: string;
}

/** By language (ISO 639-1). */
export const VOCABULARY: Record<string, Vocabulary> = {
  en: {
    code: 'code codes passcode* otp totp otc pin tan mtan smstan onetimecode securitycode verificationcode mfa 2fa',
    other:
      'order* invoice* receipt* ticket* booking* reservation* tracking shipment parcel customer account acct reference ref phone tel ' +
      'telephone mobile fax zip zipcode postal postcode postbox street suite ste floor avenue ave road boulevard blvd box ' +
      'promo* coupon* voucher* discount* gift referral* case issue* request* flight train seat platform gate room vat tax iban ' +
      'account* total subtotal amount price balance port version build serial sku item model isbn id license membership ' +
      'member card ending source error status country area dress barcode year since copyright',
    action:
      'verify* verif* confirm* activat* authenticat* authoriz* authoris* login logins log sign signin sign-in signing reset* recover* ' +
      'unlock* accept* approve* join register* registration signup complete continue access magic validate* proceed change set start',
    aside:
      'unsubscrib* preference* setting* browser online help support faq privacy terms policy contact report cancel* deny ' +
      'decline undo manage* opt-out opt notification* about blog forum docs documentation social learn',
  },
  de: {
    code: '*code *codes *pin *tan *kode einmalpasswort einmalkennwort zugangscode *zahlencode ziffernfolge',
    other:
      'auftrag* bestell* rechnung* kunden* vorgang* ticket* buchung* reservierung* sendung* paket* referenz* telefon* tel fax ' +
      'mobil* plz postleitzahl postfach straße str gutschein* rabatt* aktionscode promo* fall* konto* kontonummer betrag summe ' +
      'preis zug wagen sitz gleis steuer* ust hrb *nummer *nr jahr artikel*',
    action:
      'bestätig* verifizier* aktivier* anmeld* einlogg* login registrier* zurücksetz* freischalt* annehmen fortfahren ' +
      'authentifizier* passwort* entsperren',
    aside:
      'abmelden abbestell* abmeld* einstellung* browser hilfe datenschutz* impressum agb kontakt* abbrech* ablehnen support ' +
      'nutzungsbedingungen widerruf*',
  },
  fr: {
    code: 'code codes *otp pin confidentiel',
    other:
      'commande* facture* reçu billet* réservation* colis suivi client compte référence* téléphone tél tel fax postal rue avenue ' +
      'boulevard promo* promotionnel* réduction remise bon cadeau parrainage dossier vol train siège siret tva montant prix ' +
      'total numéro* année depuis voiture',
    action:
      'vérifi* confirm* activ* authentifi* connexion connecter connect* inscri* réinitialis* déverrouill* accept* continuer valider ' +
      'validation accéder changer',
    aside:
      'désabonn* désinscri* préférences paramètres navigateur aide confidentialité conditions mentions contact* annul* refuser ' +
      'gérer assistance',
  },
  es: {
    code: 'código* codigo* clave pin otp',
    other:
      'pedido* factura* recibo* boleto* entrada reserva* envío seguimiento cliente cuenta referencia teléfono telefono tel móvil ' +
      'fax postal calle avenida promocional* promo* cupón descuento regalo caso vuelo tren asiento importe precio total ' +
      'número* año desde artículo',
    action:
      'verific* confirm* activ* autentic* acceso acceder sesión ingres* inici* registr* restablec* desbloque* acept* continuar ' +
      'validar cambiar recuper*',
    aside:
      'cancelar darse baja preferencias ajustes configuración navegador ayuda privacidad términos condiciones contacto ' +
      'contact* rechazar soporte suscripción',
  },
  pt: {
    code: 'código* codigo* pin otp senha',
    other:
      'pedido* encomenda* fatura* factura* recibo* bilhete* reserva* envio rastreio rastreamento cliente conta referência telefone ' +
      'telemóvel tel celular fax postal cep rua avenida promocional* cupom cupão desconto oferta caso voo comboio trem ' +
      'lugar montante valor preço total número* ano desde cnpj nif',
    action:
      'verific* confirm* ativ* activ* autentic* acesso aceder acessar entrar sessão inici* login regist* redefin* repor desbloque* ' +
      'aceit* continuar validar alterar recuper*',
    aside:
      'cancelar desinscrever preferências definições configurações navegador ajuda privacidade termos condições contacto ' +
      'contato recusar suporte descadastrar subscrição',
  },
  it: {
    code: 'codice codici pin otp',
    other:
      'ordine ordini fattura ricevuta biglietto prenotazione spedizione tracciamento cliente conto riferimento telefono tel ' +
      'cellulare fax postale cap via viale piazza promozionale promo sconto buono regalo pratica volo treno posto importo ' +
      'prezzo totale numero anno dal articolo partita iva',
    action:
      'verific* conferm* attiv* autentic* accesso acced* entra login registr* reimpost* ripristin* sblocc* accett* continua convalid*',
    aside:
      'disiscriv* cancella* annulla* preferenze impostazioni browser aiuto assistenza privacy termini condizioni contatt* rifiuta',
  },
  nl: {
    code: '*code *codes *pincode *pin otp',
    other:
      'bestel* order* factuur* ticket* boeking* reserver* zending* pakket* klant* referentie* telefoon* tel fax postcode straat ' +
      'laan postbus korting* kortingscode cadeau* actiecode promo* zaak rekening* bedrag prijs totaal *nummer jaar sinds kvk btw',
    action:
      'verifi* bevestig* activ* authentic* aanmeld* inlog* login log registr* reset* herstel* ontgrendel* accepte* doorgaan ' +
      'valideer* wijzig*',
    aside:
      'afmelden uitschrijv* voorkeuren instellingen browser hulp privacy* voorwaarden contact annuler* weigeren ondersteuning beheer*',
  },
  sv: {
    code: '*kod *koden *koder *pin otp engångslösenord',
    other:
      'order* beställning* faktura* kvitto* biljett* bokning* paket* kund* referens* telefon* tel postnummer gatan rabatt* kampanj* ärende* belopp pris summa *nummer år konto*',
    action: 'verifier* bekräft* aktiver* autentisera* logga inlogg* registrer* återställ* lås acceptera fortsätt',
    aside:
      'avregistrera avprenumer* inställningar webbläsare* hjälp integritet* villkor kontakt* avbryt* avböj support',
  },
  da: {
    code: '*kode *koden *koder *pin otp engangskode',
    other:
      'ordre* bestilling* faktura* kvittering* billet* booking* pakke* kunde* reference* telefon* tlf postnummer rabat* sag* beløb pris total *nummer år konto*',
    action:
      'verificer* verifik* bekræft* aktiver* godkend* log login registrer* nulstil* oprettelse accepter* fortsæt tilmeld*',
    aside: 'afmeld* frameld* indstillinger browser hjælp privatliv* vilkår kontakt* annuller* afvis support',
  },
  no: {
    code: '*kode *koden *koder *pin otp engangskode',
    other:
      'ordre* bestilling* faktura* kvittering* billett* pakke* kunde* referanse* telefon* tlf postnummer rabatt* sak* beløp pris total *nummer år konto*',
    action: 'verifiser* bekreft* aktiver* godkjenn* logg innlogging* registrer* tilbakestill* aksepter* fortsett',
    aside: 'avmeld* innstillinger nettleser* hjelp personvern* vilkår kontakt* avbryt* avslå støtte',
  },
  fi: {
    code: '*koodi *koodisi *koodin *koodia *koodilla *koodit *tunnusluku pin otp kertakäyttökoodi',
    other:
      'tilaus* lasku* kuitti* lippu* varaus* paketti* asiakas* viite* puhelin* puh postinumero katu alennus* tapaus* summa hinta yhteensä *numero vuosi',
    action: 'vahvist* varmist* aktivoi* kirjaudu* kirjautu* rekisteröi* nollaa* palauta* hyväksy* jatka todenn*',
    aside: 'peruuta* peru tilauksen asetukset selaimessa ohje tuki tietosuoja* ehdot yhteys* hylkää',
  },
  is: {
    code: '*kóði *kóðinn *kóða *kóðann pin',
    other: 'pöntun* pantan* reikning* kvittun* sími póstnúmer afslátt* upphæð verð *númer ár',
    action: 'staðfest* virkja* innskrá* skrá endurstill* samþykk* halda',
    aside: 'afskrá* stillingar vafra hjálp persónuvernd skilmálar hætta',
  },
  pl: {
    code: 'kod kodu kodem kody kodzie pin otp hasło',
    other:
      'zamówieni* faktur* paragon* bilet* rezerwacj* przesyłk* paczk* klient* konto konta referenc* telefon* tel pocztow* ulica ul rabat* promocyjn* kupon* zgłoszeni* kwot* cena suma numer* rok nip regon',
    action:
      'weryfik* potwierd* aktyw* uwierzytel* logow* zalog* rejestr* zresetuj* reset* odblok* akcept* kontynu* zmień zmiana',
    aside: 'wypisz* anuluj* rezygn* preferencj* ustawieni* przeglądar* pomoc prywatności regulamin kontakt* odrzuć',
  },
  cs: {
    code: 'kód kódu kódem kódy pin otp *kód',
    other:
      'objednáv* faktur* účtenk* jízdenk* rezervac* zásilk* balík* zákazn* účet účtu referenč* telefon* tel psč ulice slev* promo* kupón* kupon* případ částka cena celkem číslo čísla rok ičo dič vlak vůz místo',
    action: 'ověř* potvr* aktiv* přihlá* přihlaš* registr* obnov* resetov* odemk* přij* pokrač* změn*',
    aside: 'odhlás* zruš* nastavení prohlížeč* nápověda pomoc soukromí podmínky kontakt* odmítn*',
  },
  sk: {
    code: 'kód kódu kódom kódy pin otp',
    other:
      'objednáv* faktúr* účtenk* lístok rezervác* zásielk* balík* zákazn* účet referenč* telefón* tel psč ulica zľav* kupón* prípad suma cena spolu číslo rok ičo',
    action: 'over* potvrd* potvrď* aktiv* prihlás* registr* obnov* odomk* prij* pokrač* zmen*',
    aside: 'odhlás* zruš* nastaveni* prehliadač* pomoc súkromi* podmienky kontakt* odmietn*',
  },
  hu: {
    code: '*kód *kódja *kódod *kódot *kódját *kódodat pin otp jelkód',
    other:
      'rendelés* számla* nyugta* jegy* foglalás* csomag* ügyfél* hivatkozás* telefon* tel irányítószám utca kedvezmény* kupon* összeg ár összesen szám* év adószám *szám *száma',
    action:
      'ellenőrz* megerősít* aktivál* hitelesít* bejelentkez* belép* regisztr* visszaállít* felold* elfogad* folytat*',
    aside: 'leiratkoz* lemond* beállítások böngésző* segítség súgó adatvédel* feltételek kapcsolat* mégse elutasít*',
  },
  ro: {
    code: 'cod codul codului coduri pin otp',
    other:
      'comand* factur* chitanț* bilet* rezervar* colet* client* cont contul referinț* telefon* tel poștal strada reducere promoțional* caz sumă preț total număr* anul cui',
    action: 'verific* confirm* activ* autentific* conect* înregistr* reset* deblo* accept* continu*',
    aside: 'dezabon* preferințe setări browser ajutor asistență confidențialitate termeni contact* anulea* refuz*',
  },
  bg: {
    code: 'код кода кодът кодове пин парола',
    other:
      'поръчк* фактур* билет* резервац* пратк* клиент* сметк* телефон* тел пощенски улица отстъпк* промо* сума цена общо номер* година',
    action: 'потвърд* провер* активир* вход влез* регистр* нулир* възстанов* прием* продълж* верифик*',
    aside: 'отпиш* отмен* настройки браузър* помощ поверителност условия контакт* откаж*',
  },
  ru: {
    code: 'код кода коду кодом коде коды пин пароль пин-код',
    other:
      'заказ* счет* счёт* чек* билет* брон* посылк* клиент* договор* телефон* тел почтов* индекс улица ул скидк* промокод* купон* обращени* заявк* сумма цена итого номер* год года инн огрн поезд вагон место',
    action:
      'подтвер* провер* актив* вход* войти войдите авториз* регистр* сброс* восстанов* разблок* прин* продолж* верифик* аутентифик*',
    aside: 'отпис* отмен* настройк* браузер* помощь поддержк* конфиденциальн* условия контакт* отклон*',
  },
  uk: {
    code: 'код коду кодом коди пін пароль',
    other:
      'замовленн* рахунок* рахунк* чек* квиток* квитк* бронюванн* посилк* клієнт* телефон* тел поштов* індекс вулиця знижк* промокод* сума ціна разом номер* рік року',
    action:
      'підтвер* перевір* актив* вхід* входу увійти увійдіть автентиф* реєстр* скин* віднов* розблок* прийн* продовж* верифік*',
    aside: 'відпис* скасу* налаштуванн* браузер* довідка допомога підтримк* конфіденційн* умови контакт* відхил*',
  },
  sr: {
    code: 'kod koda kodom kôd код кода pin šifra lozinka',
    other:
      'porudžbin* narudžb* račun* kart* rezervacij* pošiljk* klijent* telefon* tel poštanski ulica popust* kupon* iznos cena ukupno broj* godin* поруџбин* рачун* број*',
    action: 'potvrd* verifik* aktivir* prijav* registr* resetov* resetuj* prihvat* nastav* потврд* пријав* верифик*',
    aside: 'odjav* otkaž* podešavanja pregledač* pomoć privatnost* uslovi kontakt*',
  },
  hr: {
    code: 'kod kôd kodom koda pin šifra kodu',
    other:
      'narudžb* račun* kart* rezervacij* pošiljk* korisni* telefon* tel poštanski ulica popust* kupon* iznos cijena ukupno broj* godin* oib',
    action: 'potvrd* provjer* aktivir* prijav* registr* ponovno poništ* prihvat* nastav* verifikac*',
    aside: 'odjav* otkaž* postavke preglednik* pomoć privatnost* uvjeti kontakt*',
  },
  sl: {
    code: 'koda kodo kode geslo pin',
    other:
      'naročil* račun* vozovnic* rezervacij* pošiljk* strank* telefon* tel poštna ulica popust* kupon* znesek cena skupaj številk* leto',
    action: 'potrd* preveri* aktivir* prijav* registr* ponastav* sprejm* nadalj*',
    aside: 'odjav* prekliči nastavitve brskalnik* pomoč zasebnost* pogoji kontakt*',
  },
  el: {
    code: 'κωδικός κωδικό κωδικού κωδικοί κωδικος pin otp',
    other:
      'παραγγελί* τιμολόγι* απόδειξη εισιτήρι* κράτηση* αποστολή* πελάτη* λογαριασμ* τηλέφων* τηλ ταχυδρομικ* οδός έκπτωσ* εκπτωτικ* κουπόνι ποσό τιμή σύνολο αριθμός αριθμό έτος αφμ',
    action:
      'επαλήθευσ* επαληθεύσ* επιβεβαί* επιβεβαι* ενεργοποί* ενεργοποι* σύνδεσ* συνδεθ* εγγραφ* επαναφορ* αποδοχή συνέχ* ταυτοποί*',
    aside: 'διαγραφή κατάργηση ακύρωσ* ρυθμίσεις προτιμήσεις πρόγραμμα βοήθεια απορρήτου όροι επικοινων* απόρριψη',
  },
  tr: {
    code: 'kod kodu kodunuz kodunu kodun kodunuzu kodları *kodu şifre* pin otp parola*',
    other:
      'sipariş* fatura* fiş* bilet* rezervasyon* kargo* takip müşteri* hesap referans* telefon* tel posta cadde sokak indirim* kupon* promosyon* tutar fiyat toplam numara* no yıl vergi',
    action: 'doğrula* onayla* etkinleştir* aktif* giriş* oturum* kayıt* sıfırla* kilidi kabul devam kimlik',
    aside: 'abonelik* iptal* tercih* ayarlar* tarayıcı* yardım gizlilik* koşul* iletişim* reddet* destek',
  },
  ar: {
    code: '*رمز *الرمز رمزك *كود *الكود كلمة',
    other:
      'طلب الطلب طلبك فاتورة الفاتورة إيصال تذكرة حجز الحجز شحنة هاتف الهاتف جوال بريدي البريدي شارع خصم الخصم قسيمة مبلغ المبلغ سعر السعر رقم الرقم حساب سنة عام',
    action:
      'تحقق التحقق للتحقق تأكيد التأكيد لتأكيد تفعيل التفعيل لتفعيل تسجيل الدخول دخول إعادة تعيين قبول متابعة مصادقة المصادقة',
    aside: 'إلغاء الاشتراك تفضيلات إعدادات الإعدادات المتصفح مساعدة المساعدة الخصوصية الشروط اتصل تواصل رفض',
  },
  he: {
    code: 'קוד הקוד קודך בקוד סיסמה סיסמא',
    other: 'הזמנה ההזמנה חשבונית קבלה כרטיס משלוח לקוח טלפון מיקוד רחוב הנחה קופון סכום מחיר סהכ מספר שנה',
    action: 'אימות לאמת אמת אישור לאשר אשר הפעלה להפעיל כניסה התחבר* להתחבר הרשמה איפוס לאפס המשך',
    aside: 'הסרה להסיר ביטול לבטל העדפות הגדרות דפדפן עזרה פרטיות תנאים צור תמיכה',
  },
  fa: {
    code: '*کد *رمز پین گذرواژه',
    other: 'سفارش فاکتور رسید بلیط رزرو مرسوله مشتری تلفن موبایل پستی خیابان تخفیف مبلغ قیمت جمع شماره حساب سال',
    action: 'تأیید تایید فعال فعالسازی فعال‌سازی ورود وارد ثبت بازنشانی بازیابی پذیرش ادامه احراز',
    aside: 'لغو اشتراک تنظیمات مرورگر راهنما کمک حریم شرایط تماس پشتیبانی رد',
  },
  hi: {
    code: '*कोड* ओटीपी पिन पासकोड',
    other: 'ऑर्डर इनवॉइस रसीद टिकट बुकिंग ग्राहक फोन फ़ोन मोबाइल पिनकोड सड़क छूट कूपन राशि मूल्य कुल नंबर संख्या वर्ष खाता',
    action: 'सत्याप* पुष्टि सक्रिय लॉगिन लॉग साइन रजिस्टर रीसेट स्वीकार जारी प्रमाण*',
    aside: 'सदस्यता रद्द सेटिंग* ब्राउज़र सहायता मदद गोपनीयता शर्तें संपर्क',
  },
  bn: {
    code: '*কোড* ওটিপি পিন পাসকোড',
    other: 'অর্ডার চালান রসিদ টিকিট বুকিং গ্রাহক ফোন মোবাইল রাস্তা ছাড় কুপন পরিমাণ মূল্য মোট নম্বর বছর',
    action: 'যাচাই* নিশ্চিত* সক্রিয়* লগইন লগ সাইন নিবন্ধন রিসেট গ্রহণ প্রমাণ*',
    aside: 'সদস্যতা বাতিল সেটিংস ব্রাউজার* সাহায্য গোপনীয়তা শর্তাবলী যোগাযোগ',
  },
  ta: {
    code: '*குறியீடு* *கோட்* ஓடிபி கடவுக்குறியீடு',
    other: 'ஆர்டர் விலைப்பட்டியல் ரசீது டிக்கெட் முன்பதிவு தொலைபேசி தெரு தள்ளுபடி தொகை விலை மொத்தம் எண் ஆண்டு',
    action: 'சரிபார்* உறுதி* செயல்படுத்* உள்நுழை* பதிவு மீட்டமை* தொடர*',
    aside: 'குழுவில* ரத்து அமைப்புகள் உலாவி உதவி தனியுரிமை விதிமுறைகள் தொடர்பு',
  },
  te: {
    code: '*కోడ్* ఓటీపీ పిన్',
    other: 'ఆర్డర్ ఇన్వాయిస్ రసీదు టికెట్ బుకింగ్ ఫోన్ వీధి తగ్గింపు మొత్తం ధర నంబర్ సంవత్సరం',
    action: 'ధృవీక* నిర్ధార* సక్రియ* లాగిన్ సైన్ నమోదు రీసెట్ కొనసాగ*',
    aside: 'రద్దు సెట్టింగ్* బ్రౌజర్ సహాయం గోప్యత నిబంధనలు సంప్రదించ*',
  },
  th: {
    code: '*รหัส* *โอทีพี* *พิน*',
    other:
      '*คำสั่งซื้อ* *ใบแจ้งหนี้* *ใบเสร็จ* *ตั๋ว* *การจอง* *พัสดุ* *ลูกค้า* *โทรศัพท์* *โทร* *รหัสไปรษณีย์* *ถนน* *ส่วนลด* *คูปอง* *จำนวนเงิน* *ราคา* *ยอดรวม* *หมายเลข* *เลขที่*',
    action: '*ยืนยัน* *ตรวจสอบ* *เปิดใช้* *เข้าสู่ระบบ* *ลงชื่อ* *ลงทะเบียน* *รีเซ็ต* *ตั้งใหม่* *ยอมรับ* *ดำเนินการต่อ*',
    aside: '*ยกเลิก* *การตั้งค่า* *เบราว์เซอร์* *ช่วยเหลือ* *ความเป็นส่วนตัว* *ข้อกำหนด* *ติดต่อ*',
  },
  vi: {
    code: 'mã otp pin',
    other: 'đơn hàng hóa biên vé đặt kiện khách điện thoại đt bưu đường giảm khuyến tiền giá tổng số năm tài khoản',
    action: 'xác minh nhận thực kích hoạt đăng nhập lại chấp tiếp tục',
    aside: 'hủy huỷ cài trình duyệt trợ giúp riêng khoản liên hệ',
  },
  id: {
    code: 'kode otp pin sandi',
    other:
      'pesanan faktur kuitansi tiket pemesanan paket pelanggan referensi telepon telp pos jalan jl diskon promo kupon jumlah harga total nomor no tahun rekening',
    action:
      'verifikasi* konfirmasi* aktif* aktivasi masuk login daftar* reset* atur setel terima lanjut* autentikasi* memverifikasi mengonfirmasi',
    aside: 'berhenti batal* preferensi pengaturan peramban browser bantuan privasi ketentuan hubungi tolak',
  },
  ms: {
    code: 'kod kata otp pin',
    other:
      'pesanan invois resit tiket tempahan bungkusan pelanggan rujukan telefon poskod jalan diskaun promosi kupon jumlah harga nombor no tahun akaun',
    action: 'pengesahan sahkan mengesahkan aktif* log masuk daftar tetapan terima teruskan',
    aside: 'nyahlanggan batal* keutamaan tetapan pelayar bantuan privasi terma hubungi tolak',
  },
  fil: {
    code: 'code kodigo otp pin',
    other: 'order resibo tiket booking telepono diskwento kupon halaga presyo kabuuan numero taon',
    action:
      'beripika* kumpirma* pag-verify i-verify mag-sign mag-log i-reset tanggapin magpatuloy aktibahin mapatunayan',
    aside: 'kanselahin mag-unsubscribe setting tulong pagkapribado tuntunin makipag-ugnayan',
  },
  zh: {
    code: '*验证码* *驗證碼* *校验码* *校驗碼* *动态码* *動態碼* *确认码* *確認碼* *安全码* *安全碼* *一次性密码* *一次性密碼* *代码* *代碼* *口令* *认证码* *認證碼* *激活码* *登录码* *登入碼* *動態密碼* *动态密码* *识别码* *通行码* *通行碼*',
    other:
      '*订单* *訂單* *发票* *發票* *收据* *收據* *车票* *預訂* *预订* *快递* *包裹* *客户* *客戶* *电话* *電話* *手机* *手機* *邮编* *郵編* *郵遞區號* *优惠码* *優惠碼* *折扣* *兑换码* *邀请码* *金额* *金額* *价格* *價格* *总计* *編號* *编号* *号码* *號碼* *账号*',
    action:
      '*验证* *驗證* *确认* *確認* *激活* *啟用* *启用* *登录* *登入* *注册* *註冊* *重置* *重設* *重设* *找回* *接受* *继续* *繼續*',
    aside:
      '*退订* *退訂* *取消* *设置* *設定* *偏好* *浏览器* *瀏覽器* *帮助* *說明* *隐私* *隱私* *条款* *條款* *联系* *聯絡* *拒绝*',
  },
  ja: {
    code: '*認証コード* *確認コード* *認証番号* *確認番号* *コード* *パスコード* *ワンタイム* *暗証番号* *ピン* *パスワード* *認証キー*',
    other:
      '*注文* *請求* *領収* *チケット* *予約* *伝票* *荷物* *お客様番号* *電話* *郵便* *〒* *割引* *クーポン* *プロモ* *金額* *価格* *合計* *会員番号* *問い合わせ番号* *口座* *号車*',
    action: '*認証* *確認* *有効化* *ログイン* *サインイン* *登録* *リセット* *再設定* *承認* *続行* *続ける* *変更*',
    aside:
      '*配信停止* *登録解除* *退会* *キャンセル* *設定* *ブラウザ* *ヘルプ* *プライバシー* *利用規約* *お問い合わせ* *拒否*',
  },
  ko: {
    code: '*인증번호* *인증코드* *확인코드* *코드* *비밀번호* *일회용* *핀번호* *보안번호* *승인번호*',
    other:
      '*주문* *영수증* *송장* *티켓* *예약* *배송* *고객번호* *전화* *연락처* *우편* *할인* *쿠폰* *금액* *가격* *합계* *사업자* *계좌*',
    action: '*인증* *확인* *활성화* *로그인* *가입* *등록* *재설정* *초기화* *수락* *계속* *변경*',
    aside: '*수신거부* *구독* *취소* *설정* *브라우저* *도움말* *개인정보* *약관* *문의* *거부*',
  },
  et: {
    code: '*kood *koodi *koodiga pin parool',
    other:
      'tellimus* arve* pilet* broneering* pakk* klien* telefon* postiindeks tänav soodus* summa hind kokku *number aasta',
    action: 'kinnita* kinnitus* aktiveeri* sisselog* logi registreeri* lähtesta* nõustu jätka',
    aside: 'loobu* tühista* seaded brauser* abi privaatsus* tingimused kontakt*',
  },
  lv: {
    code: 'kods kodu koda kodā pin parole',
    other:
      'pasūtījum* rēķin* biļet* rezervācij* sūtījum* klient* tālrun* pasta iela atlaid* summa cena kopā numur* gads',
    action: 'apstiprin* verific* aktiviz* pieslēg* pieteik* reģistr* atiestat* pieņem* turpin*',
    aside: 'atrakst* atcel* iestatījumi pārlūk* palīdzība privātum* noteikumi kontakt*',
  },
  lt: {
    code: 'kodas kodą kodu kodo pin slaptažodis',
    other:
      'užsakym* sąskait* biliet* rezervacij* siunt* klient* telefon* pašto gatvė nuolaid* suma kaina viso numer* metai',
    action: 'patvirtin* aktyvuo* aktyvin* prisijung* registr* atkurti atstat* priim* tęsti',
    aside: 'atsisak* atšauk* nustatymai naršykl* pagalba privatum* sąlygos kontakt*',
  },
  ca: {
    code: 'codi codis contrasenya pin otp',
    other:
      'comanda* factura* rebut* bitllet* reserva* enviament client compte referència telèfon postal carrer promocional descompte import preu total número* any',
    action:
      'verific* confirm* activ* autentic* accés accedir sessió inici* registr* restabl* desbloc* accept* continua*',
    aside: 'cancel* baixa preferències configuració navegador ajuda privacitat condicions contact* rebutja',
  },
  ka: {
    code: '*კოდი* კოდი კოდის პინი',
    other: 'შეკვეთ* ინვოის* ბილეთ* ჯავშან* ტელეფონ* ქუჩა ფასდაკლება თანხა ფასი სულ ნომერი წელი',
    action: 'დადასტურ* დაადასტურ* ვერიფიკაცი* აქტივაცი* შესვლა რეგისტრაცი* აღდგენ*',
    aside: 'გაუქმება პარამეტრები ბრაუზერ* დახმარება კონფიდენციალ* პირობები კონტაქტი',
  },
  sw: {
    code: 'msimbo kodi nambari pin',
    other: 'agizo ankara risiti tiketi simu mtaa punguzo kiasi bei jumla mwaka',
    action: 'thibitisha* uthibitishaji kuthibitisha washa ingia sajili weka kubali endelea',
    aside: 'jiondoe ghairi mipangilio kivinjari msaada faragha masharti wasiliana',
  },
};
