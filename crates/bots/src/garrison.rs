//! Assigns units to places as garrisons, independent of any particular game.

/// A place that must not be left to the enemy.
#[derive(Clone, Copy, Debug)]
pub struct Post {
    /// How soon the enemy could be there; the most urgent place chooses first.
    pub time: f32,
    /// The strength that is enough to hold it.
    pub need: f32,
}

/// A unit that could hold a place.
#[derive(Clone, Copy, Debug)]
pub struct Offer<U> {
    pub unit: U,
    /// Index of the place among the posts.
    pub post: usize,
    pub strength: f32,
    /// The cost elsewhere if the unit goes there or stays there.
    pub cost: f32,
    /// It is at the post already.
    pub there: bool,
}

/// Gives each post the units that hold it at the least cost, the most urgent post first, until it has what it needs. Units
/// that are at a post come first: no post is held by giving up another. A unit gets at most one post. Returns indices of
/// offers.
pub fn assign<U: PartialEq>(posts: &[Post], offers: &[Offer<U>]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..posts.len()).collect();
    order.sort_by(|a, b| posts[*a].time.total_cmp(&posts[*b].time));
    let mut chosen: Vec<usize> = Vec::new();
    let mut held = vec![0.0; posts.len()];
    for (there, post) in
        [true, false].into_iter().flat_map(|there| order.iter().map(move |post| (there, *post)))
    {
        let strength: &mut f32 = &mut held[post];
        while *strength < posts[post].need {
            let free = |index: &usize| {
                let offer = &offers[*index];
                offer.post == post
                    && (offer.there || !there)
                    && offer.strength > 0.0
                    && chosen.iter().all(|other| offers[*other].unit != offer.unit)
            };
            // Strength beyond the need has no value.
            let price = |index: &usize| {
                let offer = &offers[*index];
                (0.1 + offer.cost) / offer.strength.min(posts[post].need - *strength)
            };
            let best = (0..offers.len()).filter(free).min_by(|a, b| price(a).total_cmp(&price(b)));
            let Some(best) = best else { break };
            *strength += offers[best].strength;
            chosen.push(best);
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEAR: Post = Post { time: 0.5, need: 4.0 };
    const FAR: Post = Post { time: 1.0, need: 4.0 };

    fn offer(unit: u8, post: usize, strength: f32, cost: f32) -> Offer<u8> {
        Offer { unit, post, strength, cost, there: false }
    }

    #[test]
    fn the_most_urgent_post_chooses_first() {
        let offers = [offer(1, 0, 4.0, 0.0), offer(1, 1, 4.0, 0.0), offer(2, 0, 4.0, 1.0)];
        assert_eq!(assign(&[FAR, NEAR], &offers), [1, 2]);
    }

    #[test]
    fn a_post_is_not_given_up_for_a_more_urgent_one() {
        let stays = Offer { there: true, ..offer(1, 1, 4.0, 0.0) };
        assert_eq!(assign(&[NEAR, FAR], &[offer(1, 0, 4.0, 0.0), stays]), [1]);
        // What is there beyond the need is free to go.
        let more = Offer { there: true, ..offer(2, 1, 4.0, 1.0) };
        let offers = [offer(1, 0, 4.0, 0.0), stays, offer(2, 0, 4.0, 0.0), more];
        assert_eq!(assign(&[NEAR, FAR], &offers), [1, 2]);
    }

    #[test]
    fn nobody_more_is_bound_than_needed() {
        let offers = [offer(1, 0, 3.0, 0.0), offer(2, 0, 3.0, 0.5), offer(3, 0, 1.0, 0.0)];
        assert_eq!(assign(&[NEAR], &offers), [0, 2]);
    }

    #[test]
    fn a_post_that_nobody_reaches_stays_empty() {
        assert!(assign::<u8>(&[NEAR], &[]).is_empty());
        assert!(assign(&[NEAR], &[offer(1, 0, 0.0, 0.0)]).is_empty());
    }
}
