//! [`add_product`](crate::add_product) by the two carry chains of ADX: assembly, because compilers know one of them. Not
//! on Windows, where what moves the stack pointer needs tables of another kind.

use super::CarryChains;

impl CarryChains {
    /// As [`add_product`](crate::add_product).
    #[inline]
    pub(crate) fn add_product(self, out: &mut [u64], rows: &[u64], strip: &[u64; 8]) {
        assert_eq!(out.len(), rows.len() + 8, "limbs of the product of {} and 8 limbs", rows.len());
        if rows.is_empty() {
            return out.fill(0);
        }
        // SAFETY: the instructions by `self`. There is a row; `rows.len()` limbs are read from `rows` and from `out`,
        // eight from `strip`, and `rows.len() + 8` are written to `out`, which has so many.
        unsafe { add_product(out.as_mut_ptr(), rows.as_ptr(), rows.len() as u64, strip.as_ptr()) }
    }
}

/// Column `j` of a row: adds the low limb of its product by the chain of CF, and the high limb of the column before by
/// that of OF.
macro_rules! column {
    ($j:literal $sum:literal $high:literal) => {
        concat!("adox ", $sum, ", rbp\n mulx ", $high, ", rax, [rbx + 8*", $j, "]\n adcx ", $sum, ", rax\n")
    };
}

/// Row `k` of eight. The sum is in the registers, lowest limb first. With the limb of `out` its lowest limb is complete,
/// and its register takes the highest one. The product, the sum and the limb of `out` fit nine limbs.
macro_rules! row {
    ($k:literal $a:literal $b:literal $c:literal $d:literal $e:literal $f:literal $g:literal $h:literal) => {
        concat!(
            concat!("2", $k, ": mov rdx, [rsi + 8*", $k, "]\n xor eax, eax\n"),
            concat!("adox ", $a, ", [rdi + 8*", $k, "]\n mulx rbp, rax, [rbx]\n adcx ", $a, ", rax\n"),
            concat!("mov [rdi + 8*", $k, "], ", $a, "\n"),
            column!(1 $b "rbp"),
            column!(2 $c "rbp"),
            column!(3 $d "rbp"),
            column!(4 $e "rbp"),
            column!(5 $f "rbp"),
            column!(6 $g "rbp"),
            column!(7 $h $a),
            concat!("adox ", $a, ", [rsp]\n adc ", $a, ", 0"), // a zero
        )
    };
}

/// Saves registers, and says where for those who walk the stack.
macro_rules! push {
    ($($register:literal)*) => {
        concat!($("push ", $register, "\n .cfi_adjust_cfa_offset 8\n .cfi_rel_offset ", $register, ", 0\n"),*)
    };
}

/// `out`, `rows`, at least one, their number, and `strip`.
///
/// RDI is `out`, RSI `rows`, RCX the rounds of eight rows, RBX `strip`, R8 to R15 the sum, and RSP points to a zero. If
/// the number of rows is no multiple of eight, the first round is entered in its middle, with both pointers moved back
/// by the rows that are left out; the sum is zero then, and any register may be its lowest limb.
#[unsafe(naked)]
unsafe extern "sysv64" fn add_product(out: *mut u64, rows: *const u64, count: u64, strip: *const u64) {
    core::arch::naked_asm!(
        ".cfi_startproc",
        push!("rbx" "rbp" "r12" "r13" "r14" "r15"),
        "push 0\n .cfi_adjust_cfa_offset 8",
        "mov rbx, rcx",
        "mov rcx, rdx\n neg rdx\n and rdx, 7", // rows that are left out
        "add rcx, rdx\n shr rcx, 3",
        "lea rax, [8*rdx]\n sub rsi, rax\n sub rdi, rax",
        "xor r8d, r8d\n xor r9d, r9d\n xor r10d, r10d\n xor r11d, r11d",
        "xor r12d, r12d\n xor r13d, r13d\n xor r14d, r14d\n xor r15d, r15d",
        "cmp edx, 1\n jb 20f\n je 21f\n cmp edx, 3\n jb 22f\n je 23f",
        "cmp edx, 5\n jb 24f\n je 25f\n cmp edx, 7\n jb 26f\n jmp 27f",
        row!(0 "r8" "r9" "r10" "r11" "r12" "r13" "r14" "r15"),
        row!(1 "r9" "r10" "r11" "r12" "r13" "r14" "r15" "r8"),
        row!(2 "r10" "r11" "r12" "r13" "r14" "r15" "r8" "r9"),
        row!(3 "r11" "r12" "r13" "r14" "r15" "r8" "r9" "r10"),
        row!(4 "r12" "r13" "r14" "r15" "r8" "r9" "r10" "r11"),
        row!(5 "r13" "r14" "r15" "r8" "r9" "r10" "r11" "r12"),
        row!(6 "r14" "r15" "r8" "r9" "r10" "r11" "r12" "r13"),
        row!(7 "r15" "r8" "r9" "r10" "r11" "r12" "r13" "r14"),
        "add rsi, 64\n add rdi, 64\n dec rcx\n jnz 20b",
        "mov [rdi], r8\n mov [rdi + 8], r9\n mov [rdi + 16], r10\n mov [rdi + 24], r11",
        "mov [rdi + 32], r12\n mov [rdi + 40], r13\n mov [rdi + 48], r14\n mov [rdi + 56], r15",
        "pop rax\n pop r15\n pop r14\n pop r13\n pop r12\n pop rbp\n pop rbx",
        ".cfi_adjust_cfa_offset -56\n ret\n .cfi_endproc",
    );
}
