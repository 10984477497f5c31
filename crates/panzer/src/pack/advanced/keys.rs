//! The names of things in tables, scenarios and message files.

use rulebook::keyed;

keyed! {
    /// 5.8, best first.
    Grade or Seasoned { Elite = "elite", Veteran = "veteran", Seasoned = "seasoned", Regulars = "regulars", Green = "green" }
}

keyed! {
    /// 4.4.3.2.1, 6.5.4.1
    RangeFactor { P = "P", S = "S", M = "M", L = "L", E = "E" }
}

keyed! {
    /// Rate of fire (6.5.2.1).
    Rate or N { N = "N", Q = "Q", R = "R", F = "F" }
}

keyed! {
    /// 5.9: abilities that a scenario gives a unit.
    Label {
        /// Company, battery, troop or squadron HQ.
        Chq = "chq",
        /// Battalion HQ.
        Bhq = "bhq",
        /// Regiment or brigade HQ.
        Rhq = "rhq",
        Fo = "fo",
        Recon = "recon",
        Engineer = "engineer",
    }
}

keyed! {
    /// 6.5.2.2: the AP hit angles of the Advanced Game.
    Angle { Front = "front", FrontSide = "front_side", RearSide = "rear_side", Rear = "rear" }
}

keyed! {
    /// 6.5.2.2: where a shot hits.
    Location {
        TurretFront = "TF",
        TurretSide = "TS",
        TurretRear = "TR",
        HullFront = "HF",
        HullSide = "HS",
        HullRear = "HR",
        Track = "TK",
        /// Falling fire, index 1.
        Deck = "DK",
    }
}

impl Location {
    /// 6.5.2.5: damage there is turret damage.
    pub const fn turret(self) -> bool {
        matches!(self, Location::TurretFront | Location::TurretSide | Location::TurretRear | Location::Deck)
    }

    pub const fn hull(self) -> bool {
        matches!(self, Location::HullFront | Location::HullSide | Location::HullRear)
    }
}

keyed! {
    /// 5.11: what hinders fire along a line.
    HindranceKind {
        OnFire = "on_fire",
        SmokeClosed = "smoke_closed",
        SmokeOpen = "smoke_open",
        BarrageClosed = "barrage_closed",
        BarrageOpen = "barrage_open",
        BrewUpSmoke = "brew_up_smoke",
        Dust = "dust",
    }
}

keyed! {
    /// 6.5.4.3, 6.7.3.5: modifiers of GP fire, except the shooter's grade and sun blinding.
    GpModifier {
        TargetVehicleMoving = "target_vehicle_moving",
        TargetTypeP = "target_type_p",
        TargetTypeA = "target_type_a",
        VehicleMediumCover = "vehicle_medium_cover",
        VehicleHeavyCover = "vehicle_heavy_cover",
        LegCrawling = "leg_crawling",
        OverWallOrDefilade = "over_wall_or_defilade",
        ShooterShortHalt = "shooter_short_halt",
        ShooterDamaged = "shooter_damaged",
        ShooterHesitating = "shooter_hesitating",
        ShooterSuppressed = "shooter_suppressed",
        ShooterBroken = "shooter_broken",
        OnFire = "on_fire",
        BrewUpSmoke = "brew_up_smoke",
        SmokeOpen = "smoke_open",
        SmokeClosed = "smoke_closed",
        BarrageOpen = "barrage_open",
        BarrageClosed = "barrage_closed",
        Dust = "dust",
        OpenSheaf = "open_sheaf",
        Overwatch = "overwatch",
        OverwatchAdjust = "overwatch_adjust",
        AmmoLimit = "ammo_limit",
        HeatHaze = "heat_haze",
        TransportedFire = "transported_fire",
        Overrun = "overrun",
        DualFireSame = "dual_fire_same",
        DualFireOther = "dual_fire_other",
        PinningFire = "pinning_fire",
        HastyEntrenchment = "hasty_entrenchment",
        CeAmmunition = "ce_ammunition",
        CoaxMg = "coax_mg",
        AirLow = "air_low",
        AirMedium = "air_medium",
        AirFast = "air_fast",
    }
}

keyed! {
    /// 6.6.1.1.2, except the primary attacker's grade.
    CloseAssaultModifier {
        AdvanceAttack = "advance_attack",
        UphillAttack = "uphill_attack",
        DismountAttack = "dismount_attack",
        VsMovingVehicle = "vs_moving_vehicle",
        VsSuppressedVehicle = "vs_suppressed_vehicle",
        VsVehicleWithC = "vs_vehicle_with_c",
        VehicleInUnsupportedHex = "vehicle_in_unsupported_hex",
        AdditionalSection = "additional_section",
        AdditionalHalfSquad = "additional_half_squad",
        AdditionalSquad = "additional_squad",
        VsPType = "vs_p_type",
        VsSType = "vs_s_type",
        VsOpenAType = "vs_open_a_type",
        AttackerFlamethrower = "attacker_flamethrower",
        VsHesitating = "vs_hesitating",
        VsBroken = "vs_broken",
    }
}

keyed! {
    /// 6.6.1.2.2, except the grades of both sides.
    HandToHandModifier {
        Squad = "squad",
        HalfSquad = "half_squad",
        Section = "section",
        Towed = "towed",
        DefenderSuppressed = "defender_suppressed",
        AdvanceAttack = "advance_attack",
        UphillAttack = "uphill_attack",
        DismountAttack = "dismount_attack",
        AdditionalSection = "additional_section",
        AdditionalHalfSquad = "additional_half_squad",
        AdditionalSquad = "additional_squad",
        Flamethrower = "flamethrower",
        DefenderHesitating = "defender_hesitating",
        DefenderBroken = "defender_broken",
    }
}

keyed! {
    /// 6.5.1.12: the observer rows of the response table.
    Response { Fo = "fo", Rhq = "rhq", Bhq = "bhq", Chq = "chq", Recon = "recon" }
}

keyed! {
    /// 6.5.1.3: a source's level of attachment to the observer's formation.
    Level { Attached = "attached", Organic = "organic", Unattached = "unattached" }
}

keyed! {
    /// 6.5.1.12.1, except the observer's grade.
    ResponseModifier {
        Preregistered = "preregistered",
        CommandRecon = "command_recon",
        Adjusted = "adjusted",
        ObserverSuppressed = "observer_suppressed",
        ObserverDamaged = "observer_damaged",
        ObserverHindered = "observer_hindered",
        HeatHaze = "heat_haze",
        ObserverHesitating = "observer_hesitating",
        ObserverBroken = "observer_broken",
    }
}

keyed! {
    /// 6.5.1.5: the hexes that indirect fire covers.
    Sheaf {
        /// On-map units: the target hex only.
        OnMapClosed = "on_map_closed",
        Closed = "closed",
        Open = "open",
        ClosedLinear = "closed_linear",
    }
}

keyed! {
    /// 6.5.2.6, 6.5.4.5: the causes of a bail-out test.
    BailResult {
        NoDamage = "no_damage",
        Damaged = "damaged",
        TrackHit = "track_hit",
        KnockOut = "knock_out",
        BrewUp = "brew_up",
        SuppressedDirect = "suppressed_df",
        SuppressedIndirect = "suppressed_if",
    }
}

keyed! {
    /// Who takes a bail-out test.
    Passenger { Crew = "crew", Leg = "leg_passenger", Towed = "towed_passenger" }
}

keyed! {
    /// 6.7.2.2
    Altitude { Low = "low", Medium = "medium", High = "high" }
}

keyed! {
    /// 6.7.2.2
    Speed { Slow = "slow", Fast = "fast" }
}
