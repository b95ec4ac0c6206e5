/**
 * The words that tell letters of a one-time code from a password, a key, a coupon and a booking, beyond those of the vocabulary. Each
 * is a word or how one begins; those of scripts without spaces may stand anywhere.
 */

/** An expression for words, or how words begin, in languages that put spaces between them, and for parts of words in others. */
function anyOf(spaced: string, unspaced = ''): string {
  const words = (list: string) => list.trim().split(/\s+/).join('|').replaceAll('_', ' ');
  const parts = unspaced === '' ? '' : `|${words(unspaced)}`;
  return `(?<!\\p{L})(?:${words(spaced)})${parts}`;
}

export const PASSWORD = new RegExp(
  anyOf(
    `password passwort kennwort mot_de_passe contraseña contrasenya senha palavra-passe wachtwoord lösenord adgangskode passord salasana
  hasło hasła heslo heslá jelszó jelszav parola parolă parolei пароль пароля лозинк lozink geslo κωδικός_πρόσβασης κωδικό_πρόσβασης şifre
  passphrase passwd pwd kata_sandi katalaluan mật_khẩu سیسما كلمة_المرور كلمة_مرور گذرواژه סיסמ पासवर्ड`,
    '密码 密碼 パスワード 비밀번호 รหัสผ่าน',
  ),
  'u',
);

/** A password for one time is a code. */
export const ONE_TIME = new RegExp(
  anyOf(
    `one-time one_time onetime single-use otp einmal usage_unique à_usage_unique un_solo_uso uso_único único jednorazow jednoráz jednorázov
  egyszer одноразов однократн eenmalig engångs engangs kertakäyttö tek_kullanım unică de_unică monouso usa_e_getta satu_kali sekali_pakai
  một_lần לשימוש_חד حد_פעמי لمرة_واحدة یکبار`,
    '一次性 动态 動態 ワンタイム 일회용 ใช้ครั้งเดียว',
  ),
  'u',
);

/** What else is written in letters and digits: keys, names, versions, models, places. */
export const NAMES = new RegExp(
  anyOf(
    `key keys schlüssel clé chiave chave sleutel nyckel nøkkel klucz klíč kľúč kulcs ключ anahtar kunci
  user username user_name user-id userid benutzer nutzer utilisateur nom_d'utilisateur usuario usuário nome_utente gebruiker użytkownik uživatel
  felhasználó utilizator имя_пользователя логин kullanıcı_adı login_name login-name
  license licence lizenz licenza licencia licença licentie licencja лиценз
  version versión versão versione wersja verze versie verzió версия release build commit revision branch patch firmware
  model modell modèle modelo modello serial seriennummer série serie sn sku part article artikel
  flight flug vol vuelo voo volo vlucht lot рейс gate train zug seat sitz
  ticket case issue incident bug pnr record_locator locator
  host server domain device gerät appareil dispositivo apparaat enhet urządzenie zařízení устройств
  invite_code invitation_code referral einladungscode wi-fi wifi wlan ssid network netzwerk réseau
  plate vin imei mac hash digest checksum fingerprint sha md5 uuid guid id
  reference referenz référence referencia referência riferimento kenmerk order bestellung commande pedido ordine zamówieni заказ
  account konto compte cuenta conta rekening client client_id
  room raum zimmer salle sala classroom meeting_id`,
    '密钥 密鑰 金钥 秘钥 用户名 使用者名稱 帐号 账号 型号 型號 版本 航班 订单 訂單 缶 ユーザー名 ユーザーid キー バージョン 型番 便名 注文 사용자 아이디 버전 모델 항공편 주문',
  ),
  'u',
);

