//! All weights of the commander's judgement in one place.

crate::numbers::numbers! {
    /// Weights of judgement. Values are victory points, chances 0 to 1, times in turns.
    pub struct Weights {
        /// The relative value of damaging a vehicle, and what a damaged one is still worth.
        crippled = 0.5;
        rest = 0.7;
        /// The value of a kill besides its points: the threat that it removes.
        relief = 0.6;

        /// How many volleys of one's own and of the enemy's a position is evaluated for.
        offense = 1.5;
        defense = 1.2;
        /// A shot at a unit that is not spotted now, but would be if it fired.
        unseen = 0.3;
        /// Weight of an enemy that could be behind a vehicle within a turn.
        flank = 0.2;
        /// A gun that must turn before it can fire.
        turning = 0.35;
        /// Share of enemies that might fire Overwatch at a mover.
        watched = 0.3;

        /// Turns over which the attraction of an objective falls to a third.
        reach = 4.0;
        /// Share of an objective's points that attracts a unit to guard it.
        guard = 0.35;
        /// The attraction of the enemy itself for a side that is behind.
        hunt = 0.12;
        /// The value of entering the map.
        arrive = 6.0;
        /// Being in one hex with other units.
        crowd = 0.8;
        /// A move that gains less than this is not made.
        stir = 0.4;

        /// How much a side that is ahead, or behind, values ground.
        content = 0.6;
        hungry = 1.4;
        /// The same for a side that is behind in the Advanced Game: guns in cover are seen only when they fire, so haste
        /// costs more than it gains.
        slow_hunt = 0.0;
        slow_hungry = 0.4;
        slow_pressed = 0.2;
        /// Fear of hidden units (7.2): the weight of the shots that they would have from where they may be.
        ambush = 0.3;

        /// How much such a side values its own vehicles.
        calm = 1.0;
        bold = 1.0;
        /// Factor on the value of ground in the last turns.
        pressed = 1.2;

        /// Chance that an enemy in sight triggers Overwatch.
        trigger = 0.55;
        /// The value of Overwatch with no enemy in sight.
        alert = 0.25;
        /// Kill chances from which Overwatch is fired: after Direct Fire, at a vehicle that turns before it moves, at one
        /// on its way, at one that stays.
        watch_fire = 0.10;
        watch_begin = 0.30;
        watch_way = 0.18;
        watch_end = 0.08;

        /// Weight of a shot now against positions for the next one.
        steady = 1.0;

        /// Styles that Regular compares by trials, and trials of each in the first round if 40 vehicles fight.
        plans = 4.0;
        trials = 2.0;
        /// Factor on the time limit of a search; on a machine that is not overloaded the number of trials ends it long
        /// before.
        patience = 1.0;
        /// Length in turns of a trial of a style.
        depth = 3.0;
        /// Share of a shot's luck that is removed from trials.
        luck = 1.0;

        /// The value of winning in points, and the distance from the victory level at which it is half won.
        victory = 150.0;
        nearly = 50.0;

        /// Weight of prospects and volleys in the value of a position.
        promise = 0.6;
        volley = 0.7;

        /// Turns of fire between stationary sides by which a trial's end is judged, the weight of each relative to the
        /// one before, and the weight of the whole.
        rounds = 3.0;
        fade = 0.6;
        exchange = 0.8;
        /// Share of the enemy's expected Commands that are placed as greedy would.
        plain = 0.5;
        /// Trials of each alternative Command for each vehicle, and how many times Regular goes through all of them.
        tries = 8.0;
        sweeps = 1.0;
        /// Trials of alternative Commands in all, if 40 vehicles fight.
        runs = 200.0;
        /// Length in turns of such a trial.
        ahead = 1.0;
    }
}
