/** One measured figure of a benchmark: printed as one JSON line and one table row. */
export type BenchRow = {
  /** Name of the measurement, such as `import.recorded.seconds`. */
  readonly figure: string
  /** Median of the rounds. */
  readonly value: number
  /** Unit of `value`; `x` for a ratio. */
  readonly unit: string
  /** The figure to reach, and on which side of it; null: printed for comparison only. */
  readonly goal: { readonly at_least: number } | { readonly at_most: number } | null
  /** Every round, and what else tells how the figure came about. */
  readonly details: Readonly<Record<string, string | number | readonly number[]>>
}
