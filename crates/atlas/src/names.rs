//! Names that people read: one per language of the interface, and the one the place itself uses.

use serde::{Deserialize, Serialize};

/// A language of the interface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Lang {
    #[default]
    En,
    Ko,
    Ja,
}

impl Lang {
    /// Every language, in the order in which the interface offers them.
    pub const ALL: [Self; 3] = [Self::En, Self::Ko, Self::Ja];
}

/// The name of a thing in every language. An empty string means "as in English".
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Names {
    pub en: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub ko: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub ja: String,
    /// As the inhabitants write it, where that is not the English form (`Liège`, `Sankt Vith`).
    #[serde(skip_serializing_if = "String::is_empty")]
    pub local: String,
}

impl Names {
    /// A name that is the same in every language until someone translates it.
    pub fn plain(en: impl Into<String>) -> Self {
        Self { en: en.into(), ..Self::default() }
    }

    /// The name in `lang`, in English where that language has none.
    pub fn get(&self, lang: Lang) -> &str {
        let name = match lang {
            Lang::En => &self.en,
            Lang::Ko => &self.ko,
            Lang::Ja => &self.ja,
        };
        if name.is_empty() { &self.en } else { name }
    }

    /// The name its inhabitants use.
    pub fn local(&self) -> &str {
        if self.local.is_empty() { &self.en } else { &self.local }
    }

    pub fn is_empty(&self) -> bool {
        self.en.is_empty()
    }
}

/// In a file a name is a plain string, or a table with `en`, `ko`, `ja`, `local`.
impl<'de> Deserialize<'de> for Names {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Table {
            en: String,
            #[serde(default)]
            ko: String,
            #[serde(default)]
            ja: String,
            #[serde(default)]
            local: String,
        }
        struct Visitor;
        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = Names;
            fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                f.write_str("a name: a string, or a table { en, ko, ja, local }")
            }
            fn visit_str<E: serde::de::Error>(self, v: &str) -> Result<Names, E> {
                Ok(Names::plain(v))
            }
            fn visit_map<A: serde::de::MapAccess<'de>>(self, map: A) -> Result<Names, A::Error> {
                let t = Table::deserialize(serde::de::value::MapAccessDeserializer::new(map))?;
                Ok(Names { en: t.en, ko: t.ko, ja: t.ja, local: t.local })
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}
