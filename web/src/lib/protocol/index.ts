// Generated from crates/server/src/protocol; a test keeps it in step. Do not edit.
// To write it anew: UPDATE_PROTOCOL=1 cargo test -p server --test protocol

export type JsonValue = unknown;

/** The version of the protocol. */
export const PROTOCOL = 2;

/**
 * A side's chair, numbered in the game's own order (0, 1, …). Its name is in [`crate::SeatInfo`].
 */
export type Seat = number;

/**
 * A set of seats, as bits.
 */
export type SeatSet = number;

/**
 * Through whose eyes a position is shown.
 */
export type Viewer = { "seat": Seat } | "spectator" | "referee";

/**
 * What fills a blank. Units and places are linked to the map by the client.
 */
export type Arg = { "number": number } | { "unit": string } | { "place": string } | { "term": string } | { "text": string } | { "list": Array<Arg> } | { "message": Message };

/**
 * A sentence to be shown in the reader's language: `key` names it in the message files
 * (`packs/GAME/i18n/{en,ko,ja}.toml`), `args` fill its `{blanks}`.
 */
export type Message = { key: string, args?: Array<[string, Arg]>, };

export type RefusalKind = "forbidden" | "out_of_turn" | "other_mode" | "too_far";

/**
 * Why an action is not legal, in the same words whether asked beforehand (`verdict`) or tried (`apply`).
 */
export type Refusal = { 
/**
 * The rule's number in the game's rulebook, such as `10.2`; `-` for what no rule needs to say
 * (not your turn, no such unit).
 */
rule: string, why: Message, 
/**
 * For programs; `why` is for people.
 */
kind: RefusalKind, };

export type Verdict = "legal" | { "illegal": Refusal };

export type Outcome = { 
/**
 * None for a draw.
 */
winner: Seat | null, 
/**
 * How it was won: the victory condition, with its rule.
 */
why: Message, rule: string, };

/**
 * Who must decide now.
 */
export type Pending = { "one": Seat } | { "each": SeatSet } | { "any": SeatSet } | { "over": Outcome };

/**
 * The sentence at the top of the table that says what is asked.
 */
export type Prompt = { message: Message, rule: string, 
/**
 * Is a side being set up?
 */
set_up: boolean, };

export type SlotKind = "words" | "units" | "places" | "choice" | "path" | "amount";

export type Slot = { 
/**
 * Words that stand before the slot's values, such as `attack 1313 with`; left out when an optional slot
 * stays empty.
 */
words: string, kind: SlotKind, 
/**
 * Message key of the slot's heading, such as `slot.attackers`.
 */
label: string, 
/**
 * What may be named here, in notation. Empty for pure words and amounts.
 */
candidates: Array<string>, 
/**
 * How many values may be named; for [`SlotKind::Amount`] the smallest and the greatest number.
 */
min: number, max: number, 
/**
 * The values that a sensible player would start from.
 */
suggested: Array<string>, };

export type TieKind = "among" | "apart";

/**
 * How what is named in one slot of a template restricts another.
 */
export type Tie = { 
/**
 * The slot that depends on another, and the other, as indices into [`Template::parts`].
 */
slot: number, on: number, kind: TieKind, 
/**
 * For [`TieKind::Apart`]: sets of values of which only one of the two slots may name any.
 */
groups: Array<Array<string>>, };

/**
 * An action with parts. The client shows a sheet to fill in; the filled text goes to `verdict`.
 * Its notation is `words` and filled slots in order, separated by blanks.
 */
export type Template = { parts: Array<Slot>, 
/**
 * How slots depend on each other.
 */
ties: Array<Tie>, };

/**
 * What an action does, if clients treat such actions specially.
 */
export type Deed = "move" | "place" | "deploy" | "done" | "other";

/**
 * An action taken apart.
 */
export type Reading = { deed: Deed, 
/**
 * All words, in order. Joined by blanks they are the action again.
 */
words: Array<string>, 
/**
 * The words before the first unit or place, such as `no support`; a number among them stands as `n`.
 */
verb: Array<string>, 
/**
 * The number among those words: 2 of `move 2 of A 1313`.
 */
number?: number, units: Array<string>, places: Array<string>, 
/**
 * The words after the first unit or place: how it is done.
 */
modes: Array<string>, 
/**
 * Those of `modes` that distinguish ways of acting, such as `tactical`. A word between a place and the unit that
 * acts on it, or between two units, only joins them and is left out.
 */
way: Array<string>, 
/**
 * Where it leads: the last place.
 */
target: string | null, 
/**
 * The new facing, as a compass word in lower case.
 */
facing?: string, 
/**
 * What the units use, such as ammunition: `gp` in `T1#2:gp`.
 */
using?: Array<string>, 
/**
 * The weapon of the unit: `2` in `T1#2:gp`.
 */
weapon?: string, 
/**
 * A target different from that of the other units: `B` in `T1#2:gp>B`.
 */
at?: string, };

export type SubjectKind = "unit" | "place" | "edge" | "words";

/**
 * What a player may act with, for clients: `unit A`, `hex 1313`, `bridge 1212/1213` are on the map; anything else
 * (`phase`) is a button.
 */
export type Subject = { kind: SubjectKind, 
/**
 * The unit, cell or hexside; for words the subject's notation.
 */
name: string, };

/**
 * Who may read a log entry.
 */
export type Audience = "all" | { "only": SeatSet };

/**
 * What a line of the report is about, whatever the game calls it.
 */
