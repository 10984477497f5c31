//! Every number of the commander's judgement in one place.

crate::numbers::numbers! {
    /// Numbers of judgement. Values are victory points, chances 0 to 1, times in turns.
    pub struct Weights {
        /// What Damaged is worth of a whole vehicle, and what is left of one that is.
        crippled = 0.5;
        rest = 0.7;
        /// What a kill brings beside its points: the threat that is gone.
        relief = 0.6;

        /// Volleys that a position is looked at for: one's own and the enemy's.
        offense = 1.5;
        defense = 1.2;
        /// A shot at somebody who is not spotted now, but would be if he fired.
        unseen = 0.3;
        /// Weight of an enemy who could be behind a vehicle in a turn.
        flank = 0.2;
        /// A gun that must turn first to bear.
        turning = 0.35;
        /// Share of enemies that might fire Overwatch at a mover.
        watched = 0.3;

        /// Time in which the pull of an objective falls to a third.
        reach = 4.0;
        /// Share of an objective's points that draws a unit to guard it.
        guard = 0.35;
        /// The pull of the enemy himself on a side that is behind.
        hunt = 0.12;
        /// What it is worth to come onto the map.
        arrive = 6.0;
        /// Standing with others in one hex.
        crowd = 0.8;
        /// A step that gains less is not made.
        stir = 0.4;

        /// How much a side that is ahead, or behind, wants ground.
        content = 0.6;
        hungry = 1.4;
        /// How much such a side values its own vehicles.
        calm = 1.0;
        bold = 1.0;
        /// Factor on the wish for ground in the last turns.
        pressed = 1.2;

        /// Chance that an enemy in sight does something to be shot at for.
        trigger = 0.55;
        /// What Overwatch is worth where nobody is in sight.
        alert = 0.25;
        /// Chances of a kill from which Overwatch is fired: after Direct Fire, at a mover that has begun, on its way, at its end.
        watch_fire = 0.10;
        watch_begin = 0.30;
        watch_way = 0.18;
        watch_end = 0.08;

        /// Weight of a shot now against places for the next one.
        steady = 1.0;

        /// Manners that Regular compares by trials, and trials of each in the first round where 40 vehicles fight.
        plans = 4.0;
        trials = 2.0;
        /// Times the seconds that a search may take at most; counts end it long before on a machine that is not overloaded.
        patience = 1.0;
        /// Turns that a trial of a manner goes on.
        depth = 3.0;
        /// Share of a shot's luck that is taken out of trials.
        luck = 1.0;

        /// What winning is worth in points, and how near the lead is to the level when it is half won.
        victory = 150.0;
        nearly = 50.0;

        /// Weight of potentials and volleys in the value of a position.
        promise = 0.6;
        volley = 0.7;

        /// Turns of fire between standing sides by which a trial's end is judged, what each counts of the one before it, and
        /// the weight of the whole.
        rounds = 3.0;
        fade = 0.6;
        exchange = 0.8;
        /// Share of commands placed as greedy would, among those the enemy is expected to place.
        plain = 0.5;
        /// Trials of each other Command for each vehicle, and how often Regular goes through all of them.
        tries = 8.0;
        sweeps = 1.0;
        /// Turns that such a trial goes on.
        ahead = 1.0;
    }
}
