/** Sentences with a number that a word for a code or a token stands beside, and that is no one-time code, by language. */
export const OTHER_CODES: Record<string, string> = {
  en: `The process finished with exit code 13816.
    Status code: 50013
    Error code 80070005 was returned.
    Use promo code 483920 on your next visit.
    Discount code: 483920
    HS code: 84713000
    Customs code 84713000 applies to this parcel.
    Approval code: 048213
    Area code 0171 is required.
    Country code 8442.
    Postal code: 48291
    Bank code 10020030.
    Product code: 482913
    Customer code: 104829
    QR code 482913
    Barcode: 48291374
    The source code has 48291 lines.
    Booking code: 482913
    Tracking code: 48291374
    Reference code: 482913
    Your API token ending in 4829 was used.
    You used 51200 tokens this month.
    Tokens used: 512000
    Token limit: 128000
    Access token ID: 482913
    Token fingerprint: 48291374
    Merchant category code: 5411
    Tax code: 125700
    Course code: 48291
    Batch code 482913
    Model code: 4829
    Colour code 202123
    Employee code: 104829
    Response code: 5051
    Response token count: 4096
    Department code 4410
    Branch code: 250655
    Voucher code: 48291374
    Commit 4829137 changed the source code.
    Fault code 3402
    Diagnostic code: 4829
    Bay 12 is open, gate code stays 5521.
    Door code: 482913
    Your policy 48291376 renews soon. We will email a one-time code when you sign in.
    Reply YES to 48291 to confirm. Your code will follow.
    Text STOP to 48291 to stop codes.
    Dialing code of the telephone: 8442`,
  de: `Der Prozess endete mit Exit-Code 13816.
    Statuscode: 50013
    Fehlercode: 482913
    Rabattcode: 483920
    Gutscheincode 483920
    Aktionscode: 483920
    Warentarifnummer-Code: 84713000
    Zollcode: 84713000
    Genehmigungscode: 048213
    Ländercode 8442
    Bankcode: 10020030
    Produktcode: 482913
    Kundencode: 104829
    QR-Code 482913
    Barcode: 48291374
    Der Quellcode hat 48291 Zeilen.
    Buchungscode: 482913
    Sendungscode: 48291374
    Referenzcode: 482913
    Es wurden 51200 Token verbraucht.
    Verbrauchte Token: 512000
    Farbcode 202123
    Steuercode: 4829
    Filialcode: 4829
    Postleitcode: 48291
    Türcode: 4829
    Ihre Karte mit der Endung 4471 wurde belastet. Geben Sie Ihre PIN niemals weiter.
    Senden Sie STOP an 48291, um keine Codes mehr zu erhalten.
    Telefon: 48291374, Code folgt`,
  fr: `Le processus s'est terminé avec le code de sortie 13816.
    Code d'état : 50013
    Code de statut : 50013
    Code d'erreur : 482913
    Code promo : 483920
    Code de réduction : 483920
    Code douanier : 84713000
    Code SH : 84713000
    Code d'approbation : 048213
    Code pays : 8442
    Code banque : 10020
    Code produit : 482913
    Code client : 104829
    Code-barres : 48291374
    Code QR : 482913
    Le code source compte 48291 lignes.
    Code de réservation : 482913
    Code de suivi : 48291374
    Code de référence : 482913
    Vous avez utilisé 51200 jetons ce mois-ci.
    Jetons utilisés : 512000
    Code article : 482913
    Code couleur : 202123
    Code fiscal : 482913
    Code agence : 4829
    Code du portail : 4829
    Téléphone : 48291374`,
  es: `El proceso terminó con el código de salida 13816.
    Código de estado: 50013
    Código de error: 482913
    Código promocional: 483920
    Código de descuento: 483920
    Código arancelario: 84713000
    Código de aprobación: 048213
    Código de país: 8442
    Código de área: 4829
    Código de producto: 482913
    Código de cliente: 104829
    Código de barras: 48291374
    Código QR: 482913
    El código fuente tiene 48291 líneas.
    Código de reserva: 482913
    Código de seguimiento: 48291374
    Código de referencia: 482913
    Código de envío: 48291374
    Tokens utilizados: 512000
    Código de color: 202123
    Código fiscal: 482913
    Código de sucursal: 4829
    Código de la puerta: 4829
    Responde ALTA al 48291 para recibir códigos.`,
  pt: `O processo terminou com o código de saída 13816.
    Código de status: 50013
    Código de estado: 50013
    Código de erro: 482913
    Código promocional: 483920
    Código de desconto: 483920
    Código aduaneiro: 84713000
    Código de aprovação: 048213
    Código do país: 8442
    Código de área: 4829
    Código do produto: 482913
    Código de barras: 48291374
    Código QR: 482913
    O código-fonte tem 48291 linhas.
    Código de reserva: 482913
    Código de rastreio: 48291374
    Código de rastreamento: 48291374
    Código de referência: 482913
    Código do banco: 4829
    Tokens usados: 512000
    Código da agência: 4829
    Compra no cartão terminado em 4471. Nunca informe seu código.
    Compra no cartão final 4471. Nunca informe seu código.`,
  it: `Il processo è terminato con il codice di uscita 13816.
    Codice di stato: 50013
    Codice di errore: 482913
    Codice errore: 482913
    Codice promozionale: 483920
    Codice sconto: 483920
    Codice doganale: 84713000
    Codice di approvazione: 048213
    Codice paese: 8442
    Codice prodotto: 482913
    Codice cliente: 104829
    Codice a barre: 48291374
    Codice QR: 482913
    Il codice sorgente ha 48291 righe.
    Codice di prenotazione: 482913
    Codice di tracciamento: 48291374
    Codice di riferimento: 482913
    Codice fiscale: 482913
    Token utilizzati: 512000
    Codice filiale: 4829`,
  nl: `Het proces eindigde met afsluitcode 13816.
    Statuscode: 50013
    Foutcode: 482913
    Kortingscode: 483920
    Actiecode: 483920
    Douanecode: 84713000
    Goedkeuringscode: 048213
    Landcode: 8442
    Productcode: 482913
    Klantcode: 104829
    Streepjescode: 48291374
    QR-code 482913
    De broncode telt 48291 regels.
    Boekingscode: 482913
    Volgcode: 48291374
    Trackingcode: 48291374
    Referentiecode: 482913
    Gebruikte tokens: 512000
    Kleurcode: 202123
    Reserveringscode: 482913
    Uw aanvraag 482913 is verwerkt. U ontvangt een code per sms.`,
  sv: `Processen avslutades med avslutskod 13816.
    Statuskod: 50013
    Felkod: 482913
    Rabattkod: 483920
    Kampanjkod: 483920
    Tullkod: 84713000
    Landskod: 8442
    Kundkod: 104829
    Streckkod: 48291374
    QR-kod 482913
    Källkoden har 48291 rader.
    Bokningskod: 482913
    Spårningskod: 48291374
    Referenskod: 482913
    Godkännandekod: 048213`,
  pl: `Proces zakończył się kodem wyjścia 13816.
    Kod statusu: 50013
    Kod stanu: 50013
    Kod błędu: 482913
    Kod promocyjny: 483920
    Kod rabatowy: 483920
    Kod celny: 84713000
    Kod kraju: 8442
    Kod pocztowy: 48291
    Kod produktu: 482913
    Kod klienta: 104829
    Kod kreskowy: 48291374
    Kod QR: 482913
    Kod źródłowy ma 48291 wierszy.
    Kod rezerwacji: 482913
    Kod śledzenia: 48291374
    Kod zatwierdzenia: 048213
    Zużyte tokeny: 512000
    Kod banku: 4829
    Kod kierunkowy: 4822`,
  cs: `Kód stavu: 50013
    Kód chyby: 482913
    Slevový kód: 483920
    Celní kód: 84713000
    Kód země: 8442
    Kód zboží: 482913
    Čárový kód: 48291374
    QR kód 482913
    Zdrojový kód má 48291 řádků.
    Kód rezervace: 482913
    Kód banky: 0800
    Návratový kód 13816`,
  ru: `Процесс завершился с кодом выхода 13816.
    Код состояния: 50013
    Код статуса: 50013
    Код ошибки: 482913
    Код скидки: 483920
    Промокод: 483920
    Код ТН ВЭД: 84713000
    Таможенный код: 84713000
    Код страны: 8442
    Код города: 4842
    Почтовый код: 482913
    Код товара: 482913
    Код клиента: 104829
    Штрихкод: 48291374
    Штрих-код: 48291374
    QR-код 482913
    Исходный код содержит 48291 строк.
    Код бронирования: 482913
    Код отслеживания: 48291374
    Код одобрения: 048213
    Использовано токенов: 512000
    Код банка: 4829
    Код заказа: 482913`,
  uk: `Код стану: 50013
    Код помилки: 482913
    Код знижки: 483920
    Митний код: 84713000
    Код країни: 8442
    Код товару: 482913
    Код клієнта: 104829
    Штрихкод: 48291374
    QR-код 482913
    Вихідний код має 48291 рядків.
    Код бронювання: 482913
    Код відстеження: 48291374`,
  tr: `İşlem 13816 çıkış kodu ile sona erdi.
    Durum kodu: 50013
    Hata kodu: 482913
    İndirim kodu: 483920
    Promosyon kodu: 483920
    Gümrük kodu: 84713000
    Onay numarası: 048213
    Ülke kodu: 8442
    Alan kodu: 0212
    Posta kodu: 48291
    Ürün kodu: 482913
    Müşteri kodu: 104829
    Barkod: 48291374
    QR kodu 482913
    Kaynak kodu 48291 satır.
    Rezervasyon kodu: 482913
    Takip kodu: 48291374
    Referans kodu: 482913
    Banka kodu: 4829
    Şube kodu: 4829`,
  ar: `رمز الحالة: 50013
    رمز الخطأ: 482913
    رمز الخصم: 483920
    كود الخصم: 483920
    الرمز الجمركي: 84713000
    رمز الدولة: 8442
    رمز المنطقة: 4829
    الرمز البريدي: 48291
    رمز المنتج: 482913
    رمز العميل: 104829
    رمز الحجز: 482913
    رمز التتبع: 48291374
    رمز الموافقة: 048213
    رمز الطلب: 482913`,
  he: `קוד סטטוס: 50013
    קוד שגיאה: 482913
    קוד קופון: 483920
    קוד הנחה: 483920
    קוד מדינה: 8442
    קוד מוצר: 482913
    קוד לקוח: 104829
    קוד הזמנה: 482913
    קוד מעקב: 48291374`,
  zh: `退出代码：13816
    状态码：50013
    狀態碼：50013
    错误代码：482913
    错误码：482913
    优惠码：483920
    折扣码：483920
    海关编码：84713000
    HS编码：84713000
    国家代码：8442
    邮政编码：482913
    产品代码：482913
    商品代码：482913
    客户代码：104829
    二维码 482913
    条形码：48291374
    源代码共 48291 行。
    预订代码：482913
    取件码查询单号：48291374
    银行代码：4829
    股票代码：600519
    股份代號：600519
    公司代码：4829
    地区代码：4829
    参考代码：482913
    您尾号4471的卡消费。请勿泄露验证码。
    工单482913已处理，验证码将另行发送。
    手机号：48291374`,
  ja: `終了コード：13816
    ステータスコード：50013
    エラーコード：482913
    プロモーションコード：483920
    割引コード：483920
    クーポンコード：483920
    HSコード：84713000
    国コード：8442
    国番号コード：8442
    商品コード：482913
    お客様コード：104829
    バーコード：48291374
    QRコード 482913
    ソースコードは 48291 行です。
    予約コード：482913
    追跡コード：48291374
    銀行コード：0001
    支店コード：4829
    銘柄コード：7203
    証券コード：7203
    使用トークン数：512000
    レスポンスコード：5051
    参照コード：482913`,
  ko: `종료 코드: 13816
    상태 코드: 50013
    오류 코드: 482913
    할인 코드: 483920
    프로모션 코드: 483920
    HS 코드: 84713000
    국가 코드: 8442
    우편 코드: 48291
    상품 코드: 482913
    고객 코드: 104829
    바코드: 48291374
    QR 코드 482913
    소스 코드 48291 줄
    예약 코드: 482913
    추적 코드: 48291374
    은행 코드: 4829
    카드 승인번호: 30048213
    사용한 토큰: 512000
    종목 코드: 5930
    참조 코드: 482913
    끝자리 4471 카드가 사용되었습니다. 인증번호를 절대 알려주지 마세요.`,
  hi: `त्रुटि कोड: 482913
    स्टेटस कोड: 50013
    प्रोमो कोड: 483920
    छूट कोड: 483920
    देश कोड: 8442
    पिन कोड: 482913
    उत्पाद कोड: 482913
    ग्राहक कोड: 104829
    बुकिंग कोड: 482913
    ट्रैकिंग कोड: 48291374
    क्यूआर कोड 482913
    बैंक कोड: 4829
    आपके 4471 पर समाप्त होने वाले कार्ड का उपयोग हुआ। ओटीपी किसी को न बताएं।`,
  id: `Kode keluar: 13816
    Kode status: 50013
    Kode galat: 482913
    Kode kesalahan: 482913
    Kode promo: 483920
    Kode diskon: 483920
    Kode HS: 84713000
    Kode negara: 8442
    Kode area: 4829
    Kode pos: 48291
    Kode produk: 482913
    Kode pelanggan: 104829
    Kode batang: 48291374
    Kode QR: 482913
    Kode sumber memiliki 48291 baris.
    Kode booking: 482913
    Kode pemesanan: 482913
    Kode pelacakan: 48291374
    Kode referensi: 482913
    Kode bank: 4829
    Token terpakai: 512000`,
  vi: `Mã trạng thái: 50013
    Mã lỗi: 482913
    Mã giảm giá: 483920
    Mã khuyến mãi: 483920
    Mã HS: 84713000
    Mã quốc gia: 8442
    Mã vùng: 4829
    Mã bưu chính: 482913
    Mã sản phẩm: 482913
    Mã khách hàng: 104829
    Mã vạch: 48291374
    Mã QR: 482913
    Mã nguồn có 48291 dòng.
    Mã đặt chỗ: 482913
    Mã vận đơn: 48291374
    Mã tham chiếu: 482913
    Mã chuẩn chi: 048213
    Mã ngân hàng: 4829
    Mã chứng khoán: 4829
    Mã thoát: 13816
    Thẻ có đuôi 4471 vừa được dùng. Không chia sẻ mã OTP.`,
  th: `รหัสสถานะ: 50013
    รหัสข้อผิดพลาด: 482913
    รหัสส่วนลด: 483920
    รหัสประเทศ: 8442
    รหัสไปรษณีย์: 48291
    รหัสสินค้า: 482913
    รหัสลูกค้า: 104829
    รหัสการจอง: 482913
    รหัสติดตามพัสดุ: 48291374
    รหัสอ้างอิง: 482913
    บัตรลงท้ายด้วย 4471 ถูกใช้งาน อย่าบอกรหัส OTP แก่ผู้ใด`,
  ro: `Cod de eroare: 482913
    Codul de stare: 50013
    Cod de reducere: 483920
    Codul poștal: 482913
    Codul țării: 8442
    Codul de bare: 48291374
    Codul sursă are 48291 de linii.
    Codul rezervării: 482913
    Codul de urmărire: 48291374`,
  el: `Κωδικός σφάλματος: 482913
    Κωδικός κατάστασης: 50013
    Κωδικός έκπτωσης: 483920
    Κωδικός χώρας: 8442
    Κωδικός προϊόντος: 482913
    Κωδικός πελάτη: 104829
    Κωδικός κράτησης: 482913
    Κωδικός QR: 482913
    Ταχυδρομικός κωδικός: 48291
    Κωδικός αποστολής: 48291374`,
  hu: `Hibakód: 482913
    Állapotkód: 50013
    Kedvezménykód: 483920
    Kuponkód: 483920
    Országkód: 8442
    Termékkód: 482913
    Vonalkód: 48291374
    QR-kód 482913
    Foglalási kód: 482913
    Követési kód: 48291374
    Kilépési kód: 13816
    Forráskód: 48291 sor
    A 4471 végű kártyáját használták. Soha ne adja meg a kódját.`,
  fi: `Virhekoodi: 482913
    Tilakoodi: 50013
    Alennuskoodi: 483920
    Maakoodi: 8442
    Tuotekoodi: 482913
    Viivakoodi: 48291374
    QR-koodi 482913
    Varauskoodi: 482913
    Seurantakoodi: 48291374
    Lähdekoodissa on 48291 riviä.`,
  da: `Fejlkode: 482913
    Statuskode: 50013
    Rabatkode: 483920
    Landekode: 8442
    Kundekode: 104829
    Stregkode: 48291374
    QR-kode 482913
    Bookingkode: 482913
    Sporingskode: 48291374
    Kildekoden har 48291 linjer.`,
  no: `Feilkode: 482913
    Statuskode: 50013
    Rabattkode: 483920
    Landskode: 8442
    Kundekode: 104829
    Strekkode: 48291374
    QR-kode 482913
    Bestillingskode: 482913
    Sporingskode: 48291374
    Kildekoden har 48291 linjer.`,
};

