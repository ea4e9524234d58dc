//! What all answers under `--json` have in common, and their JSON Schema.

use schemars::{
    JsonSchema, Schema, SchemaGenerator,
    generate::SchemaSettings,
    transform::{RecursiveTransform, Transform},
};
use serde::Serialize;
use serde_json::{Map, Value, json};

/// An answer as it is written.
#[derive(Serialize)]
pub(crate) struct Told<'a, T> {
    #[serde(flatten)]
    head: Head<'a>,
    #[serde(flatten)]
    answer: T,
}

impl<'a, T: Serialize> Told<'a, T> {
    pub(crate) const fn new(verb: &'a str, answer: T) -> Self {
        Self { head: Head { schema: 1, verb }, answer }
    }

    pub(crate) fn value(&self) -> Value {
        value(self)
    }
}

/// An answer as data.
pub(crate) fn value(answer: impl Serialize) -> Value {
    serde_json::to_value(answer).expect("answers have no keys but text, and no integers of more than 64 bits")
}

/// What every answer begins with.
#[derive(Serialize, JsonSchema)]
struct Head<'a> {
    /// New keys may be added; no key changes its meaning under one number of schema.
    schema: u8,
    /// The verb, without its step; empty if none was understood.
    verb: &'a str,
}

/// The answer is no: exit code 1.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum No<'a> {
    Holds {
        /// Something does not hold.
        holds: bool,
        /// Why, in words.
        reason: &'a str,
    },
    Opens {
        /// The commitment does not open.
        opens: bool,
        /// Why, in words.
        reason: &'a str,
    },
    Agrees {
        /// A computation does not agree with what is known.
        agrees: bool,
        /// Where, in words.
        reason: &'a str,
    },
    Exists {
        /// There is nothing of that kind.
        exists: bool,
        /// Why, in words.
        reason: &'a str,
    },
}

impl<'a> No<'a> {
    /// As that verb says it.
    pub(crate) fn of(verb: &str, reason: &'a str) -> Self {
        match verb {
            "prove" | "signature" | "verify" | "verify-proof" => Self::Holds { holds: false, reason },
            "open" => Self::Opens { opens: false, reason },
            "vectors" | "selftest" => Self::Agrees { agrees: false, reason },
            _ => Self::Exists { exists: false, reason },
        }
    }

    /// The key under which that verb says it.
    fn key(verb: &str) -> String {
        let said = value(No::of(verb, ""));
        let key = said.as_object().and_then(|said| said.keys().next());
        key.expect("it says no under some key").clone()
    }

    /// The schema of what is said under that key.
    fn schema(key: &str, generator: &mut SchemaGenerator) -> Schema {
        let mut all = Self::json_schema(generator);
        let all = all.get_mut("anyOf").and_then(Value::as_array_mut).expect("it has variants");
        let mut no = all.iter().find(|no| !no["properties"][key].is_null()).expect("one has this key").clone();
        no["description"] = json!("The answer is no: exit code 1.");
        no["properties"][key]["const"] = json!(false);
        no.try_into().expect("schemas are objects")
    }
}

/// There is no answer: any exit code but 0 and 1.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Failed {
    /// What was wrong.
    pub(crate) error: Failure,
}

/// What was wrong.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Failure {
    /// The exit code: 2 the command line makes no sense, 3 a file or a message is missing, is not what it should be, or
    /// would be replaced, 4 something could not be written, 70 a fault of ringwork.
    pub(crate) exit: u8,
    /// The same in words, for people.
    pub(crate) message: String,
}

/// Makes the schema of an answer, which has no head.
pub(crate) type Make = fn(&mut SchemaGenerator) -> Schema;

/// A verb with its steps, and what it answers if it has an answer.
pub(crate) type Answers = (&'static str, &'static [Make]);

