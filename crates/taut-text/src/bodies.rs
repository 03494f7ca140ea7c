//! A model with bodies as a solver sees it.

use std::sync::Arc;

use taut::system::{ForceClass, MechanicalSystem};
use taut_bodies::{Joined, Mechanism, World};
use taut_formula::graph::Graph;

use taut::system::compiled::{MechanicalEquations, MechanicalModel};

/// Bodies and joints, and formulas beside them where the model has such.
#[derive(Clone, Debug)]
pub struct BodiesModel {
    world: World,
    parts: Parts,
}

#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one for each model, and it is not moved about")]
enum Parts {
    Bodies(Mechanism),
    WithFormulas(Joined<MechanicalModel>),
}

/// The description of a model with bodies, and its formulas before they have registers.
#[derive(Debug)]
pub(crate) struct BodiesEquations {
    pub(crate) world: World,
    pub(crate) coordinates: Vec<String>,
    /// the number of coordinates of bodies and joints
    pub(crate) own: usize,
    pub(crate) formulas: Option<MechanicalEquations>,
}

impl BodiesEquations {
    /// The model with these values of formulas of parameters.
    pub(crate) fn with(&self, graph: &Arc<Graph>, settings: &Arc<[f64]>) -> Option<BodiesModel> {
        let mechanism = self.world.build().ok()?;
        let formulas = match &self.formulas {
            Some(formulas) => Some(formulas.with(graph, settings)?),
            None => None,
        };
        Some(BodiesModel::new(self.world.clone(), mechanism, formulas))
    }
}

impl BodiesModel {
    fn new(world: World, mechanism: Mechanism, formulas: Option<MechanicalModel>) -> Self {
        let parts = match formulas {
            None => Parts::Bodies(mechanism),
            Some(formulas) => Parts::WithFormulas(Joined::new(mechanism, formulas)),
        };
        BodiesModel { world, parts }
    }

    /// What a solver sees.
    pub fn system(&self) -> &dyn MechanicalSystem {
        match &self.parts {
            Parts::Bodies(mechanism) => mechanism,
            Parts::WithFormulas(joined) => joined,
        }
    }

    /// The bodies and joints.
    pub fn mechanism(&self) -> &Mechanism {
        match &self.parts {
            Parts::Bodies(mechanism) => mechanism,
            Parts::WithFormulas(joined) => joined.bodies(),
        }
    }

    /// What the file says of them.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The multipliers of the rows of bodies and joints among all multipliers.
    pub fn multipliers_of_bodies(&self, lambda: &[f64]) -> Vec<f64> {
        match &self.parts {
            Parts::Bodies(_) => lambda.to_vec(),
            Parts::WithFormulas(joined) => joined.multipliers_of_bodies(lambda),
        }
    }

    /// The classes of which there are forces beside those of bodies and joints.
    pub fn acting(&self) -> Vec<ForceClass> {
        match &self.parts {
            Parts::Bodies(_) => Vec::new(),
            Parts::WithFormulas(joined) => joined.formulas().acting(),
        }
    }

    /// The share of the force on each coordinate that is to be treated with damping coefficients.
    pub fn damping_shares(&self) -> Vec<f64> {
        match &self.parts {
            Parts::Bodies(mechanism) => vec![0.0; mechanism.structure().n()],
            Parts::WithFormulas(joined) => joined.formulas().damping_shares().to_vec(),
        }
    }
}
