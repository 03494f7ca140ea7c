//! IDA of SUNDIALS on the stabilised index-2 form (Gear, Gupta and Leimkuhler):
//! q' = v - G'mu, M v' = f - G'lambda, g = 0, G v + g_t = 0.
//!
//! Settings: dense matrices, analytic Jacobian (the second derivatives that mu, zero but for errors, is multiplied with
//! are left out, those of G v are differences), multipliers out of the error test and with a large absolute tolerance out
//! of Newton's too (with rtol = atol for them it gives up on the squeezer in its first step), rtol = atol for positions
//! and velocities, all else as it is.

use std::ffi::{c_double, c_int, c_long, c_void};
use std::ptr::null_mut;

use crate::subject::{Dense, Subject};

type Pointer = *mut c_void;
type Residual = extern "C" fn(c_double, Pointer, Pointer, Pointer, Pointer) -> c_int;
type Jacobian = extern "C" fn(
    c_double,
    c_double,
    Pointer,
    Pointer,
    Pointer,
    Pointer,
    Pointer,
    Pointer,
    Pointer,
    Pointer,
) -> c_int;

#[link(name = "sundials_ida")]
#[link(name = "sundials_nvecserial")]
#[link(name = "sundials_sunmatrixdense")]
#[link(name = "sundials_sunlinsoldense")]
unsafe extern "C" {
    fn SUNContext_Create(communicator: Pointer, context: *mut Pointer) -> c_int;
    fn SUNContext_Free(context: *mut Pointer) -> c_int;
    fn N_VNew_Serial(length: i64, context: Pointer) -> Pointer;
    fn N_VGetArrayPointer(vector: Pointer) -> *mut c_double;
    fn N_VDestroy(vector: Pointer);
    fn SUNDenseMatrix(rows: i64, columns: i64, context: Pointer) -> Pointer;
    fn SUNDenseMatrix_Data(matrix: Pointer) -> *mut c_double;
    fn SUNMatDestroy(matrix: Pointer);
    fn SUNLinSol_Dense(vector: Pointer, matrix: Pointer, context: Pointer) -> Pointer;
    fn SUNLinSolFree(solver: Pointer) -> c_int;
    fn IDACreate(context: Pointer) -> Pointer;
    fn IDAInit(ida: Pointer, residual: Residual, t: c_double, y: Pointer, rate: Pointer) -> c_int;
    fn IDASVtolerances(ida: Pointer, rtol: c_double, atol: Pointer) -> c_int;
    fn IDASetUserData(ida: Pointer, data: Pointer) -> c_int;
    fn IDASetLinearSolver(ida: Pointer, solver: Pointer, matrix: Pointer) -> c_int;
    fn IDASetJacFn(ida: Pointer, jacobian: Jacobian) -> c_int;
    fn IDASetId(ida: Pointer, id: Pointer) -> c_int;
    fn IDASetSuppressAlg(ida: Pointer, suppress: c_int) -> c_int;
    fn IDASetMaxNumSteps(ida: Pointer, steps: c_long) -> c_int;
    fn IDASetStopTime(ida: Pointer, t: c_double) -> c_int;
    fn IDASolve(
        ida: Pointer,
        to: c_double,
        at: *mut c_double,
        y: Pointer,
        rate: Pointer,
        task: c_int,
    ) -> c_int;
    fn IDAFree(ida: *mut Pointer);
}

/// Absolute tolerance of multipliers: so large that they have no say.
const MULTIPLIER_TOLERANCE: f64 = 1e10;

struct Data<'a> {
    subject: &'a Subject,
    dense: Dense<'a>,
    rate: Vec<f64>,
    moved: Vec<f64>,
}

/// SAFETY: the vector has at least `length` numbers.
unsafe fn numbers<'a>(vector: Pointer, length: usize) -> &'a mut [f64] {
    unsafe { std::slice::from_raw_parts_mut(N_VGetArrayPointer(vector), length) }
}

