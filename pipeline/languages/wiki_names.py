"""Names in the markup that wikis share; what one language calls things is in `table`."""

from pipeline.languages.table import data_of

# The names of the category namespace. A dump declares the name that its wiki prefers, but not the
# others that the wiki accepts (分類 next to 分类 and Category); a part of a dump may declare none.
CATEGORY_NAMES = (
    "category", "bólkur", "catagóir", "categori", "categoria", "categorie", "categoría",
    "catégorie", "flokkur", "jamii", "kategori", "kategoria", "kategorie", "kategorija",
    "kategorio", "kategorya", "kategory", "kategorî", "kategooria", "kategória", "kateqoriya",
    "luokka", "roinn-seòrsa", "rummad", "thể loại", "turkum", "κατηγορία", "ангилал", "гурӯҳ",
    "категори", "категорија", "категория", "категорія", "катэгорыя", "санат", "төркем",
    "կատեգորիա", "კატეგორია", "קאטעגאריע", "קטגוריה", "تصنيف", "رده", "زمرہ", "پۆل", "वर्ग",
    "श्रेणी", "বিষয়শ্রেণী", "ਸ਼੍ਰੇਣੀ", "શ્રેણી", "பகுப்பு", "వర్గం", "ವರ್ಗ", "വർഗ്ഗം", "หมวดหมู่", "ကဏ္ဍ",
    "ចំណាត់ថ្នាក់ក្រុម", "カテゴリ", "分类", "分類", "분류",
)  # fmt: skip

# Options of a picture that consist of two words. One word is never taken for a caption.
FILE_OPTIONS = ("không khung", "có khung", "ללא מסגרת", "bez ramki", "sin marco")

# Templates that show one of their arguments, and the number of that argument. They mark its
# language, its size, or that it is a quotation. All other templates are left out.
TEXT_TEMPLATES: dict[str, int] = {
    "lang": 2,
    "langue": 2,
    "nihongo": 1,
    "nowrap": 1,
    "nobr": 1,
    "small": 1,
    "abbr": 1,
    "quote": 1,
    "cquote": 1,
    "blockquote": 1,
    "citation bloc": 1,
}


def disambiguation_templates(code: str) -> tuple[str, ...]:
    """The templates that mark a disambiguation page on the wiki of a language.

    The English names work on most wikis.
    """
    return tuple(dict.fromkeys(data_of("en").disambiguation + data_of(code).disambiguation))
