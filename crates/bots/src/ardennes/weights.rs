//! Every number of the staff's judgement in one place, so that they can be tuned against each other (`docs/BOTS.md`).

crate::numbers::numbers! {
    /// Numbers of judgement. Values are in tenths of a Victory Hex, times in parts of a turn ([`super::field::TURN`]).
    pub struct Weights {
        /// A Victory Hex that is sure.
        hex = 10.0;
        /// Standing on the right side of the number of hexes that wins.
        threshold = 40.0;
        /// Allied units in as many German set-up areas as decide the game (30.3).
        areas = 60.0;
        /// Share of `areas` that the Allied side goes for, not only the German side fears.
        raid = 0.0;
        /// The turn from which on the evaluator counts that, and the same for the Allied side's own judgement: before, its
        /// units are wanted at the front.
        raid_from = 0.0;
        allied_raid_from = 0.0;
        /// Share of `areas` that German guards are posted for.
        watch = 0.0;
        /// Share of `areas` by which the German side judges Allied units in or near the areas (`areas.rs`).
        expose = 0.0;
        /// A Victory Hex that the enemy can reach in his next turn is lost so often.
        danger = 0.6;
        /// Chance of an open Victory Hex that the Germans have all the time to reach, and how fast it grows with the time to
        /// spare; chance to keep one that nobody threatens.
        sure = 0.9;
        slope = 1.7;
        kept = 0.97;
        /// Above 0: chances of Victory Hexes as they were found in many games (`learned.rs`). Of an open one: at all, for each turn
        /// left and for one divided by them, for each turn of the way there, the same divided by the turns left, for the
        /// mass of both sides around it.
        learned = 0.0;
        open = -5.02;
        open_left = 0.52;
        open_last = 0.59;
        open_way = -0.23;
        open_race = -0.75;
        open_mass = 1.78;
        open_guard = -0.90;
        /// The same coefficients for a Victory Hex that the Germans hold, by Allied turns and distance.
        held = -4.15;
        held_left = -0.04;
        held_last = 0.03;
        held_way = -0.02;
        held_race = 0.75;
        held_mass = 1.51;
        held_guard = -0.34;
        /// Above 0: … on the Allied side as well, with numbers of its own.
        allied_learned = 0.0;
        allied_mass = 1.35;
        allied_risk = 0.65;
        allied_fight = 14.0;
        allied_bond = 55.0;
        allied_shot = 0.5;
        /// A combat factor.
        factor = 0.5;
        /// Share of the time that an advance really has: fights delay it.
        pace = 0.8;
        /// Most turns that an advance is credited with: the further off a place is, the more comes between.
        reach = 1000.0;
        /// Strength is worth something while it can still be used: all of it with so many turns to go.
        lifetime = 0.0;
        /// Share of its worth that a Victory Point for units that left has, beside what all points are worth together.
        exited = 0.0;
        /// An attack factor that is near what it is after.
        urge_german = 0.35;
        /// A defense factor that is near what is threatened.
        urge_allied = 0.12;

        /// Time lost by stopping in a zone of control (9.2).
        stopped = 30.0;
        /// Time to open a way that a ZOC Bond bars.
        bond = 70.0;
        /// Time lost by a unit that is Engaged, Disrupted or out of supply, and by one too weak to beat anybody.
        held_up = 84.0;
        weak = 50.0;
        /// Time to beat anybody at all, and for each factor of the defense.
        fight = 40.0;
        fight_factor = 11.0;

        /// Ground that the enemy is driven from: any hex, a Victory Hex, a hex on the ways to them.
        gain = 0.5;
        gain_hex = 0.7;
        gain_flow = 2.2;
        /// An attack is made, or prepared, from this value on.
        worth_it = 0.35;
        worth_preparing = 0.6;
        /// What a shot is worth kept: German shells are few (5.2), Allied guns are wanted on the defense.
        shot_german = 0.1;
        shot_allied = 0.3;
        /// What an attack factor is worth for another attack, while attacks are being prepared.
        spared = 0.15;
        /// An enemy that is Engaged cannot get away.
        pinned = 0.3;
        /// What follows a Breakthrough, beside the ground.
        breakthrough = 1.5;

        /// Share of what the evaluator sees in ground that is won (the ways it opens, the Victory Hex it is).
        opening = 1.0;
        /// An attack with this chance is counted on by those who are to follow it.
        counted_on = 0.5;

        /// An open Victory Hex is taken first if that brings so much.
        seize = 4.0;

        /// Share of a Victory Hex in danger that is saved by standing in it.
        garrison = 0.6;

        /// Towns that the Germans could reach within so many turns get a garrison of so many defense factors (`towns.rs`).
        towns = 1.2;
        enough = 4.0;
        /// A garrison grows by this much for each attack factor that the Germans could bring against it, to this multiple of `enough` at most.
        stout = 0.0;
        stoutest = 3.0;
        /// The same for German towns, and from a turn on for set-up areas (30.3): how many turns ahead the Allies are seen coming, the defense
        /// factors that stay, and that turn.
        rear = 0.0;
        rear_enough = 1.0;
        rear_from = 4.0;
        /// Above 0: whoever alone holds such a town does not leave it in an advance after combat.
        keep = 0.0;
        /// Above 0: whoever stands in an Improved Position against which the Germans could bring so many factors, and through which so much of
        /// their ways leads, stays.
        positions = 0.0;
        position_flow = 0.3;
        /// Staying in an Improved Position that the enemy can strike.
        dug_in = 1.0;

        /// Where only some Victory Hexes win (30.2): what the others are worth, of the usual.
        detour = 1.0;
        /// The same for the Allied side: on the way to what wins the enemy is to be held up.
        allied_detour = 1.0;
        /// Turns in which the pull of an aim falls to a third, and where those that win lie far off (30.2).
        fade = 1.5;
        far_fade = 1.5;
        /// Factors on the way to an aim that halve the pull on others.
        crowd = 14.0;
        /// Pull of the edge by which units may leave (31.2).
        exit = 0.5;
        /// A unit drawn to an aim: at all, and for each attack factor.
        march = 2.0;
        march_attack = 2.0;
        /// Standing beside the enemy without an attack to make.
        contact = 0.4;
        /// Being in the enemy's way.
        block = 1.0;
        /// A defender drawn to what is threatened: at all, and for each defense factor.
        guard = 0.8;
        guard_defense = 0.5;
        /// Cover, and ZOC Bonds with neighbours, for a defender under threat.
        cover = 0.25;
        bonds = 0.3;
        /// Posts of a unit whose position is worked out in full; of a German one where what wins lies far off (30.2).
        looks_german = 1.0;
        far_looks = 1.0;
        looks_allied = 5.0;
        /// Above 0: … as if the attacks that are counted on had succeeded.
        follow = 0.0;
        /// Share of the rough judgement beside the full one.
        rough = 0.5;
        rough_german = 1.0;
        /// Without supply a place is worth little.
        cut_off = 5.0;
        /// Above 0: everything is chosen at a glance, as Regular does and as in trials, whatever the level.
        haste = 0.0;
        /// Losses to be feared where the enemy can strike.
        risk = 1.0;

        /// The usual manner ([`super::Plan`]): weight of one's own losses, of ground against kills, of holding a line.
        caution = 1.0;
        drive = 1.0;
        hold = 1.0;

        /// Plans that are written out before a Movement Phase (fewer than 2: no thought of others), those of them that are
        /// tried, rounds of trials, and how far a trial goes, in player turns after one's own.
        plans = 0.0;
        finalists = 4.0;
        rounds = 1.0;
        depth = 1.0;
        /// Plans are tried from this many turns before the end.
        ending = 1000.0;
        /// Longest time for all trials of one phase, in seconds.
        seconds = 30.0;
    }
}

impl Weights {
    /// The numbers for the Allied side, where they are not the same.
    pub fn of_allied(self) -> Option<Weights> {
        let usual = Weights::default();
        if self.learned <= 0.0 {
            let allied =
                Weights { detour: self.allied_detour, expose: 0.0, raid_from: self.allied_raid_from, ..self };
            (allied != self).then_some(allied)
        } else if self.allied_learned <= 0.0 {
            Some(Weights {
                learned: 0.0,
                urge_german: usual.urge_german,
                detour: self.allied_detour,
                expose: 0.0,
                raid_from: self.allied_raid_from,
                ..self
            })
        } else {
            Some(Weights {
                open_mass: self.allied_mass,
                risk: self.allied_risk,
                fight_factor: self.allied_fight,
                bond: self.allied_bond,
                shot_allied: self.allied_shot,
                detour: self.allied_detour,
                expose: 0.0,
                raid_from: self.allied_raid_from,
                ..self
            })
        }
    }
}
