//! Exact chances of an attack: every die of the real combat is tried on every face, and every decision is taken by a
//! stated policy. Nothing is sampled and no rule is implemented twice: the combat rules themselves are run.

use kernel::{Dice, DiceError, Log, Message, Refusal, Stop};

use crate::{
    action::{Action, Attack},
    combat::{attack_support, declare, determined, fire_fight, resolve},
    event::Event,
    flags::Flags,
    flow,
    frame::{Frame, Frames},
    pack::{CombatResult, Side, UnitId},
    phase::Phase,
    play::{At, Cx, Play},
    rules::Ardennes,
    state::State,
    subject::Subject,
};

/// How both players decide on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    /// The attacker presses every Fire Fight, with the Lead Unit that has the best modifier (16.2).
    pub press: bool,
    /// The defender tries every Determined Defense, with the Lead Unit that has the best modifier (16.7).
    pub stand: bool,
    /// The defender fires artillery if any can (22.8).
    pub support: bool,
    /// The defender tries to blow bridges that are attacked across (7.4).
    pub blow: bool,
}

impl Default for Policy {
    fn default() -> Self {
        Policy { press: true, stand: true, support: true, blow: false }
    }
}

impl Policy {
    pub fn words(self) -> [&'static str; 4] {
        [
            if self.press { "press" } else { "engage" },
            if self.stand { "stand" } else { "give way" },
            if self.support { "support" } else { "no support" },
            if self.blow { "blow" } else { "hold fire" },
        ]
    }
}

/// The probability distribution.
#[derive(Clone, Debug, Default)]
pub struct Outcomes {
    /// By the CRT's own result.
    pub crt: Vec<(String, f64)>,
    /// By the result after a Fire Fight.
    pub by_result: Vec<(String, f64)>,
    /// By the result after Determined Defense: `DR2, Yes (-1 step)`.
    pub by_label: Vec<(String, f64)>,
    pub attacker_loses: f64,
    pub defender_loses: f64,
    pub retreats: f64,
    /// No defender is left, because of losses or because no retreat was possible.
    pub eliminated: f64,
    pub engaged: f64,
    /// The defenders leave the hex or are eliminated.
    pub falls: f64,
    pub attacker_steps: f64,
    pub defender_steps: f64,
    /// By label: how good it is for the attacker, and its message.
    endings: Vec<(String, f32, Message)>,
}

impl Outcomes {
    /// −1 bad … +1 good for the attacker.
    pub fn tone(&self, label: &str) -> f32 {
        self.endings.iter().find(|(name, ..)| name == label).map_or(0.0, |(_, tone, _)| *tone)
    }

    /// The message for a label.
    pub fn told(&self, label: &str) -> Message {
        let known = self.endings.iter().find(|(name, ..)| name == label);
        known.map_or_else(|| result_message("sheet.result", label), |(.., told)| told.clone())
    }
}

/// What has happened on the way to a leaf.
#[derive(Clone, Copy, Debug, Default)]
struct Trace {
    crt: Option<CombatResult>,
    result: Option<CombatResult>,
    tot: bool,
    called_off: bool,
    dump_destroyed: bool,
    slipped: bool,
    /// Determined Defense: success, then steps lost by it: defender, attacker.
    stood: Option<(bool, u8, u8)>,
    lost: [u8; 2],
}

/// The position in which the attack would be made.
fn at_combat(rules: &Ardennes, s: &State, attack: &Attack) -> State {
    let mut s = *s;
    s.side = attack.units.first().map_or(s.side, |u| rules.counter(*u).side);
    s.phase = if s.night { Phase::NightCombat } else { Phase::Combat };
    // Frames below are never reached: `Begin` waits.
    s.frames = Frames::one(Frame::Sequence);
    s.push_frames(&[Frame::Begin]);
    s.renew_stamp();
    s
}

/// Would the attack be legal if it could be declared now?
pub fn legal(rules: &Ardennes, s: &State, attack: &Attack) -> Result<(), Refusal> {
    // 19.4, 1E 16.72: a second attack is judged by its own rules.
    let frame = s.top();
    let side = attack.units.first().map_or(s.side, |unit| rules.counter(*unit).side);
    if matches!(frame, Frame::Breakthrough | Frame::Counterattack)
        && rulebook::flow::asks(rules, s, frame) == Some(side)
    {
        return declare::check_attack(&Cx { rules, s, side, frame }, attack);
    }
    let s = &at_combat(rules, s, attack);
    declare::check_attack(&Cx { rules, s, side: s.side, frame: Frame::Attacks }, attack)
}

