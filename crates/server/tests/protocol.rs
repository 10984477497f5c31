//! The web client's types are those of the server.

use std::path::Path;

#[test]
fn typescript_is_in_step() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src/lib/protocol/index.ts");
    let wanted = server::protocol::typescript();
    if std::env::var_os("UPDATE_PROTOCOL").is_some() {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).expect("the folder of the generated file");
        }
        std::fs::write(&path, wanted).expect("the generated file");
        return;
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == wanted,
        "{} is out of step: UPDATE_PROTOCOL=1 cargo test -p server --test protocol",
        path.display()
    );
}
