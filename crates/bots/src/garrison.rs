//! Assigns units to places as garrisons, independent of any particular game.

/// A place that must not be left to the enemy.
#[derive(Clone, Copy, Debug)]
pub struct Post {
    /// How soon the enemy could be there; the most urgent place chooses first.
    pub time: f32,
    /// The strength that is enough to hold it, and the least that is of use: no place gets more while another has less.
    pub need: f32,
    pub least: f32,
    /// The strength that is enough for somebody to be in the way: no place gets more while another has nobody.
    pub picket: f32,
    /// What is lost with the place: it chooses as if the enemy were there this many times sooner.
    pub weight: f32,
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

/// Gives each post the units that hold it at the least cost, the most urgent post first, until all have a picket, then the least, then
/// until they have what they need. Units that are at a post come first: no post is held by giving up another. A unit gets
/// at most one post. Returns indices of offers.
pub fn assign<U: PartialEq>(posts: &[Post], offers: &[Offer<U>]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..posts.len()).collect();
    let soon = |post: usize| posts[post].time / posts[post].weight;
    order.sort_by(|a, b| soon(*a).total_cmp(&soon(*b)));
    let mut chosen: Vec<usize> = Vec::new();
    let mut held = vec![0.0; posts.len()];
    let wanted: [(bool, fn(&Post) -> f32); 4] = [
        (true, |post| post.need),
        (false, |post| post.picket),
        (false, |post| post.least),
        (false, |post| post.need),
    ];
    for ((there, wanted), post) in
        wanted.into_iter().flat_map(|round| order.iter().map(move |post| (round, *post)))
    {
        let wanted = wanted(&posts[post]).min(posts[post].need);
        let strength: &mut f32 = &mut held[post];
        while *strength < wanted {
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
                (0.1 + offer.cost) / offer.strength.min(wanted - *strength)
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

    const NEAR: Post = Post { time: 0.5, need: 4.0, least: 4.0, picket: 0.0, weight: 1.0 };
    const FAR: Post = Post { time: 1.0, need: 4.0, least: 4.0, picket: 0.0, weight: 1.0 };

    fn offer(unit: u8, post: usize, strength: f32, cost: f32) -> Offer<u8> {
        Offer { unit, post, strength, cost, there: false }
    }

    /// Unit and post of each offer that is taken.
    fn chosen(posts: &[Post], offers: &[Offer<u8>]) -> Vec<(u8, usize)> {
        assign(posts, offers).into_iter().map(|index| (offers[index].unit, offers[index].post)).collect()
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
    fn nobody_gets_more_while_another_has_less_than_the_least() {
        let posts = [Post { need: 8.0, ..NEAR }, FAR];
        let either = |unit, cost| [offer(unit, 0, 4.0, cost), offer(unit, 1, 4.0, cost)];
        let offers = [either(1, 0.0), either(2, 1.0), either(3, 2.0)].concat();
        let chosen = chosen(&posts, &offers);
        assert_eq!(chosen, [(1, 0), (2, 1), (3, 0)]);
    }

    #[test]
    fn every_post_gets_a_picket_before_any_gets_more() {
        let posts = [Post { picket: 2.0, ..NEAR }, Post { picket: 2.0, ..FAR }];
        let either = |unit, cost| [offer(unit, 0, 2.0, cost), offer(unit, 1, 2.0, cost)];
        let offers = [either(1, 0.0), either(2, 1.0), either(3, 2.0)].concat();
        let chosen = chosen(&posts, &offers);
        assert_eq!(chosen, [(1, 0), (2, 1), (3, 0)]);
    }

    #[test]
    fn a_weightier_post_chooses_before_one_that_is_a_little_sooner() {
        let offers = [offer(1, 0, 4.0, 0.0), offer(1, 1, 4.0, 0.0)];
        assert_eq!(assign(&[NEAR, Post { weight: 1.5, ..FAR }], &offers), [0]);
        assert_eq!(assign(&[NEAR, Post { weight: 3.0, ..FAR }], &offers), [1]);
    }

    #[test]
    fn a_post_that_nobody_reaches_stays_empty() {
        assert!(assign::<u8>(&[NEAR], &[]).is_empty());
        assert!(assign(&[NEAR], &[offer(1, 0, 0.0, 0.0)]).is_empty());
    }
}
