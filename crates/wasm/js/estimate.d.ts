export interface Models {
  /** The cost of lattice reduction: adps16, bdgl16, chengu12, gj21, kyber, matzov, …; matzov if it is left out. */
  model?: string;
  /** The shape of a reduced basis: gsa, zgsa, lgsa or cn11; gsa if it is left out. */
  basis?: "gsa" | "zgsa" | "lgsa" | "cn11";
}

export interface LWE extends Models {
  /** Unknown coefficients: degree times rank. */
  n: number;
  q: number | bigint;
  /** Such as `binomial:3`, `ternary`, `uniform:4`, `gaussian:3.2` or `ternary:h=192`. */
  secret: string;
  error: string;
  /** As many as are useful, if they are left out. */
  samples?: number;
}

export interface NTRU extends Models {
  n: number;
  q: number | bigint;
  secret: string;
  error: string;
}

export interface SIS extends Models {
  n: number;
  q: number | bigint;
  /** Of the length of a solution, or of each of its coordinates. */
  bound: number;
  infinity?: boolean;
  /** Columns; as many as are useful, if they are left out. */
  width?: number;
}

export interface Attack {
  attack: string;
  /** log2 of operations; null, with a reason, if the attack has no cost. */
  bits: number | null;
  memoryBits?: number | null;
  parameters?: Record<string, number>;
  reason?: string;
}

export interface Estimate {
  attacks: Attack[];
  cheapest: Attack | null;
  warning: string | null;
}

/** What the known attacks cost, by the names that the lattice-estimator has for them. */
export declare function estimate(problem: "lwe", opts: LWE): Estimate;
export declare function estimate(problem: "ntru", opts: NTRU): Estimate;
export declare function estimate(problem: "sis", opts: SIS): Estimate;
