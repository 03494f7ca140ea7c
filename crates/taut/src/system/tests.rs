mod derivatives;
mod faults;
mod first_order;
mod independent;
mod sketch;
mod sparsity;
mod wrapper;
