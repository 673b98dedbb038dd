//! Which requests are answered: those of a page that this server gave to somebody who has the address.
//!
//! **Invariant.** Without the token there is no difference between one request and another. A page of another origin can neither read an answer nor have anything done: a name that
//! leads to 127.0.0.1 is refused for its host, a form or script of another page for its origin.

use anyhow::Context;

/// What an address has to have.
pub(super) struct Guard {
    host: String,
    token: String,
}

/// What a request says of where it is from.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Said<'a> {
    /// The path, with the query.
    pub(super) url: &'a str,
    /// Each `Host`.
    pub(super) hosts: &'a [&'a str],
    /// Each `Origin`.
    pub(super) origins: &'a [&'a str],
}

impl Guard {
    /// For a port, with a token that nobody knows.
    pub(super) fn new(port: u16) -> anyhow::Result<Guard> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).context("the system gives no random numbers")?;
        let token = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Guard { host: format!("127.0.0.1:{port}"), token })
    }

    /// The address of the page.
    pub(super) fn address(&self) -> String {
        format!("http://{}/{}/", self.host, self.token)
    }

    /// What is asked for behind the token; none where the request is refused.
    pub(super) fn admit<'a>(&self, said: Said<'a>) -> Option<&'a str> {
        let is_origin = |origin: &&str| origin.strip_prefix("http://") == Some(&self.host);
        let is_ours = matches!(said.hosts, [host] if *host == self.host) && said.origins.iter().all(is_origin);
        let (token, asked) = said.url.strip_prefix('/')?.split_once('/')?;
        let is_token = token.len() == self.token.len()
            // As long for a token that begins right as for one that does not.
            && token.bytes().zip(self.token.bytes()).fold(0, |differs, (one, other)| differs | (one ^ other)) == 0;
        (is_ours && is_token).then_some(asked)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_has_the_address_is_admitted_and_nobody_else() {
        let guard = Guard::new(8000).expect("a token");
        let token = &guard.token;
        let ok = format!("/{token}/answer");
        let admitted =
            |url: &str, hosts: &[&str], origins: &[&str]| guard.admit(Said { url, hosts, origins }).is_some();
        let host = ["127.0.0.1:8000"];
        assert!(admitted(&ok, &host, &[]));
        assert!(admitted(&ok, &host, &["http://127.0.0.1:8000"]));
        for hosts in
            [&[][..], &["localhost:8000"], &["127.0.0.1"], &["example.com"], &["127.0.0.1:8000", "example.com"]]
        {
            assert!(!admitted(&ok, hosts, &[]), "{hosts:?}");
        }
        for origin in [
            "null",
            "http://example.com",
            "https://127.0.0.1:8000",
            "http://127.0.0.1:8001",
            "http://127.0.0.1:8000.example.com",
            "",
        ] {
            assert!(!admitted(&ok, &host, &[origin]), "{origin}");
        }
        let wrong = "0".repeat(token.len());
        for url in ["/", "", "/answer", &format!("/{wrong}/"), &format!("/{token}"), &format!("/{}/", &token[1..])] {
            assert!(!admitted(url, &host, &[]), "{url}");
        }
        assert_ne!(*token, Guard::new(8000).expect("a token").token);
    }
}
