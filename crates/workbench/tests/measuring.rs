//! Module-LWE with any parameters, for measuring.

use crate::desk::{Desk, file};

/// Shapes: that of a named set, rectangles, composite moduli, numbers in place of polynomials, messages of several
/// polynomials, larger p.
const SETS: [(&str, &str); 7] = [
    ("N=256,q=7681,p=2,m=3,n=3", "N=256,q=7681,p=2,m=3,n=3,k=1,l=1,beta=2"),
    ("beta=1, n=2, m=4, p=3, q=12289, N=512", "N=512,q=12289,p=3,m=4,n=2,k=1,l=1,beta=1"),
    ("N=256,q=2^20,p=3,m=2,n=5", "N=256,q=1048576,p=3,m=2,n=5,k=1,l=1,beta=2"),
    ("N=128,q=1000003,p=2,m=2,n=2,l=2", "N=128,q=1000003,p=2,m=2,n=2,k=1,l=2,beta=2"),
    ("N=1,q=65537,p=2,m=300,n=200,k=16,l=16", "N=1,q=65537,p=2,m=300,n=200,k=16,l=16,beta=2"),
    ("N=2,q=2^31-1,p=256,m=20,n=20,k=4,l=4", "N=2,q=2147483647,p=256,m=20,n=20,k=4,l=4,beta=2"),
    ("N=1024,q=1572881,p=3,m=32,n=32", "N=1024,q=1572881,p=3,m=32,n=32,k=1,l=1,beta=2"),
];

#[test]
fn files_go_there_and_back_with_any_parameters() {
    for (given, written) in SETS {
        let desk = Desk::new();
        desk.put("letter", file(1000));
        let given = given.replace(' ', "");
        let made = desk.run(&format!("keygen --parameters {given} -o key --json")).is(0);
        assert_eq!(made.json()["scheme"], format!("lwe-for-measuring:{written}"));
        let text = desk.read("key");
        desk.run("key public key -o key.pub").is(0).says(0, "FOR MEASURING");
        // Nothing without the word, whoever asks.
        for line in ["encrypt -R key.pub -o sealed letter", "encrypt -i key -o sealed letter"] {
            desk.run(line).says(2, "these parameters are for measuring, and nobody vouches for them");
        }
        assert_eq!(desk.files(), ["key", "key.pub", "letter"]);
        let sealed = desk.run("encrypt --research -R key.pub -o sealed letter").is(0);
        for said in [&made.err, &text, &sealed.err] {
            assert!(said.contains("FOR MEASURING") && said.contains(written), "{said}");
        }
        desk.run("decrypt -i key -o opened sealed").is(0);
        assert_eq!(desk.bytes("opened"), desk.bytes("letter"));
        let facts = desk.run("key inspect key key.pub --json").is(0).json();
        for i in 0..2 {
            let facts = &facts["objects"][i];
            assert!(facts["research_only"].as_str().unwrap().contains("for measuring"), "{facts}");
        }
        // Another key of the same parameters opens nothing.
        desk.run(&format!("keygen --parameters {written} -o other")).is(0);
        desk.run("decrypt -i other -o again sealed").says(3, "none of the identities");
        desk.run("keygen -o standard").is(0);
        desk.run("encrypt --research -i key -i standard -o both letter").says(2, "for research");
        desk.run("rekey -i key -R key.pub -o again sealed").says(2, "for measuring");
    }
}

