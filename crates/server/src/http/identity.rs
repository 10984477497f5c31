//! Who a client is: a guest with a token, or an account that also has a password.

use std::time::Duration;

use argon2::password_hash::{PasswordHash, SaltString};
use argon2::{Argon2, PasswordHasher as _, PasswordVerifier as _};
use axum::extract::State;
use axum::http::StatusCode;
use kernel::SeatSet;
use kernel::catalog::LANGUAGES;
use serde::Deserialize;

use super::{Address, Anyone, Json, Known, Query, Shared, Token};
use crate::error::{Fault, Result};
use crate::hub::Hub;
use crate::protocol::{
    ChangeMe, ClaimDevice, Credentials, DeviceCode, ErrorCode, Me, NewGuest, Notices, Welcomed,
};
use crate::room::summary;
use crate::store::rows::UserRow;
use crate::store::{Listing, Statement, StoreError};
use crate::{ids, limits};

type Answer<T> = Result<axum::Json<T>>;

const NAME: usize = 40;
/// How long a link to move to another device is valid.
const DEVICE_MS: i64 = 10 * 60_000;

impl UserRow {
    fn me(&self) -> Me {
        Me {
            id: self.id.clone(),
            name: self.name.clone(),
            account: self.login.is_some(),
            login: self.login.clone(),
            webhook: self.webhook.clone(),
            language: self.language.clone(),
        }
    }
}

fn language(wanted: &str) -> Result<String> {
    if LANGUAGES.contains(&wanted) {
        Ok(wanted.to_owned())
    } else {
        Err(Fault::bad(format!("language `{wanted}`; there is {}", LANGUAGES.join(", "))))
    }
}

fn new_token(user: &str) -> (String, Statement) {
    let token = ids::secret();
    let statement = Statement::new(
        "INSERT INTO tokens (hash, user_id, created) VALUES ($1, $2, $3)",
        [ids::hash(&token).into(), user.into(), ids::now_ms().into()],
    );
    (token, statement)
}

pub async fn guest(
    State(hub): Shared,
    Address(from): Address,
    Json(new): Json<NewGuest>,
) -> Answer<Welcomed> {
    hub.identity_limit.take(from)?;
    let id = ids::id();
    let name = match new.name.as_deref().map(str::trim) {
        None | Some("") => format!("Guest {}", &ids::hex(&ids::random::<2>())),
        Some(name) => limits::name(name, NAME)?,
    };
    let user = UserRow {
        id,
        name,
        login: None,
        password: None,
        webhook: None,
        language: language(new.language.as_deref().unwrap_or("en"))?,
        created: ids::now_ms(),
    };
    let (token, insert) = new_token(&user.id);
    hub.store.write(vec![user.insert(), insert]).await?;
    Ok(axum::Json(Welcomed { token, user: user.me() }))
}

pub async fn me(Known(user): Known) -> axum::Json<Me> {
    axum::Json(user.me())
}

pub async fn change_me(State(hub): Shared, Known(user): Known, Json(change): Json<ChangeMe>) -> Answer<Me> {
    let mut user = (*user).clone();
    if let Some(name) = change.name {
        user.name = limits::name(&name, NAME)?;
    }
    if let Some(wanted) = change.language {
        user.language = language(&wanted)?;
    }
    if let Some(url) = change.webhook {
        user.webhook = if url.is_empty() { None } else { Some(hub.webhooks.check(&url)?) };
    }
    hub.store.write(vec![user.update()]).await?;
    Ok(axum::Json(user.me()))
}

/// Turn a guest into an account; their games stay theirs.
pub async fn account(
    State(hub): Shared,
    Address(from): Address,
    Known(user): Known,
    Json(credentials): Json<Credentials>,
) -> Answer<Me> {
    hub.identity_limit.take(from)?;
    let mut user = (*user).clone();
    if user.login.is_some() {
        return Err(Fault::new(ErrorCode::Forbidden, "this is an account already"));
    }
    user.login = Some(login_name(&credentials.login)?);
    if !(8..=200).contains(&credentials.password.chars().count()) {
        return Err(Fault::new(ErrorCode::BadPassword, "8 to 200 characters"));
    }
    user.password = Some(hash_password(&hub, credentials.password).await?);
    match hub.store.write(vec![user.update()]).await {
        Err(StoreError::Conflict) => Err(Fault::new(ErrorCode::LoginTaken, "somebody has this login")),
        Err(error) => Err(error.into()),
        Ok(()) => Ok(axum::Json(user.me())),
    }
}

fn login_name(login: &str) -> Result<String> {
    let login = login.trim().to_lowercase();
    let good = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '@' | '+');
    if (3..=60).contains(&login.chars().count()) && login.chars().all(good) {
        Ok(login)
    } else {
        Err(Fault::new(ErrorCode::BadName, "a login has 3 to 60 letters, digits or . _ - + @"))
    }
}

