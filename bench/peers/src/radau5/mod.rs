//! RADAU5 of Hairer and Wanner, as Debian compiled it into R's package deSolve.
//!
//! Settings: analytic Jacobian, its option for second-order equations (M1, M2), index of variables declared, 3 stages,
//! rtol = atol. Systems with constant diagonal mass are given as (q, v, lambda), others as (q, v, a, lambda).

use std::cell::RefCell;
use std::ffi::{c_double, c_int, c_void};

use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_NOW};

use crate::subject::{Dense, Subject};

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

struct Current {
    dense: Dense<'static>,
    n: usize,
    m: usize,
    /// accelerations are no variables: M v' stands to the left
    constant_mass: bool,
}

thread_local! {
    static CURRENT: RefCell<Option<Current>> = const { RefCell::new(None) };
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

    /// Positions at the end.
    pub fn run(&self, subject: &Subject, tolerance: f64) -> Option<Vec<f64>> {
        let (n, m) = (subject.n(), subject.m());
        let structure = subject.mechanism().structure();
        let constant_mass = structure.constant_mass && structure.mass.entries().all(|(i, j)| i == j);
        // SAFETY: CURRENT is emptied before this function returns, and the subject outlives it.
        let mechanism: &'static dyn taut::system::Mechanism =
            unsafe { std::mem::transmute::<&dyn taut::system::Mechanism, _>(subject.mechanism()) };
        let current = Current { dense: Dense::new(mechanism), n, m, constant_mass };
        CURRENT.with_borrow_mut(|place| *place = Some(current));
        let mut y = [subject.q.as_slice(), &subject.v].concat();
        if !constant_mass {
            y.extend(&subject.a);
        }
        y.extend(&subject.lambda);
        let size = y.len();
        let m1 = if constant_mass { n } else { 2 * n };
        let rest = size - m1;
        let mut size_int = size as c_int;
        let (mut t, mut end, mut h) = (subject.problem.start.t, subject.until, 0.0);
        let (mut rtol, mut atol, mut itol) = (tolerance, tolerance, 0);
        let (mut ijac, mut mljac, mut mujac) = (1, rest as c_int, 0);
        let (mut imas, mut mlmas, mut mumas, mut iout) = (1, 0, 0, 0);
        let mut work = vec![0.0; size * (rest + rest + 7 * rest + 3 * rest + 12) + 100];
        let mut iwork = vec![0; 3 * size + 20];
        iwork[1] = 1_000_000;
        iwork[4] = n as c_int;
        iwork[5] = n as c_int;
        iwork[6] = (size - 2 * n) as c_int;
        iwork[8] = m1 as c_int;
        iwork[9] = n as c_int;
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
                &mut h,
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
        CURRENT.with_borrow_mut(|place| *place = None);
        y.truncate(n);
        (idid == 1).then_some(y)
    }
}

extern "C" fn solout() {}

/// Takes the place of R's function of this name, which needs R to be running: a failure of radau5 is reported by what it
/// returns. `build.rs` makes the linker export it.
#[unsafe(no_mangle)]
extern "C" fn Rprintf() {}

fn with_current(work: impl FnOnce(&mut Current)) {
    CURRENT.with_borrow_mut(|current| current.as_mut().map(work));
}

extern "C" fn fcn(size: Int, t: Real, y: Real, f: Real, _: Real, _: Int) {
    with_current(|current| {
        let (n, m) = (current.n, current.m);
        // SAFETY: radau5 passes arrays of `size` numbers.
        let (t, y, f) = unsafe {
            let size = *size as usize;
            (*t, std::slice::from_raw_parts(y, size), std::slice::from_raw_parts_mut(f, size))
        };
        let (q, v) = (&y[..n], &y[n..2 * n]);
        if !current.dense.dynamics(t, q, v) {
            return f.fill(f64::NAN);
        }
        f[..n].copy_from_slice(v);
        let zero = vec![0.0; if current.constant_mass { n } else { 0 }];
        let (a, lambda) = if current.constant_mass {
            (zero.as_slice(), &y[2 * n..])
        } else {
            f[n..2 * n].copy_from_slice(&y[2 * n..3 * n]);
            (&y[2 * n..3 * n], &y[3 * n..])
        };
        let split = f.len() - m;
        let balance = &mut f[split - n..split];
        current.dense.balance(a, lambda, balance);
        balance.iter_mut().for_each(|x| *x = -*x);
        f[split..].copy_from_slice(&current.dense.constraint);
    });
}

/// The rows after the first M1.
extern "C" fn jac(size: Int, t: Real, y: Real, _: Int, _: Int, dfy: Real, ldfy: Int, _: Real, _: Int) {
    with_current(|current| {
        let (n, m) = (current.n, current.m);
        // SAFETY: radau5 passes `size` numbers and a matrix of `ldfy` rows and `size` columns.
        let (t, y, ld, dfy) = unsafe {
            let (size, ld) = (*size as usize, *ldfy as usize);
            (*t, std::slice::from_raw_parts(y, size), ld, std::slice::from_raw_parts_mut(dfy, size * ld))
        };
        let (q, v) = (&y[..n], &y[n..2 * n]);
        let zero = vec![0.0; n];
        let a = if current.constant_mass { &zero } else { &y[2 * n..3 * n] };
        let lambda = &y[y.len() - m..];
        current.dense.dynamics(t, q, v);
        current.dense.newton_blocks(t, q, v, a, lambda);
        let dense = &current.dense;
        dfy.fill(0.0);
        for j in 0..n {
            for i in 0..n {
                dfy[i + j * ld] = dense.stiffness[i + j * n];
                dfy[i + (n + j) * ld] = dense.damping[i + j * n];
                if !current.constant_mass {
                    dfy[i + (2 * n + j) * ld] = -dense.mass[i + j * n];
                }
            }
            for k in 0..m {
                dfy[n + k + j * ld] = dense.jacobian[k + j * m];
                dfy[j + (y.len() - m + k) * ld] = -dense.jacobian[k + j * m];
            }
        }
    });
}

/// The diagonal of the rows after the first M1.
extern "C" fn mas(rest: Int, am: Real, _: Int, _: Real, _: Int) {
    with_current(|current| {
        // SAFETY: radau5 passes `rest` numbers.
        let am = unsafe { std::slice::from_raw_parts_mut(am, *rest as usize) };
        am.fill(0.0);
        if current.constant_mass {
            let n = current.n;
            let (q, v) = (vec![0.5; n], vec![0.0; n]);
            current.dense.dynamics(0.0, &q, &v);
            for i in 0..n {
                am[i] = current.dense.mass[i + i * n];
            }
        }
    });
}
