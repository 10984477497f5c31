//! The web client is embedded in the program: rebuild when the client was rebuilt.

fn main() {
    println!("cargo:rerun-if-changed=../../web/dist");
}
