import { once } from 'node:events'
import { Writable } from 'node:stream'
import Table from 'cli-table3'
import { fitWidths } from '../primitives/fit-widths.ts'
import type { LogFacts, LogLevel } from '../primitives/log-line.ts'
import { plainJson, plainLines, plainText } from '../primitives/plain-text.ts'
import { createLog, type LogSettings, USUAL_LOG } from './log.ts'
import { problemNotes } from './outage-notes.ts'

const NO_BORDER = { top: '', 'top-mid': '', 'top-left': '', 'top-right': '' }
const NO_FOOT = { bottom: '', 'bottom-mid': '', 'bottom-left': '', 'bottom-right': '' }
const NO_SIDES = { left: '', 'left-mid': '', right: '', 'right-mid': '', middle: '  ' }
const RULE = { mid: '', 'mid-mid': '' }

/** Widths of columns on a terminal: two spaces between them, and the least width of one whose cells are continued below. */
const FIT = { between: 2, around: 0, narrowest: 10 } as const

/**
 * Renders a plain table, one line per row, with numbers aligned to the right. A missing value is `-`, never 0.
 * @param width  of a terminal: cells too long for it go on in the next line, so that nothing of them is lost; null: none
 */
export function renderTable(
  head: readonly string[],
  rows: readonly (readonly TableCell[])[],
  width: number | null = null,
): string {
  const cells = rows.map((row) => row.map(cellText))
  const table = new Table({
    head: [...head],
    colAligns: head.map((_, column) => (isNumeric(cells, column) ? 'right' : 'left')),
    chars: { ...NO_BORDER, ...NO_FOOT, ...NO_SIDES, ...RULE },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0, compact: true },
    ...(width === null ? {} : wrapped(head, cells, width)),
  })
  table.push(...cells)
  const lines = table.toString().split('\n')
  return lines.map((line) => line.trimEnd()).join('\n')
}

/** Returns the options of a table that fits a width; none where it fits, or where even its narrowest form does not. */
function wrapped(head: readonly string[], cells: readonly (readonly string[])[], width: number): object {
  const natural = head.map((name, at) => Math.max(...[name, ...cells.map((row) => row[at] ?? '')].map(lengthOf)))
  const widths = fitWidths(natural, width, FIT)
  const fits = widths.every((one, at) => one === natural[at])
  return fits || widths.length < head.length ? {} : { colWidths: widths, wordWrap: true, wrapOnWordBoundary: false }
}

function lengthOf(text: string): number {
  return [...text].length
}

function cellText(value: TableCell): string {
  return value === null || value === undefined ? '-' : plainText(String(value))
}

function isNumeric(cells: readonly (readonly string[])[], column: number): boolean {
  return cells.every((row) => /^(-|-?[\d,]+(\.\d+)?%?)$/.test(row[column] ?? '-'))
}

/** Progress of a long run; `finish` removes the bar. */
export type Progress = {
  /** `total` null: not known yet. */
  update(progress: { readonly done: number; readonly total: number | null }): void
  finish(): void
}

const SILENT: Progress = { update: () => undefined, finish: () => undefined }

/** Creates a progress bar on a terminal, else a silent one, so logs stay readable. */
export async function createProgress(
  label: string,
  stream: NodeJS.WritableStream & { readonly isTTY?: boolean },
): Promise<Progress> {
  if (stream.isTTY !== true) return SILENT
  const { SingleBar, Presets } = await import('cli-progress')
  const bar = new SingleBar(
    {
      stream,
      format: `${label} {bar} {percentage}% | {value}/{total} | {eta_formatted} left`,
      clearOnComplete: true,
      hideCursor: true,
      etaBuffer: 50,
    },
    Presets.shades_classic,
  )
  bar.start(1, 0)
  return {
    update: ({ done, total }) => {
      if (total !== null) bar.setTotal(Math.max(total, 1))
      bar.update(done)
    },
    finish: () => bar.stop(),
  }
}

