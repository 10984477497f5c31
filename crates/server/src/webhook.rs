//! Calls an address that a player has given when it is that player's turn. Since players choose the address, the server
//! must not be tricked into calling what only it can reach: no private, loopback or otherwise special address, whatever
//! a name resolves to, and no redirects.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use reqwest::Url;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use serde_json::Value;

use crate::error::{Fault, Result};
use crate::protocol::ErrorCode;

#[derive(Clone, Debug)]
pub struct Webhooks {
    client: Option<reqwest::Client>,
    private: bool,
}

const TIMEOUT: Duration = Duration::from_secs(5);

impl Webhooks {
    pub fn new(private: bool) -> Self {
        let client = reqwest::Client::builder()
            .timeout(TIMEOUT)
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .user_agent("grognard")
            .dns_resolver(Arc::new(Guarded { private }))
            .build()
            .inspect_err(|error| tracing::error!(%error, "no webhooks"))
            .ok();
        Webhooks { client, private }
    }

    /// Check that the server may call this address.
    pub fn check(&self, text: &str) -> Result<String> {
        let bad = |why: &str| Fault::new(ErrorCode::BadWebhook, why);
        if text.len() > 500 {
            return Err(bad("at most 500 characters"));
        }
        let url = Url::parse(text).map_err(|_| bad("not a URL"))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(bad("only http and https"));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(bad("no user name or password in the URL"));
        }
        let port = url.port_or_known_default().unwrap_or(0);
        if port < 1024 && port != 80 && port != 443 {
            return Err(bad("port 80, 443 or above 1023"));
        }
        let host = url.host_str().ok_or_else(|| bad("no host"))?;
        // A literal address is not resolved, so it is checked here.
        let literal = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
        if !self.private && (host.eq_ignore_ascii_case("localhost") || literal.is_ok_and(|ip| !is_public(ip)))
        {
            return Err(bad("not a public address"));
        }
        Ok(url.into())
    }

    pub async fn call(&self, url: &str, body: &Value) {
        let (Some(client), Ok(url)) = (&self.client, self.check(url)) else { return };
        // The address is the player's secret and is not logged.
        match client.post(url).json(body).send().await {
            Ok(answer) => tracing::debug!(status = answer.status().as_u16(), "webhook called"),
            Err(error) => tracing::debug!(error = %error.without_url(), "webhook failed"),
        }
    }
}

struct Guarded {
    private: bool,
}

impl Resolve for Guarded {
    fn resolve(&self, name: Name) -> Resolving {
        let private = self.private;
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let allowed: Vec<SocketAddr> = found.filter(|a| private || is_public(a.ip())).collect();
            if allowed.is_empty() {
                return Err("not a public address".into());
            }
            Ok(Box::new(allowed.into_iter()) as Addrs)
        })
    }
}

/// Whether an address is reachable from the public internet.
fn is_public(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => is_public_v4(ip),
        IpAddr::V6(ip) => is_public_v6(ip),
    }
}

fn is_public_v4(ip: Ipv4Addr) -> bool {
    let [a, b, c, _] = ip.octets();
    !(a == 0
        || ip.is_private()
        || ip.is_loopback()
        || ip.is_link_local()
        || ip.is_broadcast()
        || ip.is_documentation()
        || ip.is_multicast()
        || a >= 240
        // Shared address space, protocol assignments, benchmarks, 6to4 relays.
        || (a == 100 && (64..128).contains(&b))
        || (a == 192 && b == 0 && c == 0)
        || (a == 198 && (b == 18 || b == 19))
        || (a == 192 && b == 88 && c == 99))
}

fn is_public_v6(ip: Ipv6Addr) -> bool {
    if let Some(v4) = ip.to_ipv4_mapped() {
        return is_public_v4(v4);
    }
    let [first, second, ..] = ip.segments();
    // Only global unicast (2000::/3), without documentation, Teredo, ORCHID and 6to4, which wrap other addresses.
    (0x2000..0x4000).contains(&first)
        && !(first == 0x2001 && (second < 0x200 || second == 0xdb8))
        && first != 0x2002
        && first != 0x3fff
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_public_addresses_are_called() {
        let guarded = Webhooks::new(false);
        for refused in [
            "ftp://example.org/",
            "file:///etc/passwd",
            "http://localhost:8080/",
            "http://127.0.0.1:8080/",
            "http://127.1/",
            "http://0x7f000001/",
            "http://2130706433/",
            "http://10.0.0.1/",
            "http://192.168.1.1/",
            "http://169.254.169.254/latest/meta-data/",
            "http://100.64.0.1/",
            "http://[::1]/",
            "http://[::ffff:127.0.0.1]/",
            "http://[fd00::1]/",
            "http://[fe80::1]/",
            "http://[2002:7f00:1::]/",
            "http://user:secret@example.org/",
            "http://example.org:22/",
            "nonsense",
        ] {
            assert!(guarded.check(refused).is_err(), "{refused}");
        }
        for allowed in ["https://example.org/hook?key=1", "http://1.1.1.1/", "http://[2606:4700::1111]:8080/"]
        {
            assert!(guarded.check(allowed).is_ok(), "{allowed}");
        }
    }

    #[tokio::test]
    async fn a_name_that_leads_inside_is_not_resolved() {
        use std::str::FromStr as _;
        let resolve = |private| Guarded { private }.resolve(Name::from_str("localhost").unwrap());
        assert!(resolve(false).await.is_err());
        assert!(resolve(true).await.is_ok());
    }
}
