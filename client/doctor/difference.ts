/** One answer to a question, as a difference shows it. */
export type Side = { readonly request: string; readonly value: unknown }

/** Two answers that contradict each other. */
export type Difference = { readonly field: string; readonly first: Side; readonly second: Side }