export type Topic = "turn" | "phase" | "move" | "arrival" | "retreat" | "advance" | "attack" | "combat" | "effect" | "loss" | "blast" | "flight" | "roll" | "reason" | "over" | "other";

/**
 * The kinds of facts that a client animates (`docs/PROTOCOL.md`, "The report").
 */
export type FactKind = "roll" | "move" | "step" | "moved" | "turn_to" | "attack" | "support" | "fire" | "assault" | "close_assault" | "combat" | "result" | "shot" | "hit" | "gp" | "other";

/**
 * The facts of a log entry that clients read. [`Entry::data`] may hold more; what has one of these names has this type.
 */
export type Facts = { kind?: FactKind | null, 
/**
 * The number of the turn that begins.
 */
turn?: number | null, rule?: string | null, unit?: string | null, units?: Array<string> | null, 
/**
 * Units that support an attack.
 */
support?: Array<string> | null, 
/**
 * The cell that is attacked, or the unit that is fired at.
 */
target?: string | null, 
/**
 * The cell that is fired at.
 */
hex?: string | null, at?: string | null, from?: string | null, to?: string | null, 
/**
 * A move, cell by cell; a place off the map is null.
 */
path?: Array<string | null> | null, 
/**
 * A die: its sides, what it shows, what is added.
 */
sides?: number | null, value?: number | null, modifier?: number | null, 
/**
 * The strengths of a combat, the columns that the odds were shifted, the column and the result as printed.
 */
attack?: number | null, defense?: number | null, shift?: number | null, column?: string | null, result?: string | null, 
/**
 * Whom the result favours: `good` the attacker, `bad` the defender.
 */
tone?: Tone | null, hit?: boolean | null, hits?: number | null, 
/**
 * The attack interrupts another side's move.
 */
interrupt?: boolean | null, };

/**
 * One line of the battle report, ready for any client: words as a [`Message`], facts for animation as JSON.
 */
export type Entry = { audience: Audience, seat: Seat | null, topic: Topic, message: Message, 
/**
 * Importance of the line: 0 a heading (turn, phase), 1 an action, 2 a detail (a die, a modifier).
 */
level: number, 
/**
 * Machine-readable facts: `{"kind":"move","unit":…,"path":[…]}`, `{"kind":"roll","sides":6,"value":4,…}`.
 * [`Facts`] and whatever else lab files may expect of it.
 */
data?: Facts, };

export type GroundLook = "mud" | "snow";

/**
 * The parts of a lab file that only the game can write.
 */
export type LabPosition = { 
/**
 * Lines of the head.
 */
head: string, 
/**
 * The steps of each counter whose steps the viewer knows, by its id.
 */
steps: { [key in string]?: number }, };

/**
 * The light and the ground of a turn.
 */
export type Mood = { night: boolean, overcast: boolean, ground: GroundLook | null, };

export type TurnView = { number: number, last: number, 
/**
 * Such as “16 Dec AM”.
 */
name: Message, phase: Message, rule: string, 
/**
 * Whose phase it is.
 */
seat: Seat | null, 
/**
 * Weather, ground, night: short labels with their meaning.
 */
conditions: Array<Message>, 
/**
 * Those conditions that change the look of the map.
 */
mood: Mood, 
/**
 * The phase as lab files name it; empty if they cannot start there.
 */
lab_phase: string, 
/**
 * What else a lab file of this position needs, if the game can say it.
 */
lab?: LabPosition | null, };

export type Badge = { kind: string, text: string, tone: string, };

/**
 * What is printed on a counter. The client draws it; `None` or empty means not printed.
 */
export type Face = { 
/**
 * Ground colour by nation, such as `us`, `uk`, `de`, `ss`, `fj`; `hidden` shows a back.
 */
ground: string, 
/**
 * Army or corps bar: a CSS colour.
 */
bar?: string | null, 
/**
 * Symbol: `infantry`, `mech_infantry`, `armor`, `recon`, `artillery`, … or `silhouette:NAME`.
 */
symbol: string, 
/**
 * Size mark: `II`, `III`, `X`.
 */
size: string, 
/**
 * Left of the symbol: the regiment.
 */
left: string, 
/**
 * Right of the symbol: the battalion.
 */
right: string, 
/**
 * At the top, in the bar: the division; a vehicle's name.
 */
title: string, 
/**
 * The figures at the bottom, left to right, as printed: `["6","6","3"]`, `["(2)"]`.
 */
factors: Array<string>, 
/**
 * Small figures: `morale`, `tq`, `stacking`, `range`, `steps`, `colour`….
 */
badges?: Array<Badge>, reduced: boolean, };

/**
 * A counter on the map or in a box.
 */
export type Piece = { id: string, seat: Seat | null, 
/**
 * A cell or box id.
 */
at: string, 
/**
 * Order in the stack, top = 0.
 */
layer: number, 
/**
 * Facing as degrees clockwise from north, where it matters: 0, 60, … on a flat-topped grid, 30, 90, … on a
 * pointy-topped one. The client turns the counter, marks its front and keeps its writing upright.
 */
facing?: number | null, face: Face, 
/**
 * States such as `disrupted`: drawn as shapes, named in words on hover (message keys `state.X`).
 */
states?: Array<string>, 
/**
 * Can its owner still act with it in this phase?
 */
active: boolean, };

/**
 * Something on the map that is not a unit: a blown bridge, control, traffic, an improved position.
 */
export type Marker = { kind: string, 
/**
 * A cell, or an edge as two cells: `E2119/E2120`.
 */
at: string, seat?: Seat | null, text: string, };

