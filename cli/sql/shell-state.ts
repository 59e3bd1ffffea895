import type { Instant } from '../../primitives/instants.ts'
import type { Output } from '../../service/output.ts'
import type { SqlFormat } from '../../warehouse/export/format.ts'

/** Formats that a terminal can show. */
export const SHELL_MODES = ['table', 'json', 'ndjson', 'csv', 'csv-exact'] as const satisfies readonly SqlFormat[]
type ShellMode = (typeof SHELL_MODES)[number]

/** Settings that dot commands change; null: now. */
export type ShellState = { as_of: Instant | null; mode: ShellMode }

/** Statements that the shell runs: a SELECT, its plan, or the figures of a view. */
export type ShellStatement = {
  readonly kind: 'select' | 'explain' | 'describe' | 'summarize'
  /** The SELECT, or the name of the view. */
  readonly subject: string
  readonly as_of: Instant | null
  readonly mode: ShellMode
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal
}

/** Parts of a shell that reach outside. */
export type ShellPorts = {
  readonly output: Output
  readonly execute: (statement: ShellStatement) => Promise<void>
}
