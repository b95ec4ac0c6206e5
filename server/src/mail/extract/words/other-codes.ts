/**
 * What else is called a code or a token, by language: codes of states and errors, of places, banks and goods, of discounts,
 * bookings, shipments and approvals, printed and written ones, and what is counted in tokens. A number beside one of these is
 * no one-time code. Written as the entries of the vocabulary are.
 */
export const OTHER_CODES: Record<string, string> = {
  en: `error_code {exit,status,return,response,result,reply,fault,diagnostic,failure,termination,http,smtp}_code{,s} {area,country,region,state,city,station,airport,location,store,branch,site}_code{,s}
    {bank,sort,routing,merchant,category,currency,tax,fiscal,stock,ticker}_code{,s} {customs,tariff,commodity,hs,product,item,model,batch,lot,part,colour,color,unit,article}_code{,s}
    {customer,client,employee,staff,partner,affiliate,vendor,supplier,department,job,course,class,school,subject}_code{,s} {promo,promotional,discount,coupon,voucher,campaign,offer,referral}_code{,s}
    {gate,door,garage,alarm,lockbox}_code{,s} {source,dress,bar,qr,morse,building,zip,postal,post}_code{,s} {approval,booking,confirmation_of_booking,tracking,reference,shipping,language}_code{,s}
    token_{limit,count,usage,budget,id,fingerprint,digest,hash,prefix,suffix,name} {access,api,refresh,bearer}_token_{id,ending,digest,hash,prefix}`,
  de: `{status,exit,rückgabe,antwort,fehler,diagnose,end}code* {länder,landes,orts,gebiets,flughafen,filial,bank,sortier,branchen,währungs}code* {zoll,waren,produkt,artikel,farb,modell,chargen,hs-}code*
    {kunden,mitarbeiter,partner,lieferanten,abteilungs,kurs}code* {rabatt,gutschein,aktions,promo,werbe,angebots,empfehlungs}code* {quell,strich,bar,post,postleit,leit,qr-,dress,steuer}code*
    {tür,tor,haustür,garagen,alarm}code* {genehmigungs,buchungs,sendungs,referenz,tracking}code* {verbrauchte,verwendete,genutzte}_token token_verbraucht quelltext*`,
  fr: `code{,s}_{d'état,d'état_http,de_statut,de_sortie,de_retour,d'erreur,de_réponse,d'arrêt} code{,s}_{pays,région,ville,agence,banque,guichet,établissement,devise,insee,ape,naf}
    code{,s}_{douanier,douaniers,douane,sh,produit,article,couleur,lot,modèle} code{,s}_{client,fournisseur,partenaire,employé,cours,matière} code{,s}_{promo,promotionnel,promotionnels,de_réduction,de_remise,avantage,parrainage,cadeau}
    code{,s}_{source,sources,barre,barres,qr,fiscal,fiscaux,postal,postaux,vestimentaire,civil,pénal,de_la_route,du_travail} code{,s}_{porte,portail,immeuble,d'alarme,de_la_porte,du_portail,de_l'immeuble} code{,s}_{d'approbation,de_réservation,de_suivi,de_référence,d'expédition}
    code-barre{,s} jetons_{utilisés,consommés} jetons_ce_mois`,
  es: `código_cliente código_de_cliente código_del_cliente código_del_producto código{,s}_{de_estado,de_salida,de_error,de_retorno,de_respuesta} código{,s}_{de_país,del_país,país,de_área,de_zona,de_región,de_ciudad,de_sucursal,sucursal,de_banco,del_banco,bancario,de_moneda,de_aeropuerto}
    código{,s}_{arancelario,arancelarios,aduanero,aduaneros,de_aduana,hs,de_color,de_modelo,de_lote,de_producto,de_artículo} código{,s}_{de_empleado,de_proveedor,de_curso,de_socio}
    código{,s}_{promocional,promocionales,de_descuento,de_promoción,de_cupón,de_oferta} código{,s}_{fuente,fuentes,de_barras,qr,fiscal,penal,civil,de_vestimenta,postal,postales} código{,s}_{de_la_puerta,del_portal,del_garaje,de_alarma} código{,s}_{de_aprobación,de_reserva,de_seguimiento,de_rastreo,de_referencia,de_envío}
    tokens_{usados,utilizados,consumidos}`,
  pt: `código_do_cliente código_de_cliente código_do_produto código_de_produto código{,s}_{de_status,de_estado,de_saída,de_erro,de_retorno,de_resposta} código{,s}_{do_país,de_país,de_área,da_região,da_agência,de_agência,do_banco,de_banco,bancário,da_moeda,do_município}
    código{,s}_{aduaneiro,aduaneiros,alfandegário,hs,de_cor,da_cor,do_lote,do_modelo} código{,s}_{do_funcionário,do_fornecedor,do_curso} código{,s}_{promocional,promocionais,de_desconto,de_promoção,de_cupom}
    código{,s}_{fonte,de_barras,qr,fiscal,penal,civil,postal,de_vestimenta} código-fonte código{,s}_{da_porta,do_portão,da_garagem,do_alarme} código{,s}_{de_aprovação,da_reserva,de_reserva,de_rastreio,de_rastreamento,de_referência,de_envio}
    tokens_{usados,utilizados,consumidos}`,
  it: `codice_cliente codice_articolo {codice,codici}_{di_stato,di_uscita,di_errore,errore,di_ritorno,di_risposta} {codice,codici}_{paese,di_area,regione,filiale,agenzia,banca,valuta,comune,ateco,iso}
    {codice,codici}_{doganale,doganali,hs,colore,lotto,modello,prodotto} {codice,codici}_{dipendente,fornitore,corso} {codice,codici}_{promozionale,promozionali,sconto,promo,coupon,buono}
    {codice,codici}_{sorgente,a_barre,qr,fiscale,fiscali,penale,civile,tributo,postale} {codice,codici}_{del_cancello,della_porta,del_portone,allarme} {codice,codici}_{di_approvazione,di_prenotazione,prenotazione,di_tracciamento,tracking,di_riferimento,di_spedizione}
    token_{utilizzati,usati,consumati}`,
  nl: `{status,afsluit,exit,retour,antwoord,fout}code* {land,regio,plaats,bank,filiaal,valuta}code* {douane,product,artikel,kleur,model,partij,goederen}code* {klant,medewerker,leveranciers,cursus}code*
    {kortings,actie,promo,voucher,cadeau,waardebon}code* {bron,streepjes,bar,post,kleding,qr-}code* {deur,poort,alarm}code* {goedkeurings,boekings,reserverings,volg,tracking,track,referentie,verzend}code* {gebruikte,verbruikte}_tokens`,
  sv: `{status,avsluts,avslutnings,retur,svars,fel}kod* {lands,region,valuta,kontors,bank,kommun}kod* {tull,produkt,artikel,färg,modell,vara,batch}kod* {kund,kurs,leverantörs,anställnings}kod*
    {rabatt,kampanj,presentkorts,erbjudande}kod* {käll,streck,qr-,kläd,post}kod* {boknings,spårnings,referens,godkännande,försändelse}kod*`,
  da: `{status,afslutnings,retur,svar,fejl}kode* {lande,valuta,afdelings,bank,kommune}kode* {told,produkt,vare,farve,model,batch}kode* {kunde,kursus,medarbejder}kode*
    {rabat,kampagne,tilbuds,gavekort}kode* {kilde,streg,qr-,post}kode* {booking,bestillings,sporings,reference,godkendelses,forsendelses}kode*`,
  no: `{status,avslutnings,retur,svar,feil}kode* {lands,region,valuta,avdelings,bank,kommune}kode* {toll,produkt,vare,farge,modell}kode* {kunde,kurs,ansatt}kode*
    {rabatt,kampanje,tilbuds,gavekort}kode* {kilde,strek,qr-,post}kode* {bestillings,booking,sporings,referanse,godkjennings,forsendelses}kode*`,
  fi: `{tila,virhe,paluu,lopetus,vastaus}koodi* {maa,alue,valuutta,pankki,toimipaikka}koodi* {tulli,tuote,väri,malli,erä}koodi* {asiakas,kurssi}koodi*
    {alennus,kampanja,tarjous,lahjakortti}koodi* {lähde,viiva,qr-,posti}koodi* {varaus,seuranta,viite,hyväksyntä,lähetys}koodi*`,
  pl: `{kod,kodu,kodem,kody}_{statusu,stanu,wyjścia,błędu,odpowiedzi,powrotu} {kod,kodu,kodem,kody}_{kraju,regionu,miasta,kierunkow*,banku,oddziału,waluty,pocztow*} {kod,kodu,kodem,kody}_{celn*,hs,produktu,towaru,koloru,modelu,partii}
    {kod,kodu,kodem,kody}_{klienta,pracownika,kursu} {kod,kodu,kodem,kody}_{promocyjn*,rabatow*,zniżkow*} {kod,kodu,kodem,kody}_{źródłow*,kreskow*,qr,karny,cywilny} {kod,kodu,kodem,kody}_{do_bramy,do_drzwi,do_domofonu,alarmu} {kod,kodu,kodem,kody}_{rezerwacji,śledzenia,zatwierdzenia,referencyjn*,przesyłki}
    {zużyte,wykorzystane}_tokeny`,
  cs: `kód_zákazníka {kód,kódu,kódem}_{stavu,chyby,země,banky,zboží,rezervace,zásilky,měny,produktu,odpovědi} {stavový,chybový,návratový,zdrojový,čárový,celní,slevový,promo,qr,směrovací,rezervační,sledovací}_kód*`,
  sk: `kód_zákazníka {kód,kódu,kódom}_{stavu,chyby,krajiny,banky,tovaru,rezervácie,zásielky,meny,produktu}`,
  hu: `{hiba,állapot,kilépési,válasz}kód* {ország,irányító,bank,pénznem}kód* {termék,vám,szín,cikk}kód* {kedvezmény,kupon,promó}kód* {forrás,vonal,qr-,ügyfél,dolgozó}kód*
    {kilépési,foglalási,követési,visszatérési,hivatkozási,jóváhagyási,promóciós}_kód*`,
  ro: `codul_produsului codul_clientului {cod,codul}_{de_eroare,de_stare,de_ieșire,poștal,țării,de_țară,de_bare,sursă,rezervării,de_rezervare,de_urmărire,de_reducere,promoțional,de_produs,vamal,fiscal,qr,caen,bancar,de_referință,de_client,de_aprobare}`,
  ru: `{код,кода,коду,кодом,коды}_{состояния,статуса,выхода,ошибки,ответа,возврата,завершения} {код,кода,коду,кодом,коды}_{страны,города,региона,банка,валюты,отделения,подразделения,оквэд,окпо}
    {код,кода,коду,кодом,коды}_{тн,товара,продукта,цвета,модели,партии,заказа} {код,кода,коду,кодом,коды}_{клиента,сотрудника,поставщика,курса} {код,кода,коду,кодом}_{домофона,подъезда,ворот,от_двери} {код,кода,коду,кодом}_{бронирования,брони,отслеживания,одобрения,скидки}
    {исходн*,таможенн*,почтов*,телефонн*} штрих-код* штрихкод* промо-код* куар-код* qr-код*`,
  uk: `код_продукту {код,коду,кодом}_{стану,статусу,виходу,помилки,відповіді,країни,міста,регіону,банку,валюти,товару,клієнта,знижки,бронювання,відстеження,замовлення,схвалення,уктзед} {вихідн*,митн*,поштов*} штрих-код* штрихкод* qr-код*`,
  bg: `код_на_клиента {код,кода,кодът}_{на_грешка,на_грешката,за_отстъпка,на_държавата,на_банката,на_продукта,за_резервация,за_проследяване,на_състоянието} {изходен,изходният,пощенски,митнически}_код* баркод* qr-код*`,
  el: `{κωδικός,κωδικό,κωδικού,κωδικοί}_{σφάλματος,κατάστασης,εξόδου,χώρας,περιοχής,τράπεζας,προϊόντος,πελάτη,κράτησης,αποστολής,παρακολούθησης,έκπτωσης,έγκρισης,αναφοράς,νομίσματος,qr} {πηγαίος,γραμμωτός}_κώδικας`,
  tr: `{kapı,bahçe_kapısı,garaj,alarm,durum,çıkış,hata,yanıt,dönüş,alan,ülke,şehir,bölge,banka,şube,gümrük,ürün,renk,model,kaynak,müşteri,personel,posta,indirim,promosyon,kupon,rezervasyon,takip,referans,kargo,qr,para_birimi,gtip}_kodu* barkod* karekod* kullanılan_token*`,
  az: `{ölkə,xəta,status,poçt,məhsul,müştəri,bank,izləmə,endirim,qr}_kod*`,
  ar: `رمز_القسيمة {رمز,كود}_{الحالة,الخطأ,الخروج,الدولة,البلد,المنطقة,المدينة,البنك,الفرع,العملة,المنتج,السلعة,العميل,الخصم,الحجز,التتبع,الموافقة,الطلب,المرجع,الشحنة,qr}
    {الرمز,الكود}_{الجمركي,البريدي,المصدري,الترويجي,الضريبي} {رمز,كود}_{خطأ,خصم,ترويجي,حالة,دولة,حجز,تتبع} الباركود باركود`,
  fa: `{کد,رمز}_{خطا,وضعیت,خروج,کشور,شهر,منطقه,بانک,شعبه,کالا,محصول,مشتری,تخفیف,رزرو,رهگیری,پیگیری,سفارش,پستی,ملی,اقتصادی,گمرکی,منبع,qr} بارکد`,
  ur: `{ایرر,ملک,پوسٹل,پروموشن,ڈسکاؤنٹ,پروڈکٹ,ٹریکنگ,بکنگ}_کوڈ`,
  he: `קוד_{סטטוס,שגיאה,יציאה,מדינה,אזור,עיר,בנק,סניף,מוצר,פריט,לקוח,עובד,קופון,הנחה,הזמנה,מעקב,אישור_עסקה,מקור,qr} ברקוד`,
  hi: `{त्रुटि,स्टेटस,स्थिति,प्रोमो,छूट,कूपन,देश,क्षेत्र,पिन,बैंक,शाखा,उत्पाद,ग्राहक,बुकिंग,ट्रैकिंग,संदर्भ,क्यूआर,qr,सोर्स,एचएस}_कोड* बारकोड*`,
  bn: `{ত্রুটি,ত্রুটির,স্ট্যাটাস,প্রোমো,কুপন,দেশের,ব্যাংক,পণ্যের,বুকিং,ট্র্যাকিং,পোস্টাল,কিউআর,qr,সোর্স}_কোড* বারকোড*`,
  id: `kode_produk kode_barang kode_pelanggan kode_{keluar,status,galat,kesalahan,eror,error,hs,negara,area,wilayah,kota,bank,cabang,batang,sumber,qr,warna,model,karyawan,booking,pemesanan,pelacakan,referensi,resi,promo,diskon,kupon,voucher,pos,mata_uang,saham,persetujuan} token_{terpakai,digunakan}`,
  ms: `kod_{keluar,status,ralat,hs,negara,kawasan,bank,cawangan,bar,sumber,qr,produk,pelanggan,tempahan,penjejakan,rujukan,promosi,diskaun,kupon,mata_wang}`,
  vi: `mã_đơn mã_đơn_hàng mã_vận_đơn mã_hóa_đơn mã_giảm_giá mã_khuyến_mãi mã_khách_hàng mã_sản_phẩm mã_giao_dịch mã_bưu_chính mã_đặt_chỗ mã_đặt_vé mã_{trạng_thái,thoát,hs,quốc_gia,vùng,tỉnh,vạch,qr,nguồn,tham_chiếu,chuẩn_chi,ngân_hàng,chi_nhánh,chứng_khoán,cổ_phiếu,nhân_viên,màu,số_thuế,bưu_điện,phản_hồi,tiền_tệ,voucher,coupon,theo_dõi}`,
  th: `*รหัส{สถานะ,ข้อผิดพลาด,ส่วนลด,ประเทศ,พื้นที่,ธนาคาร,สาขา,สินค้า,ลูกค้า,พนักงาน,การจอง,จอง,ติดตาม,อ้างอิง,คิวอาร์,ตอบกลับ,วิชา}* *โค้ดส่วนลด* *บาร์โค้ด* *คิวอาร์โค้ด* *ซอร์สโค้ด*`,
  zh: `*{退出,返回,状态,錯誤,错误,响应,源,国家,地区,银行,产品,商品,客户,公司,股票,证券,基金,机构,参考,预订,订单,颜色,行业,货币,优惠,促销,折扣,物料}代码*
    *{退出,返回,狀態,錯誤,回應,國家,地區,銀行,產品,商品,客戶,公司,股票,股份,證券,機構,參考,預訂,訂單,原始,貨幣,優惠,促銷,折扣}{代碼,代號}* *{状态,狀態,错误,錯誤,优惠,優惠,折扣,条形,條形,条,條,二维,二維,邀请,邀請}码* *{狀態,錯誤,優惠,折扣,條形,條,二維,邀請}碼*
    *门禁码* *門禁碼* *门锁密码* *源代碼* *源码* *海关编码* *qr码* *hs编码*`,
  ja: `*{終了,ステータス,エラー,レスポンス,返却,リターン,応答,国,地域,国番号,銀行,支店,店舗,通貨,銘柄,証券,業種,ソース,バー,qr,hs,カラー,製品,商品,品番,顧客,お客様,社員,割引,クーポン,プロモ,プロモーション,キャンペーン,予約,追跡,参照,住所,郵便}コード*
    *トークン数* *使用トークン* *トークン使用*`,
  ko: `{상태,종료,오류,에러,응답,반환,국가,지역,은행,지점,통화,종목,증권,소스,qr,hs,색상,제품,상품,고객,사원,할인,쿠폰,프로모션,예약,추적,참조,우편,과목,추천}_코드*
    *{상태,종료,오류,에러,응답,국가,은행,종목,소스,바,제품,상품,고객,할인,쿠폰,예약,추천,추적,우편}코드* {카드,결제,거래}_승인번호* 사용한_토큰* 토큰_{사용량,수}*`,
  hr: `kod_proizvoda`,
  sl: `koda_izdelka`,
  lv: `preces_kods klienta_kods`,
  lt: `prekės_kodas kliento_kodas`,
  ca: `codi_de_client codi_de_producte`,
  uz: `mahsulot_kodi mijoz_kodi`,
  mt: `kodiċi_{postali,tal-pajjiż,tal-prodott,tal-klijent,promozzjonali}`,
  cy: `cod_{post,disgownt,gwlad,cynnyrch,cwsmer,bar,ffynhonnell}`,
  ga: `cód_{poist,earráide,tíre,táirge,lascaine,foinseach}`,
  ky: `{өлкө,ката,товар,почта}_коду`,
  kk: `{ел,қате,өнім,пошта}_коды`,
  tg: `рамзи_{почта,почтаи,кишвар,маҳсулот,хато}`,
  am: `የፖስታ_ኮድ የቅናሽ_ኮድ የስህተት_ኮድ`,
  zu: `ikhodi_{yeposi,yezwe,yesaphulelo,yephutha}`,
  so: `koodhka_{boostada,waddanka,qiimo-dhimista}`,
};