export type PanelRow = { label: Message, value?: Message | null, 
/**
 * Pieces shown in this row, by id.
 */
pieces?: Array<string>, 
/**
 * Marks the row that holds now (this turn), or is met (victory).
 */
current: boolean, rule?: string | null, };

export type Panel = { id: string, title: Message, rows: Array<PanelRow>, };

/**
 * What a line or an area means for the viewer.
 */
export type Tone = "plain" | "good" | "doubt" | "bad";

/**
 * A line over the map, centre to centre.
 */
export type MapLine = { 
/**
 * What it means: `los`, `fire`, `order`, `path`…; named in words on hover by the message `line.KIND`.
 */
kind: string, 
/**
 * The cells it joins; for a single hexside (`E2119/E2120`) it is drawn along the hexside.
 */
cells: Array<string>, seat?: Seat | null, 
/**
 * How it is drawn: never by colour alone.
 */
tone: Tone, 
/**
 * A straight line between two cells is free only so far (0 to 1); the rest is drawn as blocked.
 */
free?: number | null, 
/**
 * Does it have an arrowhead at its end?
 */
arrow: boolean, 
/**
 * Short, written at its middle: a range, a cost.
 */
text: string, };

export type View = { turn: TurnView | null, pieces: Array<Piece>, markers: Array<Marker>, 
/**
 * Tracks and tables beside the map: turn track, reinforcements, dead pile, victory.
 */
panels: Array<Panel>, 
/**
 * Lines over the map that belong to the position: orders given, fire declared, boundaries.
 */
lines?: Array<MapLine>, 
/**
 * Data that only this game's client code needs.
 */
extra?: JsonValue, };

export type SheetLine = { label: Message, 
/**
 * As shown: `6`, `½ 3`, `+2`, `→ 1`.
 */
value: string, rule: string, 
/**
 * 0 = heading or total, 1 = a line, 2 = a remark.
 */
level: number, };

export type Chance = { label: Message, p: number, 
/**
 * -1 bad … +1 good for the deciding side.
 */
tone: number, };

/**
 * An explanation as lines and chances: the odds sheet, the fire sheet. The client asks `sheet ACTION` for an action
 * that is being filled in or confirmed; the answer carries it under the key `sheet`. An option whose template has
 * words only is shown with its sheet before it is confirmed.
 */
export type Sheet = { title: Message | null, lines: Array<SheetLine>, 
/**
 * Possible outcomes, from bad to good for the deciding seat; the probabilities sum to 1.
 */
chances: Array<Chance>, 
/**
 * The outcome in two or three lines, each with its own probability (they need not sum to 1): the hex is taken, a
 * step is lost.
 */
leads?: Array<Chance>, 
/**
 * Painted on the map while the sheet is open: the area it would cover, where it may scatter to.
 */
areas?: Array<Area>, 
/**
 * Drawings of the target and its parts, one for each side from which it can be hit.
 */
figures?: Array<Figure>, };

/**
 * A drawing of something that is hit in one of its parts.
 */
export type Figure = { 
/**
 * What is drawn; clients know how to draw a `vehicle`.
 */
kind: string, label: Message, parts: Array<FigurePart>, };

export type FigurePart = { 
/**
 * Where it is drawn: `turret`, `hull`, `tracks` of a vehicle, followed by the side that shows (`hull_front`).
 */
place: string, label: Message, 
/**
 * How likely a hit strikes this part.
 */
p: number, 
/**
 * The armor, as shown.
 */
value: string, 
/**
 * Whether a hit there does anything.
 */
tone: Tone, };

export type BriefAnswer = { 
/**
 * The answer in notation, as the options list it.
 */
action: string, 
/**
 * Taken apart: filled in by the server, empty in a game's own answer.
 */
reading: Reading, 
/**
 * One sentence saying where the answer leads.
 */
note?: Message | null, 
/**
 * One figure for each column of the brief; an empty string leaves its cell blank.
 */
values?: Array<string>, 
/**
 * Possible outcomes, from bad to good for the deciding seat; the probabilities sum to 1.
 */
chances?: Array<Chance>, 
/**
 * How the destination is painted on the map.
 */
tone: Tone, };

/**
 * What a seat should know before it answers.
 */
export type Brief = { 
/**
 * Facts that hold whatever the answer: the current odds, how many remain.
 */
facts?: Array<SheetLine>, 
/**
 * Column headings for the figures of the answers.
 */
columns?: Array<Message>, 
/**
 * What each answer leads to. An answer about which nothing is known may be missing.
 */
answers?: Array<BriefAnswer>, 
/**
 * If almost every place is offered: the places worth a look, best first.
 */
places?: Array<string>, };

/**
 * Cells painted alike.
 */
export type Area = { 
/**
 * For the legend.
 */
label?: Message | null, cells: Array<string>, 
/**
 * Labels for the cells, one for each of them, or none at all.
 */
texts?: Array<string>, seat?: Seat | null, tone: Tone, };

export type SectionPoint = { cell: string, 
/**
 * How far along the line, 0 to 1.
 */
at: number, 
/**
 * Height of the ground.
 */
ground: number, 
/**
 * Height of what stands there (trees, walls, wrecks); equal to `ground` where nothing does.
 */
top: number, 
/**
 * Does it stop the line?
 */
blocks: boolean, label?: Message | null, };

/**
 * Cross-section of the ground along a line: heights and what stands on them.
 */
export type Section = { 
/**
 * In order, from the first cell to the last.
 */
points: Array<SectionPoint>, 
/**
 * Height of the eye at the start, and of what it looks at.
 */
from: number, to: number, };

