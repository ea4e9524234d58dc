//! Functions in the objects of a library for x86-64, as `objdump` shows them (AT&T syntax), and what is in
//! them.

use rustc_demangle::demangle;

/// A function and its instructions.
pub(super) struct Function<'a> {
    /// Demangled, with generic arguments: of functions that are alike the compiler keeps one, which has the
    /// names of all.
    pub(super) names: Vec<String>,
    instructions: Vec<Instruction<'a>>,
}

struct Instruction<'a> {
    mnemonic: &'a str,
    operands: &'a str,
    /// What the linker puts in: a symbol with an offset.
    symbol: Option<&'a str>,
}

/// What a shell is judged by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    /// Vector multiplications.
    pub(super) multiplies: usize,
    /// Permutations of two vectors by a table, which the compiler may put where cheaper shuffles were written.
    pub(super) permutes: usize,
    /// Calls of anything, also as a last jump.
    pub(super) calls: usize,
    /// Calls that end in a panic.
    pub(super) panics: usize,
    /// Instructions that move a vector to or from the stack.
    pub(super) spills: usize,
    pub(super) instructions: usize,
    pub(super) divisions: usize,
    /// Calls of functions of vectors: what they are given goes through memory, and they may be compiled without the
    /// instructions of the shell.
    pub(super) outlined: usize,
}

/// The functions of a listing, which `objdump --syms -dr --no-show-raw-insn` has written.
pub(super) fn functions(listing: &str) -> impl Iterator<Item = Function<'_>> {
    listing.split(":     file format ").flat_map(|object| {
        let symbols: Vec<Symbol<'_>> = object.lines().filter_map(Symbol::read).collect();
        object.split("\n\n").filter_map(move |section| {
            // `0000000000000000 <symbol>:`
            let (head, body) = section.trim_start_matches('\n').split_once(">:\n")?;
            let (_, shown) = head.split_once(" <")?;
            let place = symbols.iter().find(|symbol| symbol.name == shown)?.place;
            let names = symbols.iter().filter(|symbol| symbol.place == place);
            let names = names.map(|symbol| format!("{:#}", demangle(symbol.name))).collect();
            Some(Function { names, instructions: instructions(body) })
        })
    })
}

/// A function in the table of an object's symbols.
struct Symbol<'a> {
    name: &'a str,
    /// Address and section.
    place: (&'a str, &'a str),
}

impl<'a> Symbol<'a> {
    /// `0000000000000000 g     F .text.main\t000000000000000c .hidden main`
    fn read(line: &'a str) -> Option<Self> {
        let (place, name) = line.split_once('\t')?;
        let (address, rest) = place.split_once(' ')?;
        let (_, section) = rest.split_once(" F ")?;
        Some(Self { name: name.rsplit(' ').next()?, place: (address, section) })
    }
}

/// Lines of code, `  1a:\tvpmulhw (%rdi),%ymm0,%ymm1`, and behind some what is relocated in them,
/// `\t\t\t1c: R_X86_64_PLT32\tsymbol-0x4`.
fn instructions(body: &str) -> Vec<Instruction<'_>> {
    let mut found: Vec<Instruction<'_>> = Vec::new();
    for line in body.lines() {
        if let Some((_, relocation)) = line.split_once(": R_X86_64_") {
            let symbol = relocation.split_once('\t').map(|(_, symbol)| symbol);
            if let Some(last) = found.last_mut() {
                last.symbol = symbol;
            }
        } else if let Some((_, code)) = line.split_once(":\t") {
            let code = code.split('#').next().unwrap_or_default().trim();
            let (mnemonic, operands) = code.split_once(' ').unwrap_or((code, ""));
            found.push(Instruction { mnemonic, operands: operands.trim(), symbol: None });
        }
    }
    found.retain(|instruction| !instruction.is_padding());
    found
}

