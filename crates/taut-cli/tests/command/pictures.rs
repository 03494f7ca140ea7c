//! `run --plot` and `plot`

use crate::support::Folder;

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Width and height of a PNG file.
fn size(png: &[u8]) -> (u32, u32) {
    assert_eq!(&png[..8], PNG);
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

#[test]
fn a_run_is_drawn() {
    let folder = Folder::new();
    assert_eq!(folder.taut("run pendulum --plot p.svg --quiet").code, 0);
    let svg = folder.text("p.svg");
    for words in [
        "Pendulum",
        "Coordinates",
        "Phase portrait",
        "Energy error",
        "Residuals of the constraints",
        "Step sizes",
    ] {
        assert!(svg.contains(&format!(">{words}</text>")), "{words}");
    }
    assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
    // Okabe and Ito's blue and vermillion.
    assert!(svg.contains("#0072b2") && svg.contains("#d55e00"));
    assert!(!svg.contains("NaN") && !svg.contains("inf"));
    assert_eq!(folder.taut("run robertson --plot r.png").code, 0);
    let (width, height) = size(&folder.read("r.png"));
    assert!(width == 2000 && height > 1000);
    assert_eq!(folder.taut("run squeezer --plot s.svg").code, 0);
    let squeezer = folder.text("s.svg");
    assert!(squeezer.contains("Energy balance") && squeezer.contains(">Multipliers"));
    assert!(squeezer.contains(">Coordinates, 2 of 4</text>") && squeezer.contains(">Paths</text>"));
    assert!(squeezer.contains(">t = 0.03</text>"), "the last of six phases");
    assert_eq!(folder.taut("run squeezer --plot c.svg --columns gamma,lambda.bx").code, 0);
    let chosen = folder.text("c.svg");
    assert!(chosen.contains(">gamma</text>") && !chosen.contains(">beta</text>"));
    let wrong = folder.taut("run squeezer --plot c.svg --columns gama");
    assert_eq!(wrong.code, 2);
    assert!(wrong.err.contains("there is no column 'gama'; there are beta, theta"));
}

#[test]
fn a_page_is_written() {
    let folder = Folder::new();
    folder.write(
        "tag.toml",
        "name = \"<b>x</b>\"\n[variables]\nx = { start = 1, rate = \"-x\" }\n[time]\nend = 1\n",
    );
    let answer = folder.taut("run tag.toml --report tag.html");
    assert_eq!(answer.code, 0);
    assert!(answer.out.contains("tag.html"));
    let page = folder.text("tag.html");
    assert!(page.contains("<h1>&lt;b&gt;x&lt;/b&gt;</h1>") && !page.contains("<b>x</b>"));
    assert!(page.contains("Content-Security-Policy") && page.contains("taut run tag.toml --report tag.html"));
    assert_eq!(
        page.matches("http").count(),
        page.matches("http-equiv").count() + page.matches("http://www.w3.org/2000/svg").count()
    );
    assert_eq!(folder.taut("run pendulum --report nowhere/p.html").code, 2);
}

const CRANK: &str = r#"
name = "Crank"
gravity = [0, 0, -9.81]
[bodies.crank]
mass = 1
inertia = [0.01, 0.02, 0.02]
position = [0.2, 0, 0]
shape = { box = [0.4, 0.05, 0.04] }
[bodies.bob]
mass = 1
inertia = [0.01, 0.01, 0.01]
position = [0.4, 0, -0.3]
[joints.pin]
kind = "revolute"
between = ["ground", "crank"]
at = [0, 0, 0]
axis = [0, 1, 0]
[joints.ball]
kind = "spherical"
between = ["crank", "bob"]
at = [0.4, 0, 0]
[time]
end = 1
"#;

#[test]
fn bodies_are_seen() {
    let folder = Folder::new();
    folder.write("crank.toml", CRANK);
    let answer = folder.taut("run crank.toml --report crank.html --plot crank.svg");
    assert_eq!(answer.code, 0, "{}", answer.err);
    let page = folder.text("crank.html");
    for part in
        ["\"kind\":\"body\"", "\"box\":[0.4,0.05,0.04]", "\"joint\":\"revolute\"", "\"joint\":\"spherical\""]
    {
        assert!(page.contains(part), "{part}");
    }
    assert!(folder.text("crank.svg").contains(">t = 0.2</text>"));
}

#[test]
fn looking_at_a_run_does_not_change_it() {
    let folder = Folder::new();
    let plain = folder.taut("run squeezer --json").json();
    let watched = folder.taut("run squeezer --json --report s.html --plot s.svg").json();
    for key in ["q", "v", "multipliers", "residuals", "energy"] {
        assert_eq!(plain[key], watched[key], "{key}");
    }
    for key in ["steps", "rhs", "jacobians", "factorizations", "newton_iterations", "projections", "solves"] {
        assert_eq!(plain["stats"][key], watched["stats"][key], "{key}");
    }
}

#[test]
fn a_file_is_drawn() {
    let folder = Folder::new();
    folder.taut("run chain --out c.csv");
    assert_eq!(folder.taut("plot c.csv --out c.svg").code, 0);
    let svg = folder.text("c.svg");
    for words in
        ["Coordinates (the first 7 of 20)", "Observed", "Phase portrait", "Multipliers", "Distances of times"]
    {
        assert!(svg.contains(words), "{words}");
    }
    assert_eq!(folder.call(&["plot", "c.csv", "--out", "tip.png", "--columns", "tip,y1'"]).code, 0);
    assert_eq!(size(&folder.read("tip.png")).0, 2000);
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let folder = Folder::new();
    folder.write("words.csv", "t,x\n0,a\n");
    folder.write("empty.csv", "");
    folder.write("header.csv", "t,x\n");
    folder.write("good.csv", "t,x\n0,1\n1,2\n");
    for (arguments, words) in [
        ("plot nothing.csv --out x.svg", "nothing.csv"),
        ("plot words.csv --out x.svg", "line 2: 'a' in column 'x'"),
        ("plot empty.csv --out x.svg", "header"),
        ("plot header.csv --out x.svg", "no rows"),
        ("plot good.csv --out x.pdf", ".svg, .png"),
        ("plot good.csv --out x.svg --columns z", "there is no column 'z'; there are t, x"),
        ("plot good.csv --out nowhere/x.svg", "nowhere"),
    ] {
        let answer = folder.taut(arguments);
        assert_eq!((answer.code, answer.out.as_str()), (2, ""), "{arguments}");
        assert!(answer.err.contains(words), "{arguments}: {}", answer.err);
    }
}
