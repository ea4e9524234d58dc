//! Functions in the assembly that rustc writes for x86-64 (AT&T syntax), and what is in them.

use rustc_demangle::demangle;

/// A function and its instructions.
pub(super) struct Function<'a> {
    /// Demangled, with generic arguments.
    pub(super) name: String,
    instructions: Vec<Instruction<'a>>,
}

struct Instruction<'a> {
    mnemonic: &'a str,
    operands: &'a str,
}

/// What a shell is judged by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    /// Vector multiplications.
    pub(super) multiplies: usize,
    /// Calls of anything, also as a last jump.
    pub(super) calls: usize,
    /// Calls that end in a panic.
    pub(super) panics: usize,
    /// Instructions that move a vector to or from the stack.
    pub(super) spills: usize,
    pub(super) instructions: usize,
    pub(super) divisions: usize,
}

/// The functions of an assembly file.
pub(super) fn functions(text: &str) -> impl Iterator<Item = Function<'_>> {
    text.split("\t.type\t").skip(1).filter_map(|section| {
        let (symbol, body) = section.split_once(",@function\n")?;
        let body = body.split("\t.size\t").next()?;
        let instructions = body.lines().filter_map(instruction).collect();
        Some(Function { name: format!("{:#}", demangle(symbol)), instructions })
    })
}

/// A line that is no label, directive or comment.
fn instruction(line: &str) -> Option<Instruction<'_>> {
    let line = line.split('#').next()?;
    let code = line.strip_prefix('\t')?.trim();
    let (mnemonic, operands) = code.split_once(char::is_whitespace).unwrap_or((code, ""));
    let real = !mnemonic.is_empty() && !mnemonic.starts_with('.');
    real.then_some(Instruction { mnemonic, operands: operands.trim() })
}

impl Function<'_> {
    pub(super) fn counts(&self) -> Counts {
        // Otherwise the frame pointer is a register like any other.
        let framed = self.instructions.iter().any(|i| i.mnemonic == "movq" && i.operands == "%rsp, %rbp");
        let mut counts = Counts { instructions: self.instructions.len(), ..Counts::default() };
        for instruction in &self.instructions {
            counts.multiplies += usize::from(instruction.is_vector_multiply());
            counts.spills += usize::from(instruction.is_spill(framed));
            counts.divisions += usize::from(instruction.is_division());
            if let Some(callee) = instruction.callee() {
                counts.calls += 1;
                counts.panics += usize::from(is_panic(&callee));
            }
        }
        counts
    }
}

impl Instruction<'_> {
    fn is_vector_multiply(&self) -> bool {
        ["vpmul", "vpmadd", "pmul", "pmadd"].iter().any(|stem| self.mnemonic.starts_with(stem))
    }

    fn is_division(&self) -> bool {
        ["div", "idiv"].iter().any(|stem| self.mnemonic.starts_with(stem))
    }

    fn is_spill(&self, framed: bool) -> bool {
        let vector = ["%xmm", "%ymm", "%zmm"].iter().any(|register| self.operands.contains(register));
        vector && (self.operands.contains("(%rsp") || framed && self.operands.contains("(%rbp"))
    }

    /// Whom this calls: a call, or a jump out of the function.
    fn callee(&self) -> Option<String> {
        let target = self.operands.trim_start_matches('*');
        let is_call = self.mnemonic.starts_with("call");
        // A jump through a register is a table of this function's own labels.
        let leaves = self.mnemonic.starts_with('j') && !target.starts_with(".L") && !target.starts_with('%');
        if !is_call && !leaves {
            return None;
        }
        let symbol = target.split(['@', '(']).next().unwrap_or_default();
        Some(format!("{:#}", demangle(symbol)))
    }
}

/// Whether a function of the standard library is one that only panics.
fn is_panic(name: &str) -> bool {
    let stems = ["panic", "unwrap_failed", "expect_failed", "slice_index", "_len_fail", "handle_error", "alloc_error"];
    stems.iter().any(|stem| name.contains(stem))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLE: &str = "\
\t.file\t\"kernels.rs\"
\t.section\t.text.a,\"ax\",@progbits
\t.p2align\t4
\t.type\t_RINvNtNtCs8_14ringwork_lanes3x864avx27shell16NtCs9_12ringwork_ntt7ForwardEB4_,@function
_RINvNtNtCs8_14ringwork_lanes3x864avx27shell16NtCs9_12ringwork_ntt7ForwardEB4_:
.Lfunc_begin0:
\t.cfi_startproc
\tpushq\t%rbp
\tsubq\t$40, %rsp
\tvpmulhw\t(%rdi), %ymm0, %ymm1
\tvpmullw\t(%rbp), %ymm0, %ymm2 # no spill: rbp is data here
\tvmovdqu\t%ymm1, 8(%rsp)        # 32-byte Spill
\tvpaddw\t8(%rsp,%rax), %ymm1, %ymm1
\tmovq\t%rdi, 40(%rsp)
.LBB0_1:
\tdecq\t%rax
\tjne\t.LBB0_1
\tjmpq\t*%rcx
\tidivl\t%ecx
\tcallq\t*_RNvNtCs7_4core9panicking18panic_bounds_check@GOTPCREL(%rip)
\tvzeroupper
\tretq
\tjmp\tmemcpy@PLT
.Lfunc_end0:
\t.size\t_RINvNtNtCs8_14ringwork_lanes3x864avx27shell16NtCs9_12ringwork_ntt7ForwardEB4_, .Lfunc_end0-x
\t.cfi_endproc

\t.type\tmain,@function
main:
\tmovq\t%rsp, %rbp
\tvmovdqa\t%xmm0, -32(%rbp)
\tretq
\t.size\tmain, .Lfunc_end1-main
\t.type\ttable,@object
table:
\t.long\t1
";

    #[test]
    fn counts_what_is_there() {
        let found: Vec<Function<'_>> = functions(SAMPLE).collect();
        let names: Vec<&str> = found.iter().map(|function| function.name.as_str()).collect();
        assert_eq!(names, ["ringwork_lanes::x86::avx2::shell16::<ringwork_ntt::Forward>", "main"]);
        assert_eq!(
            found[0].counts(),
            Counts { multiplies: 2, calls: 2, panics: 1, spills: 2, instructions: 15, divisions: 1 }
        );
        assert_eq!(found[1].counts(), Counts { spills: 1, instructions: 3, ..Counts::default() });
    }
}
