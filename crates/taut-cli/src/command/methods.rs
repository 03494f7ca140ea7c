//! `taut methods`

use serde_json::{Value, json};
use taut::method::{Entry, Scheme, catalog};
use taut_tableau::{Family, Multistep, Properties};

use super::tableau::ranges;
use crate::arguments::Format;
use crate::outcome::{Failure, Outcome, Status, print, print_json};

/// Lists the methods with their properties, which are computed from their coefficients.
pub fn execute(format: &Format) -> Outcome {
    if format.json {
        print_json(&list_json()?)?;
    } else {
        print(&table(&methods()?))?;
    }
    Ok(Status::Done)
}

/// The list of `methods --json`.
pub fn list_json() -> Result<Value, Failure> {
    Ok(Value::Array(methods()?.iter().map(|(entry, members)| to_json(entry, members)).collect()))
}

fn methods() -> Result<Vec<(&'static Entry, Vec<Properties>)>, Failure> {
    catalog().iter().map(properties).collect()
}

fn properties(entry: &'static Entry) -> Result<(&'static Entry, Vec<Properties>), Failure> {
    let tableaux = entry.method().tableaux().map_err(Failure::wrong)?;
    Ok((entry, tableaux.iter().map(|tableau| tableau.properties()).collect()))
}

fn to_json(entry: &Entry, members: &[Properties]) -> Value {
    let of = |property: &dyn Fn(&Properties) -> Value| Value::Array(members.iter().map(property).collect());
    let all = |property: &dyn Fn(&Properties) -> bool| match members {
        [] => Value::Null,
        _ => json!(members.iter().all(property)),
    };
    json!({
        "name": entry.name,
        "stages": entry.stages,
        "order": match entry.scheme {
            Scheme::Bdf => json!(bdf_orders(entry)),
            Scheme::Adams | Scheme::Taylor => json!(entry.stages),
            _ => of(&|p| json!(p.order)),
        },
        "stage_order": of(&|p| json!(p.stage_order)),
        "a_stable": all(&|p| p.a_stable),
        "l_stable": all(&|p| p.l_stable),
        "stiffly_accurate": all(&|p| p.stiffly_accurate),
        "symplectic": all(&|p| p.symplectic),
        "symmetric": all(&|p| p.symmetric),
        "suits": entry.suits,
    })
}

/// The order of a SPARK method is that of its quadrature, which Lobatto IIIA has too.
fn spark_order(entry: &Entry) -> String {
    let orders = entry.stages.iter().filter_map(|&s| Family::LobattoIiia.tableau(s).ok());
    orders.map(|tableau| tableau.order().to_string()).collect::<Vec<_>>().join(",")
}

/// The orders of backward differentiation formulas, from their coefficients.
fn bdf_orders(entry: &Entry) -> Vec<usize> {
    entry.stages.iter().filter_map(|&k| Multistep::bdf(k).ok()).map(|method| method.order()).collect()
}

/// The orders of a method that is not one Runge-Kutta family.
fn other_orders(entry: &Entry) -> String {
    match entry.scheme {
        Scheme::Bdf => list(&bdf_orders(entry)),
        Scheme::Adams | Scheme::Taylor => list(entry.stages),
        _ => spark_order(entry),
    }
}

/// `2,3,5`, or `2 to 13` where there are many.
fn list(numbers: &[usize]) -> String {
    if numbers.len() > 5 {
        return ranges(numbers);
    }
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

fn table(methods: &[(&Entry, Vec<Properties>)]) -> String {
    let mut text = format!(
        "{:<13} {:<9} {:<9} {:<12} {:<9} suits\n",
        "name", "stages", "order", "stage order", "stable"
    );
    for (entry, members) in methods {
        let of =
            |property: &dyn Fn(&Properties) -> usize| list(&members.iter().map(property).collect::<Vec<_>>());
        let stability = match members.as_slice() {
            [] => "",
            members if members.iter().all(|p| p.l_stable) => "L",
            members if members.iter().all(|p| p.a_stable) => "A",
            _ => "-",
        };
        text.push_str(&format!(
            "{:<13} {:<9} {:<9} {:<12} {:<9} {}\n",
            entry.name,
            list(entry.stages),
            if members.is_empty() { other_orders(entry) } else { of(&|p| p.order) },
            of(&|p| p.stage_order),
            stability,
            entry.suits
        ));
    }
    text.push_str("\nSeveral numbers: the order is chosen while the run goes on; --stages S fixes it. The stages of bdf are its steps, those of adams its orders.\n");
    text.push_str("`taut tableau NAME --stages S` prints the coefficients.\n");
    text
}
