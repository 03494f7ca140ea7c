//! `taut tableau`

use serde_json::{Value, json};
use taut_tableau::{Family, Lobatto, Multistep, Properties, Spark};

use crate::arguments::Tableau;
use crate::outcome::{Failure, Outcome, Status, print, print_json};

const BDF: &str = "bdf";
const SPARK: &str = "spark";
/// Usual numbers, taken when none is given.
const USUAL_STAGES: usize = 3;
const USUAL_STEPS: usize = 2;

/// Prints a tableau and its properties.
pub fn execute(arguments: &Tableau) -> Outcome {
    let (name, stages) = (arguments.name.as_str(), arguments.stages);
    if arguments.json {
        print_json(&coefficients_json(name, stages)?)?;
    } else {
        print(&coefficients_text(name, stages)?)?;
    }
    Ok(Status::Done)
}

/// The object of `tableau --json`.
pub fn coefficients_json(name: &str, stages: Option<usize>) -> Result<Value, Failure> {
    match name {
        BDF => bdf_json(stages.unwrap_or(USUAL_STEPS)),
        SPARK => spark_json(stages.unwrap_or(USUAL_STAGES)),
        _ => find(name, stages).map(|tableau| to_json(&tableau, &tableau.properties())),
    }
}

fn coefficients_text(name: &str, stages: Option<usize>) -> Result<String, Failure> {
    match name {
        BDF => bdf_text(stages.unwrap_or(USUAL_STEPS)),
        SPARK => spark_text(stages.unwrap_or(USUAL_STAGES)),
        _ => find(name, stages).map(|tableau| describe(&tableau, &tableau.properties())),
    }
}

fn find(name: &str, stages: Option<usize>) -> Result<taut_tableau::Tableau, Failure> {
    let family = Family::from_name(name).map_err(|_| Failure::wrong(unknown(name)))?;
    let available = family.stages();
    let usual = available.iter().copied().find(|&s| s >= USUAL_STAGES).unwrap_or(USUAL_STAGES);
    let stages = stages.unwrap_or(usual);
    family.tableau(stages).map_err(|_| {
        Failure::wrong(format!("there is no {family} with {stages} stages; there are {}", ranges(&available)))
    })
}

fn unknown(name: &str) -> String {
    let lines: String = Family::ALL
        .iter()
        .map(|family| format!("\n  {:<14} {} stages", family.name(), ranges(&family.stages())))
        .collect();
    format!(
        "there is no tableau '{name}'; there are{lines}\n  {BDF:<14} 1 to 6 steps\n  {SPARK:<14} from 2 stages: the members A, B, C, C*, D of the SPARK methods"
    )
}

/// `1 to 20` or `2, 3, 5`
pub(super) fn ranges(numbers: &[usize]) -> String {
    match numbers {
        [first, .., last] if last - first + 1 == numbers.len() && numbers.len() > 2 => {
            format!("{first} to {last}")
        }
        _ => numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(", "),
    }
}

fn to_json(tableau: &taut_tableau::Tableau, properties: &Properties) -> Value {
    let stages = tableau.stages();
    let row = |i: usize| (0..stages).map(|j| tableau.a()[(i, j)]).collect::<Vec<f64>>();
    json!({
        "name": properties.name,
        "stages": properties.stages,
        "order": properties.order,
        "stage_order": properties.stage_order,
        "A": (0..stages).map(row).collect::<Vec<_>>(),
        "b": tableau.b(),
        "c": tableau.c(),
        // null where it is infinite: JSON has no word for that
        "r_infinity": properties.r_infinity,
        "a_stable": properties.a_stable,
        "l_stable": properties.l_stable,
        "p_stable": properties.p_stable,
        "algebraically_stable": properties.algebraically_stable,
        "explosive": properties.explosive,
        "symplectic": properties.symplectic,
        "symmetric": properties.symmetric,
        "stiffly_accurate": properties.stiffly_accurate,
        "adjoint": properties.adjoint.map(Family::name),
    })
}