/// Computes the whole distribution.
pub fn outcomes(rules: &Ardennes, s: &State, attack: &Attack, policy: Policy) -> Result<Outcomes, String> {
    if !s.enemy_in(rules.counter(attack.units[0]).side, attack.target)
        && crate::combat::strength::dump_garrison(
            rules,
            s,
            rules.counter(attack.units[0]).side,
            attack.target,
        )
        .is_none()
    {
        return Err(format!("there is no enemy in {}", rules.label(attack.target)));
    }
    let state = at_combat(rules, s, attack);
    let mut tree = Tree { rules, policy, attacker: state.side, found: Outcomes::default() };
    tree.grow(&state, Deed::Begin(*attack), Trace::default(), 1.0)?;
    Ok(tree.found)
}

/// The distribution from the middle of a combat on, given this decision.
pub fn from_here(
    rules: &Ardennes,
    s: &State,
    frame: Frame,
    side: Side,
    action: Action,
    policy: Policy,
) -> Result<Outcomes, String> {
    let state = only_this_combat(s).ok_or("no combat is being fought")?;
    let mut tree = Tree { rules, policy, attacker: s.combat.attacker, found: Outcomes::default() };
    let result = s.combat.result;
    let trace = Trace { crt: result, result, slipped: action == Action::SlipAway, ..Trace::default() };
    tree.grow(&state, Deed::Decide(frame, side, action), trace, 1.0)?;
    Ok(tree.found)
}

/// The position without what follows the current combat. If nobody can attack any more, the sequence of play would run on
/// to the next question, through phases that roll dice of their own and forget this combat.
fn only_this_combat(s: &State) -> Option<State> {
    let end = s.frames.iter().rposition(|frame| *frame == Frame::EndCombat)?;
    let mut state = *s;
    state.frames = Frames::one(Frame::Sequence);
    state.frames.add(Frame::Begin); // it waits, as in `at_combat`
    for frame in &s.frames[end..] {
        state.frames.add(*frame);
    }
    state.renew_stamp();
    Some(state)
}

#[derive(Clone, Copy)]
enum Deed {
    Begin(Attack),
    Decide(Frame, Side, Action),
}

struct Tree<'a> {
    rules: &'a Ardennes,
    policy: Policy,
    attacker: Side,
    found: Outcomes,
}

