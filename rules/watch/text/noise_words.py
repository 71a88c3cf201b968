"""How pages write days and noise, in the languages of sources: patterns over folded text."""

import re

_MONTH = (
    r"(?:jan(?:uary|uar|vier)?|enero|ene|feb(?:ruary|ruar|rero)?|f[ée]vr(?:ier)?|mar(?:ch|s|zo)?|m[äa]rz|mär|apr(?:il)?"
    r"|avr(?:il)?|abr(?:il)?|may|mai|mayo|june?|juni|juin|junio|july?|juli|juil(?:let)?|julio|aug(?:ust)?|ao[ûu]t"
    r"|ago(?:sto)?|sept?(?:ember|embre|iembre)?|o[ck]t(?:ober|obre|ubre)?|nov(?:ember|embre|iembre)?"
    r"|d[eé][czi][cz]?(?:ember|embre|iembre)?|dic(?:iembre)?)\.?"
)
WEEKDAY = (
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)"
    r"|(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)|(?:lunes|martes|mi[ée]rcoles|jueves|viernes"
    r"|s[áa]bado|domingo)|(?:mon|tue|wed|thu|fri|sat|sun)|(?:星期|周|週)[一二三四五六日天]|[月火水木金土日]曜日?"
    r"|[월화수목금토일]요일)"
)
"""The name of a day of the week."""

_DAY = (
    r"(?:\d{4}[-/.]\s?\d{1,2}[-/.]\s?\d{1,2}\.?"
    r"|\d{1,2}[-/.]\s?\d{1,2}[-/.]\s?(?:\d{4}|\d{2})"
    rf"|\d{{1,2}}(?:st|nd|rd|th|er|\.)?[ -](?:de |of )?{_MONTH},?[ -](?:de |del )?\d{{4}}"
    rf"|{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?,? \d{{4}}"
    r"|\d{4} ?[年년] ?\d{1,2} ?[月월] ?\d{1,2} ?[日일])"
)
DATE = rf"(?:(?:\(?{WEEKDAY}\)?,? ?)?{_DAY}(?: ?\(?{WEEKDAY}\)?)?)"
"""A whole date, with or without the day of the week."""

TIME = (
    r"(?:(?:,|t| at| um| à| a las| -)? ?\d{1,2}[:h]\d{2}(?::\d{2}(?:\.\d+)?)?(?: ?[ap]\.?m\.?)?(?: uhr)?"
    r"(?: ?(?:z|utc|gmt|cest|cet|bst|e[sd]t|p[sd]t|jst|kst|hkt|sgt)(?![a-z]))?(?: ?[+-]\d{2}:?\d{2})?)"
)
"""A time of day after a date."""


def _either(*alternatives: str) -> str:
    return f"(?:{'|'.join(alternatives)})"


def _pattern(*alternatives: str) -> re.Pattern[str]:
    return re.compile(_either(*alternatives), re.IGNORECASE)


_TOUCHED = _either(
    r"(?:(?:this )?(?:page|site|website|document|content|article|information) )?(?:was |has been |were )?"
    r"(?:last|latest) (?:updated?|modified|reviewed|revised|edited|checked)(?: date)?",
    r"date (?:last )?(?:modified|updated)",
    r"zuletzt (?:aktualisiert|geändert|überprüft)",
    r"letzte (?:aktualisierung|änderung)",
    r"(?:dernière )?mise à jour",
    r"dernière modification",
    r"última (?:actualización|modificación)",
    r"最終更新日?時?",
    r"更新日時?",
    r"最[后後]更新(?:时间|時間|日期)?",
    r"更新(?:时间|時間|日期)",
    r"최종 ?(?:수정|업데이트|갱신)일?",
    r"최근 ?업데이트",
)
_SHOWN = _either(
    r"(?:page )?(?:updated|modified|reviewed|published|posted|printed)",
    r"stand|veröffentlicht|aktualisiert",
    r"publié|mis à jour|publicado|actualizado",
    r"(?:发布|發布|发表|發表|公開|掲載)(?:日期?|时间|時間)?",
    r"등록일|게시일|수정일|작성일",
)
_STAMPED = rf" ?(?:on|at|am|vom|le|el)? ?[:-]? ?{DATE}{TIME}?\.?"

STAMP = _pattern(_TOUCHED + _STAMPED)
"""The day of an update; it may be anywhere in a line, because its words can mean nothing else."""

STAMP_LINE = _pattern(_TOUCHED + _STAMPED, _SHOWN + _STAMPED)
"""A line that is only the day of an update or of a publication."""

LABEL_LINE = _pattern(rf"{_TOUCHED} ?:?")
"""A line that announces the day of an update."""