async fn hash_password(hub: &Hub, password: String) -> Result<String> {
    let _permit = hub.password_permits.acquire().await.map_err(Fault::internal)?;
    tokio::task::spawn_blocking(move || {
        let salt = SaltString::encode_b64(&ids::random::<16>()).map_err(Fault::internal)?;
        let hash = Argon2::default().hash_password(password.as_bytes(), &salt).map_err(Fault::internal)?;
        Ok(hash.to_string())
    })
    .await
    .map_err(Fault::internal)?
}

/// An Argon2 hash of a password that nobody knows, so that an unknown login takes as long as a wrong password.
const NOBODY: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$3Yb1oW6xT5bGvS9mQkR1cV2JtO0H8lq9sU4nXwE7yZA";

pub async fn login(
    State(hub): Shared,
    Address(from): Address,
    Anyone(guest): Anyone,
    Json(credentials): Json<Credentials>,
) -> Answer<Welcomed> {
    hub.identity_limit.take(from)?;
    let wrong = || Fault::new(ErrorCode::BadLogin, "unknown login or wrong password");
    let login = credentials.login.trim().to_lowercase();
    let user = hub.store.user_by_login(&login).await?;
    let hash = user.as_ref().and_then(|u| u.password.clone()).unwrap_or_else(|| NOBODY.to_owned());
    let right = {
        let _permit = hub.password_permits.acquire().await.map_err(Fault::internal)?;
        tokio::task::spawn_blocking(move || {
            PasswordHash::new(&hash).is_ok_and(|hash| {
                Argon2::default().verify_password(credentials.password.as_bytes(), &hash).is_ok()
            })
        })
        .await
        .map_err(Fault::internal)?
    };
    let user = user.filter(|_| right).ok_or_else(wrong)?;
    let (token, insert) = new_token(&user.id);
    hub.store.write(vec![insert]).await?;
    // Games that were started as a guest on this device move to the account.
    if let Some(guest) = guest.filter(|g| g.login.is_none()) {
        hub.move_seats(&guest.id, &user.id).await?;
    }
    Ok(axum::Json(Welcomed { token, user: user.me() }))
}

pub async fn logout(State(hub): Shared, Known(_): Known, Token(token): Token) -> Result<StatusCode> {
    let revoke = Statement::new("DELETE FROM tokens WHERE hash = $1", [ids::hash(&token).into()]);
    hub.store.write(vec![revoke]).await?;
    Ok(StatusCode::NO_CONTENT)
}

pub async fn device(State(hub): Shared, Known(user): Known) -> Answer<DeviceCode> {
    let code = ids::secret();
    let now = ids::now_ms();
    let expires_ms = now + DEVICE_MS;
    let tidy = Statement::new("DELETE FROM device_codes WHERE expires <= $1", [now.into()]);
    let insert = Statement::new(
        "INSERT INTO device_codes (hash, user_id, expires) VALUES ($1, $2, $3)",
        [ids::hash(&code).into(), user.id.as_str().into(), expires_ms.into()],
    );
    hub.store.write(vec![tidy, insert]).await?;
    Ok(axum::Json(DeviceCode { code, expires_ms }))
}

pub async fn claim(
    State(hub): Shared,
    Address(from): Address,
    Json(claim): Json<ClaimDevice>,
) -> Answer<Welcomed> {
    hub.identity_limit.take(from)?;
    let user = hub.store.device_code(&claim.code, ids::now_ms()).await?.ok_or_else(Fault::not_found)?;
    let (token, insert) = new_token(&user.id);
    // A code works only once.
    let spend = Statement::new("DELETE FROM device_codes WHERE hash = $1", [ids::hash(&claim.code).into()]);
    hub.store.write(vec![spend, insert]).await?;
    Ok(axum::Json(Welcomed { token, user: user.me() }))
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct NoticesQuery {
    since: i64,
    wait: u64,
}

/// The longest that a request may wait for notices.
pub const LONGEST: Duration = Duration::from_secs(55);

pub async fn notices(
    State(hub): Shared,
    Known(user): Known,
    Query(wait): Query<NoticesQuery>,
) -> Answer<Notices> {
    let patience = Duration::from_secs(wait.wait).min(LONGEST);
    // Subscribe before reading from disk, so that nothing written in between is missed.
    let mut more = hub.notices.watch(&user.id);
    let mut notices = hub.store.notices(&user.id, wait.since).await?;
    if notices.is_empty() && !patience.is_zero() {
        let mut closing = hub.closing();
        tokio::select! {
            _ = more.changed() => {}
            _ = closing.wait_for(|closing| *closing) => {}
            () = tokio::time::sleep(patience) => {}
        }
        notices = hub.store.notices(&user.id, wait.since).await?;
    }
    let mine = hub.store.list(Listing::Mine { user: &user.id, archived: false }).await?;
    let awaiting = mine
        .iter()
        .filter(|(row, seats)| {
            let due = SeatSet(row.awaiting as u8);
            seats.iter().any(|s| s.holder() == Some(user.id.as_str()) && due.contains(s.seat))
        })
        .map(|(row, seats)| summary(row, seats, Some(&user.id), |_| false))
        .collect();
    let next = notices.last().map_or(wait.since, |n| n.n);
    Ok(axum::Json(Notices { next, awaiting, notices }))
}