/// The bytes of machine code in a listing of sections by `objdump -h`.
pub(super) fn code_bytes(sections: &str) -> usize {
    let size = |line: &str| {
        let mut fields = line.split_whitespace().skip(1);
        fields.next().filter(|name| name.starts_with(".text"))?;
        usize::from_str_radix(fields.next()?, 16).ok()
    };
    sections.lines().filter_map(size).sum()
}

impl Function<'_> {
    pub(super) fn counts(&self) -> Counts {
        // Otherwise the frame pointer is a register like any other.
        let framed = self.instructions.iter().any(|i| i.mnemonic == "mov" && i.operands == "%rsp,%rbp");
        let mut counts = Counts { instructions: self.instructions.len(), ..Counts::default() };
        for instruction in &self.instructions {
            counts.multiplies += usize::from(instruction.is_vector_multiply());
            counts.permutes += usize::from(instruction.is_permute());
            counts.spills += usize::from(instruction.is_spill(framed));
            counts.divisions += usize::from(instruction.is_division());
            if let Some(callee) = instruction.callee() {
                counts.calls += 1;
                counts.panics += usize::from(is_panic(&callee));
                counts.outlined += usize::from(is_of_vectors(&callee));
            }
        }
        counts
    }
}

impl Instruction<'_> {
    /// What fills up to an address that loops like to begin at.
    fn is_padding(&self) -> bool {
        self.mnemonic.starts_with("nop")
            || ["data16", "cs"].contains(&self.mnemonic) && self.operands.contains("nop")
            || self.mnemonic == "xchg" && self.operands == "%ax,%ax"
    }

    fn is_vector_multiply(&self) -> bool {
        ["vpmul", "vpmadd", "pmul", "pmadd"].iter().any(|stem| self.mnemonic.starts_with(stem))
    }

    fn is_permute(&self) -> bool {
        ["vpermt2", "vpermi2"].iter().any(|stem| self.mnemonic.starts_with(stem))
    }

    fn is_division(&self) -> bool {
        ["div", "idiv"].iter().any(|stem| self.mnemonic.starts_with(stem))
    }

    fn is_spill(&self, framed: bool) -> bool {
        let vector = ["%xmm", "%ymm", "%zmm"].iter().any(|register| self.operands.contains(register));
        vector && (self.operands.contains("(%rsp") || framed && self.operands.contains("(%rbp"))
    }

    /// Whom this calls: a call, or a jump to what the linker knows. Jumps inside a function need no linker,
    /// and tables of jumps are data.
    fn callee(&self) -> Option<String> {
        let (symbol, _) = self.symbol.and_then(|symbol| symbol.rsplit_once(['-', '+'])).unwrap_or_default();
        let leaves = self.mnemonic.starts_with('j') && !symbol.is_empty() && !symbol.starts_with(".rodata");
        (self.mnemonic.starts_with("call") || leaves)
            .then(|| format!("{:#}", demangle(symbol.trim_start_matches(".text."))))
    }
}

