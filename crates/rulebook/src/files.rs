//! The text files of a pack.

use std::borrow::Cow;

use serde::de::DeserializeOwned;

/// A fault in a pack: where, and what is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{at}: {why}")]
pub struct PackError {
    /// The file, and the item in it.
    pub at: String,
    pub why: String,
}

impl PackError {
    pub fn at(at: impl Into<String>, why: impl Into<String>) -> PackError {
        PackError { at: at.into(), why: why.into() }
    }
}

/// The files of a pack by their path inside it.
#[derive(Clone, Debug, Default)]
pub struct PackFiles {
    pub files: Vec<(String, Cow<'static, str>)>,
}

impl PackFiles {
    /// The files that are built into the program.
    pub fn embedded(files: &[(&str, &'static str)]) -> PackFiles {
        let files = files.iter().map(|&(path, text)| (path.to_owned(), Cow::Borrowed(text))).collect();
        PackFiles { files }
    }

    /// The text of a file.
    pub fn text(&self, path: &str) -> Result<&str, PackError> {
        self.files
            .iter()
            .find(|(name, _)| name == path)
            .map(|(_, text)| &**text)
            .ok_or_else(|| PackError::at(path, "the file is missing"))
    }

    /// The files of a folder, in their order.
    pub fn folder<'a>(&'a self, folder: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.files
            .iter()
            .filter(move |(name, _)| name.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')))
            .map(|(name, text)| (name.as_str(), &**text))
    }

    /// Reads a file into a value.
    pub fn parse<T: DeserializeOwned>(&self, path: &str) -> Result<T, PackError> {
        parse(path, self.text(path)?)
    }

    /// Replaces the first place where a text stands in a file: for tests of faults.
    pub fn edit(&mut self, path: &str, from: &str, to: &str) -> Result<(), PackError> {
        let text = self.text(path)?;
        if !text.contains(from) {
            return Err(PackError::at(path, format!("there is no {from}")));
        }
        let text = text.replacen(from, to, 1);
        self.replace(path, text);
        Ok(())
    }

    /// Replaces the text of a file, or adds the file.
    pub fn replace(&mut self, path: &str, text: String) {
        match self.files.iter_mut().find(|(name, _)| name == path) {
            Some((_, old)) => *old = Cow::Owned(text),
            None => self.files.push((path.to_owned(), Cow::Owned(text))),
        }
    }
}

/// Reads a file's text into a value; errors name the line.
pub fn parse<T: DeserializeOwned>(path: &str, text: &str) -> Result<T, PackError> {
    toml::from_str(text).map_err(|e| {
        let line = e.span().map(|s| 1 + text.bytes().take(s.start).filter(|b| *b == b'\n').count());
        let at = line.map_or_else(|| path.to_owned(), |line| format!("{path}:{line}"));
        PackError { at, why: e.message().to_owned() }
    })
}
