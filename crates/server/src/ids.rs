//! Secrets and ids: made from the system's randomness, stored as hashes where they are secret.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

/// A token or code of 192 bits, too many to guess.
pub fn secret() -> String {
    URL_SAFE_NO_PAD.encode(random::<24>())
}

/// The id of a game or user: 128 bits, because knowing a game's address may be the permission to watch it.
pub fn id() -> String {
    URL_SAFE_NO_PAD.encode(random::<16>())
}

/// Secrets are stored and compared only as this hash. They are long and random, so a plain hash is enough.
pub fn hash(secret: &str) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(secret.as_bytes()))
}

pub fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    // Without the system's randomness there are neither secrets nor dice, so the server must not continue.
    getrandom::fill(&mut bytes).expect("the system gives random bytes");
    bytes
}

pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    bytes.iter().flat_map(|b| [b >> 4, b & 15]).map(|d| char::from(DIGITS[usize::from(d)])).collect()
}

pub fn unhex32(text: &str) -> Option<[u8; 32]> {
    let mut out = [0; 32];
    if text.len() != 64 || !text.is_ascii() {
        return None;
    }
    for (byte, pair) in out.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
    }
    Some(out)
}

/// Milliseconds since 1970.
pub fn now_ms() -> i64 {
    std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .map_or(0, |d| i64::try_from(d.as_millis()).unwrap_or(i64::MAX))
}
