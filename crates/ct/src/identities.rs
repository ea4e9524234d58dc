//! The text of age's post-quantum identities. Prefixes and lengths are public.

use crate::{
    memcheck::{conceal, reveal},
    run::Run,
};
use age_core::secrecy::ExposeSecret;
use ringwork::{Backend, xwing::DecapsulationKey};
use ringwork_age::hybrid::Identity;

pub(crate) fn run(run: &mut Run<'_>) {
    if run.backend != Backend::best() {
        return;
    }
    let text = Identity::new(DecapsulationKey::from_seed(&[7; 32])).to_text();
    let data = text.expose_secret().rfind('1').expect("a prefix") + 1;
    run.case("age identity: reading its text, and writing it", || {
        conceal(&text.expose_secret().as_bytes()[data..]);
        let identity: Identity = text.expose_secret().parse().expect("what was written");
        reveal(identity.to_text().expose_secret().as_bytes())
    });
}