/** Output streams of a command. */
export type OutputStreams = {
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number }
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean }
}

/** Results go to standard output, everything else to standard error. */
export type Output = {
  /** JSON or NDJSON was requested. */
  readonly json: boolean
  /** Standard output is a terminal. */
  readonly terminal: boolean
  /** Width of that terminal now; null: standard output is none. */
  readonly width: () => number | null
  /** Writes text or bytes; waits for a slow reader. */
  write(chunk: string | Uint8Array): Promise<void>
  /** Standard output as a stream that can be ended without closing it. */
  sink(): Writable
  /** Writes one line of text without control characters; exact output is written by `write`. */
  line(text?: string): Promise<void>
  /** Writes one indented JSON document; control characters in it are escapes. */
  document(value: unknown): Promise<void>
  /** Writes one JSON value on a line of its own. */
  record(value: unknown): Promise<void>
  /** Writes a table; nothing without rows. */
  table(head: readonly string[], rows: readonly (readonly TableCell[])[]): Promise<void>
  /** Writes a table that is the whole answer; without rows it notes so. */
  list(head: readonly string[], rows: readonly (readonly TableCell[])[]): Promise<void>
  /** Writes one line to the log, which is standard error. */
  log(level: LogLevel, message: string, facts?: LogFacts): void
  /** Does the same at level info. */
  note(text: string): void
  /** Logs a problem that may repeat: the first one, then their count at intervals, then that it is over. Usual level: warn. */
  problem(text: string, facts?: Reported): void
  /** Passes on a line that another process of ours logged. */
  relay(process: string, line: string): void
  /** Lines logged by this process since its start, by level. */
  logged(): Readonly<Record<LogLevel, number>>
  /** Returns the same output with another name of the process in its log. */
  of(process: string): Output
  /** Returns how a step of a long run is noted: one line each, if standard error is a terminal or the caller asked for it. */
  steps(is_asked: boolean): (text: string) => void
  /** Creates a progress bar on standard error; silent unless that is a terminal. */
  progress(label: string): Promise<Progress>
}

export type TableCell = string | number | boolean | null | undefined

const SWEEP_MS = 10_000

type Reported = LogFacts & { readonly level?: LogLevel }

/** Creates the output of one run. */
export function createOutput(streams: OutputStreams, json: boolean, settings: LogSettings = USUAL_LOG): Output {
  const { stdout, stderr } = streams
  const width = () => (stdout.isTTY === true && stdout.columns ? stdout.columns : null)
  const write = async (chunk: string | Uint8Array): Promise<void> => {
    if (!stdout.write(chunk)) await once(stdout, 'drain')
  }
  const table: Output['table'] = async (head, rows) => {
    if (rows.length > 0) await write(`${renderTable(head, rows, width())}\n`)
  }
  const { log, relay, logged } = createLog((line) => void stderr.write(`${line}\n`), settings)
  const problems = problemNotes((text, { level = 'warn', ...facts }: Reported) => log(level, text, facts))
  let is_swept = false
  return {
    json,
    terminal: stdout.isTTY === true,
    width,
    write,
    sink: () => new Writable({ write: (chunk, _encoding, done) => void stdout.write(chunk, done) }),
    line: (text = '') => write(`${plainLines(text)}\n`),
    document: (value) => write(`${plainJson(value, 2)}\n`),
    record: (value) => write(`${plainJson(value)}\n`),
    table,
    list: async (head, rows) => {
      if (rows.length === 0) log('info', 'no rows')
      await table(head, rows)
    },
    log,
    relay,
    logged,
    of: (process) => createOutput(streams, json, { ...settings, process }),
    note: (text) => log('info', text),
    problem: (text, facts) => {
      if (!is_swept) setInterval(() => problems.sweep(), SWEEP_MS).unref()
      is_swept = true
      problems.report(text, facts)
    },
    steps: (is_asked) => (is_asked || stderr.isTTY === true ? (text) => log('info', text) : () => undefined),
    progress: (label) => createProgress(label, stderr),
  }
}