fn describe(tableau: &taut_tableau::Tableau, properties: &Properties) -> String {
    let Properties { name, stages, order, stage_order, .. } = properties;
    let mut text = format!("{name}, {stages} stages: order {order}, stage order {stage_order}\n\n");
    text.push_str(&coefficients(tableau));
    text.push('\n');
    let r_infinity = properties.r_infinity;
    let magnitude = if r_infinity.is_finite() { format!("{r_infinity:.6}") } else { "infinite".to_owned() };
    let adjoint = properties.adjoint.map_or("none of the families", Family::name);
    let yes = |property: bool| if property { "yes" } else { "no" }.to_owned();
    let lines = [
        ("R(inf)", magnitude),
        ("A-stable", yes(properties.a_stable)),
        ("L-stable", yes(properties.l_stable)),
        ("P-stable", yes(properties.p_stable)),
        ("algebraically stable", yes(properties.algebraically_stable)),
        ("explosive", yes(properties.explosive)),
        ("symplectic", yes(properties.symplectic)),
        ("symmetric", yes(properties.symmetric)),
        ("stiffly accurate", yes(properties.stiffly_accurate)),
        ("adjoint", adjoint.to_owned()),
    ];
    for (label, value) in lines {
        text.push_str(&format!("  {label:<22}{value}\n"));
    }
    text
}

/// c | A above b, with aligned columns.
fn coefficients(tableau: &taut_tableau::Tableau) -> String {
    let cell = |x: f64| format!("{x:>20.16}");
    let stages = tableau.stages();
    let mut text = String::new();
    for i in 0..stages {
        let row: String = (0..stages).map(|j| cell(tableau.a()[(i, j)])).collect();
        text.push_str(&format!("{} |{row}\n", cell(tableau.c()[i])));
    }
    text.push_str(&format!("{}-+{}\n", "-".repeat(20), "-".repeat(20 * stages)));
    let weights: String = tableau.b().iter().map(|&b| cell(b)).collect();
    text.push_str(&format!("{} |{weights}\n", " ".repeat(20)));
    text
}

/// All members of the SPARK methods with so many stages (Jay 1998, section 8).
fn spark_members(stages: usize) -> Result<Vec<taut_tableau::Tableau>, Failure> {
    let spark = Spark::new(stages).map_err(Failure::wrong)?;
    Ok(Lobatto::ALL.iter().map(|&lobatto| spark.tableau(lobatto)).collect())
}

fn spark_json(stages: usize) -> Result<Value, Failure> {
    let members = spark_members(stages)?;
    let members: Vec<Value> = members.iter().map(|member| to_json(member, &member.properties())).collect();
    Ok(json!({ "name": SPARK, "stages": stages, "members": members }))
}

fn spark_text(stages: usize) -> Result<String, Failure> {
    let members = spark_members(stages)?;
    let descriptions: Vec<String> =
        members.iter().map(|member| describe(member, &member.properties())).collect();
    Ok(descriptions.join("\n"))
}

fn bdf_json(steps: usize) -> Result<Value, Failure> {
    let method = Multistep::bdf(steps).map_err(Failure::wrong)?;
    Ok(json!({ "name": BDF, "order": method.order(), "alpha": method.alpha(), "beta": method.beta() }))
}

fn bdf_text(steps: usize) -> Result<String, Failure> {
    let method = Multistep::bdf(steps).map_err(Failure::wrong)?;
    let (order, alpha, beta) = (method.order(), method.alpha(), method.beta());
    let mut text = format!("{BDF}, {steps} steps: order {order}\n\n  sum alpha_i y_i = h sum beta_i f_i\n\n");
    text.push_str(&format!("{:>4}{:>22}{:>22}\n", "i", "alpha", "beta"));
    for (i, (alpha, beta)) in alpha.iter().zip(beta).enumerate() {
        text.push_str(&format!("{i:>4}{alpha:>22.16}{beta:>22.16}\n"));
    }
    text.push_str(&format!("\n  error constant {:.6}\n", method.error_constant()));
    Ok(text)
}
