//! Reserves: units that march to places which the enemy is going to reach, if they can be there first. Independent of any
//! particular game.

use crate::garrison::{Offer, Post, assign};

/// A unit that could march to a place.
#[derive(Clone, Copy, Debug)]
pub struct March<U> {
    pub offer: Offer<U>,
    /// The own turns that it needs after this one; 0 if it gets there now.
    pub arrival: f32,
}

/// Gives each post the units that get there before the enemy, at the least cost, the most urgent post first. The
/// enemy's first turn follows this one ([`Post::time`] 0 to 1). `held`: for each post, how many turns longer those who
/// are there already hold it. Returns indices of marches.
pub fn answer<U: Copy + PartialEq>(posts: &[Post], held: &[f32], marches: &[March<U>]) -> Vec<usize> {
    let before_the_enemy = |index: &usize| {
        let march = &marches[*index];
        let post = march.offer.post;
        march.arrival.ceil() < (posts[post].time + held[post]).ceil().max(1.0)
    };
    let in_time: Vec<usize> = (0..marches.len()).filter(before_the_enemy).collect();
    let offers: Vec<Offer<U>> = in_time.iter().map(|index| marches[*index].offer).collect();
    assign(posts, &offers).into_iter().map(|index| in_time[index]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn march(unit: u8, post: usize, arrival: f32, cost: f32) -> March<u8> {
        March { offer: Offer { unit, post, strength: 4.0, cost, there: false }, arrival }
    }

    #[test]
    fn only_those_who_come_before_the_enemy_are_sent() {
        let post = [Post { time: 1.8, need: 4.0, least: 4.0, picket: 0.0, weight: 1.0 }];
        assert_eq!(answer(&post, &[0.0], &[march(1, 0, 2.0, 0.0), march(2, 0, 1.0, 3.0)]), [1]);
        assert!(answer(&post, &[0.0], &[march(1, 0, 1.2, 0.0)]).is_empty(), "it needs two more turns");
    }

    #[test]
    fn who_holds_out_gives_others_time() {
        let post = [Post { time: 0.8, need: 4.0, least: 4.0, picket: 0.0, weight: 1.0 }];
        let later = [march(1, 0, 1.4, 0.0)];
        assert!(answer(&post, &[0.0], &later).is_empty());
        assert!(answer(&post, &[1.0], &later).is_empty(), "a turn is not enough");
        assert_eq!(answer(&post, &[2.0], &later), [0]);
    }

    #[test]
    fn what_the_enemy_reaches_next_needs_somebody_now() {
        let post = [Post { time: 0.0, need: 4.0, least: 4.0, picket: 0.0, weight: 1.0 }];
        assert_eq!(answer(&post, &[0.0], &[march(1, 0, 0.5, 0.0), march(2, 0, 0.0, 3.0)]), [1]);
    }

    #[test]
    fn the_first_breach_takes_the_unit_that_both_could_use() {
        let posts = [
            Post { time: 3.0, need: 4.0, least: 4.0, picket: 0.0, weight: 1.0 },
            Post { time: 2.0, need: 4.0, least: 4.0, picket: 0.0, weight: 1.0 },
        ];
        let marches = [march(1, 0, 0.0, 0.0), march(1, 1, 1.0, 0.0), march(2, 0, 2.0, 1.0)];
        assert_eq!(answer(&posts, &[0.0; 2], &marches), [1, 2]);
    }
}
