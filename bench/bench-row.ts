/** One measured figure of a benchmark, printed as a JSON line and a table row. */
export type BenchRow = {
  /** Name of the measurement, such as `import.recorded.seconds`. */
  readonly figure: string
  /** Median of the rounds. */
  readonly value: number
  /** Unit of `value`; `x` for a ratio. */
  readonly unit: string
  /** Threshold and its side; null if the figure is printed for comparison only. */
  readonly goal: { readonly at_least: number } | { readonly at_most: number } | null
  /** Values of every round, and other facts that explain the figure. */
  readonly details: Readonly<Record<string, string | number | readonly number[]>>
}
