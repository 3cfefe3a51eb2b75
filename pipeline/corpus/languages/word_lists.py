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