/// A message comes back, or it is said how often it does not, and what would help.
#[test]
fn messages_are_counted() {
    let desk = Desk::new();
    for (given, written) in SETS {
        let given = given.replace(' ', "");
        let found = desk.run(&format!("lwe --parameters {given} --messages 2 --json")).says(0, "FOR MEASURING").json();
        assert_eq!((&found["parameters"], &found["for_measuring"]), (&written.into(), &true.into()));
        assert_eq!((&found["came_back"], &found["wrong_coefficients"]), (&2.into(), &0.into()), "{found}");
        for time in ["keygen_ns", "encrypt_ns", "decrypt_ns"] {
            assert!(found[time].as_f64() > Some(0.0), "{found}");
        }
    }
    // The thesis' experiment: 3·(2·4·32·1024 + 2) + 2, and one message of sixteen is lost.
    let found = desk.run("lwe --parameters N=1024,q=12289,p=3,m=32,n=32 --messages 2 --json").is(0).json();
    assert_eq!(found["noise"]["worst_case"], 786_440);
    assert_eq!((&found["noise"]["limit"], &found["noise"]["never_wrong_from_q"]), (&6144.into(), &1_572_881.into()));
    let failure = found["failure_log2"].as_f64().unwrap();
    assert!((-5.0..-3.0).contains(&failure), "{failure}");
    assert_eq!(found["public_key_bytes"], 32 + 32 * 1024 * 14 / 8);
    let never = desk.run("lwe --parameters N=1024,q=1572881,p=3,m=32,n=32 --messages 1 --json").is(0).json();
    assert!(never["failure_log2"].is_null(), "{never}");
    // Noise that drowns messages: an answer as well.
    let text = desk.run("lwe --parameters N=256,q=257,p=2,m=8,n=8 --messages 3").is(0).out;
    assert!(text.contains("came back       0 of 3 messages") && text.contains("from q = "), "{text}");
    let text = desk.run("lwe --parameters N=256,q=12289,p=3,m=8,n=8,beta=1024 --messages 1").is(0).out;
    assert!(text.contains("and q is below 2^31: take smaller N, p, m, n or beta"), "{text}");
    let help = desk.run("lwe --help").is(0).out + &desk.run("keygen --help").is(0).out;
    assert!(help.matches("FOR MEASURING").count() >= 3, "{help}");
}

#[test]
fn bad_parameters_are_refused() {
    let desk = Desk::new();
    let both = |given: &str, words: &str| {
        for line in ["lwe --parameters", "keygen -o key --parameters"] {
            desk.run(&format!("{line} {given}")).says(2, words);
        }
    };
    both("N=1024", "q is missing: write N=1024,q=12289,p=3,m=32,n=32");
    both("1024,12289,3,32,32", "is no parameter: write N=");
    both("N=1024,q=12289,p=3,m=2,n=2,x=1", "\"x=1\" is no parameter");
    both("N=1024,q=12289,p=3,m=2,n=2,m=2", "m is there twice");
    both("N=1024,q=12289,p=3,m=2,n=two", "n = two");
    both("N=1000,q=12289,p=3,m=2,n=2", "N = 1000 is not a power of two up to 131072");
    both("N=2^18,q=12289,p=3,m=1,n=1", "N = 262144");
    both("N=256,q=3,p=2,m=2,n=2", "q = 3 is not in 5..2^31");
    both("N=256,q=2^31,p=3,m=2,n=2", "is not in 5..2^31");
    both("N=256,q=17,p=17,m=2,n=2", "no factor in common with q = 17");
    both("N=256,q=17,p=19,m=2,n=2", "p·beta = 19·2 is not below q = 17");
    both("N=256,q=7681,p=1,m=2,n=2", "p = 1 must be in 2..=256");
    both("N=256,q=7681,p=257,m=2,n=2", "p = 257");
    both("N=256,q=7681,p=2,m=2,n=2,beta=0", "beta = 0 is not in 1..=1024");
    both("N=256,q=7681,p=2,m=2,n=2,beta=4294967297", "is not in 1..=1024");
    both("N=256,q=7681,p=2,m=0,n=2", "must not be empty");
    both("N=256,q=7681,p=2,m=2^40,n=2", "must not be empty nor have more than");
    both("N=1024,q=12289,p=3,m=128,n=128", "at most 8388608 and 2147483648");
    both("N=1,q=12289,p=3,m=2048,n=2048,k=4096,l=4096", "at most 8388608 and 2147483648");
    desk.run("keygen --parameters N=64,q=7681,p=2,m=2,n=2 -o key").says(2, "messages of 8 bytes are too short");
    desk.run("lwe --parameters N=64,q=7681,p=2,m=2,n=2").is(0);
    desk.run("keygen --parameters N=1024,q=12289,p=3,m=1,n=1,k=32,l=32 -o key").says(2, "in files they have at most");
    desk.run("keygen --parameters N=256,q=7681,p=2,m=3,n=3 --scheme mlwe-256 -o key").says(2, "cannot be used with");
    desk.run("lwe --parameters N=256,q=7681,p=2,m=3,n=3 --messages 0").is(2);
    desk.run("lwe").says(2, "--parameters");
    assert!(desk.files().is_empty());
}
