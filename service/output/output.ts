import { once } from 'node:events'
import { Writable } from 'node:stream'
import { createProgress, type Progress } from './progress.ts'
import { renderTable } from './table.ts'

/** The two streams a command writes to. */
export type OutputStreams = {
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean }
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean }
}

/** Results go to standard output, everything else to standard error. */
export type Output = {
  /** One JSON document (or NDJSON) was asked for. */
  readonly json: boolean
  /** Standard output is a terminal. */
  readonly terminal: boolean
  /** Text or bytes as they are; waits while the reader is slow. */
  write(chunk: string | Uint8Array): Promise<void>
  /** Standard output as a stream that may be ended without closing it. */
  sink(): Writable
  /** One line of text. */
  line(text?: string): Promise<void>
  /** One JSON document, indented. */
  document(value: unknown): Promise<void>
  /** One JSON value on a line of its own. */
  record(value: unknown): Promise<void>
  /** A table for people; nothing when there are no rows. */
  table(head: readonly string[], rows: readonly (readonly TableCell[])[]): Promise<void>
  /** One line on standard error. */
  note(text: string): void
  /** A progress bar on standard error; silent unless that is a terminal. */
  progress(label: string): Promise<Progress>
}

export type TableCell = string | number | boolean | null | undefined

/** The output of one run over its two streams. */
export function createOutput(streams: OutputStreams, json: boolean): Output {
  const { stdout, stderr } = streams
  const write = async (chunk: string | Uint8Array): Promise<void> => {
    if (!stdout.write(chunk)) await once(stdout, 'drain')
  }
  return {
    json,
    terminal: stdout.isTTY === true,
    write,
    sink: () => new Writable({ write: (chunk, _encoding, done) => void stdout.write(chunk, done) }),
    line: (text = '') => write(`${text}\n`),
    document: (value) => write(`${JSON.stringify(value, null, 2)}\n`),
    record: (value) => write(`${JSON.stringify(value)}\n`),
    table: async (head, rows) => {
      if (rows.length > 0) await write(`${renderTable(head, rows)}\n`)
    },
    note: (text) => {
      stderr.write(`${text}\n`)
    },
    progress: (label) => createProgress(label, stderr),
  }
}