/// The schema of what verbs write: of one verb, or of any of several.
pub(crate) fn schema(verbs: &[Answers]) -> Value {
    let mut generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let mut definitions = Map::new();
    let mut schema = Map::from_iter([("$schema".to_owned(), json!(generator.settings().meta_schema))]);
    if let [(words, answers)] = verbs {
        schema.extend(outcomes(words, answers, &mut generator));
    } else {
        let name = |words: &str| if words.is_empty() { "no-verb".into() } else { words.replace(' ', "-") };
        for (words, answers) in verbs {
            definitions.insert(name(words), Value::Object(outcomes(words, answers, &mut generator)));
        }
        let all = definitions.keys().map(|name| json!({ "$ref": format!("#/$defs/{name}") }));
        schema.insert("title".into(), json!("What ringwork writes with --json"));
        schema.insert("anyOf".into(), all.collect());
    }
    for verb in verbs.iter().filter(|(_, answers)| !answers.is_empty()).map(|(words, _)| verb(words)) {
        let key = No::key(verb);
        let no = No::schema(&key, &mut generator);
        definitions.insert(format!("No-{key}"), told(no, None, &mut generator));
    }
    let failed = Failed::json_schema(&mut generator);
    definitions.insert("Failed".into(), told(failed, None, &mut generator));
    definitions.append(&mut generator.take_definitions(true));
    schema.insert("$defs".into(), Value::Object(definitions));
    let mut schema = Schema::from(schema);
    RecursiveTransform(tidy).transform(&mut schema);
    RecursiveTransform(not_null).transform(&mut schema);
    schema.to_value()
}

/// A verb without its step.
fn verb(words: &str) -> &str {
    words.split(' ').next().unwrap_or_default()
}

/// All that a verb may write.
fn outcomes(words: &str, answers: &[Make], generator: &mut SchemaGenerator) -> Map<String, Value> {
    let verb = verb(words);
    let mut all: Vec<Value> = answers.iter().map(|make| told(make(generator), Some(verb), generator)).collect();
    if !answers.is_empty() {
        all.push(json!({ "$ref": format!("#/$defs/No-{}", No::key(verb)) }));
    }
    all.push(json!({ "$ref": "#/$defs/Failed" }));
    let title = format!("ringwork {words}");
    Map::from_iter([("title".into(), json!(title.trim_end())), ("anyOf".into(), all.into())])
}

/// The schema of [`Told`]: with a head, of that verb or of any.
fn told(mut answer: Schema, verb: Option<&str>, generator: &mut SchemaGenerator) -> Value {
    let mut head = Head::json_schema(generator).to_value();
    head["properties"]["schema"]["const"] = json!(1);
    if let Some(verb) = verb {
        head["properties"]["verb"]["const"] = json!(verb);
    }
    head["description"] = answer.remove("description").unwrap_or_default();
    if let (Value::Object(all), Some(Value::Object(more))) = (&mut head["properties"], answer.remove("properties")) {
        all.extend(more);
    }
    if let (Value::Array(all), Some(Value::Array(more))) = (&mut head["required"], answer.remove("required")) {
        all.extend(more);
    }
    head
}

/// Integers of 64 bits may be strings, as `screen/json.rs` writes them. Formats say nothing more, and descriptions have
/// no lines.
fn tidy(schema: &mut Schema) {
    if let Some(Value::String(description)) = schema.get_mut("description") {
        *description = description.replace('\n', " ");
    }
    let Some(format) = schema.remove("format") else { return };
    let digits = match format.as_str() {
        Some("uint64" | "uint128") => "^[0-9]+$",
        Some("int64" | "int128") => "^-?[0-9]+$",
        _ => return,
    };
    if let Some(types) = schema.get_mut("type") {
        match types {
            Value::Array(types) => types.push(json!("string")),
            one => *one = json!([one, "string"]),
        }
    }
    schema.insert("pattern".into(), json!(digits));
}

/// What may be absent is never null.
fn not_null(schema: &mut Schema) {
    let required = schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    let Some(Value::Object(properties)) = schema.get_mut("properties") else { return };
    for (_, property) in properties.iter_mut().filter(|(key, _)| !required.contains(&json!(key))) {
        for key in ["type", "anyOf"] {
            if let Some(Value::Array(all)) = property.get_mut(key) {
                all.retain(|one| *one != json!("null") && *one != json!({ "type": "null" }));
            }
        }
    }
}
