"""Draws the geomorphic boards of this folder from the designs below.

    python3 build.py

A design is a list of landforms in columns (A = 1 ... GG = 33) and rows: ridges with a height, wadis, roads, patches of ground,
buildings. Everything that looks irregular comes from hashes of positions: the same designs give the same boards.

What all boards keep, so that they join in any order and upside down (`grognard packs check` tests it): the outermost hexes lie at
elevation 0, without gully, grove, building or hexside feature; a road, path or track leaves by A8, GG8, Q0 and Q16, and by these only.
"""
import math
from pathlib import Path

HERE = Path(__file__).parent
COLUMNS, ROWS = 33, 16
STEPS = [(0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0)]  # N, NE, SE, S, SW, NW in axial coordinates
EXITS = [(1, 8), (33, 8), (17, 0), (17, 16)]


def letters(c):
    return chr(64 + (c - 1) % 26 + 1) * ((c - 1) // 26 + 1)


def axial(c, r):
    return (c, r + (c % 2 - c) // 2)


def offset(q, s):
    return (q, s - (q % 2 - q) // 2)


def label(h):
    return f"{letters(h[0])}{h[1]}"


def parse(text):
    n = len(text.rstrip("0123456789"))
    return ((ord(text[0]) - 65) + 26 * (n - 1) + 1, int(text[n:]))


def point(h):
    """Centre of a hex: columns east, hexes south."""
    return (h[0] * math.sqrt(3) / 2, h[1] + (0.5 if h[0] % 2 else 0.0))


def at(x, y):
    """A design's (column, row) as a point."""
    return (x * math.sqrt(3) / 2, y)


HEXES = [(c, r) for c in range(1, COLUMNS + 1) for r in range(0 if c % 2 else 1, ROWS + 1)]
ON = set(HEXES)


def is_edge(h):
    return h[0] in (1, COLUMNS) or (h[0] % 2 == 1 and h[1] in (0, ROWS))


def neighbours(h):
    q, s = axial(*h)
    return [n for n in (offset(q + dq, s + ds) for dq, ds in STEPS) if n in ON]


def line(a, b):
    """Hexes of a straight line, both ends included."""
    (q0, s0), (q1, s1) = axial(*a), axial(*b)
    n = max(abs(q1 - q0), abs(s1 - s0), abs(q1 + s1 - q0 - s0))
    out = []
    for i in range(n + 1):
        t = i / max(n, 1)
        q, s = q0 + (q1 - q0) * t + 1e-6, s0 + (s1 - s0) * t + 2e-6
        u = -q - s
        rq, rs, ru = round(q), round(s), round(u)
        if abs(rq - q) > abs(rs - s) and abs(rq - q) > abs(ru - u):
            rq = -rs - ru
        elif abs(rs - s) > abs(ru - u):
            rs = -rq - ru
        out.append(offset(rq, rs))
    return out


def chain(text):
    """`A8 H7 Q8`: the hexes of straight legs from each to the next."""
    stops = [parse(t) for t in text.split()]
    out = [stops[0]]
    for a, b in zip(stops, stops[1:]):
        out += line(a, b)[1:]
    return out


def unit(*keys):
    """A hash of whole numbers, 0 to 1."""
    z = 0x9E3779B97F4A7C15
    for k in keys:
        z = (z ^ (int(k) & 0xFFFFFFFF)) * 0xBF58476D1CE4E5B9 % 2**64
        z ^= z >> 29
    z = z * 0x94D049BB133111EB % 2**64
    return ((z ^ (z >> 32)) & 0xFFFFFFFF) / 2**32


def noise(x, y, seed):
    i, j = math.floor(x), math.floor(y)
    fx, fy = x - i, y - j
    sx, sy = fx * fx * (3 - 2 * fx), fy * fy * (3 - 2 * fy)
    g = lambda a, b: unit(a, b, seed) * 2 - 1
    return (g(i, j) * (1 - sx) + g(i + 1, j) * sx) * (1 - sy) + (g(i, j + 1) * (1 - sx) + g(i + 1, j + 1) * sx) * sy


def to_line(p, pts):
    """Distance of a point from a polyline, and on which side of it the point lies."""
    best = (1e9, 1)
    for (ax, ay), (bx, by) in zip(pts, pts[1:]):
        dx, dy = bx - ax, by - ay
        t = max(0.0, min(1.0, ((p[0] - ax) * dx + (p[1] - ay) * dy) / (dx * dx + dy * dy)))
        d = math.hypot(p[0] - ax - t * dx, p[1] - ay - t * dy)
        if d < best[0] - 1e-9:
            best = (d, 1 if dx * (p[1] - ay) - dy * (p[0] - ax) > 0 else -1)
    return best


class Board:
    def __init__(self, number, slug, name):
        self.number, self.slug, self.name = number, slug, name
        self.height = {h: 0.0 for h in HEXES}
        self.level = {}
        self.ground = {h: "clear" for h in HEXES}
        self.building = {}
        self.bridge = set()
        self.sides = {"cliff": set(), "crest": set(), "wall": set(), "hedgerow": set()}
        self.roads = {"road": [], "path": [], "track": []}
        self.places = []

    # ---- heights

    def ridge(self, points, peak, width, rough=0.35):
        """A ridge (or hill, for one point): `peak` levels along the line, falling to nothing at `width`."""
        pts = [at(*p) for p in points]
        pts = pts if len(pts) > 1 else [pts[0], (pts[0][0] + 0.01, pts[0][1])]
        for h in HEXES:
            p = point(h)
            d, _ = to_line(p, pts)
            wob = 1 + rough * noise(p[0] / 2.3, p[1] / 2.3, self.number * 7 + 1)
            v = (peak + 0.45) * (1 - d / (width * wob))
            self.height[h] = max(self.height[h], v)

    def plateau(self, points, peak, sharp=1.5):
        """Inside the outline the ground lies at `peak`; beyond it falls by one level in `sharp` hexes."""
        pts = [at(*p) for p in points]
        ring = pts + [pts[0]]
        for h in HEXES:
            p = point(h)
            inside = False
            for (ax, ay), (bx, by) in zip(ring, ring[1:]):
                if (ay > p[1]) != (by > p[1]) and p[0] < ax + (p[1] - ay) / (by - ay) * (bx - ax):
                    inside = not inside
            d, _ = to_line(p, ring)
            v = peak + 0.45 if inside else peak + 0.45 - d / sharp
            self.height[h] = max(self.height[h], v)

    def settle(self, step=1):
        """Whole levels: the edge at 0, and no hex more than `step` above a neighbour but at cliffs."""
        lv = {h: max(0, math.floor(self.height[h] + 0.5)) for h in HEXES}
        for h in HEXES:
            # The whole hexes between the half hexes of the long edges, too: a hill does not end in teeth.
            if is_edge(h) or h[1] in (1, ROWS) and h[0] % 2 == 0:
                lv[h] = 0
        changed = True
        while changed:
            changed = False
            for h in HEXES:
                low = min(lv[n] for n in neighbours(h))
                cap = low + (2 if self.may_drop(h) else step)
                if lv[h] > cap:
                    lv[h] = cap
                    changed = True
        # A single hex that stands alone above its ring, or below it, is no landform.
        for h in HEXES:
            ns = [lv[n] for n in neighbours(h)]
            if lv[h] > max(ns) and unit(h[0], h[1], self.number) < 0.6:
                lv[h] = max(ns)
            if lv[h] < min(ns) and not is_edge(h):
                lv[h] = min(ns)
        self.level = lv

    def may_drop(self, h):
        return getattr(self, "drop", None) is not None and self.drop(h)

    def crest(self, points, least, reach=0.8):
        """A crest along a line: hexsides between hexes on its two sides, the higher at least at `least`."""
        pts = [at(*p) for p in points]
        for h in HEXES:
            for n in neighbours(h):
                top, low = max(self.level[h], self.level[n]), min(self.level[h], self.level[n])
                if h < n and top >= least and low >= max(1, top - 1) and not is_edge(h) and not is_edge(n):
                    (d1, s1), (d2, s2) = to_line(point(h), pts), to_line(point(n), pts)
                    if s1 != s2 and max(d1, d2) < reach:
                        self.sides["crest"].add((h, n))

    def cliffs(self, where, gaps=()):
        """Every drop inside the outline is sheer but at the gaps (hexes)."""
        gap = {parse(g) for g in gaps}
        pts = [at(*p) for p in where]
        ring = pts + [pts[0]]

        def inside(p):
            odd = False
            for (ax, ay), (bx, by) in zip(ring, ring[1:]):
                if (ay > p[1]) != (by > p[1]) and p[0] < ax + (p[1] - ay) / (by - ay) * (bx - ax):
                    odd = not odd
            return odd

        for h in HEXES:
            for n in neighbours(h):
                if h < n and self.level[h] != self.level[n] and h not in gap and n not in gap:
                    m = [(a + b) / 2 for a, b in zip(point(h), point(n))]
                    if inside(m):
                        self.sides["cliff"].add((h, n))

    # ---- ground

    def patch(self, kind, x, y, rx, ry, density=1.0, over=("clear",), seed=0):
        """An irregular patch of ground."""
        cx, cy = at(x, y)
        for h in HEXES:
            p = point(h)
            e = math.hypot((p[0] - cx) / rx, (p[1] - cy) / ry)
            e += 0.38 * noise(p[0] / 1.7, p[1] / 1.7, self.number * 13 + seed + 5)
            if e < 1 and self.ground[h] in over and unit(h[0], h[1], self.number, seed, 9) < density:
                self.put(h, kind)

    def put(self, h, kind):
        if is_edge(h) and kind not in ("clear", "brush", "scrub", "sand"):
            return
        if h in self.building:
            return
        self.ground[h] = kind

    def hexes(self, kind, text):
        for t in text.split():
            self.put(parse(t), kind)

    def wadi(self, text):
        for h in chain(text):
            if not is_edge(h):
                self.ground[h] = "gully"
                self.level[h] = min(self.level[n] for n in neighbours(h) + [h])

    def walls(self, kind, text):
        """`C3/C4` hexsides."""
        for t in text.split():
            a, b = (parse(x) for x in t.split("/"))
            assert b in neighbours(a), t
            self.sides[kind].add((min(a, b), max(a, b)))

    def around(self, kind, text, gaps=""):
        """The outline of a group of hexes, open where a road crosses it and at the gaps."""
        group = {parse(t) for t in text.split()}
        gap = {tuple(sorted((parse(a), parse(b)))) for a, b in (g.split("/") for g in gaps.split())}
        roads = {tuple(sorted(p)) for cls in self.roads.values() for r in cls for p in zip(r, r[1:])}
        for h in group:
            for n in neighbours(h):
                side = tuple(sorted((h, n)))
                if n not in group and side not in gap and side not in roads:
                    self.sides[kind].add(side)

    def houses(self, kind, text):
        for t in text.split():
            h = parse(t)
            self.building[h] = kind
            self.ground[h] = "clear"

    def road(self, kind, text):
        way = chain(text)
        for h in way:
            if self.ground[h] == "gully" and kind != "track":
                self.bridge.add(h)
            if self.ground[h] in ("rough", "soft_sand", "medium_grove") and kind == "road":
                self.ground[h] = "clear"
        self.roads[kind].append(way)

    def place(self, pid, hex_, name, cls, importance=1):
        self.places.append((pid, parse(hex_), name, cls, importance))

    # ---- the file

    def check(self):
        for kind, sides in self.sides.items():
            for a, b in sides:
                assert not (is_edge(a) and is_edge(b)), (self.number, kind, label(a), label(b))
        for cls in self.roads.values():
            for way in cls:
                for a, b in zip(way, way[1:]):
                    assert b in neighbours(a), (self.number, label(a), label(b))
                    side = tuple(sorted((a, b)))
                    assert side not in self.sides["cliff"], (self.number, "road over a cliff", label(a), label(b))
                    assert abs(self.level[a] - self.level[b]) <= 1, (self.number, "steep road", label(a), label(b))
                for h in way:
                    assert not is_edge(h) or h in EXITS, (self.number, "road at the edge", label(h))
        ways = {h for cls in self.roads.values() for way in cls for h in way}
        assert ways >= set(EXITS), (self.number, "no road at", [label(h) for h in EXITS if h not in ways])
        for h in self.bridge:
            assert self.ground[h] == "gully"

    def write(self):
        self.check()
        order = lambda hs: sorted(hs)
        rows = lambda hs: wrap([f'"{label(h)}"' for h in order(hs)])
        side = lambda s: f'"{label(s[0])}/{label(s[1])}"'
        out = [f"# Board {self.number}, made by build.py.", f'id = "board-{self.number}"', f"name = {names(self.name)}", ""]
        out.append("[terrain]")
        kinds = {}
        for h in HEXES:
            if self.ground[h] != "clear":
                kinds.setdefault(self.ground[h], []).append(h)
        for h, k in self.building.items():
            kinds.setdefault(k, []).append(h)
        if self.bridge:
            kinds["bridge"] = list(self.bridge)
        for k in sorted(kinds):
            out.append(f"{k} = {rows(kinds[k])}")
        out += ["", "[elevation]"]
        for lv in range(1, 10):
            hs = [h for h in HEXES if self.level[h] == lv]
            if hs:
                out.append(f"{lv} = {rows(hs)}")
        if any(self.sides.values()):
            out += ["", "[hexside]"]
            for k in sorted(self.sides):
                if self.sides[k]:
                    out.append(f"{k} = {wrap([side(s) for s in sorted(self.sides[k])])}")
        out += ["", "[road]"]
        for k, ways in self.roads.items():
            if ways:
                out.append(f"{k} = [")
                for way in ways:
                    out.append("    [" + ", ".join(f'"{label(h)}"' for h in way) + "],")
                out.append("]")
        for pid, h, name, cls, importance in self.places:
            out += ["", "[[place]]", f'id = "{pid}"', f'hex = "{label(h)}"', f"name = {names(name)}", f'class = "{cls}"', f"importance = {importance}"]
        (HERE / f"{self.number}-{self.slug}.toml").write_text("\n".join(out) + "\n")


def wrap(items):
    one = "[" + ", ".join(items) + "]"
    if len(one) < 120:
        return one
    out, cur = "[\n", "   "
    for i in items:
        if len(cur) + len(i) + 2 > 130:
            out += cur + "\n"
            cur = "   "
        cur += f" {i},"
    return out + cur + "\n]"


def names(n):
    en, ko, ja = n
    return f'{{ en = "{en}", ko = "{ko}", ja = "{ja}" }}'


# ---------------------------------------------------------------- designs


def serir():
    b = Board(1, "serir", ("The Serir", "세리르 평원", "セリール平原"))
    b.ridge([(7, 11.5), (11, 12.3)], 1, 2.3)
    b.ridge([(23, 4.2), (27.5, 5)], 1, 2.2)
    b.ridge([(20.5, 12)], 1, 1.9)
    b.ridge([(11, 3.4)], 1, 1.7)
    b.settle()
    b.patch("brush", 5, 4.5, 3.2, 2.4, 0.85, seed=1)
    b.patch("brush", 27, 11.5, 4.0, 2.6, 0.8, seed=2)
    b.patch("scrub", 15, 6.2, 2.4, 1.7, 0.8, seed=3)
    b.patch("scrub", 8, 13.5, 2.2, 1.5, 0.8, seed=4)
    b.patch("sand", 30, 3, 2.6, 2.4, 1.0, seed=5)
    b.patch("sand", 14, 14.2, 3.6, 1.6, 1.0, seed=6)
    b.patch("rough", 24, 4.6, 1.6, 1.0, 0.6, seed=7)
    b.patch("brush", 20, 9.7, 1.8, 1.1, 0.7, seed=8)
    b.road("path", "A8 F6 L7 Q8 X9 BB8 GG8")
    b.road("track", "Q0 Q3 N5 L7")
    b.road("track", "Q8 Q11 P14 Q16")
    b.road("track", "X9 Z7 Y5")
    b.place("bir", "Q8", ("Bir el Aslaq", "비르 엘아슬라크", "ビル・エル・アスラク"), "landmark")
    b.place("east-rise", "Y5", ("Pt 152", "152 고지", "152高地"), "landmark", 2)
    b.place("west-rise", "I12", ("Pt 149", "149 고지", "149高地"), "landmark", 2)
    b.write()


def long_ridge():
    b = Board(2, "long-ridge", ("Long Ridge", "긴 능선", "長稜"))
    west = [(4.5, 8.6), (9, 7.6), (13.2, 7.9)]
    east = [(18.6, 8.3), (23, 7.2), (28.6, 7.9)]
    b.ridge(west, 2, 3.4)
    b.ridge(east, 3, 4.1)
    b.ridge([(8, 13.2), (12, 13)], 1, 1.8)
    b.settle()
    b.crest([(4.2, 8.55), (9, 7.55), (13.6, 7.85)], 2)
    b.crest([(19, 8.25), (23, 7.15), (28.4, 7.85)], 3)
    b.patch("rough", 24, 6.6, 2.6, 1.1, 0.7, seed=1)
    b.patch("rough", 9.5, 8.6, 2.0, 0.9, 0.6, seed=2)
    b.patch("scrub", 26, 11.3, 2.6, 1.5, 0.85, seed=3)
    b.patch("scrub", 6, 4, 2.8, 1.5, 0.85, seed=4)
    b.patch("brush", 16, 3.4, 3.0, 1.6, 0.8, seed=5)
    b.patch("brush", 29, 3, 2.6, 1.8, 0.8, seed=6)
    b.patch("sand", 20, 13.6, 3.0, 1.7, 1.0, seed=7)
    b.patch("brush", 4, 12.6, 2.4, 1.8, 0.7, seed=8)
    b.road("path", "Q0 Q3 P6 P9 P12 Q14 Q16")
    b.road("track", "A8 B9 D11 H11 P12")
    b.road("track", "P12 X13 DD11 GG8")
    b.place("east-ridge", "W8", ("Long Ridge", "긴 능선", "長稜"), "ridge", 0)
    b.place("west-ridge", "I8", ("Camel Hump", "낙타혹 언덕", "駱駝瘤丘"), "ridge", 1)
    b.write()


def wadi():
    b = Board(3, "wadi", ("Wadi el Ghrab", "와디 엘그라브", "ワジ・エル・グラブ"))
    b.ridge([(7, 10.8), (11.5, 12.4)], 1, 2.3)
    b.ridge([(20, 3.6), (26.5, 4.0)], 1, 2.4)
    b.ridge([(26, 13)], 1, 2.0)
    b.settle()
    b.patch("rough", 13, 6.6, 5.0, 1.7, 0.34, seed=1)
    b.patch("rough", 22.5, 9.3, 4.6, 1.9, 0.4, seed=2)
    b.patch("rough", 28, 11.5, 2.6, 1.5, 0.45, seed=3)
    b.patch("scrub", 6, 6.3, 2.4, 1.6, 0.7, seed=4)
    b.patch("scrub", 17, 11.6, 2.6, 1.9, 0.75, seed=5)
    b.patch("brush", 28, 5.6, 2.6, 1.8, 0.75, seed=6)
    b.patch("brush", 12.5, 3, 3.0, 1.2, 0.8, seed=7)
    b.patch("sand", 4, 13.2, 2.6, 1.9, 1.0, seed=8)
    b.wadi("C4 G5 K5 O8 S8 W10 AA10 DD12 EE14")
    b.wadi("M14 M12 O10 O8")
    b.wadi("U4 U6 S8")
    b.wadi("BB7 AA10")
    b.road("road", "A8 F8 L7 N5 T5 X5 BB6 GG8")
    b.road("path", "Q0 P3 N5")
    b.road("track", "Q16 S13 U11 W9 X5")
    b.road("track", "U11 X13 Z13")
    b.place("ghrab", "O8", ("Wadi el Ghrab", "와디 엘그라브", "ワジ・エル・グラブ"), "valley", 0)
    b.place("north-spur", "W4", ("Raven Spur", "까마귀 능선", "鴉の尾根"), "ridge", 1)
    b.place("cistern", "Z13", ("Cistern", "저수조", "貯水槽"), "landmark", 2)
    b.write()


def oasis():
    b = Board(4, "oasis", ("Ain Sefra Oasis", "아인 세프라 오아시스", "アイン・セフラのオアシス"))
    b.ridge([(5, 4), (8.5, 3.4)], 1, 2.2)
    b.ridge([(26, 12.6), (29, 12)], 2, 2.9)
    b.ridge([(24, 3.4)], 1, 1.9)
    b.settle()
    b.crest([(25.6, 12.7), (29.2, 11.9)], 2)
    b.patch("sand", 9, 12, 4.2, 2.2, 1.0, seed=1)
    b.patch("sand", 28, 5.2, 2.8, 1.9, 1.0, seed=2)
    b.patch("brush", 14, 3.4, 2.4, 1.3, 0.85, seed=3)
    b.patch("scrub", 21.5, 11.8, 2.2, 1.7, 0.85, seed=4)
    b.patch("brush", 4.5, 9.9, 2.2, 1.0, 0.8, seed=5)
    b.hexes("medium_grove", "N9 O10 N10 O11 S10 T10 S11")
    b.hexes("light_grove", "M9 M10 N11 P11 U10 T11 O6 N6 T7 U8 S6")
    b.hexes("water", "R10")
    b.houses("brick_building", "P7 Q7 R7 P8 R8 Q9 P9 Q6")
    b.houses("stone_building", "S8")
    b.road("road", "A8 H8 O8 Q8 U9 AA8 GG8")
    b.road("road", "Q0 Q8 Q16")
    b.road("path", "K13 M11 O8")
    b.road("track", "X3 W6 U9")
    b.around("wall", "N9 N10 O10 O11 N11", "N11/M12 O10/P9")
    b.walls("wall", "S10/T11 S11/T12 T11/T12 T11/U11")
    b.place("sefra", "Q7", ("Ain Sefra", "아인 세프라", "アイン・セフラ"), "village", 0)
    b.place("customs", "S8", ("Caravanserai", "대상 숙소", "隊商宿"), "landmark", 2)
    b.place("gardens", "K13", ("The Gardens", "과수원", "果樹園"), "landmark", 2)
    b.place("marker", "X3", ("Survey Mark", "측량 표지", "測量標"), "landmark", 2)
    b.place("dome", "AA13", ("The Dome", "돔 언덕", "ドーム丘"), "ridge", 1)
    b.write()


def escarpment():
    b = Board(5, "escarpment", ("The Escarpment", "급사면", "大断崖"))
    b.plateau([(4.5, 3.6), (11, 2.7), (24, 2.7), (30, 4), (30, 6.6), (24.5, 7.2), (20, 6.3), (17, 5.2), (14, 6.4), (9, 7.4), (4.4, 6.4)], 2, 1.7)
    b.ridge([(7.5, 4.8), (10, 5)], 3, 3.2, 0.2)
    b.ridge([(24.5, 5)], 3, 2.9, 0.2)
    b.ridge([(23, 12.8), (27, 13.3)], 1, 2.0)
    b.drop = lambda h: 5 <= h[1] <= 9 and (3 <= h[0] <= 13 or 21 <= h[0] <= 31)
    b.settle()
    b.cliffs([(3, 5.4), (13.4, 5.6), (13.4, 10), (3, 10)])
    b.cliffs([(20.8, 5.4), (31, 5.2), (31, 10), (20.8, 10)])
    b.patch("rough", 8.5, 9.3, 3.6, 1.0, 0.55, seed=1)
    b.patch("rough", 25.5, 9.2, 4.0, 1.0, 0.55, seed=2)
    b.patch("scrub", 12, 12.4, 3.0, 1.4, 0.8, seed=3)
    b.patch("brush", 20.5, 3.5, 2.6, 1.0, 0.8, seed=4)
    b.patch("scrub", 13.2, 3.8, 1.7, 1.0, 0.8, seed=5)
    b.patch("brush", 5, 13, 2.6, 1.6, 0.8, seed=6)
    b.patch("sand", 29, 13.4, 2.6, 1.5, 1.0, seed=7)
    b.road("road", "Q16 Q12 O10 Q9 Q6 Q0")
    b.road("track", "A8 C10 I11 O10")
    b.road("track", "Q12 W12 CC11 GG8")
    b.houses("stone_building", "P12 R12")
    b.place("pass", "Q8", ("Bab el Qara", "바브 엘카라", "バブ・エル・カラ"), "landmark", 0)
    b.place("scarp-west", "I5", ("Sheikh's Tomb", "셰이크의 무덤", "族長の墓"), "ridge", 1)
    b.place("scarp-east", "Y5", ("Eagle Rock", "독수리 바위", "鷲岩"), "ridge", 1)
    b.place("post", "P12", ("Frontier Post", "국경 초소", "国境監視所"), "village", 1)
    b.write()


def dunes():
    b = Board(6, "dunes", ("The Sand Sea", "모래 바다", "砂の海"))
    lines = [
        [(3.6, 12.4), (7, 9.4), (10, 7.4)],
        [(9, 14), (13.5, 11.3), (17.2, 8.2), (19, 5.6)],
        [(19.5, 13.6), (23.5, 10.7), (26.4, 7.4)],
        [(13, 5), (15.6, 3.1)],
        [(22.5, 5.6), (26, 3.2)],
        [(28, 12.8), (30, 10.4)],
    ]
    for i, pts in enumerate(lines):
        b.ridge(pts, 2 if i in (1, 2) else 1, 2.5 if i in (1, 2) else 1.9, 0.25)
    b.settle()
    b.patch("sand", 17, 8, 15.5, 8.2, 0.93, seed=1)
    for h in HEXES:
        p = point(h)
        d = min(to_line(p, [at(*q) for q in pts])[0] for pts in lines)
        if d < 1.25 and not is_edge(h):
            b.put(h, "soft_sand")
    for i, pts in enumerate(lines):
        if i in (0, 1, 2):
            b.crest([(x + 0.15, y + 0.2) for x, y in pts], 2 if i in (1, 2) else 1)
    b.patch("brush", 4, 4.6, 2.4, 2.0, 0.85, over=("clear", "sand"), seed=2)
    b.patch("clear", 11.4, 12.2, 1.2, 0.9, 1.0, over=("sand",), seed=3)
    b.patch("rough", 29, 6, 1.8, 1.2, 0.8, over=("clear", "sand"), seed=4)
    b.hexes("light_grove", "L10 M10")
    b.road("track", "A8 E5 I4 M1 Q0")
    b.road("track", "I4 M7 L10")
    b.road("track", "GG8 DD8 W6 U3 Q0")
    b.road("track", "Q16 V14 Z14 DD10 DD8")
    b.place("well", "L10", ("Bir Tarfa", "비르 타르파", "ビル・タルファ"), "landmark", 1)
    b.place("whaleback", "O11", ("The Whaleback", "고래등", "鯨背"), "ridge", 1)
    b.place("erg", "X10", ("Erg Shams", "에르그 샴스", "エルグ・シャムス"), "ridge", 1)
    b.write()


def fort():
    b = Board(7, "fort", ("Fort Marabout", "마라부 요새", "マラブー砦"))
    b.ridge([(14, 7), (17, 6.4), (20, 7.2)], 1, 3.0)
    b.ridge([(5, 12), (9.5, 13)], 1, 2.0)
    b.ridge([(27, 4), (29.6, 6)], 2, 2.7)
    b.ridge([(24, 13)], 1, 2.0)
    b.settle()
    b.crest([(26.6, 3.7), (29.8, 6.2)], 2)
    b.patch("rough", 7, 4.4, 2.8, 1.7, 0.7, seed=1)
    b.patch("scrub", 13.6, 12.2, 2.6, 1.6, 0.8, seed=2)
    b.patch("scrub", 24, 9.7, 2.2, 1.3, 0.85, seed=3)
    b.patch("brush", 28, 12.4, 3.0, 1.9, 0.8, seed=4)
    b.patch("brush", 11.5, 3.2, 2.0, 1.2, 0.8, seed=5)
    b.patch("sand", 20.5, 2.9, 2.8, 1.2, 1.0, seed=6)
    b.patch("rough", 20.5, 11.6, 1.8, 1.1, 0.6, seed=7)
    b.houses("stone_building", "P7 Q7")
    b.road("track", "A8 H9 O8 Q8 W9 CC8 GG8")
    b.road("track", "Q0 R4 R7 Q8 Q12 Q16")
    b.road("track", "L12 O8")
    b.road("track", "BB5 X6 V8 W9")
    b.around("wall", "P7 Q7", "Q7/R7")
    b.wadi("H5 K6 M6")
    b.wadi("U13 W14 Z14")
    b.place("fort", "Q7", ("Fort Marabout", "마라부 요새", "マラブー砦"), "village", 0)
    b.place("cave", "L12", ("Bir Lehmed", "비르 레흐메드", "ビル・レーメド"), "landmark", 2)
    b.place("tower", "BB5", ("Watchtower Hill", "감시탑 언덕", "監視塔の丘"), "ridge", 1)
    b.write()


def djebel():
    b = Board(8, "djebel", ("The Djebel", "제벨 산지", "ジェベル山地"))
    west = [(5.5, 5), (8.6, 8), (9.6, 11.6)]
    east = [(24.5, 4.4), (25.6, 8.4), (28, 11.4)]
    b.ridge(west, 4, 4.7, 0.25)
    b.ridge(east, 4, 5.0, 0.25)
    b.drop = lambda h: h[0] in (12, 13, 21, 22) and 6 <= h[1] <= 10
    b.settle()
    b.crest([(6, 5.4), (8.6, 8), (9.5, 11.4)], 3)
    b.crest([(24.6, 4.8), (25.6, 8.4), (27.6, 11)], 3)
    for h in HEXES:
        if b.level[h] >= 3 and unit(h[0], h[1], 88) < 0.5:
            b.put(h, "rough")
        elif b.level[h] == 2 and unit(h[0], h[1], 89) < 0.3:
            b.put(h, "scrub")
        elif b.level[h] == 1 and unit(h[0], h[1], 90) < 0.25:
            b.put(h, "brush")
    b.wadi("S2 S5 R8 S11 S13")
    b.hexes("light_grove", "N3 O3 O4 N4 M13 N13 N14 O14 M14")
    b.houses("stone_building", "O12 P11")
    b.road("road", "Q0 P3 P7 P10 N11 O13 Q14 Q16")
    b.road("track", "A8 B9 C12 F15 K15 O13")
    b.road("track", "GG8 FF8 EE4 DD2 Y1 V2 T3 P3")
    b.patch("scrub", 17, 2.4, 1.8, 0.9, 0.7, seed=3)
    b.around("hedgerow", "O12 P11 P12", "O12/O13")
    b.place("west-djebel", "I8", ("Djebel Ahmar", "제벨 아흐마르", "ジェベル・アフマル"), "ridge", 0)
    b.place("east-djebel", "Y8", ("Djebel Kebir", "제벨 케비르", "ジェベル・ケビール"), "ridge", 0)
    b.place("farm", "O12", ("Domaine Roux", "루 농장", "ルー農園"), "village", 1)
    b.write()


if __name__ == "__main__":
    for design in (serir, long_ridge, wadi, oasis, escarpment, dunes, fort, djebel):
        design()
