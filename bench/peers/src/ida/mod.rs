//! IDA of SUNDIALS: what its C library asks for, in the words of this crate. All settings but those named in the
//! submodules are its own.

pub mod first_order;
pub mod stabilised;

use std::ffi::{c_double, c_int, c_long, c_void};
use std::ptr::null_mut;

use taut::linear::Pattern;

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
#[link(name = "sundials_sunmatrixsparse")]
#[link(name = "sundials_sunlinsolklu")]
unsafe extern "C" {
    fn SUNContext_Create(communicator: Pointer, context: *mut Pointer) -> c_int;
    fn SUNContext_Free(context: *mut Pointer) -> c_int;
    fn N_VNew_Serial(length: i64, context: Pointer) -> Pointer;
    fn N_VGetArrayPointer(vector: Pointer) -> *mut c_double;
    fn N_VDestroy(vector: Pointer);
    fn SUNDenseMatrix(rows: i64, columns: i64, context: Pointer) -> Pointer;
    fn SUNDenseMatrix_Data(matrix: Pointer) -> *mut c_double;
    fn SUNSparseMatrix(rows: i64, columns: i64, entries: i64, kind: c_int, context: Pointer) -> Pointer;
    fn SUNSparseMatrix_Data(matrix: Pointer) -> *mut c_double;
    fn SUNSparseMatrix_IndexValues(matrix: Pointer) -> *mut i64;
    fn SUNSparseMatrix_IndexPointers(matrix: Pointer) -> *mut i64;
    fn SUNMatDestroy(matrix: Pointer);
    fn SUNLinSol_Dense(vector: Pointer, matrix: Pointer, context: Pointer) -> Pointer;
    fn SUNLinSol_KLU(vector: Pointer, matrix: Pointer, context: Pointer) -> Pointer;
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
    fn IDASetErrFile(ida: Pointer, file: Pointer) -> c_int;
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

/// Compressed columns.
const CSC: c_int = 0;

/// F(t, y, y') = 0 as IDA asks for it.
pub trait Equations {
    /// F; false where it cannot be evaluated.
    fn residual(&mut self, t: f64, y: &[f64], rate: &[f64], out: &mut [f64]) -> bool;

    /// dF/dy + cj dF/dy': column-major, or in the order of the pattern.
    fn jacobian(&mut self, t: f64, cj: f64, y: &[f64], rate: &[f64], values: &mut [f64]) -> bool;
}

/// Where a run begins and how it is controlled.
pub struct Setting<'a> {
    pub y: Vec<f64>,
    pub rate: Vec<f64>,
    /// which variables are in the error test
    pub tested: Vec<bool>,
    pub rtol: f64,
    pub atol: Vec<f64>,
    /// the places of a sparse Jacobian, for KLU; dense elimination without
    pub pattern: Option<&'a Pattern>,
}

struct Data<'a> {
    equations: &'a mut dyn Equations,
    size: usize,
    pattern: Option<&'a Pattern>,
}

/// SAFETY: the vector has at least `length` numbers.
unsafe fn numbers<'a>(vector: Pointer, length: usize) -> &'a mut [f64] {
    unsafe { std::slice::from_raw_parts_mut(N_VGetArrayPointer(vector), length) }
}

/// The variables at the end of all legs; nothing where it fails. It is stopped at the end of every leg, and goes on with
/// what it knows of the past.
pub fn integrate(
    equations: &mut dyn Equations,
    setting: &Setting<'_>,
    legs: &[(f64, f64)],
) -> Option<Vec<f64>> {
    let size = setting.y.len();
    let mut data = Data { equations, size, pattern: setting.pattern };
    // SAFETY: the objects are used as the manual of SUNDIALS 6 says, and destroyed once.
    unsafe {
        let mut context = null_mut();
        SUNContext_Create(null_mut(), &mut context);
        let [y, rate, id, atol] = [(); 4].map(|()| N_VNew_Serial(size as i64, context));
        numbers(y, size).copy_from_slice(&setting.y);
        numbers(rate, size).copy_from_slice(&setting.rate);
        numbers(atol, size).copy_from_slice(&setting.atol);
        for (id, &tested) in numbers(id, size).iter_mut().zip(&setting.tested) {
            *id = f64::from(u8::from(tested));
        }
        let mut ida = IDACreate(context);
        let length = size as i64;
        let (matrix, solver) = match setting.pattern {
            Some(pattern) => {
                let matrix = SUNSparseMatrix(length, length, pattern.nnz() as i64, CSC, context);
                write_pattern(matrix, pattern);
                (matrix, SUNLinSol_KLU(y, matrix, context))
            }
            None => {
                let matrix = SUNDenseMatrix(length, length, context);
                (matrix, SUNLinSol_Dense(y, matrix, context))
            }
        };
        IDAInit(ida, residual, legs[0].0, y, rate);
        IDASetErrFile(ida, null_mut());
        IDASVtolerances(ida, setting.rtol, atol);
        IDASetUserData(ida, (&raw mut data).cast());
        IDASetLinearSolver(ida, solver, matrix);
        IDASetJacFn(ida, jacobian);
        IDASetId(ida, id);
        IDASetSuppressAlg(ida, 1);
        IDASetMaxNumSteps(ida, 1_000_000);
        let reached = legs.iter().all(|&(_, until)| {
            let mut at = 0.0;
            IDASetStopTime(ida, until);
            IDASolve(ida, until, &mut at, y, rate, 1) >= 0
        });
        let end = numbers(y, size).to_vec();
        IDAFree(&mut ida);
        SUNLinSolFree(solver);
        SUNMatDestroy(matrix);
        for vector in [y, rate, id, atol] {
            N_VDestroy(vector);
        }
        SUNContext_Free(&mut context);
        reached.then_some(end)
    }
}

/// SAFETY: the matrix is a sparse one with room for the pattern.
unsafe fn write_pattern(matrix: Pointer, pattern: &Pattern) {
    let (starts, rows) = unsafe {
        (
            std::slice::from_raw_parts_mut(SUNSparseMatrix_IndexPointers(matrix), pattern.cols() + 1),
            std::slice::from_raw_parts_mut(SUNSparseMatrix_IndexValues(matrix), pattern.nnz()),
        )
    };
    for (to, from) in starts.iter_mut().zip(pattern.column_starts()) {
        *to = *from as i64;
    }
    for (to, from) in rows.iter_mut().zip(pattern.row_indices()) {
        *to = *from as i64;
    }
}

extern "C" fn residual(t: c_double, y: Pointer, rate: Pointer, out: Pointer, data: Pointer) -> c_int {
    // SAFETY: IDA passes the data it was given and vectors of the size it was given.
    let (data, y, rate, out) = unsafe {
        let data = &mut *data.cast::<Data<'_>>();
        let size = data.size;
        (data, numbers(y, size), numbers(rate, size), numbers(out, size))
    };
    c_int::from(!data.equations.residual(t, y, rate, out))
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
    // SAFETY: as above; the matrix is the one that IDA was given. It clears the places of a sparse one.
    let (data, y, rate, values) = unsafe {
        let data = &mut *data.cast::<Data<'_>>();
        let size = data.size;
        let values = match data.pattern {
            Some(pattern) => {
                write_pattern(matrix, pattern);
                std::slice::from_raw_parts_mut(SUNSparseMatrix_Data(matrix), pattern.nnz())
            }
            None => std::slice::from_raw_parts_mut(SUNDenseMatrix_Data(matrix), size * size),
        };
        (data, numbers(y, size), numbers(rate, size), values)
    };
    c_int::from(!data.equations.jacobian(t, cj, y, rate, values))
}