DATE_LINE = _pattern(rf"{DATE}{TIME}?\.?")
"""A line that is only a day."""

TODAY_LINE = _pattern(rf"{WEEKDAY},? .*", rf".*{WEEKDAY}\)?", r".*\d:\d{2}.*")
"""Such a line with the day of the week or the time, as a site prints the day of today."""

IN_EFFECT = _pattern(
    r":$",
    r"effect|valid|from|until|since|as of|start|end|date",
    r"gültig|ab$|vigueur|partir|vigor|desde|hasta",
    r"[生有][効效]|施行|実施|实施|實施|起$|시행|부터",
)
"""Words above a day that make it the day of a rule."""

YEARS = _pattern(r"(?:©|\(c\)|copyright)(?: ?(?:©|\(c\)|copyright))? ?\d{4}(?: ?[-,] ?\d{4})?")
"""The years in which an owner claims a page."""

OWNER_LINE = _pattern(r"(?:©|\(c\)|copyright).{0,120}")
"""A line that begins like the claim of an owner."""

NUMBERS = _pattern(
    r"(?:session|request|trace|correlation|visitor)[ -]?id ?[:=#] ?[\w.-]{6,}",
    r";?jsessionid=[\w.!-]+",
    r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b",
)
"""Numbers that a server gives to a visit."""

_COUNT = r"\d[\d.,]* ?[km万만]?"
_READERS = r"(?:page ?)?(?:views?|visits?|visitors?|reads|hits|downloads|likes)"
_MINUTES = r"\d+ ?min(?:ut[eo])?[sn]?\.?"
_COOKIES = r"(?:cookies?|クッキー|쿠키)"
_USE = r"(?:使用|利用|사용)"
_NETWORK = r"(?:facebook|x|twitter|linkedin|whatsapp|instagram|wechat|weibo|line|youtube|e-?mail)"

NOISE_LINE = _pattern(
    # Counters of readers.
    rf"{_READERS} ?:? ?{_COUNT}",
    rf"{_COUNT} ?(?:{_READERS}|shares|comments?|aufrufe|vues|visitas)",
    rf"(?:浏览|瀏覽|阅读|閱讀|点击|點擊|閲覧|조회)(?:量|次[数數]|数|數|수)? ?:? ?{_COUNT}(?: ?[次回회])?",
    # How long it takes to read.
    rf"(?:reading time|read time|lesezeit|temps de lecture|tiempo de lectura) ?:? ?(?:ca\. ?)?{_MINUTES}",
    r"\d+[ -]?min(?:ute)?s?\.?(?: to)? read(?:ing)?(?: time)?",
    r"(?:约|約)? ?\d+ ?(?:分钟阅读|分で読めます|分鐘閱讀)",
    # Sharing and printing.
    r"(?:share|tweet|pin it|print|e-?mail|copy link|link copied|back to top)[!.]?",
    r"teilen|drucken|nach oben|partager|imprimer|haut de page|compartir|imprimir",
    r"分享|打印|列印|返回[顶頂]部|シェア|印刷|ページトップへ|공유|인쇄",
    r"(?:share|print|e-?mail|save|rate) this (?:page|article|post)",
    rf"(?:share|follow us|tweet|pin)(?: this(?: page)?)?(?: (?:on|via|by|to))? {_NETWORK}",
    r"was this (?:page|article|answer|information) (?:helpful|useful)\?(?: ?(?:yes|no) ?/? ?)*",
    # Cookies.
    r"(?:accept|reject|allow|deny|manage|only|decline)(?: (?:all|necessary|optional|essential))? cookies?",
    r"cookie (?:settings|preferences|policy|notice)",
    r"(?:we(?: and our partners)?|(?:our|this) (?:web)?site|.{2,40}) (?:use|uses|may use) cookies.{0,400}",
    r"by (?:continuing|using|browsing|clicking).{0,200}cookies.{0,300}",
    r"(?:wir|diese (?:web)?seite|unsere (?:web)?seite) (?:verwende[nt]|nutze?[nt]) cookies.{0,400}",
    r"(?:nous utilisons|ce site utilise) (?:des |les )?cookies.{0,400}",
    r"(?:utilizamos|este sitio (?:web )?(?:utiliza|usa)) (?:las )?cookies.{0,400}",
    rf".{{0,30}}{_USE}.{{0,12}}{_COOKIES}.{{0,300}}",
    rf".{{0,40}}{_COOKIES}.{{0,3}}(?:を|를)? ?{_USE}.{{0,300}}",
)
"""A line that is not about the subject of the page. Never applied to a line about batteries."""
