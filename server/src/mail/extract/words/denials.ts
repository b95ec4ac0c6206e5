/**
 * What is said of something that the reader may not have done, by language: it was not me, I did not ask for this, I do not
 * know this sign-in. A link right behind it undoes that. Written as the entries of the vocabulary are.
 *
 * An entry names what was not done. A bare "did not" is none, since "If the button did not work, follow this link" and "If
 * you have not confirmed yet, …" lead to the right link.
 */
export const DENIALS: Record<string, string> = {
  en: `{wasn't,was_not,weren't,were_not,isn't,is_not,not}_{you,me,yours,your_doing,done_by,made_by,initiated,requested,authori*,performed}
    {didn't,did_not,haven't,have_not,never}_{,recently_,personally_,just_,yourself_}{request*,initiat*,ask*,authori*,perform*,trigger*,attempt*,recogni*,expect*}
    {didn't,did_not}_{make,do}_{this,these,that,the_change,the_request,it} {haven't,have_not}_made_{this,these,the_change,the_request}
    {didn't,did_not}_{,recently_,personally_}{change,update,add,delete,remove,reset,enable,disable,register,subscribe,send,try_to,sign_up,sign_in,log_in,create_this,create_an,place_this}
    {don't,do_not}_{recogni*,remember,recall} not_recogni* unauthoriz* unauthoris* without_your_{knowledge,permission,consent}
    {looks,seems}_{suspicious,unfamiliar} {email,mail,e-mail,message}_{in_error,by_mistake,by_accident}`,
  de: `nicht_{sie,du,ihr,ich,von_ihnen,von_dir,durch_sie,durch_dich}
    nicht_{,selbst_,persönlich_}{waren,warst,war,wart,angeforder*,angefrag*,veranlass*,beantrag*,vorgenommen,durchgeführ*,initiier*,getätig*,ausgelös*,gestell*,gemach*,erkenn*,wiedererkenn*,geänder*,autorisier*}
    {waren_sie,warst_du}_{das,es,dies}_nicht {erkennen_sie,erkennst_du}_d* {irrtümlich,versehentlich}_erhalten ohne_{ihr,dein}_{wissen,zutun}`,
  fr: `{était,est,serait,soit}_pas_{vous,toi,moi} pas_vous? pas_vous_? pas_toi? pas_toi_? pas_à_l'origine pas_l'auteur
    pas_{,vous-même_,toi-même_}{demandé*,fait_cette,fait_ce,fait_de,effectué_cette,effectué_ce,sollicité*,initié*,reconn*,autorisé*,modifié*,tenté} {reconnaissez,reconnais}_pas aucune_demande par_erreur`,
  es: `no_{fuiste,fue_usted,ha_sido_usted,has_sido_tú,eres_tú,es_usted,reconoc*,solicit*,hiciste,hizo_est*,realizaste_est*,realizó_est*,pediste,pidió,iniciaste,inició_est*,autoriz*,efectuó_est*}
    no_{has,ha,haya,hayas}_{sido_tú,sido_usted,solicit*,pedido,realizado_est*,hecho_est*,autorizado,cambiado,iniciado_est*} por_error sin_su_permiso`,
  pt: `não_{foi_você,foste,foi_o_senhor,foi_a_senhora,é_você,és_tu,reconhec*,solicit*,fez_est*,fez_ess*,fizeste,pediu,pediste,realizou_est*,realizou_ess*,autoriz*,efetuou_est*,efetuou_ess*,iniciou_est*}
    não_{tenha,tenhas}_{sido_você,sido_tu,solicit*,pedido,feito_est*,feito_ess*} por_engano nao_{foi_voce,solicit*,reconhec*}`,
  it: `non_{sei_stato,sei_stata,è_stato_lei,è_stata_lei,è_lei,sei_tu,eri_tu,era_lei,riconosc*}
    non_{hai,ha,avete}_{,mai_}{richiest*,effettuato_tu,effettuato_lei,effettuato_quest*,fatto_tu,fatto_lei,fatto_quest*,chiest*,autorizzat*,avviat*,modificat*,inviat*} per_errore`,
  nl: `niet_{u,jij,jou,door_u,door_jou,uzelf,jijzelf,herken*}
    niet_{,zelf_}{,hebt_,heeft_,heb_}{aangevraagd,gedaan,verzocht,gevraagd,gemaakt,uitgevoerd,gewijzigd,geautoriseerd,aangebracht}
    {dit,dat,het}_niet_{was,waart} {was_jij,was_u,ben_jij,bent_u}_{dit,dat,het}_niet {herken_je,herkent_u}_{de,het,deze,dit}`,
  sv: `inte_{du,jag,ni,var_du,var_jag,känner_igen,känner_till,själv_har,själv_begär*} {känner,kände}_{du,ni}_inte_igen
    inte_{,har_}{begär*,gjort,gjorde,bett,bad,beställ*,initierat,ansökt,ändra*}`,
  da: `ikke_{dig,var_dig,var_mig,genkend*,kan_genkende,anmod*} ikke_{,selv_,har_,selv_har_}{anmod*,bedt_om,bad_om,foretag*,gjort_d*,ændre*,lavet_d*,bestilt}`,
  no: `ikke_{deg,meg,var_deg,var_meg,kjenner,gjenkjenn*} kjenner_du_ikke_igjen ikke_{,selv_,har_,selv_har_}{bedt_om,ba_om,gjorde,gjort_d*,foretatt,endret,bestilt}`,
  fi: `{et,ette}_{ollut_sinä,olleet_te,pyytänyt,pyytäneet,tunnista,tehnyt_tätä,tehneet_tätä,ole_pyytänyt,ole_pyytäneet,ole_tehnyt_tätä,tilannut,tunne_tätä} {etkö,ettekö}_tunnista {tämä,se}_{et,ette}_{ollut,olleet} {tätä_et,tätä_ette}_tehn*`,
  is: `ekki_{þú,við_þessa,við_þetta} {baðst,báðuð,óskaðir,gerðir,framkvæmdir}_{þú_,}ekki {varst,varst_það}_ekki_þú ekki_{baðst,óskað*,beðið,gert_þetta}`,
  pl: `nie_{ty,pan,pani,państwo,byłeś,byłaś,byliście,rozpoznaj*,prosi*,poprosi*,wysyła*,wysła*,dokona*,zleca*,zleci*,inicjowa*,wnioskowa*,składa*,autoryzowa*,żąda*,zażąda*,zmienia*}`,
  cs: `{nebyli,nebyl,nebyla}_{jste,jsi}_{to_,}{vy,ty} {nebyli,nebyl,nebyla}_{vy,ty} {jste,jsi}_to_neby* nepoznáv* {nežádal*,nepožádal*,nepožadoval*,nevyžádal*,nezměnil*} {změnu,akci,požadavek,přihlášení,to}_{neprovedl*,neprováděl*,neudělal*}`,
  sk: `{neboli,nebol,nebola}_{ste_,si_,}{to_,}{vy,ty} nespoznáv* nerozpoznáv* {nežiadal*,nepožiadal*,nepožadoval*,nevyžiadal*,nezmenil*} {zmenu,akciu,požiadavku,prihlásenie,to}_{nevykonal*,neurobil*}`,
  hu: `nem_{ön,te,maga,önök,ismer*,kérte,kérted,kért}`,
  ro: `nu_{ai_fost_tu,ați_fost_dumneavoastră,ati_fost_dumneavoastra,ești_tu,sunteți_dumneavoastră,recunoaș*,recunoști,recunosc*} nu_{ai,ați,ati}_{solicit*,cerut,făcut_ac*,efectuat,inițiat,autorizat,modificat}`,
  bg: `не_{сте_,си_,бяхте_,беше_}{били_,бил_,била_,}{вие,ти} не_{сте_били,си_бил,си_била} {не_сте,не_си,не}_{заяв*,поиска*,иска*,направи*,извърш*,разпозна*,иницииран*,променя*,промени*,заявява*}`,
  ru: `не_{вы,ты,я,запрашива*,запроси*,узна*,соверша*,делал*,меня*,отправлял*,подава*,инициир*,регистрировал*,просил*,заказыва*,выполнял*,пыта*,создавал*,оставлял*}`,
  uk: `не_{ви,ти,я,запитува*,запиту*,впізна*,здійснюва*,робил*,змінюва*,надсила*,подава*,ініцію*,реєструва*,просил*,замовля*,виконува*,намагал*,створюва*}`,
  be: `не_{вы,ты,запытва*,запыт*,пазна*,рабі*,мяня*,адпраўля*,здзяйсня*,прасі*}`,
  sr: `{niste,nisi}_{,to_}{bili_vi,bio_ti,bila_ti,vi,ti} {niste,nisi}_{zatraži*,traži*,zahteva*,izmeni*,napravi*,pokrenu*,poslal*,podne*} ne_prepozna*
    {нисте,ниси}_{,то_}{били_ви,био_ти,била_ти,ви,ти} {нисте,ниси}_{затражи*,тражи*,захтева*,измени*,направи*,покрену*,послал*} не_препозна*`,
  hr: `{niste,nisi}_{zatraži*,traži*,zahtijeva*,promijeni*,napravi*,pokrenu*,poslal*,podni*,učini*}`,
  sl: `{niste,nisi}_{bili_vi,bil_ti,bila_ti,vi,ti,zahteva*,zaprosi*,prosi*,naredi_te*,spremeni*,sproži*} ne_prepozna*`,
  el: `δεν_{ήσασταν_εσείς,ήσαστε_εσείς,ήσουν_εσύ,είστε_εσείς,είσαι_εσύ,ζήτησ*,ζητήσ*,αναγνωρίζ*,κάνατε_αυτ*,έκανες_αυτ*,πραγματοποιήσ*,αιτηθήκ*,υποβάλ*}`,
  tr: `siz_{değil*,yapmadı*,yapmamı*,istemedi*,talep_etmedi*,gerçekleştirmedi*,başlatmadı*} sen_{değil*,yapmadı*,istemedi*} {bunu,işlemi,değişikliği,girişi,talebi}_{yapmadı*,istemedi*,gerçekleştirmedi*} tanımıyor* tanımadığınız* talepte_bulunma* {talep,istek}_etmedi*`,
  az: `siz_{deyil*,etmə*,göndərmə*,tələb_etmə*} sən_deyil* bunu_etmə* {sorğu,sorğunu,tələb,müraciət}_{etmə*,göndərmə*} tanımırsınız*`,
  ar: `{لم,ما}_{تكن_أنت,تكوني_أنت,تكونوا_أنتم,يكن_أنت,تطلب,تطلبي,تطلبوا,تقم_بهذا,تقم_بهذه,تقم_بطلب,تقم_بتغيير,تقم_بإجراء,تقم_بذلك,تقومي_بهذا,تقومي_بهذه,تتعرف,تبادر,يكن_هذا_أنت,تكن_صاحب,تكن_من} {لا,لم}_{تتعرف,تعرف,تتذكر} {لست,لستَ,لستِ,ليس}_{أنت,أنتَ,أنتِ,صاحب,من_قام}`,
  he: `{לא,אינך}_{היית,הייתם,הייתן,אתה,אתם,ביקש*,מזהה,מזהים,שינית,שיניתם,יזמת,יזמתם,מכיר,מכירה,מכירים}`,
  fa: `شما_{نبودید,نبوده‌اید,نیستید,نبوديد} {درخواست,اقدام,تغییر}_{نکرده‌اید,نکرده_اید,نکردید,نداده‌اید,نداده_اید,را_نداده‌اید,را_نداده_اید,را_نکرده‌اید,را_نکرده_اید,را_نداده,را_انجام_نداده} تغییر_را_انجام_نداده* {نمی‌شناسید,نمیشناسید}`,
  ur: `آپ_{نہیں_تھے,نہیں_ہیں,نہ_تھے} {درخواست,تبدیلی}_نہیں نہیں_پہچانتے`,
  ps: `تاسو_نه_{وئ,واست,یاست,یئ,ده} غوښتنه_نه {نه_پېژنئ,نه_پیژنئ,غوښتنه_مو_نه,نه_ده_کړې,نه_وي_کړې}`,
  hi: `आप_{नहीं,न}_{थे,थीं,हैं,हों} {अनुरोध,बदलाव,परिवर्तन,लॉगिन,प्रयास}_नहीं {नहीं,न}_{पहचान*,मांगा*,माँगा*}`,
  mr: `{तुम्ही,आपण}_{नसल्यास,नसाल,नव्हता,नव्हते,नाही} {विनंती,बदल}_{केली_नसेल,केली_नसल्यास,केला_नसेल,केला_नसल्यास,केली_नाही,केला_नाही} ओळखत_नसल्यास`,
  bn: `আপনি_{না_হলে,নন,ছিলেন_না,না_হন,না_হয়ে} {অনুরোধ,পরিবর্তন}_{না_করে,করেননি,না_করলে,করেন_নি} চিনতে_{না,পারছেন_না}`,
  gu: `{તમે,આપ}_{ન_હોવ,ન_હો,નહોતા,ન_હતા} {વિનંતી,ફેરફાર}_{કરી_નથી,કર્યો_નથી,ન_કરી,ન_કર્યો,કરી_ન,કર્યો_ન} ઓળખતા_નથી`,
  pa: `ਤੁਸੀਂ_{ਨਹੀਂ_ਸੀ,ਨਹੀਂ_ਹੋ} {ਬੇਨਤੀ,ਤਬਦੀਲੀ}_ਨਹੀਂ ਨਹੀਂ_ਪਛਾਣਦੇ`,
  ta: `{நீங்கள்,நீங்களாக}_{இல்லை,அல்ல,இல்லாவிட்டால்,இல்லையெனில்,இல்லையென்றால்,இல்லாத*} {கோரவில்லை*,கோரவில்லையெனில்,கோராவிட்டால்,செய்யவில்லை*,அடையாளம்_காணவில்லை*} நீங்களல்ல*`,
  te: `{మీరు,మీరే}_{కాకపోతే,కాదు,కాకుంటే} {అభ్యర్థించకపోతే,అభ్యర్థించకుంటే,అభ్యర్థించలేదు,కోరకపోతే,గుర్తించకపోతే,గుర్తించలేకపోతే}`,
  kn: `*ನೀವಲ್ಲ* {ನೀವು,ನೀವೇ}_{ಅಲ್ಲ*,ಇಲ್ಲದಿದ್ದರೆ} *ವಿನಂತಿಸದ* *ವಿನಂತಿಸಿಲ್ಲ* *ಕೋರದಿದ್ದ* *ಗುರುತಿಸದಿದ್ದ* {ವಿನಂತಿ,ಬದಲಾವಣೆ}_{ಮಾಡಿಲ್ಲ*,ಮಾಡದಿದ್ದ*}`,
  ml: `*നിങ്ങളല്ല* {നിങ്ങൾ,താങ്കൾ}_അല്ല* *താങ്കളല്ല* *അഭ്യർത്ഥിച്ചില്ല* *അഭ്യർത്ഥിച്ചിട്ടില്ല* *ആവശ്യപ്പെട്ടില്ല* *ആവശ്യപ്പെട്ടിട്ടില്ല* *തിരിച്ചറിയുന്നില്ല*`,
  si: `ඔබ_{නොවේ,නොවෙයි,නොවන්නේ,නෙවෙයි} {ඉල්ලා,සිදු_කර,වෙනස්_කර}_{නොමැති,නැති,නැත්නම්} *ඉල්ලුවේ_නැත්නම් {ඉල්ලා_නොසිටි*,නොඉල්ලු*}`,
  th: `*ไม่ใช่คุณ* *ไม่ใช่ท่าน* *ไม่ได้ขอ* *ไม่ได้ร้องขอ* *ไม่ได้เป็นผู้* *ไม่ได้ดำเนินการ* *ไม่ได้ทำรายการ* *ไม่รู้จัก* *ไม่ได้ส่งคำขอ* *ไม่ได้เปลี่ยน* *ไม่ได้พยายาม*`,
  lo: `*ບໍ່ແມ່ນທ່ານ* *ບໍ່ແມ່ນເຈົ້າ* *ບໍ່ໄດ້ຮ້ອງຂໍ* *ບໍ່ໄດ້ຂໍ* *ບໍ່ໄດ້ເຮັດ* *ບໍ່ໄດ້ດຳເນີນການ*`,
  km: `*មិនមែនជាអ្នក* *មិនមែនអ្នក* *មិនបានស្នើសុំ* *មិនបានស្នើ* *មិនបានធ្វើការផ្លាស់ប្តូរ* *មិនស្គាល់*`,
  my: `*သင်မဟုတ်* *မတောင်းဆို* *တောင်းဆိုခဲ့ခြင်းမဟုတ်* *တောင်းဆိုထားခြင်းမရှိ* *တောင်းဆိုခြင်းမဟုတ်* *မပြုလုပ်ခဲ့*`,
  vi: `không_phải_{bạn,là_bạn,quý_khách,do_bạn,do_quý_khách,chính_bạn,anh,tôi} không_{yêu_cầu,thực_hiện_thay_đổi,thực_hiện_yêu_cầu,thực_hiện_hành_động,thực_hiện_việc,thực_hiện_điều,thực_hiện_giao_dịch,thực_hiện_hoạt_động,nhận_ra,khởi_tạo,đăng_ký_tài_khoản,gửi_yêu_cầu,tạo_yêu_cầu} khong_{phai_ban,phai_la_ban,yeu_cau}`,
  id: `bukan_{anda,kamu,saya,oleh_anda,dari_anda,anda_yang} tidak_{,pernah_,merasa_,sedang_}{meminta*,mengajukan,melakukan_perubahan,melakukan_permintaan,melakukan_ini,melakukannya,mengenal*,memulai_ini,mengubah}`,
  ms: `bukan_awak tidak_{,pernah_}{memohon,membuat_permintaan,membuat_perubahan,melakukan_ini}`,
  fil: `hindi_{ikaw,ikaw_ito,ka_humiling,mo_ito_hiniling,mo_hiniling,mo_ito_ginawa,mo_ginawa,mo_nakikilala,mo_kilala,mo_ito_kilala,kayo,ninyo_hiniling}`,
  zh: `*不是您* *不是你* *非本人* *并非您* *並非您* *非您本人* *非你本人* *没有请求* *沒有請求* *没有要求* *沒有要求* *未曾提出* *未请求* *未請求* *未要求* *没有申请* *沒有申請* *未申请* *未申請*
    *并未提出* *並未提出* *没有发起* *沒有發起* *没有进行此* *沒有進行此* *未进行此* *未進行此* *不认识此* *不認識此* *不认得* *無法辨識此* *无法识别此*`,
  ja: `*心当たりがな* *心当たりのな* *覚えがな* *覚えのな* *ご自身でな* *ご自身ではな* *ご本人でな* *ご本人ではな* *本人ではな* *あなたではな* *あなたでな* *お客様ではな* *リクエストを行っていな*
    *リクエストしていな* *リクエストされていな* *要求していな* *依頼していな* *ご依頼でな* *申請していな* *申請されていな* *変更していな* *変更されていな*`,
  ko: `*본인이아* 본인이_아* 본인이_{요청하지,변경하지,시도하지,한_것이,하지}* *아니라면* {회원님,고객님,사용자}이_아* {회원님,고객님}께서_요청하지* {요청,신청,의뢰}하지_{않*,아니*} {요청,신청}한_{적,적이}_없* {직접,본인이}_{요청,변경,로그인}하지_않* 모르는_{로그인,활동,기기}*`,
  et: `{ei_olnud,polnud,ei_ole,pole}_{sina,teie,sa,te} {ei,pole}_{taotlenud,palunud,soovinud,teinud_seda,muutnud} {ei_tunne,tunne}_{seda,ära}*`,
  lv: `{nebijāt,nebiji,neesat,neesi}_{jūs,tu} {nepieprasī*,nelūdz*,neatpazīs*,neatpazīst*,nemainī*} {darbību,izmaiņas}_neveic*`,
  lt: `ne_{jūs,tu} {neprašė*,neprašei,neatpažįs*,neteikė*,nekeitė*,neinicijav*} {veiksmo,pakeitimo,pakeitimų}_neatlik*`,
  ca: `no_{has_estat_tu,heu_estat_vós,ha_estat_vostè,heu_sigut,has_sigut,ets_tu,reconeix*,reconeg*,vau_sol*,vas_sol*} no_{has,heu,ha}_{sol·licitat,demanat,fet_aquest*,realitzat_aquest*} no_vas_ser`,
  oc: `pas_{demandat,fach_aquest*,fait_aquest*} {èra,es,èretz}_pas_{vos,tu,vosautres} {reconeissètz,coneissètz}_pas`,
  gl: `non_{fuches,foi_vostede,foi_ti,solicit*,recoñec*,recoñez*,pedich*,pediu,fixeches,realizou,realizaches}`,
  eu: `ez_{bazara,zara,bazinen,zinen}_{zu_,}izan ez_{baduzu,duzu}_{eskatu,ezagutzen,egin_hau} zu_ez_{bazara,zara,bazinen} {eskatu_ez,ezagutzen_ez}_{baduzu,duzu} ez_{baduzu,duzu}_jarduera`,
  ka: `თქვენ_არ_{იყავით,ხართ,ყოფილხართ,მოგითხოვიათ,გაგიკეთებიათ} არ_{მოგითხოვიათ,მოითხოვეთ,გაგიგზავნიათ,შეგიცვლიათ,გაგიკეთებიათ,იცნობთ}`,
  hy: `դա_{դուք_չեք,դուք_չէիք,դուք_չեիք,դու_չես,դու_չէիր} {չեք,չէիք,չես}_{պահանջել,խնդրել,ճանաչում,փոխել}`,
  sq: `nuk_{ishit_ju,ishe_ti,jeni_ju,je_ti,e_keni_kërkuar,keni_kërkuar,e_kërkuat,kërkuat,e_njihni,e_njeh,e_bëtë,keni_bërë,e_keni_bërë}`,
  sw: `{si,sio,siyo}_wewe {hukuomba,hujaomba,hukufanya_mabadiliko,hukufanya_ombi,hukufanya_hivi,hukuanzisha,hukutuma,hutambui,huitambui}`,
  mk: `не_сте_{,биле_}{вие,биле} не_си_{ти,бил,била} {не_го,не_ја,не}_{побара*,направи*,препозна*} не_сте_{побара*,направи*}`,
  af: `nie_{jy,u,versoek*,herken*} {herken_jy,herken_u}_nie {jy,u}_nie_{was,versoek*} nie_{versoek,aangevra,gedoen,gemaak}_het`,
  cy: `nad_{chi,ti,ydych_yn_adnabod,ydych_chi'n_adnabod} {nid,nad}_{chi_oedd,ti_oedd,chi_wnaeth} {na,ni}_{wnaethoch,ofynnoch,wnest,ofynnaist}`,
  ga: `{mura,murar,nár}_{tusa,tú_féin,iarr*,rinne_tú,iarradh} mura_{n-aithníonn,n-aithnítear} {nach_tusa,ní_tusa}`,
  kk: `сіз_{емес,болмаса*} {сұрамаған,сұрамаса*,сұратпаса*,сұратпаған,мұны_жасама*,танымаса*} сен_емес`,
  ky: `сиз_{эмес,болбосо*} сураган_эмес {сурабаса*,сурабаган*,тааныбаса*} сен_эмес`,
  uz: `siz_{bo'lma*,emas*} so'rama* tanimasangiz сиз_{эмас,бўлма*}`,
  tg: `шумо_{набошед,нестед,набудед,набошад} {дархост,талаб}_{накарда*,накунед} намешиносед`,
  mn: `та_биш {хүсээгүй,хүсэлт_гаргаагүй,хүсэлт_илгээгээгүй,танихгүй,өөрчлөлт_хийгээгүй}`,
  am: `እርስዎ_{ካልሆኑ,አይደሉም,ካልነበሩ,አልነበሩም,ካልሆነ} {ካልጠየቁ,ካልጠየቅክ,አልጠየቁም,ያልጠየቁ} አንተ_ካልሆንክ`,
  mt: `{ma_kontx,mhux,ma_kienx,m'intx,ma_kontx_int}_{int,int_li} ma_{tlabtx,tlabtux,tagħrafx,għamiltx,għamiltux,talabtx,bdejtx}`,
  so: `{ahayn,aha,ahayn_adiga}_adiga adiga_{ahayn,aheyn} {aadan,aanad,haddaadan,aydaan,aanay}_{codsan,samayn,aqoon,garan*,codsanin} codsan_tan`,
  zu: `{kungeyena,akuyena,kungewena,kwakungewena,akuwena}_wena kungewena {ungakucelanga,awukucelanga,ungalicelanga,awucelanga,ungacelanga,ungakwenzanga,ungayicelanga,ungawazi}`,
  ha: `ba_{kai,ke,ku,kai_ba,kai_ne}_{ba,ne} {ba_ka,ba_ki,ba_ku}_{nemi,nema,yi,buƙaci,gane,roƙi,yi_wannan}`,
  yo: `{kì_í,kìí,ki_i,kii}_{bá_ṣe,ba_ṣe,ṣe,ba_se,se}_{ìwọ,iwọ,iwo} {ko_ba,kò_bá,ko,kò}_{beere,béèrè,bèèrè,beere_fun,ṣe_èyí}`,
};
