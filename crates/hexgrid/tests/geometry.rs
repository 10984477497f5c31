//! Hexes, directions, hexsides, vertices and their positions on a picture.

use std::collections::HashSet;

use hexgrid::{Compass, Direction, Hex, Hexside, Layout, Orientation, Point, Vertex};
use proptest::prelude::*;

fn hex() -> impl Strategy<Value = Hex> {
    (-200i16..200, -200i16..200).prop_map(|(q, r)| Hex::new(q, r))
}

fn direction() -> impl Strategy<Value = Direction> {
    (0usize..6).prop_map(Direction::from_index)
}

fn layout() -> impl Strategy<Value = Layout> {
    let orientation = prop_oneof![Just(Orientation::Flat), Just(Orientation::Pointy)];
    (orientation, 0.5f64..80.0, -500.0f64..500.0, -500.0f64..500.0)
        .prop_map(|(orientation, size, x, y)| Layout { orientation, size, origin: Point::new(x, y) })
}

#[test]
fn directions_point_where_the_compass_says() {
    for orientation in [Orientation::Flat, Orientation::Pointy] {
        let layout = Layout::new(orientation, 10.0);
        for direction in Direction::ALL {
            let point = layout.centre(Hex::step(direction));
            let mut name = String::new();
            if point.y.abs() > 1.0 {
                name.push(if point.y < 0.0 { 'n' } else { 's' });
            }
            if point.x.abs() > 1.0 {
                name.push(if point.x < 0.0 { 'w' } else { 'e' });
            }
            let compass = orientation.compass(direction);
            assert_eq!(compass.name(), name, "{orientation:?} {direction:?}");
            assert_eq!(orientation.direction(compass), Some(direction));
            assert_eq!(name.to_uppercase().parse(), Ok(compass));
        }
    }
    assert_eq!(Orientation::Flat.direction(Compass::E), None);
    assert_eq!(Orientation::Pointy.direction(Compass::N), None);
    assert!("north".parse::<Compass>().is_err());
}

#[test]
fn rings_and_ranges_have_their_sizes() {
    let centre = Hex::new(-3, 8);
    for radius in 0..12u16 {
        let ring: HashSet<Hex> = centre.ring(radius).collect();
        assert_eq!(ring.len(), if radius == 0 { 1 } else { 6 * usize::from(radius) });
        assert!(ring.iter().all(|h| h.distance(centre) == u32::from(radius)));
        assert_eq!(centre.ring(radius).count(), ring.len());
        let n = usize::from(radius);
        assert_eq!(centre.range(radius).collect::<HashSet<_>>().len(), 3 * n * (n + 1) + 1);
    }
}

#[test]
fn text_and_data_forms() {
    assert_eq!("3,-2".parse(), Ok(Hex::new(3, -2)));
    assert!("3".parse::<Hex>().is_err() && "3,99999".parse::<Hex>().is_err());
    let side = Hexside::new(Hex::new(2, 2), Direction::D4);
    let text = serde_json::to_string(&side).unwrap();
    assert_eq!(serde_json::from_str::<Hexside>(&text).unwrap(), side);
    // Written from the far hex it is still the same side.
    let far = r#"{"hex":{"q":2,"r":2},"direction":4}"#;
    assert_eq!(serde_json::from_str::<Hexside>(far).unwrap(), side);
    let far = r#"{"hex":{"q":2,"r":2},"corner":5}"#;
    assert_eq!(serde_json::from_str::<Vertex>(far).unwrap(), Vertex::new(Hex::new(2, 2), Direction::D5));
    let error = serde_json::from_str::<Direction>("6").unwrap_err().to_string();
    assert!(error.contains("expected 0 to 5"), "{error}");
}

