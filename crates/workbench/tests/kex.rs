//! Key exchange through files.

use crate::desk::Desk;
use ringwork::{
    object::Kind,
    registry,
    schemes::mlkem::{DecapsulationKey, MlKem768},
};

/// U21: the set travels with the messages, and both sides can compare what they got.
#[test]
fn two_processes_agree_on_a_key() {
    for set in ["usenix2016", "psi12"] {
        let desk = Desk::new();
        desk.run(&format!("kex init --secret alice.secret --out a.msg --set {set}")).is(0);
        let responded = desk.run("kex respond --in a.msg --out b.msg --key bob.shared --json").is(0).json();
        let facts = desk.run("key inspect alice.secret a.msg b.msg --json").is(0).json()["objects"].clone();
        let finished = desk.run("kex finish --secret alice.secret --in b.msg --key alice.shared --json").is(0).json();
        assert_eq!(finished["set"], format!("newhope-{set}"));
        assert_eq!(finished["check"], responded["check"]);
        assert_eq!(finished["check"].as_str().unwrap().len(), 4 * 8 + 3);
        assert_eq!(desk.bytes("alice.shared"), desk.bytes("bob.shared"));
        assert_eq!((desk.bytes("bob.shared").len(), desk.bytes("a.msg").len()), (32, 76 + 1824));
        assert_eq!(desk.files(), ["a.msg", "alice.shared", "b.msg", "bob.shared"], "the secret is gone");
        for (i, kind) in ["exchange secret", "exchange offer", "exchange reply"].into_iter().enumerate() {
            assert_eq!((&facts[i]["kind"], &facts[i]["scheme"]), (&kind.into(), &finished["set"]));
            assert!(facts[i]["security"]["classical_bits"].as_f64() > Some(200.0), "{facts}");
        }
    }
}

/// ML-KEM takes the same steps: its offer is an encapsulation key, its reply a ciphertext, its key that of the
/// standard.
#[test]
fn the_standard_goes_through_files_as_well() {
    for (set, lengths) in [
        ("mlkem-512", [96, 800, 768]),
        ("ML-KEM-768", [96, 1184, 1088]),
        ("mlkem-1024", [96, 1568, 1568]),
        ("x-wing", [64, 1216, 1120]),
    ] {
        let desk = Desk::new();
        desk.run(&format!("kex init --secret alice.secret --out a.msg --set {set}")).is(0);
        let secret = desk.bytes("alice.secret");
        desk.run("kex respond --in a.msg --out b.msg --key bob.shared").is(0);
        let facts = desk.run("key inspect alice.secret a.msg b.msg --json").is(0).json()["objects"].clone();
        for (i, length) in lengths.into_iter().enumerate() {
            assert_eq!(
                (&facts[i]["scheme"], &facts[i]["body_bytes"]),
                (&set.to_lowercase().replace("ml-", "ml").into(), &length.into())
            );
            assert!(facts[i]["security"]["classical_bits"].as_f64() > Some(115.0), "{facts}");
        }
        desk.run("kex finish --secret alice.secret --in b.msg --key alice.shared").is(0);
        assert_eq!(desk.bytes("alice.shared"), desk.bytes("bob.shared"));
        if set == "ML-KEM-768" {
            let key = DecapsulationKey::<MlKem768>::of_seed(secret[76..76 + 64].try_into().unwrap());
            let shared = key.decapsulate_bytes(&desk.bytes("b.msg")[76..]).unwrap();
            assert_eq!(desk.bytes("bob.shared"), shared.as_bytes());
        }
        let description = registry::decode(&secret).unwrap().header.description;
        desk.put("bad.msg", description.encode(Kind::ExchangeOffer, &vec![0xff; lengths[1]]));
        desk.run("kex respond --in bad.msg --out c.msg --key c").says(3, "bad.msg: ");
        desk.run(&format!("kex init --secret s --out o --set {set} --reduction k-red"))
            .says(1, "to be had for NewHope");
    }
}

/// The key does not go where the secret is removed.
#[test]
fn the_key_is_not_lost_with_the_secret() {
    let desk = Desk::new();
    desk.run("kex init --secret s --out a.msg --set usenix2016").is(0);
    desk.run("kex respond --in a.msg --out b.msg --key k").is(0);
    let before = desk.bytes("s");
    desk.run("kex finish --secret s --in b.msg --key ./s --force").says(2, "cannot be the output as well");
    assert!(desk.bytes("s") == before);
    desk.run("kex finish --secret s --in b.msg --key k --force").is(0);
}

