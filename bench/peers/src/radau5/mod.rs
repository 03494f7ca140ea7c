//! RADAU5 of Hairer and Wanner, as Debian compiled it into R's package deSolve.
//!
//! Settings: analytic Jacobian, its option for second-order equations (M1, M2) where there are some, index of variables
//! declared, 3 stages, all else as it is. It is stopped at times where equations are not smooth.

pub mod beam;
pub mod first_order;
pub mod mechanical;
pub mod spring;

use std::cell::Cell;
use std::ffi::{c_double, c_int, c_void};

use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_NOW};

type Real = *mut c_double;
type Int = *mut c_int;
type Fcn = extern "C" fn(Int, Real, Real, Real, Real, Int);
/// deSolve passes the two bandwidths between the state and the matrix, unlike radau5.f.
type Jac = extern "C" fn(Int, Real, Real, Int, Int, Real, Int, Real, Int);
type Mas = extern "C" fn(Int, Real, Int, Real, Int);
type Radau5 = unsafe extern "C" fn(
    Int,
    Fcn,
    Real,
    Real,
    Real,
    Real,
    Real,
    Real,
    Int,
    Jac,
    Int,
    Int,
    Int,
    Mas,
    Int,
    Int,
    Int,
    *const c_void,
    Int,
    Real,
    Int,
    Int,
    Int,
    Real,
    Int,
    Int,
);

/// The code, loaded.
pub struct Code {
    _r: Library,
    _desolve: Library,
    radau5: Radau5,
}

/// What RADAU5 asks for.
pub trait Field {
    /// The right-hand side; false where it cannot be evaluated.
    fn rate(&mut self, t: f64, y: &[f64], rate: &mut [f64]) -> bool;

    /// Rows of the Jacobian after the first M1, column-major with `ld` rows.
    fn jacobian(&mut self, t: f64, y: &[f64], ld: usize, out: &mut [f64]);

    /// The matrix to the left, in the same rows; only its diagonal where [`Mass::Diagonal`] was said.
    fn mass(&mut self, ld: usize, mass: &mut [f64]);
}

/// The matrix to the left.
#[derive(Clone, Copy, PartialEq)]
pub enum Mass {
    Identity,
    Diagonal,
    Full,
}

/// How RADAU5 is asked.
pub struct Setting {
    /// M1 and M2: the derivatives of the first M1 variables are the variables M2 places later
    pub second_order: (usize, usize),
    /// how many variables are of index 1, 2, 3, in this order
    pub index: [usize; 3],
    pub mass: Mass,
    /// a Jacobian by [`Field::jacobian`], else by differences
    pub analytic: bool,
    pub rtol: f64,
    pub atol: f64,
}

thread_local! {
    static CURRENT: Cell<Option<*mut dyn Field>> = const { Cell::new(None) };
}

impl Code {
    /// Loads R and deSolve.
    pub fn load() -> Result<Self, String> {
        let open = |paths: &[&str]| {
            // SAFETY: the initialisers of these libraries do nothing that we depend on.
            let library = |path: &&str| unsafe { Library::open(Some(path), RTLD_NOW | RTLD_GLOBAL).ok() };
            paths.iter().find_map(library).ok_or(format!("cannot load {}", paths[0]))
        };
        let r = open(&["/usr/lib/R/lib/libR.so", "libR.so"])?;
        let desolve = open(&["/usr/lib/R/site-library/deSolve/libs/deSolve.so"])?;
        // SAFETY: the Fortran subroutine has this signature.
        let radau5 = unsafe { *desolve.get::<Radau5>(b"radau5_").map_err(|error| error.to_string())? };
        Ok(Code { _r: r, _desolve: desolve, radau5 })
    }

