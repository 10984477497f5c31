//! Errors in a pack name the file and the item.

use wurzburg::pack::{Pack, embedded_files};

use super::pack;

/// Read the pack with one text replaced in a file.
fn with(path: &str, old: &str, new: &str) -> String {
    let mut files = embedded_files();
    files.edit(path, old, new).unwrap();
    Pack::read(&files, pack().map.clone()).map(|_| ()).unwrap_err().to_string()
}

#[test]
fn a_fault_names_the_file_and_the_item() {
    for (path, old, new, said) in [
        ("types.toml", "symbol = \"armor\"", "symbol = \"tank\"", "types.toml:10: unknown variant `tank`"),
        ("types.toml", "attack = 9", "atack = 9", "types.toml:11: unknown field `atack`"),
        ("formations.toml", "parent = \"8GA\"", "parent = \"9GA\"", "27GMRD: there is no formation `9GA`"),
        ("pools.toml", "type = \"wp-bmp\"", "type = \"wp-bmq\"", "68gmrr: there is no type `wp-bmq`"),
        ("units/wp-27gmrd.toml", "steps = 3", "steps = 10", "68gmrr-a: steps = 10: at most 9"),
        ("units/wp-27gmrd.toml", "\"68gmrr-b\"", "\"68gmrr-a\"", "68gmrr-a: the id is given twice"),
        ("tables/dice.toml", "rule = \"18.2, 23.1.1\"\n", "", "crt: rule: say which rule uses the table"),
        ("tables/dice.toml", "empty = [4, 6, 8, 10]", "empty = [4, 6, 8]", "recon: every row has a number"),
        (
            "tables/fire.toml",
            "id = \"smoke\"",
            "id = \"disrupted\"",
            "fire_effects: disrupted: expected once",
        ),
        (
            "tables/terrain.toml",
            "minor = [1, 2]",
            "minor = [1, 3]",
            "road: a road costs a whole number of quarters",
        ),
        ("scenarios/1-first-contact.toml", "hex = \"2916\"", "hex = \"7101\"", "3-3-m2-a"),
        ("scenarios/1-first-contact.toml", "sam = [0, 0]", "sam = [0]", "side.WP: sam: expected 2 figures"),
        ("scenarios/1-first-contact.toml", "all = \"wp\"", "all = \"west\"", "there is no zone `west`"),
        (
            "scenarios/1-first-contact.toml",
            "\"24MRR\", \"4TR\"",
            "\"24MRR\", \"4GTR\"",
            "no formation `4GTR`",
        ),
    ] {
        let error = with(path, old, new);
        assert!(error.starts_with(path.split(':').next().unwrap()) || error.starts_with("units"), "{error}");
        assert!(error.contains(said), "{error}: expected {said}");
    }
}