/// U21: two parameter sets do not make a key, and a changed message is seen by who compares.
#[test]
fn mixed_sets_are_refused_and_changed_messages_are_noticed() {
    let desk = Desk::new();
    desk.run("kex init --secret secret --out a.msg --set usenix2016").is(0);
    desk.run("kex init --secret secret12 --out a12.msg --set psi12").is(0);
    desk.run("kex respond --in a12.msg --out b12.msg --key bob12").is(0);
    desk.run("kex finish --secret secret --in b12.msg --key alice")
        .says(3, "this is of newhope-psi12, and the secret of");
    let reply = desk.run("kex respond --in a.msg --out b.msg --key bob").is(0).out;
    assert!(reply.contains("not authenticated"), "{reply}");
    let description = registry::by_name("newhope-usenix2016").unwrap();
    let mut body = desk.bytes("b.msg")[76..].to_vec();
    body[0] ^= 1;
    desk.put("b.msg", description.encode(Kind::ExchangeReply, &body));
    let finished = desk.run("kex finish --secret secret --in b.msg --key alice").is(0).out;
    let check = |text: &str| text.lines().find_map(|line| line.strip_prefix("check: ").map(str::to_owned)).unwrap();
    assert!(desk.bytes("alice") != desk.bytes("bob") && check(&finished) != check(&reply));
}

#[cfg(unix)]
#[test]
fn secrets_are_for_their_owner_only_and_are_never_lost() {
    use std::os::unix::fs::PermissionsExt;
    let desk = Desk::new();
    let mode = |name: &str| std::fs::metadata(desk.path(name)).unwrap().permissions().mode() & 0o777;
    desk.run("kex init --secret alice.secret --out a.msg").is(0);
    let before = desk.bytes("alice.secret");
    assert_eq!(mode("alice.secret"), 0o600);
    desk.run("kex init --secret alice.secret --out other.msg").says(3, "--force");
    assert_eq!((desk.bytes("alice.secret"), desk.files().len()), (before, 2));
    desk.run("kex respond --in a.msg --out b.msg --key bob.shared").is(0);
    assert_eq!(mode("bob.shared"), 0o600);
    // A refused message leaves the secret for the right one.
    desk.run("kex finish --secret alice.secret --in a.msg --key alice.shared").says(3, "an exchange reply is needed");
    desk.run("kex finish --secret alice.secret --in b.msg --key alice.shared").is(0);
    desk.run("kex finish --secret alice.secret --in b.msg --key again").says(3, "alice.secret: cannot be read");
}

#[test]
fn bad_messages_leave_nothing_behind() {
    let desk = Desk::new();
    desk.run("kex init --secret alice.secret --out a.msg --set usenix2016").is(0);
    let good = desk.bytes("a.msg");
    let description = registry::by_name("newhope-usenix2016").unwrap();
    let encoded = |kind, body: &[u8]| description.encode(kind, body);
    let offer = |body: &[u8]| encoded(Kind::ExchangeOffer, body);
    let bad = [
        good[1..].to_vec(),
        [&good[..], &[0]].concat(),
        vec![],
        offer(&[0xff; 1824]),
        offer(&[0; 1823]),
        encoded(Kind::ExchangeSecret, &[0xff; 1824]),
        encoded(Kind::ExchangeReply, &[0xff; 2048]),
    ];
    let before = desk.files().len() + 1;
    for message in bad {
        desk.put("bad.msg", &message);
        for line in [
            "kex respond --in bad.msg --out b.msg --key bob.shared",
            "kex finish --secret alice.secret --in bad.msg --key alice.shared",
            "kex finish --secret bad.msg --in a.msg --key alice.shared",
        ] {
            desk.run(line).says(3, ".msg: ");
            assert_eq!(desk.files().len(), before, "{:?}", desk.files());
        }
    }
    desk.run("kex init --secret x --out y --set newhope").says(2, "usenix2016, psi12");
    desk.run("kex init --secret - --out -").is(2);
    desk.run("kex respond --in nowhere --out b.msg --key bob.shared").is(3);
    desk.run("kex init --secret nowhere/alice.secret --out new.msg").says(3, "nowhere");
    assert_eq!(desk.files().len(), before);
}