/**
 * What an answer paints on the map and says about it. Answers to the questions of [`crate::setup::OverlayInfo`] carry
 * one under the key `overlay`: a field of fire, a line of sight with its cross-section, a threat map.
 */
export type Overlay = { 
/**
 * One sentence: “E9 sees F12.” “The crest in E10 blocks.”
 */
note?: Message | null, 
/**
 * The rule that decided it.
 */
rule: string, areas?: Array<Area>, lines?: Array<MapLine>, 
/**
 * How it was calculated.
 */
sheet?: Sheet | null, 
/**
 * Cross-section of the ground below a line.
 */
section?: Section | null, };

/**
 * Where a unit can go: the answer to `reach UNIT [MODE]`, under the key `reach`.
 */
export type Reach = { 
/**
 * What the unit has to spend in this mode, in movement points.
 */
allowance?: number, 
/**
 * Cells, and what it costs to get there.
 */
cells: Array<[string, number]>, };

/**
 * The path of a unit to a cell: the answer to `way UNIT CELL [MODE]`, under the key `way`. If there is no path, the
 * answer carries a [`crate::Refusal`] under the key `refusal`.
 */
export type Way = { 
/**
 * From the unit's cell (if that is on the map) to the destination.
 */
cells: Array<string>, 
/**
 * The cost to enter each cell but the first.
 */
costs: Array<number>, };

export type CardRow = { label: Message, 
/**
 * As printed: `8T 10-12`, `+1`; one value, or one for each column. An empty string leaves its cell blank.
 */
values: Array<string>, 
/**
 * The rule that uses it.
 */
rule: string, 
/**
 * Marks what applies now: the column of this range, the side that is hit.
 */
current: boolean, };

/**
 * A small table: `columns` are its headings; without them each row is a label and its values.
 */
export type CardSection = { title?: Message | null, columns?: Array<Message>, rows: Array<CardRow>, };

/**
 * A data card: everything printed about a unit that does not fit on its counter. The answer to `card UNIT` carries one
 * under the key `card`, if [`crate::GameInfo::cards`] says so.
 */
export type Card = { title: Message | null, 
/**
 * Under the title: nation, years, kind.
 */
about?: Message | null, sections: Array<CardSection>, };

/**
 * The parts of an answer that a client can draw, each under its key. An answer may hold more, for the lab.
 */
export type Drawn = { reach?: Reach, way?: Way, refusal?: Refusal, sheet?: Sheet, overlay?: Overlay, brief?: Brief, card?: Card, 
/**
 * The state of victory: `victory`.
 */
panel?: Panel, };

export type Cell = { 
/**
 * The label that notation uses.
 */
id: string, x: number, y: number, 
/**
 * Message key or proper name of the place, if it has one.
 */
name?: string | null, 
/**
 * Localised names, by language code: `{"ko": "바스토뉴"}`.
 */
names?: { [key in string]?: string }, 
/**
 * Message keys of the terrain and features in the cell, for tooltips and screen readers.
 */
terrain: Array<string>, };

export type BoxInfo = { id: string, name: string, 
/**
 * Where the box is drawn, if it is on the map picture.
 */
at?: [number, number] | null, };

export type Board = { 
/**
 * Size of the map picture, in the units of the positions below.
 */
width: number, height: number, 
/**
 * Outline of a cell around its centre.
 */
outline: Array<[number, number]>, cells: Array<Cell>, 
/**
 * Places off the map: boxes, tracks, holding areas.
 */
boxes: Array<BoxInfo>, };

export type SeatInfo = { 
/**
 * The id used by notation and the lab: `german`, `allied`.
 */
id: string, name: string, 
/**
 * CSS colour of the side.
 */
colour: string, };

export type ScenarioInfo = { id: string, name: string, about: string, turns: number, 
/**
 * The number of its first turn.
 */
first: number, 
/**
 * Rough playing time for two people, in minutes.
 */
minutes: number, 
/**
 * Only for these editions; empty = all.
 */
editions: Array<string>, };

export type OptionInfo = { id: string, name: string, rule: string, default: boolean, 
/**
 * Only for these editions; empty = all.
 */
editions: Array<string>, 
/**
 * Only for these scenarios; empty = all.
 */
scenarios: Array<string>, };

/**
 * A map overlay: zones of control, supply, a line of sight.
 */
export type OverlayInfo = { id: string, 
/**
 * A letter, lower case.
 */
key: string, 
/**
 * Message key.
 */
name: string, 
/**
 * The question that paints it. `{seat}` asks once for each side, `{unit}` for the selected unit, `{from}` and
 * `{to}` for two cells that the player clicks or drags between: a tool such as `los {from} {to}`. The answer holds
 * a [`crate::view::Overlay`] under `overlay`.
 */
question: string, rule: string, };

/**
 * A shape on or at a counter. All but the first five are tabs at its left edge.
 */
export type StateShape = "none" | "tear" | "wide_tear" | "rotor" | "order" | "order_face_down" | "swords" | "can" | "ring" | "wheel" | "lorry" | "gun_ready" | "gun_fired" | "moon" | "spade" | "arrow" | "tow" | "chevrons" | "back" | "eye" | "closed_eye" | "open_eye" | "dust" | "flash" | "small_flash" | "crack" | "cross" | "flame" | "down" | "down_dashed" | "hatch" | "track" | "turret" | "hull" | "rampart" | "hull_down" | "partly_hull_down" | "passengers" | "aboard" | "immobile" | "tick" | "goal" | "cloud" | "wall" | "plus" | "boat" | "parachute";

