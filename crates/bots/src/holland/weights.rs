//! Every number of the staff's judgement in one place, so that they can be tuned against each other (`docs/BOTS.md`).

use ::holland::pack::Side;

crate::numbers::numbers! {
    /// Numbers of judgement. Values are in tenths of a victory point, times in parts of a turn
    /// ([`crate::bond::arrival::TURN`]).
    pub struct Weights {
        /// An Allied victory point that is sure.
        hex = 10.0;
        /// Standing on the right side of what the scenario asks.
        threshold = 60.0;
        /// Enough ground units beyond the Lower Rhine (26.3).
        decisive = 40.0;
        /// A German victory point (26.1), and standing on the wrong side of his number.
        loss = 5.0;
        collapse = 60.0;
        /// A bridge of the highway that is ours and stands, in victory points.
        bridge = 0.5;
        /// A town of the highway, which the German scores by retaking (26.1).
        highway = 0.4;
        /// What the enemy can reach in his next turn is lost so often.
        danger = 0.6;
        /// Chance of an aim that there is all the time to reach, and how fast it grows with the time to spare; chance to keep one
        /// that nobody threatens.
        sure = 0.9;
        slope = 1.4;
        kept = 0.97;
        /// A combat factor.
        factor = 0.5;
        /// Share of the time that an advance really has, and the most turns that it is credited with.
        pace = 0.8;
        reach = 12.0;
        /// Strength is worth something while it can still be used: all of it with so many turns to go.
        lifetime = 3.0;
        /// An attack factor of the ground army one turn nearer to what it is after.
        urge = 0.5;

        /// Time lost by stopping in a zone of control.
        stopped = 24.0;
        /// Time to open a way that a bond bars.
        bond = 60.0;
        /// Time lost by a unit that is Engaged, disordered or out of supply.
        held_up = 60.0;
        /// Time to beat anybody at all, and for each factor of the defense; factors of a counter that nobody knows.
        fight = 36.0;
        fight_factor = 6.0;
        unknown = 2.0;
        /// Time to mend a bridge over a canal or a river, and the share of it that a wired bridge is feared for.
        repair = 170.0;
        wired = 0.55;

        /// Ground that the enemy is driven from: any hex, an aim, a hex on the ways to aims.
        gain = 0.6;
        gain_flow = 1.5;
        /// Whoever bars the way of the drive.
        bar = 3.0;
        /// Share of what the evaluator sees in ground that is won.
        opening = 1.0;
        /// An attack is made, or prepared, from this value on.
        worth_it = 0.25;
        worth_preparing = 0.5;
        /// What a shot and a flight are worth kept.
        shot = 0.15;
        /// What an attack factor is worth for another attack, while attacks are being prepared.
        spared = 0.12;
        /// An enemy that is Engaged cannot get away.
        pinned = 0.3;
        /// What follows a Breakthrough, beside the ground.
        breakthrough = 1.5;
        /// An attack with this chance is counted on by those who are to follow it.
        counted_on = 0.5;
        /// Share of an aim in danger that is saved by standing in it.
        garrison = 0.8;

        /// Turns in which the pull of an aim falls to a third.
        fade = 2.5;
        /// Factors on the way to an aim that halve the pull on others.
        crowd = 18.0;
        /// A unit drawn to an aim: at all, and for each factor.
        march = 2.0;
        march_factor = 1.2;
        /// How much a turn's march up the highway draws those who drive.
        along = 0.35;
        /// Standing beside the enemy without an attack to make.
        contact = 0.3;
        /// Being in the enemy's way.
        block = 1.2;
        /// Cover, and bonds with neighbours, under threat.
        cover = 0.5;
        bonds = 0.4;
        /// Posts of a unit whose position is worked out in full, by side.
        looks_allied = 3.0;
        looks_german = 4.0;
        /// Share of the rough judgement beside the full one.
        rough = 0.6;
        /// Standing with a Supply Head that nobody else defends.
        guard = 4.0;
        /// Without supply a place is worth little.
        cut_off = 4.0;
        /// Losses to be feared where the enemy can strike.
        risk = 1.0;
        /// A landing that is scattered, and a step lost in it.
        scatter = 1.5;
        crash = 3.0;

        /// The usual manner ([`super::Plan`]): weight of one's own losses, of ground against kills, of holding a line.
        caution = 1.0;
        /// Allied losses weigh more: they score (26.1), and nothing replaces the airborne.
        dear_allied = 1.4;
        drive = 1.0;
        hold = 1.0;

        /// Plans that are written out before a Movement Phase (fewer than 2: no thought of others), those of them that are
        /// tried, rounds of trials, and how far a trial goes, in player turns after one's own.
        plans = 0.0;
        finalists = 3.0;
        rounds = 1.0;
        depth = 1.0;
        /// Plans are tried from this many turns before the end.
        ending = 1000.0;
        /// Longest time for all trials of one phase, in seconds.
        seconds = 20.0;
    }
}

impl Weights {
    /// What a side's own losses weigh beside the enemy's.
    pub fn dear(&self, side: Side) -> f32 {
        match side {
            Side::Allied => self.dear_allied,
            Side::German => 1.0,
        }
    }
}