/// Whether a function works on vectors.
fn is_of_vectors(name: &str) -> bool {
    ["core_arch", "ringwork_lanes::"].iter().any(|path| name.contains(path))
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
In archive libntt.rlib:

ntt-cgu.00.rcgu.o:     file format elf64-x86-64

SYMBOL TABLE:
0000000000000000 l    df *ABS*\t0000000000000000 ntt.5f1-cgu.00
0000000000000000 g     F .text._RINvNtNtCs8_14ringwork_lanes3x864avx27shell16NtCs9_12ringwork_ntt7ForwardEB4_\t0000000000000056 _RINvNtNtCs8_14ringwork_lanes3x864avx27shell16NtCs9_12ringwork_ntt7ForwardEB4_
0000000000000000 g     F .text.main\t0000000000000009 main
0000000000000000         *UND*\t0000000000000000 memcpy
0000000000000000 g     F .text.main\t0000000000000009 .hidden _RNvCs9_12ringwork_ntt5alike


Disassembly of section .text._RINvNtNtCs8_14ringwork_lanes3x864avx27shell16NtCs9_12ringwork_ntt7ForwardEB4_:

0000000000000000 <_RINvNtNtCs8_14ringwork_lanes3x864avx27shell16NtCs9_12ringwork_ntt7ForwardEB4_>:
   0:\tpush   %rbp
   1:\tsub    $0x28,%rsp
   5:\tvpmulhw (%rdi),%ymm0,%ymm1
   9:\tvpmullw 0x0(%rbp),%ymm0,%ymm2
   c:\tvpermt2w %ymm0,%ymm1,%ymm2
   e:\tvmovdqu %ymm1,0x8(%rsp)
  14:\tvpaddw 0x8(%rsp,%rax,1),%ymm1,%ymm1
  1a:\tvpbroadcastd 0x0(%rip),%ymm3        # 23 <_RINvNtNtCs8_14ringwork_lanes3x864avx27shell16NtCs9_12ringwork_ntt7ForwardEB4_+0x23>
\t\t\t1f: R_X86_64_PC32\t.rodata.cst4-0x4
  23:\tmov    %rdi,0x28(%rsp)
  28:\tnopl   0x0(%rax,%rax,1)
  30:\tdec    %rax
  33:\tjne    30 <_RINvNtNtCs8_14ringwork_lanes3x864avx27shell16NtCs9_12ringwork_ntt7ForwardEB4_+0x30>
  35:\tjmp    *%rcx
  37:\tidiv   %ecx
  39:\tcall   *0x0(%rip)        # 3f <_RINvNtNtCs8_14ringwork_lanes3x864avx27shell16NtCs9_12ringwork_ntt7ForwardEB4_+0x3f>
\t\t\t3b: R_X86_64_GOTPCREL\t_RNvNtCs7_4core9panicking18panic_bounds_check-0x4
  3f:\tvzeroupper
  42:\tdata16 cs nopw 0x0(%rax,%rax,1)
  50:\tret
  51:\tjmp    56 <_RINvNtNtCs8_14ringwork_lanes3x864avx27shell16NtCs9_12ringwork_ntt7ForwardEB4_+0x56>
\t\t\t52: R_X86_64_PLT32\tmemcpy-0x4
  56:\tcall   5b <_RINvNtNtCs8_14ringwork_lanes3x864avx27shell16NtCs9_12ringwork_ntt7ForwardEB4_+0x5b>
\t\t\t57: R_X86_64_PLT32\t_RNvNtCs8_14ringwork_lanes3x867rounded-0x4

Disassembly of section .text.main:

0000000000000000 <main>:
   0:\tmov    %rsp,%rbp
   3:\tvmovdqa %xmm0,-0x20(%rbp)
   8:\tret
";

    #[test]
    fn counts_what_is_there() {
        let found: Vec<Function<'_>> = functions(SAMPLE).collect();
        assert_eq!(found[0].names, ["ringwork_lanes::x86::avx2::shell16::<ringwork_ntt::Forward>"]);
        assert_eq!(found[1].names, ["main", "ringwork_ntt::alike"], "one function for both");
        assert_eq!(
            found[0].counts(),
            Counts {
                multiplies: 2,
                permutes: 1,
                calls: 3,
                panics: 1,
                spills: 2,
                instructions: 18,
                divisions: 1,
                outlined: 1
            }
        );
        assert_eq!(found[1].counts(), Counts { spills: 1, instructions: 3, ..Counts::default() });
    }

    #[test]
    fn code_is_what_stands_in_sections_of_text() {
        let sections = "\
  2 .text._RNv    000001a4  0000000000000000  0000000000000000  00000040  2**4
                  CONTENTS, ALLOC, LOAD, RELOC, READONLY, CODE
  3 .rodata       00000040  0000000000000000  0000000000000000  000001f0  2**6
  4 .text.main    0000000c  0000000000000000  0000000000000000  00000240  2**4
";
        assert_eq!(code_bytes(sections), 0x1b0);
    }
}