impl Tree<'_> {
    /// Takes a step for every outcome of the dice it needs, and continues from there.
    fn grow(&mut self, state: &State, deed: Deed, trace: Trace, p: f64) -> Result<(), String> {
        let mut open: Vec<Vec<u8>> = vec![Vec::new()];
        while let Some(rolled) = open.pop() {
            let mut s = *state;
            let mut dice = Dice::scripted(rolled.clone());
            let mut log = Log::default();
            match self.run(&mut s, deed, &mut dice, &mut log) {
                Ok(()) => {
                    s.renew_stamp();
                    let mut trace = trace;
                    for event in log.events() {
                        if let kernel::log::Event::Game(event) = event {
                            self.note(&mut trace, event);
                        }
                    }
                    let here = p / 6_f64.powi(rolled.len() as i32);
                    self.go_on(&s, trace, here)?;
                }
                Err(Stop::Dice(DiceError::RanOut(_))) => {
                    for face in (1..=6).rev() {
                        let mut more = rolled.clone();
                        more.push(face);
                        open.push(more);
                    }
                }
                Err(stop) => return Err(stop.to_string()),
            }
        }
        Ok(())
    }

    fn run(&self, s: &mut State, deed: Deed, dice: &mut Dice, log: &mut Log<Event>) -> Result<(), Stop> {
        let play = &mut Play { rules: self.rules, s, dice, log };
        match deed {
            Deed::Begin(attack) => resolve::begin(play, &attack, false)?,
            Deed::Decide(frame, side, action) => {
                rulebook::flow::apply::<Ardennes>(play, At { side, frame }, &action)?;
            }
        }
        flow::settle(play)
    }

    fn note(&self, trace: &mut Trace, event: &Event) {
        let side = |unit: UnitId| usize::from(self.rules.counter(unit).side != self.attacker);
        match *event {
            Event::Combat { result, .. } => (trace.crt, trace.result) = (Some(result), Some(result)),
            Event::FireFight { result, .. } => trace.result = Some(result),
            Event::Engage => trace.result = Some(CombatResult::Eng),
            Event::DefensiveFire { tot, .. } => trace.tot |= tot,
            Event::CalledOff { .. } => trace.called_off = true,
            Event::DumpDestroyed { .. } => trace.dump_destroyed = true,
            Event::DeterminedDefense { success, .. } => trace.stood = Some((success, 0, 0)),
            Event::StepLost { unit } => {
                trace.lost[side(unit)] += 1;
                if let Some((_, defender, attacker)) = &mut trace.stood {
                    *(if side(unit) == 1 { defender } else { attacker }) += 1;
                }
            }
            _ => {}
        }
    }

    fn go_on(&mut self, s: &State, mut trace: Trace, p: f64) -> Result<(), String> {
        let frame = s.top();
        let decision = rulebook::flow::asks(self.rules, s, frame).and_then(|side| {
            let cx = Cx { rules: self.rules, s, side, frame };
            Some((side, self.decide(&cx)?))
        });
        let Some((side, action)) = decision else {
            self.leaf(s, trace, p);
            return Ok(());
        };
        trace.slipped |= action == Action::SlipAway;
        self.grow(s, Deed::Decide(frame, side, action), trace, p)
    }

    /// The policy's choice; none if the result is final.
    fn decide(&self, cx: &Cx) -> Option<Action> {
        let (rules, s) = (cx.rules, cx.s);
        let combat = &s.combat;
        match cx.frame {
            Frame::BlowBridge if self.policy.blow => {
                Some(first(cx, |a| matches!(a, Action::Blow { .. })).unwrap_or(Action::HoldFire))
            }
            Frame::BlowBridge => Some(Action::HoldFire),
            Frame::CallOff => Some(Action::GoOn),
            Frame::AttackSupport => Some(attack_support::as_planned(cx)),
            Frame::Support if self.policy.support => {
                Some(first(cx, |a| matches!(a, Action::Support { .. })).unwrap_or(Action::NoSupport))
            }
            Frame::Support => Some(Action::NoSupport),
            Frame::FireFight if self.policy.press => {
                let leads = combat.attackers.iter().copied();
                let able =
                    leads.filter(|lead| rulebook::flow::check(cx, &Action::Press { lead: *lead }).is_ok());
                let best = able.min_by_key(|lead| fire_fight::drm(rules, s, *lead));
                Some(best.map_or(Action::Engage, |lead| Action::Press { lead }))
            }
            Frame::FireFight => Some(Action::Engage),
            Frame::Recon => Some(Action::SlipAway),
            Frame::Loss(_) => {
                // The owner takes the loss from the unit with the most steps left.
                let mut losses = all(cx);
                losses.retain(|action| matches!(action, Action::Lose { .. }));
                let steps = |action: &Action| match action {
                    Action::Lose { unit } => rules.steps(s, *unit),
                    _ => 0,
                };
                losses.into_iter().max_by_key(steps)
            }
            Frame::Remnant(_) => Some(Action::Remnant { form: true }),
            Frame::DeterminedDefense if self.policy.stand => {
                let leads = combat.defenders.iter().copied();
                let able =
                    leads.filter(|lead| rulebook::flow::check(cx, &Action::Stand { lead: *lead }).is_ok());
                let drm = |lead: &UnitId| {
                    let (attackers, defenders) = (&combat.attackers, &combat.defenders);
                    determined::drm(rules, s, combat.target, *lead, combat.dcb, attackers, defenders)
                };
                Some(able.min_by_key(drm).map_or(Action::GiveWay, |lead| Action::Stand { lead }))
            }
            Frame::DeterminedDefense => Some(Action::GiveWay),
            _ => None,
        }
    }

    fn leaf(&mut self, s: &State, trace: Trace, p: f64) {
        let code = code(&trace);
        let label = match trace.stood {
            None => code.clone(),
            Some((success, defender, attacker)) => {
                let cost = match (defender, attacker) {
                    (_, 1..) => " (EX)",
                    (1.., _) => " (-1 step)",
                    _ if s.combat.counterattack_due => " (CA)",
                    _ => "",
                };
                format!("{code}, {}{cost}", if success { "Yes" } else { "No" })
            }
        };
        let target = s.combat.target;
        let gone = s.holder(target).is_none_or(|side| side == self.attacker) && s.combat.defenders.is_empty();
        let retreats = s.combat.retreat > 0;
        let found = &mut self.found;
        if let Some(crt) = trace.crt {
            add(&mut found.crt, &name(crt), p);
        }
        add(&mut found.by_result, &code, p);
        add(&mut found.by_label, &label, p);
        found.attacker_steps += p * f64::from(trace.lost[0]);
        found.defender_steps += p * f64::from(trace.lost[1]);
        let mut count = |holds: bool, sum: fn(&mut Outcomes) -> &mut f64| {
            if holds {
                *sum(found) += p;
            }
        };
        count(trace.lost[0] > 0, |o| &mut o.attacker_loses);
        count(trace.lost[1] > 0, |o| &mut o.defender_loses);
        count(retreats, |o| &mut o.retreats);
        count(gone, |o| &mut o.eliminated);
        count(retreats || gone, |o| &mut o.falls);
        let engaged = s.occupied(target) && s.stack(target).any(|u| s.unit(u).is(Flags::ENGAGED));
        count(engaged, |o| &mut o.engaged);
        if !self.found.endings.iter().any(|(known, ..)| *known == label) {
            let good = 0.3 * f32::from(trace.lost[1]) + if retreats || gone { 0.4 } else { 0.0 };
            let tone = good - 0.35 * f32::from(trace.lost[0]) - if good == 0.0 { 0.15 } else { 0.0 };
            self.found.endings.push((label, tone.clamp(-1.0, 1.0), told(&trace, s.combat.counterattack_due)));
        }
    }
}

