/**
 * What links of a footer are called by which a reader sets which mail comes, sees the mail in a browser, or reports it. By language,
 * written as in the vocabulary. A browser alone is none of them, for mail also says to open an address in one; nor is help or
 * privacy, behind which a test may look for a link. What unsubscribes stands in the vocabulary, as `leave`.
 */
export const FOOTER_WORDS: Record<string, string> = {
  en: `preference* settings unsubscription web_version web_copy online_version browser_version view_in view_online view_it_online
    view_it_in view_this_email view_this_e-mail view_this_mail view_this_message view_this_newsletter view_email view_the_email
    view_as_web see_it_online see_online read_online read_it_online read_in_browser manage_notifications manage_notification
    manage_your_notifications manage_emails manage_email manage_your_emails manage_your_email manage_subscription
    manage_subscriptions manage_your_subscription manage_your_subscriptions manage_alerts turn_off stop_receiving stop_getting
    stop_these no_longer_want no_longer_wish opt_out report_abuse report_spam report_this report_it report_as report_phishing report_mail
    mark_as_spam`,
  de: `einstellung* präferenz* webversion online-version onlineversion im_browser_ansehen im_browser_anzeigen im_browser_lesen
    online_ansehen online_lesen benachrichtigungen_verwalten abonnement_verwalten abo_verwalten newsletter_verwalten
    missbrauch_melden spam_melden als_spam`,
  fr: `préférences paramètres version_en_ligne version_web voir_dans voir_en_ligne afficher_dans voir_cet gérer_mes
    gérer_vos gérer_les gérer_l signaler_un signaler_cet signaler_ce signaler_comme`,
  es: `preferencias ajustes configuración versión_web ver_en ver_este ver_online gestionar_notificaciones
    gestionar_suscrip* administrar_notificaciones administrar_suscrip* denunciar reportar_spam reportar_abuso`,
  pt: `preferências definições configurações versão_web ver_no_navegador ver_online ver_este ver_no_browser
    visualizar_no gerenciar_notificações gerir_notificações gerenciar_inscri* gerir_subscri* denunciar reportar_spam`,
  it: `preferenze impostazioni versione_web versione_online visualizza_nel visualizza_online visualizza_questa
    visualizza_l vedi_nel gestisci_le gestisci_notifiche gestisci_iscrizione segnala_abuso segnala_spam segnala_come`,
  nl: `voorkeuren instellingen webversie online_versie bekijk_in bekijk_online bekijk_deze meldingen_beheren
    abonnement_beheren misbruik_melden spam_melden`,
  sv: 'inställningar webbversion visa_i visa_online visa_mejlet hantera_aviseringar hantera_prenumeration* rapportera',
  da: 'indstillinger webversion vis_i vis_online se_i se_online administrer_notifikationer administrer_abonnement* rapporter*',
  no: 'innstillinger nettversjon webversjon vis_i se_i vis_på_nett administrer_varsler administrer_abonnement* rapporter*',
  fi: 'asetukset asetuksia verkkoversio näytä_selaimessa avaa_selaimessa hallitse_ilmoituksia hallitse_tilau* ilmoita_roskaposti* ilmoita_väärinkäyt*',
  is: 'stillingar skoða_í vefútgáfa tilkynna_misnotkun',
  pl: `preferencj* ustawieni* wersja_online zobacz_w wyświetl_w zarządzaj_powiadomieniami zarządzaj_subskrypcj* zgłoś_spam
    zgłoś_nadużycie`,
  cs: 'nastavení zobrazit_v webová_verze spravovat_oznámení spravovat_odběr* nahlásit*',
  sk: 'nastaveni* zobraziť_v webová_verzia spravovať_oznámenia spravovať_odber* nahlásiť*',
  hu: 'beállítás* megtekintés_böngésző* webes_verzió értesítések_kezelése feliratkozás_kezelése visszaélés_jelentése spam_jelentése',
  ro: 'preferin* setări* vizualizează_în vezi_în gestionează_notific* gestionează_abon* raportează*',
  bg: 'настройки предпочитания виж_в преглед_в уеб_версия управление_на сигнализир* докладвай*',
  ru: `настройки настройками настройках настроек веб-версия посмотреть_в открыть_в_браузере просмотреть_в управлять_подпис* управление_подпис*
    управление_уведомлен* управлять_уведомлен* пожаловат* сообщить_о_спаме`,
  uk: `налаштування налаштуваннями веб-версія переглянути_в переглянути_у керувати_підпис* керування_підпис* керувати_сповіщен*
    поскаржит* повідомити_про_спам`,
  be: 'налады паглядзець_у кіраваць_падпіск* паскардзіцца',
  sr: 'подешавања podešavanja pogledaj_u pogledajte_u prijavi_spam',
  hr: 'postavke pogledaj_u pogledajte_u upravljanje_obavijestima prijavi_spam prijavite_zlouporabu',
  sl: 'nastavitve prikaži_v oglejte_si_v upravljanje_obvestil prijavi_neželeno',
  mk: 'поставки погледни_во прикажи_во пријави_злоупотреба',
  el: 'ρυθμίσεις προτιμήσεις προβολή_σε δείτε_το_σε διαχείριση_ειδοποιήσεων αναφορά_κατάχρησης',
  tr: 'tercihler* ayarlar* tarayıcıda_görüntüle* çevrimiçi_görüntüle* web_sürümü bildirimleri_yönet* aboneliği_yönet* şikayet',
  ar: 'إعدادات الإعدادات تفضيلات عرض_في إدارة_الإشعارات إدارة_الاشتراك الإبلاغ',
  he: 'הגדרות העדפות הצג_בדפדפן צפה_בדפדפן לצפייה_בדפדפן ניהול_התראות ניהול_מינוי דווח',
  fa: 'تنظیمات مشاهده_در نمایش_در مدیریت_اعلان‌ها مدیریت_اشتراک گزارش_هرزنامه گزارش_سوءاستفاده',
  ur: 'ترتیبات ترجیحات',
  hi: 'सेटिंग* प्राथमिकता* ब्राउज़र_में_देखें',
  bn: 'সেটিংস পছন্দসমূহ ব্রাউজারে_দেখুন',
  ta: 'அமைப்புகள் விருப்பத்தேர்வுகள்',
  te: 'సెట్టింగ్* ప్రాధాన్యత*',
  th: '*การตั้งค่า* *ดูในเบราว์เซอร์* *ดูในเว็บ* *จัดการการแจ้งเตือน* *รายงานสแปม*',
  vi: 'cài_đặt tùy_chọn xem_trong xem_trên_trình quản_lý_thông_báo báo_cáo_spam báo_cáo_lạm',
  id: 'preferensi pengaturan lihat_di versi_web kelola_notifikasi kelola_langganan laporkan*',
  ms: 'keutamaan tetapan lihat_di urus_pemberitahuan urus_langganan laporkan*',
  fil: 'kagustuhan tingnan_sa pamahalaan_ang iulat*',
  zh: `*设置* *設定* *偏好* *在浏览器中* *在瀏覽器中* *网页版* *網頁版* *在线查看* *線上檢視* *管理订阅* *管理訂閱* *管理通知* *举报*
    *檢舉*`,
  ja: '*ブラウザで表示* *ブラウザで見る* *ブラウザで読む* *ウェブで表示* *ウェブ版* *配信設定* *通知設定* *メール設定* *通知を管理* *迷惑メール*',
  ko: '*환경설정* *수신설정* 수신_설정* *알림설정* 알림_설정* 브라우저에서_보기* 웹에서_보기* 알림_관리* 구독_관리* *신고*',
  et: 'seaded vaata_brauseris vaata_veebis halda_teavitusi halda_tellimus* teata_rämpspostist',
  lv: 'iestatījum* skatīt_pārlūk* pārvaldīt_paziņojum* ziņot_par',
  lt: 'nustatymai nustatymus peržiūrėti_naršykl* tvarkyti_pranešim* pranešti_apie_piktnaudž*',
  ca: 'preferències configuració veure_al veure_en_línia gestiona_les denuncia',
  eu: 'ezarpenak hobespenak ikusi_nabigatzailean',
  gl: 'preferencias configuración ver_no_navegador',
  ka: 'პარამეტრები ბრაუზერში_ნახვა',
  hy: 'կարգավորումներ դիտել_բրաուզերում դիտել_զննարկիչով',
  sq: 'cilësimet parapëlqimet shihe_në shikoje_në',
  sw: 'mipangilio mapendeleo tazama_kwenye',
  az: 'ayarlar* parametrlər brauzerdə_bax*',
  kk: 'баптаулар параметрлер браузерде_көру',
  uz: 'sozlamalar brauzerda_ko',
  mn: 'тохиргоо',
  af: 'voorkeure instellings kyk_in bekyk_in',
  cy: 'gosodiadau dewisiadau gweld_yn',
  ga: 'socruithe roghanna féach_sa',
  mr: 'सेटिंग्ज प्राधान्ये',
  gu: '*સેટિંગ* *પસંદગીઓ*',
  pa: '*ਸੈਟਿੰਗ* *ਤਰਜੀਹਾਂ*',
  kn: '*ಸೆಟ್ಟಿಂಗ್* *ಆದ್ಯತೆ*',
  ml: '*ക്രമീകരണ* *മുൻഗണന*',
  si: '*සැකසුම්* *සැකසීම්*',
  km: '*ការកំណត់*',
  lo: '*ການຕັ້ງຄ່າ*',
  my: '*ဆက်တင်*',
  am: 'ቅንብሮች ምርጫዎች',
};
