//! The backends of this crate in one table, and the dispatch of computations to them.

use crate::{
    Lanes, Task16, Task32, Task64, TaskBits,
    task::{InstructionSet, shell_bits, shell16, shell32, shell64},
};
use core::fmt;

/// The table of backends: passes its rows to the named macro.
///
/// Arrays: variant, name, lanes of 16, 32 and 64 bits. Machines: documentation, variant, name, lanes of 16, 32 and 64
/// bits and of 64-bit strings in small and in large vectors, the `cfg` that the compiler must satisfy, and the module
/// that defines an [`InstructionSet`] with the variant's name; for each architecture the best one is last.
macro_rules! backends {
    ($receiver:ident! $arguments:tt) => {
        $receiver! {
            $arguments
            arrays {
                Array64 "array64" 4 2 1;
                Array128 "array128" 8 4 2;
                Array256 "array256" 16 8 4;
                Array512 "array512" 32 16 8;
            }
            machines {
                /// SSE4.1 and SSSE3, with the feature `sse41`: 8 lanes of 16 bits, 4 of 32 bits, 2 of 64 bits.
                Sse41 "sse4.1" 8 4 2 2 2 (all(target_arch = "x86_64", target_feature = "sse2", feature = "sse41")) x86;
                /// AVX2, FMA, POPCNT, BMI1 and BMI2: 16 lanes of 16 bits, 8 of 32 bits, 4 of 64 bits.
                Avx2 "avx2" 16 8 4 4 4 (all(target_arch = "x86_64", target_feature = "sse2")) x86;
                /// AVX-512 F, VL, BW and DQ: 32 lanes of 16 bits, 16 of 32 bits, 8 of 64 bits; 4 strings of 64 bits in
                /// small vectors, 8 in large.
                Avx512 "avx512" 32 16 8 4 8 (all(target_arch = "x86_64", target_feature = "sse2")) x86;
                /// NEON of AArch64: 8 lanes of 16 bits, 4 of 32 bits, 2 of 64 bits.
                Neon "neon" 8 4 2 2 2 (all(target_arch = "aarch64", target_feature = "neon", target_endian = "little")) aarch64;
                /// The vectors of WebAssembly, without relaxed SIMD: 8 lanes of 16 bits, 4 of 32 bits, 2 of 64 bits.
                Simd128 "simd128" 8 4 2 2 2 (all(target_arch = "wasm32", target_feature = "simd128")) wasm;
            }
        }
    };
}

/// Lanes per vector for each width, narrowest word first, and the repetition of words in tables.
type Shape = [(usize, usize); 3];

const fn shape<S: InstructionSet>() -> Shape {
    [(S::Of16::LANES, S::Of16::REPEAT), (S::Of32::LANES, S::Of32::REPEAT), (S::Of64::LANES, S::Of64::REPEAT)]
}