/// Positions at the end.
pub fn run(subject: &Subject, tolerance: f64) -> Option<Vec<f64>> {
    let (n, m) = (subject.n(), subject.m());
    let size = 2 * (n + m);
    let mut data =
        Data { subject, dense: Dense::new(subject.mechanism()), rate: vec![0.0; m], moved: vec![0.0; m] };
    // SAFETY: the objects are used as the manual of SUNDIALS 6 says, and destroyed once.
    unsafe {
        let mut context = null_mut();
        SUNContext_Create(null_mut(), &mut context);
        let [y, rate, id, atol] = [(); 4].map(|()| N_VNew_Serial(size as i64, context));
        for vector in [y, rate, id, atol] {
            numbers(vector, size).fill(0.0);
        }
        numbers(y, size)[..n].copy_from_slice(&subject.q);
        numbers(y, size)[n..2 * n].copy_from_slice(&subject.v);
        numbers(y, size)[2 * n..2 * n + m].copy_from_slice(&subject.lambda);
        numbers(rate, size)[..n].copy_from_slice(&subject.v);
        numbers(rate, size)[n..2 * n].copy_from_slice(&subject.a);
        numbers(id, size)[..2 * n].fill(1.0);
        numbers(atol, size)[..2 * n].fill(tolerance);
        numbers(atol, size)[2 * n..].fill(MULTIPLIER_TOLERANCE);
        let mut ida = IDACreate(context);
        let matrix = SUNDenseMatrix(size as i64, size as i64, context);
        let solver = SUNLinSol_Dense(y, matrix, context);
        IDAInit(ida, residual, subject.problem.start.t, y, rate);
        IDASVtolerances(ida, tolerance, atol);
        IDASetUserData(ida, (&raw mut data).cast());
        IDASetLinearSolver(ida, solver, matrix);
        IDASetJacFn(ida, jacobian);
        IDASetId(ida, id);
        IDASetSuppressAlg(ida, 1);
        IDASetMaxNumSteps(ida, 1_000_000);
        IDASetStopTime(ida, subject.until);
        let mut at = 0.0;
        let flag = IDASolve(ida, subject.until, &mut at, y, rate, 1);
        let q = numbers(y, size)[..n].to_vec();
        IDAFree(&mut ida);
        SUNLinSolFree(solver);
        SUNMatDestroy(matrix);
        for vector in [y, rate, id, atol] {
            N_VDestroy(vector);
        }
        SUNContext_Free(&mut context);
        (flag >= 0).then_some(q)
    }
}

extern "C" fn residual(t: c_double, y: Pointer, rate: Pointer, out: Pointer, data: Pointer) -> c_int {
    // SAFETY: IDA passes the data it was given and vectors of the size it was given.
    let data = unsafe { &mut *data.cast::<Data<'_>>() };
    let (n, m) = (data.subject.n(), data.subject.m());
    let size = 2 * (n + m);
    let (y, rate, out) = unsafe { (numbers(y, size), numbers(rate, size), numbers(out, size)) };
    let (q, v) = (&y[..n], &y[n..2 * n]);
    let (lambda, mu) = y[2 * n..].split_at(m);
    if !data.dense.dynamics(t, q, v) {
        return 1;
    }
    for i in 0..n {
        out[i] = rate[i] - v[i];
    }
    data.dense.add_transposed(mu, &mut out[..n]);
    data.dense.balance(&rate[n..2 * n], lambda, &mut out[n..2 * n]);
    out[2 * n..2 * n + m].copy_from_slice(&data.dense.constraint);
    match data.subject.mechanism().constraint_rate(t, q, v, &mut out[2 * n + m..]) {
        Ok(()) => 0,
        Err(_) => 1,
    }
}

extern "C" fn jacobian(
    t: c_double,
    cj: c_double,
    y: Pointer,
    rate: Pointer,
    _: Pointer,
    matrix: Pointer,
    data: Pointer,
    _: Pointer,
    _: Pointer,
    _: Pointer,
) -> c_int {
    // SAFETY: as above; the matrix is the dense one that IDA was given.
    let data = unsafe { &mut *data.cast::<Data<'_>>() };
    let (n, m) = (data.subject.n(), data.subject.m());
    let size = 2 * (n + m);
    let (y, rate) = unsafe { (numbers(y, size), numbers(rate, size)) };
    let matrix = unsafe { std::slice::from_raw_parts_mut(SUNDenseMatrix_Data(matrix), size * size) };
    let (q, v) = (y[..n].to_vec(), y[n..2 * n].to_vec());
    let lambda = &y[2 * n..2 * n + m];
    if !data.dense.dynamics(t, &q, &v) || !data.dense.newton_blocks(t, &q, &v, &rate[n..2 * n], lambda) {
        return 1;
    }
    matrix.fill(0.0);
    let dense = &data.dense;
    for j in 0..n {
        matrix[j + j * size] = cj;
        matrix[j + (n + j) * size] = -1.0;
        for i in 0..n {
            matrix[n + i + j * size] = -dense.stiffness[i + j * n];
            matrix[n + i + (n + j) * size] = cj * dense.mass[i + j * n] - dense.damping[i + j * n];
        }
        for k in 0..m {
            let g = dense.jacobian[k + j * m];
            matrix[j + (2 * n + m + k) * size] = g;
            matrix[n + j + (2 * n + k) * size] = g;
            matrix[2 * n + k + j * size] = g;
            matrix[2 * n + m + k + (n + j) * size] = g;
        }
    }
    let system = data.subject.mechanism();
    let mut shifted = q.clone();
    if system.constraint_rate(t, &q, &v, &mut data.rate).is_err() {
        return 1;
    }
    for j in 0..n {
        let step = 1e-7 * (1.0 + q[j].abs());
        shifted[j] += step;
        if system.constraint_rate(t, &shifted, &v, &mut data.moved).is_err() {
            return 1;
        }
        shifted[j] = q[j];
        for k in 0..m {
            matrix[2 * n + m + k + j * size] = (data.moved[k] - data.rate[k]) / step;
        }
    }
    0
}
