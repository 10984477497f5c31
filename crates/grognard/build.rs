//! The web client is carried in the program: build it anew when the client was built anew.

fn main() {
    println!("cargo:rerun-if-changed=../../web/dist");
}
