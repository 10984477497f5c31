//! The web client's files, built by `cargo xtask web` and embedded in the program.

use server::{Asset, Assets};

#[derive(rust_embed::RustEmbed)]
#[folder = "../../web/dist"]
#[allow_missing = true]
struct Files;

#[derive(Clone, Copy, Debug)]
pub struct WebClient;

impl Assets for WebClient {
    fn get(&self, path: &str) -> Option<Asset> {
        let file = Files::get(path)?;
        Some(Asset {
            mime: file.metadata.mimetype().to_owned().into(),
            bytes: file.data,
            // Vite puts a hash of the content into these names.
            immutable: path.starts_with("assets/"),
            encoding: None,
        })
    }
}
