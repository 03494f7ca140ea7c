//! Tables for `taut plot`.

use std::path::Path;

use taut_cli::arguments::Arguments;
use taut_cli::command::execute;

use super::Target;
use crate::running::guarded;

/// Tables for `taut plot`.
pub struct Tables;

impl Target for Tables {
    fn name(&self) -> &'static str {
        "tables"
    }

    fn seeds(&self) -> Vec<String> {
        [
            "t,x,y\n0,1,0\n0.5,0.9,0.1\n1,0.6,0.3\n",
            "t,x\n0,0\n1,5e-324\n2,1e308\n",
            "t,\"a,b\"\n-1e300,1\n1e300,1\n",
            "t,x\n0,nan\n1,inf\n2,-inf\n",
            "t,x\n0,1\n",
        ]
        .map(str::to_owned)
        .into()
    }

    fn feed(&self, input: &str, folder: &Path) -> Result<(), String> {
        let (table, picture) = (folder.join("table.csv"), folder.join("picture.svg"));
        std::fs::write(&table, input).map_err(|error| error.to_string())?;
        let words =
            ["taut".into(), "plot".into(), table.into_os_string(), "--out".into(), picture.into_os_string()];
        let arguments =
            <Arguments as clap::Parser>::try_parse_from(words).map_err(|error| error.to_string())?;
        // Either way: it is drawn, or refused in words.
        let _ = guarded(|| execute(&arguments))?;
        Ok(())
    }
}
