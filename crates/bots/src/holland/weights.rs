//! All weights of the staff's judgement in one place, so that they can be tuned against each other (`docs/BOTS.md`).

use ::holland::pack::Side;

use super::lore::Lore;

crate::numbers::numbers! {
    /// Weights of judgement. Values are in tenths of a victory point, times in parts of a turn
    /// ([`crate::bond::arrival::TURN`]).
    pub struct Weights {
        /// An Allied victory point that is certain.
        hex = 10.0;
        /// Being on the right side of the scenario's victory condition.
        threshold = 60.0;
        /// Enough ground units beyond the Lower Rhine (26.3).
        decisive = 40.0;
        /// A German victory point (26.1), and being on the wrong side of the German victory level.
        loss = 5.0;
        collapse = 60.0;
        /// An intact Allied bridge of the highway, in victory points.
        bridge = 0.5;
        /// A town of the highway, for whose recapture the German player scores (26.1).
        highway = 0.4;
        /// How often a place that the enemy can reach in its next turn is lost.
        danger = 0.6;
        /// Chance of an aim that there is plenty of time to reach, and how fast it grows with spare time; chance to
        /// keep one that nobody threatens.
        sure = 0.9;
        slope = 1.4;
        kept = 0.97;
        /// The value of a combat factor.
        factor = 0.5;
        /// Share of the remaining time that an advance can really use, and the most turns that it is credited with.
        pace = 0.8;
        reach = 12.0;
        /// Strength has value only while it can be used: full value with this many turns to go.
        lifetime = 3.0;
        /// An attack factor of the ground army one turn nearer to its aim.
        urge = 0.5;

        /// Time lost by stopping in a zone of control.
        stopped = 24.0;
        /// Time to open a path that a Bond blocks.
        bond = 60.0;
        /// Time lost by a unit that is Engaged, disordered or out of supply.
        held_up = 60.0;
        /// Time to beat an enemy at all, and for each defense factor; assumed factors of an unknown counter.
        fight = 36.0;
        fight_factor = 6.0;
        unknown = 2.0;
        /// Time to repair a bridge over a canal or a river, and the share of it that is feared for a wired bridge.
        repair = 170.0;
        wired = 0.55;

        /// Ground from which the enemy is driven: any hex, an aim, a hex on the paths to aims.
        gain = 0.6;
        gain_flow = 1.5;
        /// An enemy that blocks the route of the drive.
        bar = 3.0;
        /// Share of the evaluator's value of captured ground that is counted.
        opening = 1.0;
        /// An attack is made, or prepared, from this value on.
        worth_it = 0.25;
        worth_preparing = 0.5;
        /// Where nobody drives for a far bank: what a German attack must be worth besides that, and the share of the usual
        /// attraction by which German units leave their places.
        patience = 0.0;
        still = 1.0;
        /// The value of not firing or flying.
        shot = 0.15;
        /// The value of an attack factor for another attack, while attacks are being prepared.
        spared = 0.4;
        /// The value of Engaging an enemy, which then cannot get away.
        pinned = 0.3;
        /// The value of a Breakthrough, besides the ground gained.
        breakthrough = 1.5;
        /// An attack with at least this chance is assumed to succeed when later moves are planned.
        counted_on = 0.5;
        /// Share of an aim in danger that is saved by a unit in it.
        garrison = 0.8;

        /// Turns over which the attraction of an aim falls to a third.
        fade = 2.5;
        /// Factors assigned to an aim that halve its attraction for others.
        crowd = 18.0;
        /// A unit attracted to an aim: constant, and for each factor.
        march = 2.0;
        march_factor = 1.2;
        /// The attraction of a turn's march up the highway for units of the drive.
        along = 0.35;
        /// Being adjacent to the enemy without an attack to make.
        contact = 0.3;
        /// Being in the enemy's way.
        block = 1.2;
        /// Cover, and bonds with neighbours, under threat.
        cover = 0.5;
        bonds = 0.4;
        /// How many posts of a unit are evaluated in full, by side.
        looks_allied = 3.0;
        looks_german = 4.0;
        /// Weight of the quick evaluation beside the full one.
        rough = 0.6;
        /// Being with a Supply Head that no other unit defends.
        guard = 12.0;
        /// The penalty of a place without supply.
        cut_off = 4.0;
        /// Weight of the losses to be feared where the enemy can attack.
        risk = 1.0;
        /// Share of the points of 26.1 that counts in these risks.
        point_risk = 0.4;
        /// The same for an airborne unit on its last step, and the least chance to lose it where the enemy can attack: it
        /// had better rest behind the others.
        frail = 0.4;
        frailty = 0.0;
        /// A landing that is scattered, and a step lost in it.
        scatter = 1.5;
        crash = 3.0;

        /// The usual style ([`super::Plan`]): weight of one's own losses, of ground against losses inflicted, of
        /// holding a line.
        caution = 1.0;
        /// Share of a unit's points (26.1) that each step before its last is counted for.
        wear = 0.6;
        /// Allied losses weigh more: they score (26.1), and the airborne get no replacements.
        dear_allied = 2.5;
        drive = 1.0;
        hold = 1.0;

        /// Plans that are drafted before a Movement Phase (fewer than 2: no comparison), how many of them are tried
        /// out, rounds of trials, and the length of a trial in player turns after one's own.
        plans = 0.0;
        finalists = 3.0;
        rounds = 1.0;
        depth = 1.0;
        /// In a small scenario plans are tried out from this many turns before the end.
        ending = 1000.0;
        /// Where the road to the far bank counts, trials are played to the end of the game from this many turns before it;
        /// elsewhere always.
        to_end = 0.0;
        /// Share of its prospects before any trial in what a plan is worth, and whether trials are played with quick
        /// evaluations.
        faith = 0.3;
        haste = 0.0;
        /// How many answers to a decision in combat or at a bridge are tried out (fewer than 2: none).
        answers = 0.0;
        /// A Movement Phase is improved unit by unit: trials of each change (0: none), how often all units are gone
        /// through, other places that are tried for each unit, and the longest time in seconds.
        tries = 0.0;
        sweeps = 1.0;
        others = 2.0;
        polishing = 8.0;
        /// Longest time for all trials of one phase, in seconds.
        seconds = 20.0;
    }
}

impl Weights {
    /// What an attack must be worth for a side to make it, and to prepare it, besides the usual.
    pub fn patience(&self, lore: &Lore, side: Side) -> f32 {
        if side == Side::German && lore.beyond.is_none() { self.patience } else { 0.0 }
    }

    /// The share of its usual attraction that an aim has for a unit of a side.
    pub fn eager(&self, lore: &Lore, side: Side) -> f32 {
        if side == Side::German && lore.beyond.is_none() { self.still } else { 1.0 }
    }

    /// The weight of a side's own losses relative to the enemy's.
    pub fn dear(&self, side: Side) -> f32 {
        match side {
            Side::Allied => self.dear_allied,
            Side::German => 1.0,
        }
    }
}
