//! Counting: this program runs itself under callgrind, one workload at a time.

use std::env;
use std::error::Error;
use std::path::Path;
use std::process::Command;

/// The instructions of one workload.
pub fn instructions(name: &str) -> Result<u64, Box<dyn Error>> {
    let (messages, _) = count(name)?;
    let collected = messages.lines().find_map(|line| line.split("Collected :").nth(1));
    let count = collected.and_then(|count| count.trim().parse().ok());
    count.ok_or_else(|| format!("callgrind counted nothing in {name}:\n{messages}").into())
}

/// What callgrind writes about one workload: functions, their instructions and calls.
pub fn profile(name: &str) -> Result<String, Box<dyn Error>> {
    Ok(count(name)?.1)
}

/// The instructions up to the end of each call of the counted function since that of the one before, where this program runs
/// with these arguments.
pub fn each(arguments: &[&str]) -> Result<Vec<u64>, Box<dyn Error>> {
    let file = env::temp_dir().join(format!("taut-counts.{}.each", std::process::id()));
    let outcome = count_into(&file, &["--dump-after="], arguments);
    // One file for each call, and one with what came after the last.
    let mut counts = Vec::new();
    for number in 1.. {
        let part = file.with_extension(format!("each.{number}"));
        let Ok(profile) = std::fs::read_to_string(&part) else { break };
        let _ = std::fs::remove_file(&part);
        counts.extend(
            profile.lines().find_map(|line| line.strip_prefix("summary: ")?.trim().parse::<u64>().ok()),
        );
    }
    let _ = std::fs::remove_file(&file);
    outcome.map(|_| counts)
}

/// The messages of callgrind and its profile.
fn count(name: &str) -> Result<(String, String), Box<dyn Error>> {
    let file = env::temp_dir().join(format!("taut-counts.{}.{name}", std::process::id()));
    let outcome = count_into(&file, &["--toggle-collect="], &["run", name])
        .and_then(|messages| Ok((messages, std::fs::read_to_string(&file)?)));
    // What it says was read; a file that stays behind does no harm.
    let _ = std::fs::remove_file(&file);
    outcome
}

/// The C library fills and copies more than about 2000 bytes by an instruction that counts once for each byte: whether the
/// compiler calls it or writes a loop would show in counts, by some percent, and not in times.
const COUNTABLE_COPIES: &str =
    "glibc.cpu.x86_rep_stosb_threshold=1000000000:glibc.cpu.x86_rep_movsb_threshold=1000000000";

/// Runs this program under callgrind, which does what `at_counted` says whenever the counted function begins or ends.
fn count_into(profile: &Path, at_counted: &[&str], arguments: &[&str]) -> Result<String, Box<dyn Error>> {
    let output = Command::new("valgrind")
        .arg("--tool=callgrind")
        .arg(format!("--callgrind-out-file={}", profile.display()))
        .args(at_counted.iter().map(|action| format!("{action}*workloads*counted*")))
        .arg(env::current_exe()?)
        .args(arguments)
        .env("GLIBC_TUNABLES", COUNTABLE_COPIES)
        .output()
        .map_err(|cause| {
            format!("valgrind cannot be run ({cause}); it is a package of most distributions")
        })?;
    let messages = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() {
        Ok(messages)
    } else {
        Err(format!("{} failed:\n{messages}", arguments.join(" ")).into())
    }
}

/// What counts depend on beside the code: the compiler, the C library with its sines, the vector unit.
pub fn surroundings() -> Result<String, Box<dyn Error>> {
    let vectors = match cfg!(target_arch = "x86_64") && std::arch::is_x86_feature_detected!("avx2") {
        true => "avx2",
        false => "no avx2",
    };
    Ok(format!("{}; {}; {vectors}", first_line("rustc", "--version")?, first_line("ldd", "--version")?))
}

fn first_line(program: &str, argument: &str) -> Result<String, Box<dyn Error>> {
    let output = Command::new(program).arg(argument).output()?;
    Ok(String::from_utf8_lossy(&output.stdout).lines().next().unwrap_or_default().to_owned())
}
