//! All weights of the staff's judgement in one place, so that they can be tuned against each other (`docs/BOTS.md`).

crate::numbers::numbers! {
    /// Weights of judgement. Values are in tenths of a Victory Hex, times in parts of a turn ([`super::field::TURN`]).
    pub struct Weights {
        /// A Victory Hex that is certain.
        hex = 10.0;
        /// Being on the right side of the number of hexes that wins.
        threshold = 40.0;
        /// Allied units in as many German set-up areas as decide the game (30.3).
        areas = 60.0;
        /// Share of `areas` that the Allied side pursues, in addition to the German side fearing it.
        raid = 0.0;
        /// The turn from which the evaluator counts that, and the same for the Allied side's own judgement: before it,
        /// Allied units are needed at the front.
        raid_from = 0.0;
        allied_raid_from = 0.0;
        /// Share of `areas` for which German guards are posted.
        watch = 0.0;
        /// Share of `areas` by which the German side judges Allied units in or near the areas (`areas.rs`).
        expose = 0.0;
        /// How often a Victory Hex that the enemy can reach in its next turn is lost.
        danger = 0.6;
        /// Chance of an open Victory Hex that the Germans have plenty of time to reach, and how fast it grows with
        /// spare time; chance to keep one that nobody threatens.
        sure = 0.9;
        slope = 1.7;
        kept = 0.97;
        /// Above 0: use chances of Victory Hexes fitted to many games (`learned.rs`). Coefficients for an open one:
        /// constant, per turn left, per inverse of the turns left, per turn of the path there, the same divided by the
        /// turns left, and for both sides' strength around it.
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
        /// Above 0: the fitted chances are used on the Allied side as well, with coefficients of its own.
        allied_learned = 0.0;
        allied_mass = 1.35;
        allied_risk = 0.65;
        allied_fight = 14.0;
        allied_bond = 55.0;
        allied_shot = 0.5;
        /// The value of a combat factor.
        factor = 0.5;
        /// Share of the remaining time that an advance can really use: combat delays it.
        pace = 0.8;
        /// The most turns that an advance is credited with: the further away a place is, the more can intervene.
        reach = 1000.0;
        /// Strength has value only while it can be used: full value with this many turns to go.
        lifetime = 0.0;
        /// The same for the Allied side where it does not use the fitted chances on the German side either.
        allied_lifetime = 0.0;
        /// Relative value of a Victory Point for exited units by itself, besides its part in the total.
        exited = 0.0;
        /// An attack factor near its aim.
        urge_german = 0.35;
        /// A defense factor near what is threatened.
        urge_allied = 0.12;

        /// Time lost by stopping in a zone of control (9.2).
        stopped = 30.0;
        /// Time to open a path that a ZOC Bond blocks.
        bond = 70.0;
        /// Time lost by a unit that is Engaged, Disrupted or out of supply, and by one too weak to beat any enemy.
        held_up = 84.0;
        weak = 50.0;
        /// Time to beat an enemy at all, and for each defense factor.
        fight = 40.0;
        fight_factor = 11.0;

        /// Ground from which the enemy is driven: any hex, a Victory Hex, a hex on the paths to them.
        gain = 0.5;
        gain_hex = 0.7;
        gain_flow = 2.2;
        /// Added for the German side on the first turn, when hardly any Allied gun may fire (29.4) and nothing is in
        /// reserve: the whole front attacks.
        surprise = 0.0;
        /// An attack is made, or prepared, from this value on.
        worth_it = 0.35;
        worth_preparing = 0.6;
        /// The value of not firing: German ammunition is short (5.2), Allied artillery is needed in defense.
        shot_german = 0.1;
        shot_allied = 0.3;
        /// The value of an attack factor for another attack, while attacks are being prepared.
        spared = 0.15;
        /// The value of Engaging an enemy, which then cannot get away.
        pinned = 0.3;
        /// The value of a Breakthrough, besides the ground gained.
        breakthrough = 1.5;

        /// Share of the evaluator's value of captured ground (the paths it opens, the Victory Hex it is) that is
        /// counted.
        opening = 1.0;
        /// An attack with at least this chance is assumed to succeed when later moves are planned.
        counted_on = 0.5;

        /// An open Victory Hex is taken first if that gains at least this much.
        seize = 4.0;

        /// Share of a Victory Hex in danger that is saved by a unit in it.
        garrison = 0.6;

        /// Towns that the Germans could reach within this many turns get a garrison of this many defense factors
        /// (`towns.rs`).
        towns = 1.2;
        enough = 4.0;
        /// Towns that they could reach within this many turns are not left by the last units in them: this many defense
        /// factors stay.
        linger = 0.0;
        picket = 2.0;
        /// Towns that they could reach within this many turns get as much from units nearby.
        scout = 0.0;
        /// Empty towns that they could enter within this many turns past everybody else get a picket before any town gets more,
        /// of at most this many defense factors (`screen.rs`).
        screen = 0.0;
        screen_most = 4.0;
        /// A garrison grows by this much for each attack factor that the Germans could bring against it, at most to
        /// this multiple of `enough`.
        stout = 0.0;
        stoutest = 3.0;
        /// Above 0: a garrison is judged by what the Germans could bring against it within this many turns after their
        /// first unit, not only by what is near.
        foresee = 0.0;
        /// Above 0: Allied reserves march to towns that the Germans could reach within this many turns, if they get there
        /// first, and if this much of the German paths leads there (`reserves.rs`).
        reserve = 0.0;
        reserve_flow = 0.25;
        /// A town gets reserves before others by as much as more paths lead there.
        reserve_weight = 0.0;
        /// A place chooses its garrison and its reserves before others by as much as more of the roads from the German start
        /// line lead through it.
        hub = 0.0;
        /// Above 0: reserves also march to places through which this share of those roads leads.
        hub_from = 0.0;
        /// Above 0: Allied units give Trucks back where they have arrived, garrisons are not loaded, and reserves go on by
        /// themselves when all markers are used (12.4).
        markers = 0.0;
        /// Above 0: how soon the Germans could be in such a place is judged with all other towns held.
        hub_alone = 0.0;
        /// The cost of each turn that reserves are on the road.
        on_the_road = 0.5;
        /// Above 0: a town behind others that are held gets no more than a picket.
        front = 0.0;
        /// No unit of more than this many defense factors is sent to a place through which less than this share of them leads.
        backwater = 0.0;
        backwater_most = 3.0;
        /// How many turns a garrison that has half of what it needs holds out, so that reserves may come later.
        hold_out = 0.0;
        /// The same for German towns, and from a certain turn on for set-up areas (30.3): how many turns ahead
        /// approaching Allied units are considered, the defense factors that stay, and that turn.
        rear = 0.0;
        rear_enough = 1.0;
        rear_from = 4.0;
        /// The garrison of a German town that counts for victory in the campaign (30.2) grows by this much for each
        /// attack factor that the Allies could bring against it.
        rear_stout = 0.0;
        /// Above 0: a unit that holds such a town alone does not leave it in an advance after combat.
        keep = 0.0;
        /// Above 0: a unit stays in an Improved Position against which the Germans could bring this many factors, and
        /// through which this much of their paths leads.
        positions = 0.0;
        position_flow = 0.3;
        /// Staying in an Improved Position that the enemy can attack.
        dug_in = 1.0;

        /// Where only some Victory Hexes win (30.2): the relative value of the others.
        detour = 1.0;
        /// The same for the Allied side, which wants to delay the enemy on the way to the hexes that win.
        allied_detour = 1.0;
        /// Above 0: from a turn on the drive goes for as many winning hexes as the Germans lack, those that they reach
        /// first (30.2); and the same for the Allied side's own judgement.
        focus = 0.0;
        focus_from = 8.0;
        allied_focus = 0.0;
        /// Turns over which the attraction of an aim falls to a third; and the same where the winning aims are far away
        /// (30.2).
        fade = 1.5;
        far_fade = 1.5;
        /// Factors assigned to an aim that halve its attraction for others.
        crowd = 14.0;
        /// Attraction of the edge where units may exit (31.2).
        exit = 0.5;
        /// A unit attracted to an aim: constant, and for each attack factor.
        march = 2.0;
        march_attack = 2.0;
        /// Being adjacent to the enemy without an attack to make.
        contact = 0.4;
        /// Being in the enemy's way.
        block = 1.0;
        /// A defender attracted to what is threatened: constant, and for each defense factor.
        guard = 0.8;
        guard_defense = 0.5;
        /// Cover, and ZOC Bonds with neighbours, for a defender under threat.
        cover = 0.25;
        bonds = 0.3;
        /// Enemy paths that a defender's Bonds would close (`bond::line`).
        line = 0.0;
        /// How many posts of a unit are evaluated in full; for a German unit where the winning aims are far away
        /// (30.2).
        looks_german = 1.0;
        far_looks = 1.0;
        looks_allied = 5.0;
        /// Above 0: they are evaluated as if the attacks assumed to succeed had succeeded.
        follow = 0.0;
        /// Weight of the quick evaluation beside the full one.
        rough = 0.5;
        rough_german = 1.0;
        /// The cost of each turn that others need to where paratroopers land (27.2).
        relief = 0.0;
        /// The penalty of a place without supply.
        cut_off = 5.0;
        /// Above 0: everything is decided by quick evaluation, as Regular does and as in trials, whatever the level.
        haste = 0.0;
        /// Weight of the losses to be feared where the enemy can attack.
        risk = 1.0;

        /// The usual style ([`super::Plan`]): weight of one's own losses, of ground against losses inflicted, of
        /// holding a line.
        caution = 1.0;
        drive = 1.0;
        hold = 1.0;

        /// Plans that are drafted before a Movement Phase (fewer than 2: no comparison), how many of them are tried
        /// out, rounds of trials, and the length of a trial in player turns after one's own.
        plans = 0.0;
        finalists = 4.0;
        rounds = 1.0;
        depth = 1.0;
        /// Plans are tried out from this many turns before the end.
        ending = 1000.0;
        /// Longest time for all trials of one phase, in seconds.
        seconds = 30.0;
    }
}

impl Weights {
    /// The weights for the Allied side, if they differ.
    pub fn of_allied(self) -> Option<Weights> {
        let usual = Weights::default();
        if self.learned <= 0.0 {
            let allied = Weights {
                detour: self.allied_detour,
                focus: self.allied_focus,
                expose: 0.0,
                raid_from: self.allied_raid_from,
                ..self
            };
            (allied != self).then_some(allied)
        } else if self.allied_learned <= 0.0 {
            Some(Weights {
                learned: 0.0,
                urge_german: usual.urge_german,
                detour: self.allied_detour,
                focus: self.allied_focus,
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
                focus: self.allied_focus,
                expose: 0.0,
                raid_from: self.allied_raid_from,
                ..self
            })
        }
    }
}