    /// Integrates y over all legs; nothing where it fails.
    pub fn integrate(
        &self,
        field: &mut dyn Field,
        setting: &Setting,
        legs: &[(f64, f64)],
        y: &mut [f64],
    ) -> Option<()> {
        // SAFETY: CURRENT is emptied before this function returns, and the field outlives it.
        let field = unsafe { std::mem::transmute::<*mut dyn Field, *mut (dyn Field + 'static)>(field) };
        CURRENT.set(Some(field));
        let mut h = 0.0;
        let reached = legs.iter().all(|&leg| self.call(setting, leg, &mut h, y) == 1);
        CURRENT.set(None);
        reached.then_some(())
    }

    fn call(&self, setting: &Setting, (mut t, mut end): (f64, f64), h: &mut f64, y: &mut [f64]) -> c_int {
        let size = y.len();
        let (m1, m2) = setting.second_order;
        let rest = size - m1;
        let mut size_int = size as c_int;
        let (mut rtol, mut atol, mut itol) = (setting.rtol, setting.atol, 0);
        let (mut ijac, mut mljac, mut mujac) = (c_int::from(setting.analytic), rest as c_int, 0);
        let mut imas = c_int::from(setting.mass != Mass::Identity);
        let mut mlmas = if setting.mass == Mass::Full { rest as c_int } else { 0 };
        let (mut mumas, mut iout) = (0, 0);
        let mut work = vec![0.0; size * (rest + 12) + rest * 4 * rest + 20];
        let mut iwork = vec![0; 3 * size + 20];
        iwork[1] = 1_000_000;
        for (place, count) in iwork[4..7].iter_mut().zip(setting.index) {
            *place = count as c_int;
        }
        iwork[8] = m1 as c_int;
        iwork[9] = m2 as c_int;
        let (mut lwork, mut liwork) = (work.len() as c_int, iwork.len() as c_int);
        let (mut rpar, mut ipar, mut idid) = (0.0, 0, 0);
        // SAFETY: all arrays have the lengths that the head of radau5.f asks for.
        unsafe {
            (self.radau5)(
                &mut size_int,
                fcn,
                &mut t,
                y.as_mut_ptr(),
                &mut end,
                h,
                &mut rtol,
                &mut atol,
                &mut itol,
                jac,
                &mut ijac,
                &mut mljac,
                &mut mujac,
                mas,
                &mut imas,
                &mut mlmas,
                &mut mumas,
                solout as *const c_void,
                &mut iout,
                work.as_mut_ptr(),
                &mut lwork,
                iwork.as_mut_ptr(),
                &mut liwork,
                &mut rpar,
                &mut ipar,
                &mut idid,
            );
        }
        idid
    }
}

extern "C" fn solout() {}

/// Takes the place of R's function of this name, which needs R to be running: a failure of radau5 is reported by what it
/// returns. `build.rs` makes the linker export it.
#[unsafe(no_mangle)]
extern "C" fn Rprintf() {}

fn with_current(work: impl FnOnce(&mut dyn Field)) {
    if let Some(field) = CURRENT.get() {
        // SAFETY: it is set for as long as radau5 runs, on this thread, and radau5 calls one function at a time.
        work(unsafe { &mut *field });
    }
}

extern "C" fn fcn(size: Int, t: Real, y: Real, f: Real, _: Real, _: Int) {
    with_current(|field| {
        // SAFETY: radau5 passes arrays of `size` numbers.
        let (t, y, f) = unsafe {
            let size = *size as usize;
            (*t, std::slice::from_raw_parts(y, size), std::slice::from_raw_parts_mut(f, size))
        };
        if !field.rate(t, y, f) {
            f.fill(f64::NAN);
        }
    });
}

extern "C" fn jac(size: Int, t: Real, y: Real, _: Int, _: Int, dfy: Real, ldfy: Int, _: Real, _: Int) {
    with_current(|field| {
        // SAFETY: radau5 passes `size` numbers and a matrix of `ldfy` rows and `size` columns.
        let (t, y, ld, dfy) = unsafe {
            let (size, ld) = (*size as usize, *ldfy as usize);
            (*t, std::slice::from_raw_parts(y, size), ld, std::slice::from_raw_parts_mut(dfy, size * ld))
        };
        field.jacobian(t, y, ld, dfy);
    });
}

extern "C" fn mas(rest: Int, am: Real, ldmas: Int, _: Real, _: Int) {
    with_current(|field| {
        // SAFETY: radau5 passes a matrix of `ldmas` rows and `rest` columns.
        let (ld, am) = unsafe {
            let ld = *ldmas as usize;
            (ld, std::slice::from_raw_parts_mut(am, ld * *rest as usize))
        };
        field.mass(ld, am);
    });
}