/// Defines [`Backend`] from the table.
macro_rules! define {
    (
        ()
        arrays { $($array:ident $array_name:literal $of16:literal $of32:literal $of64:literal;)* }
        machines { $(
            $(#[$doc:meta])*
            $machine:ident $name:literal $on16:literal $on32:literal $on64:literal
            $on_bits:literal $on_wide_bits:literal ($cfg:meta) $module:ident;
        )* }
    ) => {
        /// A way to compute on this machine; for instruction sets, a value proves that the machine has them.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Backend {
            /// One word at a time, in general registers.
            Scalar,
            $(
                #[cfg(feature = "arrays")]
                #[doc = concat!(
                    "Arrays of ", $of16, ", ", $of32, " and ", $of64, " words of 16, 32 and 64 bits. Slow; for tests."
                )]
                $array,
            )*
            $($(#[$doc])* $machine($machine),)*
        }

        impl Backend {
            /// Every backend that can run here: the scalar one, arrays if the feature `arrays` is on, and the machine's
            /// from the simplest to the best.
            pub fn available() -> impl DoubleEndedIterator<Item = Self> + Clone {
                [
                    Some(Self::Scalar),
                    $(#[cfg(feature = "arrays")] Some(Self::$array),)*
                    $(<$machine as InstructionSet>::detect().map(Self::$machine),)*
                ]
                .into_iter()
                .flatten()
            }

            /// The name used in reports and on the command line.
            pub const fn name(self) -> &'static str {
                match self {
                    Self::Scalar => "scalar",
                    $(#[cfg(feature = "arrays")] Self::$array => $array_name,)*
                    $(Self::$machine(_) => $name,)*
                }
            }

            /// Strings of 64 bits in a vector; see [`LanesBits`](crate::LanesBits).
            pub const fn bit_lanes(self) -> usize {
                match self {
                    Self::Scalar => 1,
                    $(#[cfg(feature = "arrays")] Self::$array => $of64,)*
                    $(Self::$machine(_) => $on_bits,)*
                }
            }

            /// Strings of 64 bits in a vector of the largest size.
            pub const fn wide_bit_lanes(self) -> usize {
                match self {
                    Self::Scalar => 1,
                    $(#[cfg(feature = "arrays")] Self::$array => $of64,)*
                    $(Self::$machine(_) => $on_wide_bits,)*
                }
            }

            /// Runs a task over strings of 64 bits in vectors of the largest size.
            #[inline]
            pub fn run_bits_widely<T: TaskBits>(self, task: T) -> T::Output {
                match self {
                    $(Self::$machine(instructions) => instructions.run_bits_widely(task),)*
                    _ => self.run_bits(task),
                }
            }

            /// Runs a task over single strings of 64 bits, with the instructions for general registers.
            #[inline]
            pub fn run_bits_singly<T: TaskBits>(self, task: T) -> T::Output {
                match self {
                    $(Self::$machine(instructions) => instructions.run_bits_singly(task),)*
                    _ => shell_bits::<1, T>(task),
                }
            }

            /// Whether this is one of the array shapes, which exist only with the feature `arrays`.
            pub const fn is_array(self) -> bool {
                match self {
                    $(#[cfg(feature = "arrays")] Self::$array => true,)*
                    _ => false,
                }
            }

            /// See [`Lanes64::KEEPS_DOUBLES`](crate::Lanes64::KEEPS_DOUBLES); for a machine's vectors.
            pub const fn keeps_doubles(self) -> bool {
                match self {
                    $(Self::$machine(_) => <<$machine as InstructionSet>::Of64 as crate::Lanes64>::KEEPS_DOUBLES,)*
                    _ => false,
                }
            }

            /// Runs a task over 64-bit lanes of a machine that keep doubles, if this backend has them: no code is
            /// generated for others.
            #[inline]
            pub fn run64_of_doubles<T: Task64>(self, task: T) -> Option<T::Output> {
                match self {
                    $(
                        Self::$machine(instructions)
                            if const { <<$machine as InstructionSet>::Of64 as crate::Lanes64>::KEEPS_DOUBLES } =>
                        {
                            Some(instructions.run64(task))
                        }
                    )*
                    _ => None,
                }
            }

            /// Whether this backend has lanes with [`Lanes64::MULTIPLIES_52`](crate::Lanes64::MULTIPLIES_52).
            pub fn multiplies_52(self) -> bool {
                match self {
                    $(Self::$machine(instructions) => instructions.multiplies_52(),)*
                    _ => false,
                }
            }

            /// Runs a task over those lanes, if this backend has them.
            #[inline]
            pub fn run64_of_52<T: Task64>(self, task: T) -> Option<T::Output> {
                match self {
                    $(Self::$machine(instructions) => instructions.run64_of_52(task),)*
                    _ => None,
                }
            }

            const fn shape(self) -> Shape {
                match self {
                    Self::Scalar => [(1, 1); 3],
                    $(#[cfg(feature = "arrays")] Self::$array => [($of16, 1), ($of32, 1), ($of64, 1)],)*
                    $(Self::$machine(_) => const { shape::<$machine>() },)*
                }
            }
        }

        /// The largest number of lanes of any backend, on this machine or not.
        pub const MAX_LANES: usize = {
            let shapes = [
                $([($of16, 1), ($of32, 1), ($of64, 1)],)*
                $(shape::<$machine>(),)*
            ];
            let (mut largest, mut i) = (1, 0);
            while i < 3 * shapes.len() {
                let (lanes, _) = shapes.as_flattened()[i];
                if lanes > largest {
                    largest = lanes;
                }
                i += 1;
            }
            largest
        };

        /// Name and lanes of 16, 32 and 64 bits of every instruction set of any architecture, on this machine or not.
        pub const MACHINES: &[(&str, [usize; 3])] = &[$(($name, [$on16, $on32, $on64])),*];

        /// Whether some backend of the compilation target, arrays excluded, has `lanes` lanes of `bits` bits (16, 32 or
        /// 64).
        pub const fn has_lanes(lanes: usize, bits: u32) -> bool {
            let width = bits.ilog2() as usize - 4;
            lanes == 1 $(|| cfg!($cfg) && [$on16, $on32, $on64][width] == lanes)*
        }

        $(
            #[cfg($cfg)]
            pub use crate::$module::$machine;

            #[cfg($cfg)]
            const _: () = {
                let [(of16, _), (of32, _), (of64, _)] = shape::<$machine>();
                assert!(of16 == $on16 && of32 == $on32 && of64 == $on64, "lanes as the table says");
                let on_bits = <<$machine as InstructionSet>::OfBits as crate::LanesBits>::LANES;
                let on_wide_bits = <<$machine as InstructionSet>::OfWideBits as crate::LanesBits>::LANES;
                assert!(on_bits == $on_bits && on_wide_bits == $on_wide_bits, "lanes as the table says");
            };

            #[cfg(not($cfg))]
            #[doc = concat!("The instruction set ", $name, ", which this machine does not have.")]
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
            pub struct $machine(core::convert::Infallible);

            #[cfg(not($cfg))]
            impl InstructionSet for $machine {
                type Of16 = crate::scalar::Arrays<i16, $on16>;
                type Of32 = crate::scalar::Arrays<i32, $on32>;
                type Of64 = crate::scalar::Arrays<i64, $on64>;
                type OfBits = crate::scalar::Arrays<u64, $on_bits>;
                type OfWideBits = crate::scalar::Arrays<u64, $on_wide_bits>;
                fn detect() -> Option<Self> {
                    None
                }
                fn run16<T: Task16>(self, _: T) -> T::Output {
                    match self.0 {}
                }
                fn run32<T: Task32>(self, _: T) -> T::Output {
                    match self.0 {}
                }
                fn run64<T: Task64>(self, _: T) -> T::Output {
                    match self.0 {}
                }
                fn run_bits<T: TaskBits>(self, _: T) -> T::Output {
                    match self.0 {}
                }
                fn run_bits_singly<T: TaskBits>(self, _: T) -> T::Output {
                    match self.0 {}
                }
            }
        )*
    };
}

backends!(define!());

/// Defines the functions that run tasks of one width on a backend.
macro_rules! way {
    (
        ($bits:literal $task:ident $run:ident $run_on_machine:ident $run_on_vectors:ident $shell:ident)
        arrays { $($array:ident $name:literal $of16:literal $of32:literal $of64:literal;)* }
        machines { $(
            $(#[$doc:meta])*
            $machine:ident $machine_name:literal $on16:literal $on32:literal $on64:literal
            $on_bits:literal $on_wide_bits:literal ($cfg:meta) $module:ident;
        )* }
    ) => {
        impl Backend {
            #[doc = concat!("Runs a task over ", $bits, "-bit lanes.")]
            #[inline]
            pub fn $run<T: $task>(self, task: T) -> T::Output {
                match self {
                    $(
                        #[cfg(feature = "arrays")]
                        Self::$array => $shell::<{ Self::$array.lanes($bits) }, T>(task),
                    )*
                    _ => self.$run_on_machine(task),
                }
            }

            #[doc = concat!("[`", stringify!($run), "`](Self::", stringify!($run), ") without code for arrays,")]
            /// which for large tasks would be most of the code.
            ///
            /// **Panics** on arrays.
            #[inline]
            pub fn $run_on_machine<T: $task>(self, task: T) -> T::Output {
                match self {
                    Self::Scalar => $shell::<1, T>(task),
                    $(Self::$machine(instructions) => instructions.$run(task),)*
                    #[cfg(feature = "arrays")]
                    _ => panic!("{self} is no machine: this task is compiled for machines only"),
                }
            }

            #[doc = concat!("[`", stringify!($run), "`](Self::", stringify!($run), ") without code for arrays and for single words.")]
            ///
            /// **Panics** on these.
            #[inline]
            pub fn $run_on_vectors<T: $task>(self, task: T) -> T::Output {
                match self {
                    $(Self::$machine(instructions) => instructions.$run(task),)*
                    _ => panic!("{self} has no vectors of a machine"),
                }
            }
        }
    };
}

/// Defines the functions that run tasks of one width on vectors with a given number of lanes.
macro_rules! way_by_lanes {
    (
        ($bits:literal $task:ident $run:ident $run_on_lanes:ident $shell:ident)
        arrays { $($array:ident $name:literal $of16:literal $of32:literal $of64:literal;)* }
        machines { $(
            $(#[$doc:meta])*
            $machine:ident $machine_name:literal $on16:literal $on32:literal $on64:literal
            $on_bits:literal $on_wide_bits:literal ($cfg:meta) $module:ident;
        )* }
    ) => {
        impl Backend {
            #[doc = concat!("Runs a task over `LANES` lanes of ", $bits, " bits of a machine, if this backend has them:")]
            /// no code is generated for backends with another number.
            #[inline]
            pub fn $run_on_lanes<const LANES: usize, T: $task>(self, task: T) -> Option<T::Output> {
                match self {
                    Self::Scalar if const { LANES == 1 } => Some($shell::<1, T>(task)),
                    $(
                        Self::$machine(instructions)
                            if const { shape::<$machine>()[$bits / 32].0 == LANES } =>
                        {
                            Some(instructions.$run(task))
                        }
                    )*
                    _ => None,
                }
            }
        }
    };
}

backends!(way_by_lanes! (16 Task16 run16 run_on_lanes16 shell16));
backends!(way_by_lanes! (32 Task32 run32 run_on_lanes32 shell32));
backends!(way_by_lanes! (64 Task64 run64 run_on_lanes64 shell64));

backends!(way! (16 Task16 run16 run_on_machine16 run_on_vectors16 shell16));
backends!(way! (32 Task32 run32 run_on_machine32 run_on_vectors32 shell32));
backends!(way! (64 Task64 run64 run_on_machine64 run_on_vectors64 shell64));
backends!(way! (64 TaskBits run_bits run_bits_on_machine run_bits_on_vectors shell_bits));

impl Backend {
    /// The fastest backend of this machine; [`Scalar`](Self::Scalar) under Miri.
    pub fn best() -> Self {
        Self::machines().next().unwrap_or(Self::Scalar)
    }

    /// The backends of this machine in order of preference: the best first, the scalar one last.
    pub fn machines() -> impl Iterator<Item = Self> + Clone {
        Self::available().rev().filter(|backend| !backend.is_array())
    }

    /// The backend of that name, if this machine has it.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::available().find(|backend| backend.name() == name)
    }

    /// Words of `bits` bits (16, 32 or 64) in a vector; 1 if there are no vectors of such words.
    pub const fn lanes(self, bits: u32) -> usize {
        self.shape()[bits.ilog2() as usize - 4].0
    }

    /// [`Lanes::REPEAT`] of its lanes of `bits` bits.
    pub const fn repeat(self, bits: u32) -> usize {
        self.shape()[bits.ilog2() as usize - 4].1
    }

    /// This backend if it has at most `lanes` lanes of `bits` bits, else the best such backend of its kind (machines or
    /// arrays): for data whose format has blocks of `lanes` words.
    pub fn at_most(self, lanes: usize, bits: u32) -> Self {
        if self.lanes(bits) <= lanes {
            return self;
        }
        let narrow = |backend: &Self| backend.is_array() == self.is_array() && backend.lanes(bits) <= lanes;
        Self::available().rev().find(narrow).unwrap_or(Self::Scalar)
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