/**
 * A shape on a cell or, for a bridge and the arrow, on a hexside.
 */
export type MarkerShape = "earthwork" | "earthwork_begun" | "wreck" | "burning_wreck" | "fire" | "smoke" | "gas_zone" | "gas_zone_broken" | "dust" | "glow" | "flare" | "bursts" | "flag" | "aircraft" | "bridge" | "bridge_held" | "bridge_blown" | "bridge_building" | "bridge_to_wire" | "bridge_wired" | "arrow" | "traffic" | "roadblock" | "plane" | "fuel" | "mines" | "wire" | "rubble" | "ditch" | "target" | "dummies" | "obstacle" | "unknown" | "plate";

export type StateLook = { 
/**
 * The state, without a place or number behind a colon.
 */
state: string, shape: StateShape, 
/**
 * It is bad for the unit: the tab has the colour of a warning.
 */
warns: boolean, 
/**
 * It only records what the unit does or has done in this turn: no news for a player who returns.
 */
passing: boolean, 
/**
 * What is written on an order.
 */
text?: string, };

export type MarkerLook = { kind: string, shape: MarkerShape, };

/**
 * The shapes of a game's states and markers. What is not listed is drawn as its first letter.
 */
export type Looks = { states: Array<StateLook>, markers: Array<MarkerLook>, 
/**
 * The symbols of units whose engines are heard when they move ([`crate::view::Face::symbol`]).
 */
engines: Array<string>, };

/**
 * A game as the lobby shows it. Names and descriptions are message keys of the game's catalogue.
 */
export type GameInfo = { id: string, name: string, about: string, seats: Array<SeatInfo>, 
/**
 * The first is the default.
 */
editions: Array<string>, scenarios: Array<ScenarioInfo>, options: Array<OptionInfo>, 
/**
 * Is anything ever hidden from a seat, with any options? [`crate::Game::secrets`] answers it for one set-up.
 */
secrets: boolean, 
/**
 * Map overlays that the client toggles with a key, in the order of the menu.
 */
overlays: Array<OverlayInfo>, 
/**
 * Does the game answer `card UNIT` with a [`crate::view::Card`]?
 */
cards: boolean, 
/**
 * Does the game accept a pack overlay ([`crate::Game::overlay_changes`])?
 */
overlay: boolean, 
/**
 * How the client draws states and markers.
 */
looks: Looks, };

/**
 * Everything that determines a game's start, except its dice.
 */
export type Setup = { game: string, edition: string | null, scenario: string, options: Array<string>, 
/**
 * A pack overlay (TOML text): corrections to units and map.
 */
overlay?: string | null, };

/**
 * Why the server refuses a request. A closed list: the client has a translation for each.
 */
export type ErrorCode = "bad_request" | "not_found" | "unauthorized" | "forbidden" | "not_your_seat" | "illegal" | "stale" | "waiting" | "over" | "not_over" | "taken" | "nothing_to_undo" | "no_takeback" | "secret" | "rate_limited" | "too_large" | "bad_name" | "bad_password" | "bad_login" | "login_taken" | "bad_webhook" | "plan_ends" | "bad_journal" | "outdated" | "cancelled" | "rules_failed" | "internal";

export type ErrorBody = { code: ErrorCode, 
/**
 * For developers, in English.
 */
detail: string, refusal?: Refusal, };

export type NewGuest = { name?: string, language?: string, };

export type Me = { id: string, name: string, 
/**
 * Has a login and a password.
 */
account: boolean, login?: string, webhook?: string, language: string, };

export type Welcomed = { 
/**
 * The secret that proves who you are: `Authorization: Bearer TOKEN`.
 */
token: string, user: Me, };

export type ChangeMe = { name?: string, language?: string, 
/**
 * Null or empty to remove it.
 */
webhook?: string | null, };

export type Credentials = { login: string, password: string, };

export type DeviceCode = { code: string, expires_ms: number, };

export type ClaimDevice = { code: string, };

export type NoticeKind = "your_turn" | "joined" | "takeback_asked" | "proposed" | "clock_low" | "chat" | "over" | "rematch";

export type Notice = { n: number, at: number, kind: NoticeKind, game: string, title: string, seat?: Seat, };

export type Notices = { 
/**
 * Pass it as `since` next time.
 */
next: number, 
/**
 * The games in which this user must decide.
 */
awaiting: Array<GameSummary>, notices: Array<Notice>, };

export type BotLevel = { id: string, 
/**
 * Message key.
 */
name: string, };

export type CatalogueItem = { info: GameInfo, bots: Array<BotLevel>, 
/**
 * The languages it is translated into.
 */
languages: Array<string>, 
/**
 * What the server's overlay changes in its pack, one line each.
 */
corrections: Array<string>, };

/**
 * A pack overlay to be checked.
 */
export type TryOverlay = { 
/**
 * TOML text.
 */
overlay: string, };

/**
 * What an overlay would change, one line each.
 */
export type OverlayChanges = { changes: Array<string>, };

/**
 * How the map is cut into tiles. Zoom 0 is the whole map in one tile.
 */
export type MapMeta = { 
/**
 * Edge of a tile in pixels.
 */
tile: number, min_zoom: number, max_zoom: number, 
/**
 * Size of the map in pixels at `max_zoom`.
 */
width: number, height: number, };

export type Clock = { "kind": "none" } | { "kind": "live", base_s: number, increment_s: number, } | { "kind": "turn", hours: number, };

export type Visibility = "public" | "link" | "private";

/**
 * Who takes a seat.
 */
