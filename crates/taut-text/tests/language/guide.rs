//! Every model of the guide to the language runs to its end.

use std::path::PathBuf;

use crate::phases::run;
use taut_text::{Model, Source, canonical, format};

const GUIDE: &str = include_str!("../../../../docs/language.md");

/// Blocks with what stands behind their fence: `toml` is a model, `toml arm.toml` a file beside the models.
fn blocks() -> impl Iterator<Item = (&'static str, &'static str)> {
    GUIDE.split("```").skip(1).step_by(2).filter_map(|block| block.split_once('\n'))
}

fn examples() -> Vec<&'static str> {
    blocks().filter(|(fence, _)| *fence == "toml").map(|(_, text)| text).collect()
}

/// A folder with the files of the guide, removed in the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("taut-guide-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        for (fence, text) in blocks() {
            if let Some((_, file)) = fence.split_once(' ') {
                std::fs::write(folder.join(file), text).unwrap();
            }
        }
        Folder(folder)
    }

    fn source(&self, text: impl Into<String>) -> Source {
        Source::new(self.0.join("guide.toml").display().to_string(), text)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).unwrap();
    }
}

#[test]
fn examples_of_the_guide_run() {
    let folder = Folder::new("run");
    assert!(examples().len() >= 19, "{}", examples().len());
    for text in examples() {
        let model = Model::read(&folder.source(text), &[]);
        let model = model.unwrap_or_else(|errors| panic!("{text}\n{errors}"));
        let motion = run(&model, "auto", 1e-6, model.end.unwrap());
        let motion = motion.unwrap_or_else(|error| panic!("{text}\n{error}"));
        let mut observed = vec![0.0; model.observers.names().len()];
        model.observe(motion.t, &motion.y, &mut observed);
        assert!(observed.iter().chain(&motion.y).all(|x| x.is_finite()), "{text}\n{observed:?}");
        // Every event of an example happens in it.
        for name in model.events.names() {
            assert!(
                motion.events.iter().any(|event| event.name == name),
                "{name} does not happen in\n{text}"
            );
        }
    }
}

#[test]
fn examples_of_the_guide_are_formatted() {
    let folder = Folder::new("format");
    for text in examples() {
        let source = folder.source(text);
        assert_eq!(format(&source).unwrap(), text);
        let again = canonical(&source).unwrap();
        assert!(Model::read(&folder.source(again), &[]).is_ok(), "{text}");
    }
}