fn code(trace: &Trace) -> String {
    match trace.result {
        _ if trace.called_off => "called off".into(),
        _ if trace.tot => "TOT".into(),
        None if trace.dump_destroyed => "dump destroyed".into(),
        Some(result) if trace.slipped => format!("{} as DR", name(result)),
        Some(result) => name(result),
        None => "-".into(),
    }
}

fn result_message(key: &'static str, code: &str) -> Message {
    Message::new(key).text("result", code)
}

/// How an attack ended, for people: the printed code, and the effect of a Determined Defense.
fn told(trace: &Trace, counterattack: bool) -> Message {
    let Some(result) = trace.result.filter(|_| !trace.called_off && !trace.tot) else {
        return match trace {
            Trace { called_off: true, .. } => Message::new("sheet.called_off"),
            Trace { tot: true, .. } => result_message("sheet.result", "TOT"),
            Trace { dump_destroyed: true, .. } => Message::new("sheet.dump_destroyed"),
            _ => Message::new("sheet.no_result"),
        };
    };
    let key = match trace.stood {
        _ if trace.slipped => "sheet.slipped",
        None => "sheet.result",
        Some((true, _, 1..)) => "sheet.stood.exchange",
        Some((true, 1.., _)) => "sheet.stood.step",
        Some((true, ..)) if counterattack => "sheet.stood.counterattack",
        Some((true, ..)) => "sheet.stood",
        Some((false, _, 1..)) => "sheet.fell.exchange",
        Some((false, 1.., _)) => "sheet.fell.step",
        Some((false, ..)) => "sheet.fell",
    };
    match trace.stood {
        // The result does not take effect, so it is named without its explanation.
        Some((true, ..)) => Message::new(key).term("result", name(result)),
        _ => result_message(key, &name(result)),
    }
}

/// The code of a result, as the tables print it.
pub fn name(result: CombatResult) -> String {
    match serde_json::to_value(result) {
        Ok(serde_json::Value::String(code)) => code,
        _ => format!("{result:?}"),
    }
}

fn add(list: &mut Vec<(String, f64)>, name: &str, p: f64) {
    match list.iter_mut().find(|(known, _)| known == name) {
        Some((_, sum)) => *sum += p,
        None => list.push((name.to_owned(), p)),
    }
}

/// Every legal decision at the current question.
pub fn all(cx: &Cx) -> Vec<Action> {
    let (mut subjects, mut actions): (Vec<Subject>, Vec<Action>) = (Vec::new(), Vec::new());
    rulebook::flow::subjects(cx, &mut subjects);
    for subject in subjects {
        rulebook::flow::options(cx, subject, &mut actions);
    }
    actions
}

fn first(cx: &Cx, wanted: impl Fn(&Action) -> bool) -> Option<Action> {
    all(cx).into_iter().find(wanted)
}
