"""Word lists that are too long for the table of languages."""

# Words with a meaning that stopwordsiso lists as stop words. It merges lists made for web search
# (and all two-letter domains), but people play with these words.
ENGLISH_CONTENT_WORDS = (
    "act ad amount area areas big bill bottom case cases cause causes cd clear computer copy "
    "course cry date detail early effect end ends example face faces fact facts fire free "
    "front full goods great group groups hell high home homepage html importance important "
    "index information interest interests invention keys kind large length line little long "
    "low man member members men microsoft mill mine mug name net netscape new novel number "
    "numbers old open order orders page pages part parts place places point points problem "
    "problems proud research results ring room rooms round run second seconds section self "
    "serious shed shell show shows side sides site small state states stop system test text "
    "thick thin thing things thought thoughts tip top turn tv uk value way ways web webpage "
    "website wells width wish wonder words work works world year years young"
)

# Function words that the short lists of stopwordsiso lack: pronouns, prepositions, conjunctions,
# particles, forms of to be and to have, and the commonest adverbs.
UKRAINIAN_FUNCTION_WORDS = (
    "я ти він вона воно ми ви вони мене тебе його її нас вас їх мені тобі йому їй нам вам їм "
    "мною тобою ним нею нами вами ними мій моя моє мої твій твоя твоє твої наш наша наше наші "
    "ваш ваша ваше ваші свій своя своє свої свого своєї своїх себе собі собою і й та а але "
    "або чи що щоб як якщо коли де куди звідки тому бо хоч хоча ніж ні не ж же б би то це цей "
    "ця ці цього цієї цих цьому цим той те ті того тієї тих тим такий така таке такі так в у "
    "на за до від з із зі по при про під над між без для через після перед біля крім серед "
    "щодо є був була було були буде будуть бути будемо може можуть можна треба має мають мав "
    "мала немає уже вже ще тільки лише навіть також теж тут там тоді зараз дуже більше менше "
    "весь вся все всі всіх усе усі сам сама самі хто кого кому ким чого чим який яка яке які "
    "якого якої яких якому якій яким котрий кілька багато мало он ось отже саме просто"
)
ESTONIAN_FUNCTION_WORDS = (
    "ma mina sa sina ta tema me meie te teie nad nemad mu minu su sinu meid teid neid mulle "
    "sulle talle meile teile neile mul sul tal meil teil neil see need selle nende seda "
    "sellest selles sellele too nood mis kes kelle mille mida keda kellele millest kus kuhu "
    "kust kuidas kui kuna miks millal ja ning ega või aga kuid vaid sest et nagu ka ei mitte "
    "ju siis juba veel ikka küll nüüd praegu seal siin sinna siia enam väga kõik kõige kogu "
    "iga mõni keegi miski midagi kedagi ise end enda ennast üks kaks on oli olen oled oleme "
    "olete ole oleks olnud olla olid pole saab sai saa saada võib võiks peab peaks tuleb üle "
    "alla eest taga ees kohta pärast enne kuni koos ilma vastu peale juures juurde ainult kas "
    "no noh jah"
)
ARMENIAN_FUNCTION_WORDS = (
    "ես դու նա մենք դուք նրանք ինձ քեզ նրան մեզ ձեզ նրանց իմ քո նրա մեր ձեր իր իրենց իրեն սա "
    "դա այս այդ այն սրա դրա և եւ ու կամ բայց իսկ որ թե եթե երբ որտեղ ինչ ի՞նչ ինչպես ինչու ով "
    "ո՞վ որը որի որոնք որոնց ոչ չի չէ չեն չեմ չէր էլ էր էին եմ է ենք եք են եղել լինել կա կան "
    "ունի ունեն պետք կարող արդեն դեռ հիմա միայն նաև շատ ավելի քան բոլոր ամեն մի մեկ մոտ մասին "
    "համար հետ մեջ վրա տակ առաջ հետո մինչև առանց կողմից նկատմամբ ընթացքում սակայն որպես քանի "
    "այնպես այսպես այստեղ այնտեղ ի ըստ րդ"
)
KOREAN_FUNCTION_WORDS = (
    "있는 있다 있었다 있으며 있어 없는 없다 하는 한다 했다 하고 하며 하여 해서 된다 되는 됐다 "
    "되었다 된 될 한 할 것 것은 것을 것이 것이다 것으로 것도 수 등 등의 등을 등이 및 또 또는 "
    "그리고 그러나 하지만 그런데 그래서 따라서 그 그는 그가 그의 그녀 그녀는 이 이는 이를 "
    "이것 이것은 저 제 나 나는 내가 내 너 너는 네 우리 우리는 우리가 여기 거기 저기 이런 그런 "
    "저런 어떤 모든 매우 더 더욱 가장 때 때문에 위해 위한 통해 대한 대해 따라 의해 같은 같이 "
    "다른 여러 이후 이전 중 중에 안 못 잘 왜 뭐 무엇 누구 언제 어디 어떻게 은 는 가 을 를 의 "
    "에 에서 로 으로 와 과 도 만 까지 부터 보다 처럼 라고 이라고 고 며 게 지 시 개 명 년 월 "
    "일"
)

# Pieces that ICU makes of the endings of verbs and of spoken language, missing in stopwordsiso.
JAPANESE_FUNCTION_WORDS = (
    "って よ ね した わ てる ろ る そう じゃ け たら く ぞ ま もう だから んで けど ろう り "
    "なぜ だが かも め てく たい たん てい しょ なんて そうだ そんな はず さん べ しない "
    "みたい こんな ご つけ かって ゃ きた じ さい こう せん しか かな ただ だって ちゃ "
    "ほうが あ たか しく み だけど しよう よね わっ どうして しま す われ あと くれる ばかり "
    "たよ づ わけ せい こ にし ことに まっ しょう とか くる げ おう えて じゃあ ちゃん まれ "
    "くだ いてる つい どうも どんな えっ たく かけ ち がい したら いたい どうか わり ぼ だけ "
    "どう"
)
