//! Exports the function that stands in for R's output, so that deSolve finds it before R's own.

fn main() {
    println!("cargo::rustc-link-arg-bins=-Wl,--export-dynamic-symbol=Rprintf");
}