export type SeatChoice = { "kind": "me" } | { "kind": "hotseat", name?: string, } | { "kind": "invite" } | { "kind": "open" } | { "kind": "bot", level: string, };

/**
 * The terms of a game, whether it is new or continues from a file.
 */
export type Terms = { 
/**
 * In the order of the seats.
 */
seats: Array<SeatChoice>, clock?: Clock, visibility?: Visibility, title?: string, 
/**
 * Whether players may ask for advice and play decisions out beforehand (`advise`, `what_if`).
 */
analysis?: boolean, };

export type NewGame = { setup: Setup, 
/**
 * In the order of the seats.
 */
seats: Array<SeatChoice>, clock?: Clock, visibility?: Visibility, title?: string, 
/**
 * Whether players may ask for advice and play decisions out beforehand (`advise`, `what_if`).
 */
analysis?: boolean, };

export type ImportGame = { 
/**
 * The exported file's text.
 */
journal: string, 
/**
 * In the order of the seats.
 */
seats: Array<SeatChoice>, clock?: Clock, visibility?: Visibility, title?: string, 
/**
 * Whether players may ask for advice and play decisions out beforehand (`advise`, `what_if`).
 */
analysis?: boolean, };

/**
 * A new game that continues from a moment of another.
 */
export type BranchGame = { 
/**
 * The number of decisions to keep.
 */
decision: number, 
/**
 * In the order of the seats.
 */
seats: Array<SeatChoice>, clock?: Clock, visibility?: Visibility, title?: string, 
/**
 * Whether players may ask for advice and play decisions out beforehand (`advise`, `what_if`).
 */
analysis?: boolean, };

/**
 * A lab file to be run.
 */
export type LabFile = { text: string, 
/**
 * The language of refusals; English if none is given.
 */
language?: string, };

/**
 * A scenario before its first decision, as everybody may see it.
 */
export type Opening = { view: View, 
/**
 * What each side needs to win, if the game can say.
 */
aims?: Panel, };

export type Status = "waiting" | "playing" | "over";

export type SeatKind = "person" | "bot" | "open" | "invited";

export type SeatView = { seat: Seat, kind: SeatKind, name?: string, 
/**
 * A bot's level.
 */
level?: string, me: boolean, 
/**
 * A bot is playing for the absent holder of this seat.
 */
away: boolean, 
/**
 * Whether its holder has the table open now.
 */
online: boolean, };

export type GameSummary = { id: string, game: string, scenario: string, title: string, status: Status, visibility: Visibility, clock: Clock, seats: Array<SeatView>, 
/**
 * The seats that this user holds.
 */
mine: Array<Seat>, 
/**
 * The seats that must decide.
 */
awaiting: SeatSet, 
/**
 * The turn being played; 0 before the game has begun.
 */
turn: number, created: number, updated: number, archived: boolean, };

export type GameDetail = { setup: Setup, 
/**
 * Whether this user created it.
 */
host: boolean, 
/**
 * Whether its creator allows `advise` and `what_if`.
 */
analysis: boolean, 
/**
 * Whether this game, with these options, can hide anything from a seat.
 */
secrets: boolean, 
/**
 * Published before the first decision: it fixes the dice without revealing them.
 */
commitment: string, 
/**
 * The seed that proves the dice, once the game is over.
 */
seed?: string, 
/**
 * How many records came with an imported file whose dice the seed does not prove: their dice are as written there,
 * and only later ones can be proved.
 */
imported?: number, 
/**
 * The game's rules have panicked since the last decision: a bug that should be reported.
 */
failed: boolean, 
/**
 * The game that follows this one.
 */
rematch?: string, id: string, game: string, scenario: string, title: string, status: Status, visibility: Visibility, clock: Clock, seats: Array<SeatView>, 
/**
 * The seats that this user holds.
 */
mine: Array<Seat>, 
/**
 * The seats that must decide.
 */
awaiting: SeatSet, 
/**
 * The turn being played; 0 before the game has begun.
 */
turn: number, created: number, updated: number, archived: boolean, };

/**
 * Shown once; the server keeps only a hash of the code.
 */
export type Invite = { seat: Seat, code: string, };

export type Created = { game: GameDetail, invites: Array<Invite>, };

export type JoinGame = { 
/**
 * An open seat; not needed with a code.
 */
seat?: Seat, code?: string, 
/**
 * Only ask which game and seat it is for, without taking the seat.
 */
look?: boolean, };

export type SeatOnly = { seat: Seat, };

export type Rematch = { 
/**
 * Whether everybody moves on by one seat.
 */
swap: boolean, };

export type Archive = { archived: boolean, };

/**
 * The first frame of a client.
 */
export type Hello = { "type": "hello", protocol: number, 
/**
 * None to watch without an identity.
 */
token?: string, 
/**
 * The last `seq` this client has seen.
 */
since?: number, };

/**
 * A request of a client. `id` is chosen by the client and returned in the answer.
 */