/** What is said of coupons, gifts and sales. */
export const SALE = new RegExp(
  anyOf(
    `coupon voucher promo discount sale sales gift_card giftcard gift_code off_your off_everything checkout at_check-out free_shipping
  referral refer_a referred deal deals offer offers save_up save_\\d cashback reward rewards redeem black_friday cyber_monday
  gutschein rabatt rabattcode aktionscode versandkostenfrei angebot angebote geschenk prämie einlösen einkauf warenkorb
  réduction remise code_promo bon_d'achat soldes livraison_offerte carte_cadeau parrainage panier cadeau
  cupón descuento rebaja oferta regalo envío_gratis canjea canjear carrito promoción
  cupom desconto frete_grátis brinde vale-presente resgate resgatar promoção carrinho
  sconto buono spedizione_gratuita saldi regalo riscatta carrello offerta
  korting kortingscode cadeaubon actiecode verzilver uitverkoop winkelwagen aanbieding
  rabattkod presentkort erbjudande rea gavekort tilbud alennus lahjakortti tarjous kampanj
  zniżk rabat kupon bon_podarunkowy promocj wyprzedaż koszyk slev sleva poukaz zľav kedvezmény kupon akció reducere ofertă cod_promo
  скидк промокод купон акци распродаж подарочн корзин знижк промокод подарунк отстъпк έκπτωσ κουπόνι προσφορ
  indirim kupon kampanya hediye fırsat sepet خصم قسيمة عرض كوبون تخفیف هنحة הנחה קופון מבצע छूट कूपन ऑफ़र diskon kupon voucher promo
  giảm_giá khuyến_mãi ưu_đãi mã_quà`,
    '优惠 優惠 折扣 礼品卡 禮品卡 促销 促銷 满减 代金券 クーポン 割引 セール ギフト プレゼント 特典 쿠폰 할인 세일 기프트 이벤트 ส่วนลด คูปอง โปรโมชั่น',
  ),
  'u',
);

/** What is said of journeys, bookings, orders and parcels. */
export const TRADE = new RegExp(
  anyOf(
    `booking booked reservation itinerary boarding passenger flight flights airline airport hotel check-in check-out guest guests departure
  your_order order_confirmation order_number order_id shipment shipped shipping parcel tracking pick-up pickup invoice receipt
  buchung reservierung flug flüge reise bahn zugticket abreise anreise bestellung bestellnummer sendung paket lieferung rechnung abholung
  réservation vol voyage passager embarquement commande colis livraison facture retrait
  reserva vuelo viaje pasajero embarque pedido envío factura recogida voo viagem passageiro encomenda fatura retirada
  prenotazione volo viaggio passeggero imbarco ordine spedizione fattura ritiro
  boeking reservering vlucht reis passagier bestelling zending pakket factuur afhaal
  bokning resa flyg beställning paket bestilling rejse reise fly ordre pakke varaus lento tilaus paketti lasku
  rezerwacj lot podróż zamówieni przesyłk paczk faktur odbiór rezervac let objednáv zásilk balík faktur foglalás járat rendelés csomag számla
  rezervar zbor comandă colet factură брон рейс поездк заказ посылк счёт билет бронюван замовлен посилк квиток резервац поръчк κράτησ πτήσ
  παραγγελ rezervasyon uçuş bilet sipariş kargo fatura حجز رحلة طلبك شحنة فاتورة رزرو پرواز سفارش הזמנה טיסה משלוח חשבונית बुकिंग उड़ान ऑर्डर
  pemesanan penerbangan pesanan kiriman faktur đặt_chỗ chuyến_bay đơn_hàng vận_đơn hóa_đơn`,
    '预订 預訂 航班 订单 訂單 快递 快遞 包裹 发票 發票 取件 酒店 予約 便名 注文 配送 荷物 請求書 宿泊 예약 항공 주문 배송 택배 송장 การจอง เที่ยวบิน คำสั่งซื้อ พัสดุ',
  ),
  'u',
);

/** What stands for "is" between the name of a code and the code. */
export const COPULA =
  /(?<!\p{L})(?:is|ist|lautet|е|yra|ir|është|არის|է|ay|ni|est|es|é|è|är|er|on|jest|to|je|este|là|adalah|ialah|είναι|это|є|dir|هو|هي|است|है|[-–—=])[\s"'“„«(]*$/u;
