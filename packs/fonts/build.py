"""Makes the subsets of this folder (needs Python with fonttools and brotli).

    python3 build.py FONTSOURCE NOTO TEXT...

FONTSOURCE  a node_modules folder with @fontsource/source-serif-4 and @fontsource/fira-sans-condensed
NOTO        the folder of Debian's fonts-noto-cjk (/usr/share/fonts/opentype/noto)
TEXT        files whose Korean and Japanese characters must be drawn (packs, message files)
"""
import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

HERE = Path(__file__).parent
LATIN = [*range(0x20, 0x7F), *range(0xA0, 0x180), *map(ord, "–—‘’“”•…−′×←→")]


def rename(font, family, style, weight):
    table = font["name"]
    table.names = [r for r in table.names if r.nameID in (0, 13, 14)]
    script = f"{family}-{style}".replace(" ", "")
    for key, text in ((1, family), (2, style), (3, f"{family} {style}"), (4, f"{family} {style}"), (6, script), (16, family), (17, style)):
        table.setName(text, key, 3, 1, 0x409)
    font["OS/2"].usWeightClass = weight
    if "CFF " in font:
        cff = font["CFF "].cff
        cff.fontNames[0] = script
        top = cff.topDictIndex[0]
        for key, text in (("FullName", f"{family} {style}"), ("FamilyName", family)):
            if hasattr(top, key):
                setattr(top, key, text)


def make(font, characters, family, style, weight, out, features=("kern", "tnum", "lnum", "mark", "liga")):
    options = subset.Options()
    options.layout_features = list(features)
    options.hinting = False
    options.name_IDs = [0, 13, 14]
    options.notdef_outline = True
    options.drop_tables += ["STAT", "DSIG", "VORG", "vhea", "vmtx", "BASE"]
    work = subset.Subsetter(options)
    work.populate(unicodes=characters)
    work.subset(font)
    rename(font, family, style, weight)
    font.flavor = None
    font.save(HERE / out)
    print(out, (HERE / out).stat().st_size)


def main():
    fontsource, noto, texts = Path(sys.argv[1]) / "@fontsource", Path(sys.argv[2]), sys.argv[3:]
    serif = fontsource / "source-serif-4" / "files"
    sans = fontsource / "fira-sans-condensed" / "files"
    for weight, slant, style in ((400, "italic", "Italic"), (600, "italic", "SemiBold Italic"), (600, "normal", "SemiBold")):
        source = TTFont(serif / f"source-serif-4-latin-{weight}-{slant}.woff2")
        make(source, LATIN, "Grognard Serif", style, weight, f"GrognardSerif-{style.replace(' ', '')}.ttf")
    for weight, style in ((400, "Regular"), (500, "Medium"), (700, "Bold")):
        source = TTFont(sans / f"fira-sans-condensed-latin-{weight}-normal.woff2")
        make(source, LATIN, "Grognard Condensed", style, weight, f"GrognardCondensed-{style}.ttf")

    wanted = set("".join(Path(t).read_text(encoding="utf-8") for t in texts)) | set("・ー、。「」（）")
    wanted = {ord(c) for c in wanted if ord(c) > 0x2E00} | set(range(0x3040, 0x3100))
    hangul = {c for c in wanted if 0xAC00 <= c < 0xD7A4}
    for lead in range(0xB0, 0xC9):                     # the syllables of KS X 1001
        for trail in range(0xA1, 0xFF):
            hangul.add(ord(bytes([lead, trail]).decode("euc_kr")))
    kana = {c for c in wanted if not 0xAC00 <= c < 0xD7A4}
    ascii_ = set(range(0x20, 0x7F))
    for weight, style in ((400, "Regular"), (700, "Bold")):
        for index, characters, family in ((1, hangul, "Grognard Hangul"), (0, kana, "Grognard Kana")):
            source = TTFont(noto / f"NotoSansCJK-{style}.ttc", fontNumber=index)
            make(source, sorted(characters | ascii_), family, style, weight, f"{family.replace(' ', '')}-{style}.otf", ())


if __name__ == "__main__":
    main()
