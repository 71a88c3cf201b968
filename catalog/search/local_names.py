"""The names of brands, power banks and units in Chinese, Japanese and Korean.

Pure data. `catalog.search.words` reads these names as the Latin words next to them, both in the names of
devices and in the searched text, so either side can use them.

`BRANDS` contains only names under which a brand sells or is commonly sold, and only brands of the starter
corpus (a test checks this). Without a name here, only that spelling is missing.
"""

BRANDS: dict[str, tuple[str, ...]] = {
    "Anker": ("安克", "アンカー", "앤커"),
    "Apple": ("苹果", "蘋果", "アップル", "애플"),
    "ASUS": ("华硕", "華碩"),
    "Aukey": ("傲基", "アウキー"),
    "Baseus": ("倍思", "베이스어스"),
    "Belkin": ("贝尔金", "ベルキン", "벨킨"),
    "Buffalo": ("バッファロー",),
    "cheero": ("チーロ",),
    "Cuktech": ("酷态科",),
    "Dell": ("戴尔", "戴爾"),
    "Duracell": ("金霸王", "デュラセル", "듀라셀"),
    "EcoFlow": ("正浩",),
    "Elecom": ("エレコム", "엘레콤"),
    "Energizer": ("劲量", "勁量", "エナジャイザー", "에너자이저"),
    "ESR": ("亿色",),
    "Honor": ("荣耀", "榮耀"),
    "Huawei": ("华为", "華為", "ファーウェイ", "화웨이"),
    "IKEA": ("宜家", "イケア", "이케아"),
    "Lenovo": ("联想", "聯想", "レノボ", "레노버"),
    "Meizu": ("魅族",),
    "Moshi": ("摩米士",),
    "Nitecore": ("奈特科尔", "ナイトコア"),
    "OnePlus": ("一加",),
    "Philips": ("飞利浦", "飛利浦", "フィリップス", "필립스"),
    "Pisen": ("品胜", "品勝"),
    "realme": ("真我",),
    "Romoss": ("罗马仕", "羅馬仕", "로모스"),
    "Samsung": ("三星", "サムスン", "삼성"),
    "Sharge": ("闪极", "閃極", "シャージ"),
    "Sony": ("索尼", "ソニー", "소니"),
    "Torras": ("图拉斯",),
    "TP-Link": ("普联",),
    "UGREEN": ("绿联", "綠聯", "유그린"),
    "Verbatim": ("威宝", "威寶"),
    "Xiaomi": ("小米", "シャオミ", "샤오미"),
    "Zendure": ("征拓",),
}

GENERIC: tuple[str, ...] = (
    "充电宝",
    "充電寶",
    "移动电源",
    "移動電源",
    "行动电源",
    "行動電源",
    "モバイルバッテリー",
    "モバイルバッテリ",
    "携帯充電器",
    "보조배터리",
    "보조 배터리",
    "파워뱅크",
)
"""Power bank. These words have no weight: every device is one."""

UNITS: dict[str, tuple[str, ...]] = {
    "mah": ("毫安时", "毫安時", "毫安"),
    "wh": ("瓦时", "瓦時"),
}