proptest! {
    #[test]
    fn distance_is_a_metric(a in hex(), b in hex(), c in hex()) {
        prop_assert_eq!(a.distance(a), 0);
        prop_assert_eq!(a.distance(b), b.distance(a));
        prop_assert_eq!(a.distance(b) == 0, a == b);
        prop_assert!(a.distance(c) <= a.distance(b) + b.distance(c));
        prop_assert_eq!(a.distance(b), (a - b).distance(Hex::ORIGIN));
        prop_assert_eq!((a - b).rotate(1).distance(Hex::ORIGIN), a.distance(b));
    }

    #[test]
    fn directions_turn(d in direction(), turn in -20i32..20) {
        prop_assert_eq!(d.opposite().opposite(), d);
        prop_assert_eq!(d.rotate(turn).rotate(-turn), d);
        prop_assert_eq!(d.clockwise().counter_clockwise(), d);
        prop_assert_eq!(Hex::step(d).rotate(turn), Hex::step(d.rotate(turn)));
        prop_assert_eq!(Hex::step(d) + Hex::step(d.opposite()), Hex::ORIGIN);
        prop_assert_eq!(u32::from(d.angle_to(d.rotate(turn))), turn.rem_euclid(6).min((-turn).rem_euclid(6)) as u32);
    }

    #[test]
    fn a_hexside_is_the_same_from_both_hexes(a in hex(), d in direction()) {
        let b = a.neighbour(d);
        let side = Hexside::new(a, d);
        prop_assert_eq!(side, Hexside::new(b, d.opposite()));
        prop_assert_eq!(Hexside::between(a, b), Some(side));
        prop_assert_eq!(side.across(a), Some(b));
        prop_assert_eq!(side.across(b), Some(a));
        prop_assert_eq!(side.across(b.neighbour(d)), None);
        prop_assert_eq!(Hexside::between(a, b.neighbour(d)), None);
        prop_assert!(side.hexes().contains(&a) && side.hexes().contains(&b));
        for vertex in side.vertices() {
            prop_assert!(vertex.sides().contains(&side));
            prop_assert!(vertex.hexes().contains(&a) && vertex.hexes().contains(&b));
        }
        let meeting: HashSet<Hexside> =
            side.vertices().iter().flat_map(|v| v.sides()).filter(|&s| s != side).collect();
        prop_assert_eq!(meeting, side.adjacent_sides().into_iter().collect::<HashSet<_>>());
    }

    #[test]
    fn a_vertex_is_the_same_from_all_three_hexes(a in hex(), d in direction()) {
        let vertex = Vertex::new(a, d);
        prop_assert_eq!(vertex, Vertex::new(a.neighbour(d), d.rotate(2)));
        prop_assert_eq!(vertex, Vertex::new(a.neighbour(d.clockwise()), d.rotate(4)));
        prop_assert!(vertex.hexes().contains(&a));
        let [x, y, z] = vertex.hexes();
        prop_assert!(x.is_adjacent(y) && y.is_adjacent(z) && z.is_adjacent(x));
        for (side, neighbour) in vertex.sides().into_iter().zip(vertex.neighbours()) {
            prop_assert!(side.vertices().contains(&vertex));
            prop_assert_eq!(vertex.side_to(neighbour), Some(side));
            prop_assert!(neighbour.neighbours().contains(&vertex));
        }
        prop_assert_eq!(vertex.side_to(vertex), None);
    }

    #[test]
    fn points_lead_back_to_their_hex(layout in layout(), a in hex(), angle in 0.0f64..7.0, part in 0.0f64..0.99) {
        prop_assert_eq!(layout.hex_at(layout.centre(a)), a);
        // Anywhere inside the inscribed circle.
        let reach = layout.pitch() / 2.0 * part;
        let centre = layout.centre(a);
        let inside = Point::new(centre.x + reach * angle.cos(), centre.y + reach * angle.sin());
        prop_assert_eq!(layout.hex_at(inside), a);
    }

    #[test]
    fn corners_and_sides_agree(layout in layout(), a in hex(), d in direction()) {
        let near = |p: Point, q: Point| p.distance(q) < 1e-6;
        let side = Hexside::new(a, d);
        let [p, q] = layout.side(side);
        prop_assert!(near(p.midpoint(q), layout.side_midpoint(side)));
        prop_assert!((p.distance(q) - layout.size).abs() < 1e-6);
        let corners = layout.corners(a);
        let ends = [corners[d.counter_clockwise().index()], corners[d.index()]];
        prop_assert!(ends.iter().all(|&end| near(end, p) || near(end, q)));
        prop_assert!((layout.centre(a).distance(layout.centre(a.neighbour(d))) - layout.pitch()).abs() < 1e-6);
        let (least, most) = layout.bounds([a]).unwrap();
        prop_assert!(corners.iter().all(|c| c.x >= least.x && c.y >= least.y && c.x <= most.x && c.y <= most.y));
        let (least, _) = layout.fitted([a], 5.0).bounds([a]).unwrap();
        prop_assert!(near(least, Point::new(5.0, 5.0)));
    }
}