export type Request = { "type": "options", id: number, seat: Seat, subject: string, 
/**
 * Apply the question to the position after these decisions of the seat, which are only planned.
 */
after?: Array<string>, } | { "type": "verdict", id: number, seat: Seat, action: string, 
/**
 * Apply the question to the position after these decisions of the seat, which are only planned.
 */
after?: Array<string>, } | { "type": "ask", id: number, seat?: Seat, question: string, 
/**
 * Apply the question to the position after these decisions of the seat, which are only planned.
 */
after?: Array<string>, } | { "type": "foresee", id: number, seat: Seat, actions: Array<string>, } | { "type": "act", id: number, seat: Seat, action: string, moment: number, } | { "type": "undo", id: number, seat: Seat, moment: number, } | { "type": "takeback", id: number, seat: Seat, moment: number, } | { "type": "answer", id: number, seat: Seat, yes: boolean, } | { "type": "propose", id: number, seat: Seat, what: Proposal, } | { "type": "answer_proposal", id: number, seat: Seat, yes: boolean, } | { "type": "go_on", id: number, seat: Seat, } | { "type": "take_seat", id: number, seat: Seat, } | { "type": "resign", id: number, seat: Seat, } | { "type": "chat", id: number, seat?: Seat, text: string, } | { "type": "look", id: number, viewer?: Viewer, } | { "type": "advise", id: number, seat: Seat, 
/**
 * A bot's level; the game's strongest if none.
 */
level?: string, } | { "type": "what_if", id: number, seat: Seat, action: string, 
/**
 * How often; at most 10,000, and as often as time allows.
 */
times?: number, 
/**
 * A question to the game whose answer is returned as [`super::WhatIf::exact`], such as `outcomes A+B -> 1313`.
 */
question?: string, } | { "type": "cancel", id: number, of: number, } | { "type": "hurry", id: number, seat: Seat, } | { "type": "ping", id: number, };

export type SeatAsk = { seat: Seat, prompt: Prompt, 
/**
 * What it may act with, in notation: values for the `subject` of `options`.
 */
subjects: Array<string>, 
/**
 * What each of them is, in the same order.
 */
named: Array<Subject>, };

/**
 * Something that a seat may do.
 */
export type Offer = { 
/**
 * The action in canonical notation; a skeleton if there is a template.
 */
action: string, 
/**
 * The action taken apart.
 */
reading: Reading, template?: Template | null, 
/**
 * Candidates of the template that name a unit by more than its id, such as `2 of A`, taken apart.
 */
named?: { [key in string]?: Reading }, 
/**
 * The label of its button.
 */
label?: Message | null, };

export type TakebackView = { by: Seat, agreed: SeatSet, };

/**
 * What a player may propose to the others.
 */
export type Proposal = { "kind": "pause", days?: number, } | { "kind": "bot", level: string, };

export type ProposalView = { by: Seat, what: Proposal, agreed: SeatSet, };

export type Vacation = { by: Seat, until: number, };

export type ClockView = { seat: Seat, 
/**
 * At the time this frame was sent.
 */
left_ms: number, running: boolean, };

export type HowEnded = "played" | "resigned" | "timeout";

export type GameResult = { how: HowEnded, outcome: Outcome, };

/**
 * Where the game stands, for one client.
 */
export type Now = { 
/**
 * The number of the last record: actions, takebacks, chat.
 */
seq: number, 
/**
 * The number of the last record that changed the position. `act` names it.
 */
moment: number, 
/**
 * The number of decisions in force.
 */
decision: number, viewer: Viewer, status: Status, pending: Pending, 
/**
 * What this client's seats are asked to decide.
 */
asks: Array<SeatAsk>, 
/**
 * The seats that this client holds know different things now: the screen must be handed over behind a curtain.
 */
curtain: boolean, 
/**
 * Which of this client's seats may undo without asking.
 */
undo: Array<Seat>, takeback?: TakebackView, 
/**
 * The players have agreed to stop the clocks.
 */
paused: boolean, 
/**
 * The clocks are stopped until then, because this seat is away.
 */
vacation?: Vacation, proposal?: ProposalView, clocks: Array<ClockView>, result?: GameResult, };

export type LogLine = { seq: number, 
/**
 * The decision it belongs to, counted from 1.
 */
decision: number, at: number, entry: Entry, };

/**
 * Plain text, which a client must never interpret as markup.
 */
export type ChatLine = { seq: number, at: number, name: string, seat?: Seat, text: string, };

/**
 * The difference between two views of one viewer. What is absent has not changed.
 */
export type ViewPatch = { turn?: TurnView, 
/**
 * New or changed, by id.
 */
pieces?: Array<Piece>, 
/**
 * Ids of pieces that are no longer visible.
 */
gone?: Array<string>, 
/**
 * New or changed, by id.
 */
panels?: Array<Panel>, 
/**
 * The ids of all panels in order, if any were added or removed.
 */
panel_order?: Array<string>, 
/**
 * All of them.
 */
markers?: Array<Marker>, 
/**
 * All of them.
 */
lines?: Array<MapLine>, extra?: JsonValue, };

export type FrameRate = { 
/**
 * On average.
 */
per_second: number, burst: number, };

/**
 * The whole position for this client, and what it missed.
 */
export type Welcome = { protocol: number, game: GameDetail, seats: Array<Seat>, now: Now, view: View, 
/**
 * If 0, `lines` and `chat` are complete; otherwise they hold what came after this `seq`.
 */
from: number, 
/**
 * With `from` > 0: how many of the decisions known to the client remain; drop the lines of later ones first.
 */
undone?: number, lines: Array<LogLine>, chat: Array<ChatLine>, 
/**
 * How many frames this socket may send; it is closed on a client that sends more.
 */
frames?: FrameRate, };

export type Looked = { now: Now, view: View, lines: Array<LogLine>, };

/**
 * One record of the game. `now.seq` rises by exactly one from update to update.
 */
export type Update = { now: Now, 
/**
 * The change since the view of the previous update.
 */
patch?: ViewPatch, 
/**
 * Sent instead of `patch` when the viewer has changed.
 */
view?: View, 
/**
 * How many decisions remain: drop the lines of later ones.
 */
undone?: number, lines?: Array<LogLine>, chat?: Array<ChatLine>, };