/** Sentences whose number is the one-time code 482913, though another sense is near. */
export const ONE_TIME_CODES: Record<string, string> = {
  en: `Your authorization code is 482913.
    Your approval for this device: enter code 482913.
    Access code: 482913
    Enter token 482913 to sign in.
    Security code: 482913
    Your status page login code is 482913.
    482913 is your account code.
    Device code: 482913
    Your one-time token: 482913
    Card verification: code 482913
    Here's the six-digit number you'll need: 482913
    Your Acme verification number is 482913
    Your mobile passcode is 482913`,
  de: `Ihr Autorisierungscode lautet 482913.
    Zugangscode: 482913
    Sicherheitscode: 482913
    Freigabecode: 482913
    Ihr Gerätecode: 482913
    Verifizierungsnummer: 482913
    Bestätigungszahl: 482913
    Mobil-TAN: 482913
    Telefon-PIN: 482913`,
  fr: `Votre code d'autorisation est 482913.
    Code d'accès : 482913
    Code de sécurité : 482913
    Votre jeton : 482913
    Votre mot de passe à usage unique est 482913.
    Numéro de vérification : 482913
    Code de vérification du téléphone : 482913`,
  es: `Su código de autorización es 482913.
    Código de acceso: 482913
    Código de seguridad: 482913
    Tu contraseña de un solo uso es 482913.
    Número de verificación: 482913
    Código de verificación de teléfono: 482913
    Código de verificación del móvil: 482913`,
  pt: `O seu código de autorização é 482913.
    Código de acesso: 482913
    Código de segurança: 482913
    Palavra-passe de utilização única: 482913
    Código de verificação do celular: 482913`,
  it: `Il codice di autorizzazione è 482913.
    Codice di accesso: 482913
    Codice di sicurezza: 482913
    Codice di verifica del cellulare: 482913`,
  nl: `Uw toegangscode is 482913.
    Beveiligingscode: 482913
    Verificatienummer: 482913`,
  sv: `Din säkerhetskod är 482913.
    Inloggningskod: 482913
    Verifieringsnummer: 482913
    Verifieringskod för telefon: 482913`,
  pl: `Kod autoryzacyjny: 482913
    Kod dostępu: 482913
    Kod bezpieczeństwa: 482913
    Kod weryfikacyjny telefonu: 482913
    Kod weryfikacji numeru telefonu: 482913`,
  cs: `Bezpečnostní kód: 482913
    Přístupový kód: 482913
    SMS klíč: 482913
    Ověřovací kód telefonu: 482913`,
  ru: `Код доступа: 482913
    Код авторизации: 482913
    Код безопасности: 482913
    Пароль для подтверждения платежа - 482913
    Код подтверждения телефона: 482913
    Код подтверждения номера: 482913`,
  uk: `Код доступу: 482913
    Код безпеки: 482913
    Код підтвердження телефону: 482913`,
  tr: `Güvenlik kodu: 482913
    Erişim kodunuz: 482913
    Yetkilendirme kodu: 482913`,
  ar: `رمز الأمان: 482913
    رمز الوصول: 482913
    الرقم السري المؤقت 482913
    رقم التحقق: 482913
    رمز تأكيد الهاتف: 482913`,
  he: `קוד גישה: 482913
    קוד אבטחה: 482913
    סיסמה חד-פעמית: 482913
    קוד אימות טלפון: 482913`,
  zh: `安全代码：482913
    SMS验证码：482913
    您的动态口令：482913
    访问代码：482913
    手机验证码：482913
    您的手机验证码是482913，请勿泄露。
    手机动态密码：482913
    手機驗證碼：482913`,
  ja: `セキュリティコード：482913
    アクセスコード：482913
    OTPコード：482913
    ワンタイムトークン：482913
    次の6桁の番号を入力してください。482913
    携帯電話認証番号：482913`,
  ko: `보안 코드: 482913
    인증 승인번호: 482913
    액세스 코드: 482913
    전화 인증번호 482913`,
  hi: `सुरक्षा कोड: 482913
    एक्सेस कोड: 482913
    आपका वन टाइम पासवर्ड 482913 है।`,
  id: `Kode akses: 482913
    Kode keamanan: 482913
    Kode verifikasi telepon: 482913`,
  vi: `Mã bảo mật: 482913
    Mã truy cập: 482913
    Mật khẩu một lần: 482913
    Mã xác minh số điện thoại: 482913`,
  th: `รหัสความปลอดภัย: 482913
    รหัสเข้าใช้งาน: 482913
    รหัสยืนยันเบอร์โทรศัพท์: 482913`,
  ro: `Cod de acces: 482913
    Cod de securitate: 482913
    Parola de unică folosință: 482913
    Cod de verificare telefon: 482913`,
  el: `Κωδικός ασφαλείας: 482913
    Κωδικός επαλήθευσης: 482913`,
  hu: `Biztonsági kód: 482913
    Hozzáférési kód: 482913`,
  fi: `Turvakoodi: 482913
    Pääsykoodi: 482913`,
  da: `Sikkerhedskode: 482913
    Adgangskode til login: 482913`,
  no: `Sikkerhetskode: 482913
    Tilgangskode: 482913`,
  ur: `آپ کا او ٹی پی 482913 ہے۔
    ون ٹائم پاس ورڈ: 482913`,
  ms: `Nombor TAC: 482913`,
  sw: `Nambari yako ya uthibitisho ni 482913.
    Nambari ya siri: 482913`,
  hy: `Ձեր հաստատման կոդն է՝ 482913
    Մեկանգամյա գաղտնաբառ՝ 482913`,
  az: `Birdəfəlik şifrəniz: 482913`,
  kk: `Бір реттік құпиясөз: 482913`,
  uz: `Bir martalik parol: 482913`,
  is: `Einnota lykilorð: 482913`,
  ca: `Contrasenya d'un sol ús: 482913`,
  gl: `Contrasinal dun só uso: 482913`,
  eu: `Erabilera bakarreko pasahitza: 482913`,
  ka: `ერთჯერადი პაროლი: 482913`,
  sk: `SMS kľúč: 482913`,
  fa: `رمز عبور یک‌بار مصرف: 482913`,
};