/**
 * What a bot would do.
 */
export type Advice = { 
/**
 * The moment it is for: [`super::Now::moment`].
 */
moment: number, 
/**
 * In notation, and taken apart.
 */
action: string, reading: Reading, 
/**
 * The reason, in one sentence.
 */
why?: Message, level: string, };

/**
 * A line of the log and how often it appeared.
 */
export type Tally = { seat: Seat | null, topic: Topic, message: Message, 
/**
 * As [`kernel::Entry::level`].
 */
level: number, 
/**
 * The share of the games in which it appeared, from 0 to 1.
 */
share: number, };

/**
 * What became of a piece: shares from 0 to 1.
 */
export type Fate = { 
/**
 * Its id in the view.
 */
piece: string, seat: Seat | null, 
/**
 * No longer visible, or moved off the map.
 */
gone: number, reduced: number, 
/**
 * Where it stood in the end, most frequent first; at most eight places.
 */
places: Array<[string, number]>, 
/**
 * States it gained, such as `disrupted`.
 */
states: Array<[string, number]>, };

export type Losses = { seat: Seat, mean: number, 
/**
 * The share of the games with 0, 1, 2 and so on pieces lost or reduced.
 */
spread: Array<number>, };

/**
 * A decision played out many times, with different dice each time. What must be decided on the way (losses, retreats,
 * advances) is decided quickly by a bot for both sides, until the seat that decided is asked the same question again.
 */
export type WhatIf = { 
/**
 * The moment it is for: [`super::Now::moment`].
 */
moment: number, 
/**
 * In canonical notation.
 */
action: string, 
/**
 * How often it was played out.
 */
times: number, 
/**
 * How many of these games would have revealed something hidden from this seat; their results are not reported.
 */
hidden: number, 
/**
 * No die was rolled and nothing was decided on the way: the result is always the same.
 */
certain: boolean, 
/**
 * The game's own answer to the `question` of the request.
 */
exact?: JsonValue, 
/**
 * Lines of the log, most frequent first.
 */
told: Array<Tally>, 
/**
 * What became of the pieces that changed in at least one game.
 */
pieces: Array<Fate>, 
/**
 * For each seat, how many of its pieces were lost or reduced.
 */
losses: Array<Losses>, };

/**
 * A decision that could have been better.
 */
export type ReviewItem = { 
/**
 * How many decisions had been taken before it.
 */
decision: number, 
/**
 * What was decided, and what the bot would have done, in notation.
 */
played: string, better: string, 
/**
 * Both taken apart.
 */
played_reading: Reading, better_reading: Reading, why?: Message, 
/**
 * How many more units the bot's decision leaves at the end of the turn, on average.
 */
cost: number, };

/**
 * A bot's review of a finished game.
 */
export type Reviewed = { 
/**
 * The bot's level.
 */
level: string, 
/**
 * The unit of the costs.
 */
measure: Measure, 
/**
 * How many decisions it examined closely.
 */
looked: number, 
/**
 * The most costly first.
 */
items: Array<ReviewItem>, };

/**
 * The unit in which the worth of a roll or a decision is measured.
 */
export type Measure = "points" | "units";

/**
 * A die of a finished game: what it was expected to be worth, and what it was worth.
 */
export type RollLuck = { 
/**
 * How many decisions had been taken before the one that rolled it.
 */
decision: number, turn: number, 
/**
 * Who rolled it.
 */
seat: Seat, 
/**
 * Its line in the log.
 */
message: Message, 
/**
 * Its worth to the seat that rolled, counted from the worst result found for the decision: as expected just before
 * it fell, and as it fell.
 */
expected: number, actual: number, 
/**
 * The standard error of the difference: both are means of many trials.
 */
error: number, };

/**
 * How a side stood at the beginning of a turn.
 */
export type Standing = { turn: number, 
/**
 * How many decisions had been taken.
 */
decision: number, 
/**
 * The worth to the first seat; reverse the sign for the other.
 */
worth: number, };

/**
 * The luck of a finished game.
 */
export type Luck = { measure: Measure, 
/**
 * In the order in which they were rolled.
 */
rolls: Array<RollLuck>, 
/**
 * Dice without a worth: those that ended the game, and those for which there was no time left.
 */
unreckoned: number, course: Array<Standing>, };

/**
 * A planned position.
 */
export type Foreseen = { view: View, 
/**
 * What the seat would be asked next.
 */
ask?: SeatAsk, };

export type Answered = { "options": Array<Offer> } | { "verdict": Verdict } | { "answer": JsonValue } | { "foreseen": Foreseen } | { "advice": Advice } | { "what_if": WhatIf } | { "done": { seq: number, } } | "pong";

/**
 * What the server sends.
 */
export type Frame = { "type": "welcome" } & Welcome | { "type": "update" } & Update | { "type": "looked" } & Looked | { "type": "table", game: GameDetail, } | { "type": "thinking", seat: Seat, on: boolean, 
/**
 * From 0 to 1, if the bot reports it.
 */
progress?: number, } | { "type": "reply", id: number, result: Answered, } | { "type": "refused", id: number, error: ErrorBody, };

/**
 * A past position.
 */
export type Past = { 
/**
 * How many decisions had been taken.
 */
decision: number, of: number, view: View, pending: Pending, 
/**
 * The log lines of the last of these decisions.
 */
lines: Array<LogLine>, };

/**
 * The course of a game, for the replay slider.
 */
export type Replay = { decisions: number, lines: Array<LogLine>, };

